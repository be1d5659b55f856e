"""What people decided, read out of the table ``reviews``, which only grows: latest words, undoing, second opinions.

A decision is a row: the place, what stood there, what stands there now (NULL: opened again), who, when, a note. Taking
one back is a row too, with the number of the row it undoes.
"""

from __future__ import annotations

from dataclasses import dataclass

from scanner.sheet.errors import ClabberError

#: Who decides when no person did; no person may sign with it.
PROGRAM = "clabber (program)"


class OvertakenError(ClabberError):
    """Somebody else decided the same place first; nothing was written."""


@dataclass(frozen=True)
class Decision:
    """A row of ``reviews``: its number, the place decided, and what stood there before."""

    number: int
    place: str
    before: str | None

    @property
    def moves(self) -> bool:
        """Whether a grid or a layout was changed, so that taking it back means reading the photo again."""
        return self.place.endswith(("/quad", "/layout"))


#: The latest decision of one person that is neither undone nor an undoing and that nobody has decided over.
LAST_STANDING = """
SELECT review_id, cell_id, before FROM reviews AS mine
 WHERE by = :by AND undoes IS NULL
   AND NOT EXISTS (SELECT 1 FROM reviews WHERE undoes = mine.review_id)
   AND NOT EXISTS (SELECT 1 FROM reviews AS theirs
                    WHERE theirs.cell_id = mine.cell_id AND theirs.review_id > mine.review_id AND theirs.by <> :by)
 ORDER BY review_id DESC LIMIT 1
"""

#: Who of the people decided last.
LAST_PERSON = f"SELECT by FROM reviews WHERE by <> '{PROGRAM}' ORDER BY review_id DESC LIMIT 1"

#: What a place (first value) was decided to be before one review (second value).
DECIDED_BEFORE = "SELECT text FROM reviews WHERE cell_id = ? AND review_id < ? ORDER BY review_id DESC LIMIT 1"

#: The latest decision about every place below an owner (a sheet or a game): cell_id, text, by, at, note.
LATEST = """
SELECT review_id, cell_id, text, by, at, note FROM reviews
 WHERE review_id IN (SELECT max(review_id) FROM reviews WHERE cell_id LIKE ?1 || '/%' GROUP BY cell_id)
"""

#: Corners and layouts a person chose that a rescan has not followed: cell_id, text.
UNFOLLOWED = """
WITH last AS (SELECT cell_id, text, by FROM reviews WHERE review_id IN
                (SELECT max(review_id) FROM reviews WHERE cell_id LIKE '%/quad' OR cell_id LIKE '%/layout'
                  GROUP BY cell_id))
SELECT cell_id, last.text, last.by FROM last JOIN games ON cell_id = game_id || '/quad' WHERE quad IS NOT last.text
UNION ALL
SELECT cell_id, last.text, last.by FROM last JOIN sheets ON cell_id = sheet_id || '/layout'
 WHERE layout IS NOT last.text
"""

#: Places where the last words of two people differ: cell_id, text and by of the one that counts, other_text, other.
DISAGREEMENTS = f"""
WITH words AS (SELECT cell_id, by, text, review_id FROM reviews
                WHERE review_id IN (SELECT max(review_id) FROM reviews GROUP BY cell_id, by) AND text IS NOT NULL
                  AND cell_id NOT LIKE '%/quad' AND cell_id NOT LIKE '%/layout' AND by <> '{PROGRAM}'),
     counts AS (SELECT cell_id, max(review_id) AS review_id FROM reviews GROUP BY cell_id)
SELECT ours.cell_id, ours.text, ours.by, theirs.text AS other_text, theirs.by AS other
  FROM words AS ours JOIN counts USING (review_id, cell_id)
  JOIN words AS theirs ON theirs.cell_id = ours.cell_id AND theirs.by <> ours.by AND theirs.text <> ours.text
 ORDER BY ours.review_id, theirs.review_id
"""
