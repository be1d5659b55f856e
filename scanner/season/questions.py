"""What the season asks a person: one value for each open cell, and for each name or date nobody could read.

Nothing is asked of a sheet set aside, and no head of a sheet without a hand: no answer would change anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from scanner.sheet.heads import SURE_HEAD
from scanner.sheet.results import Quad


@dataclass(frozen=True)
class Question:
    """A cell to look at. ``text`` is the best guess, ``choices`` the likeliest texts with their probabilities."""

    cell_id: str
    game_id: str
    photo: str
    sha256: str
    layout: str
    grid: int
    row: int
    cell: str
    text: str
    confidence: float
    box: Quad | None
    choices: tuple[tuple[str, float], ...]
    message: str | None
    we: str | None
    they: str | None
    date: str | None

    @property
    def line(self) -> str:
        """The question on one line of text, cell id first."""
        guesses = " or ".join(text or "(empty)" for text, _ in self.choices[:3]) or self.text or "(empty)"
        teams = f"{self.we or '?'} – {self.they or '?'}"
        place = f"row {self.row}, {self.cell.replace('_', ' ')}"
        return " ".join(f"{self.cell_id}  {place}: {guesses}?  {teams}  {self.photo}".splitlines())


@dataclass(frozen=True)
class HeadQuestion:
    """A team's name (``what`` is ``we`` or ``they``) or the ``date`` of a sheet that could not be read."""

    cell_id: str
    photo: str
    sha256: str
    what: str
    text: str | None
    confidence: float | None


OPEN_QUESTIONS = """
SELECT cells.cell_id, cells.game_id, photos.photo, photos.sha256, sheets.layout, games.grid, cells.row, cells.cell,
       cells.text, cells.confidence, cells.box, cells.choices,
       (SELECT message FROM problems
         WHERE problems.game_id = cells.game_id AND problems.code = 'unreadable'
           AND problems.row = cells.row AND problems.cell = cells.cell) AS message,
       coalesce(we_settled, we) AS we, coalesce(they_settled, they) AS they, coalesce(date_settled, date) AS date
  FROM cells JOIN games USING (game_id) JOIN sheets USING (sheet_id) JOIN photos USING (sha256)
 WHERE cells.review = 1 AND cells.settled IS NULL AND sheets.mark IS NULL
 ORDER BY photos.saved_at, photos.rowid, sheets.number, games.grid, cells.row, cells.rowid
"""

_HEAD = """
SELECT sheet_id, sheet_id || '/{what}' AS cell_id, photo, sha256, '{what}' AS what, {text} AS text,
       {what}_confidence AS confidence, photos.saved_at, photos.rowid AS place, sheets.number
  FROM sheets JOIN photos USING (sha256)
 WHERE mark IS NULL AND EXISTS (SELECT 1 FROM games JOIN hands USING (game_id) WHERE games.sheet_id = sheets.sheet_id)
   AND {what}_settled IS NULL AND (coalesce({read}, '') = '' OR {what}_confidence < {sure})
"""

_HEADS = " UNION ALL ".join(
    # A date is read when its day is known: "Apr 3" without a year is asked.
    _HEAD.format(what=what, text=text, read=what, sure=SURE_HEAD)
    for what, text in (("we", "we"), ("they", "they"), ("date", "date_text"))
)

UNSURE_HEADS = f"""
SELECT cell_id, photo, sha256, what, text, confidence FROM ({_HEADS}) ORDER BY saved_at, place, number, what DESC
"""

#: How many of them each sheet has: sheet_id, heads.
COUNTED_HEADS = f"SELECT sheet_id, count(*) AS heads FROM ({_HEADS}) GROUP BY sheet_id"
