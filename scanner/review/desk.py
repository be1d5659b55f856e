"""The desk a person sits at: every request of the page is one method here, whoever carries it (HTTP or a notebook).

One thread owns the season file, so the requests of any number of windows are taken one after the other; other programs
are kept apart by SQLite's own locks.  Nothing is kept in memory that matters: each answer is in the file before the
page hears of it, and undoing reads the file's history.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scanner.review import pictures, views
from scanner.review.again import decide, decode_stale
from scanner.review.grids import ReadCells
from scanner.review.mover import Mover
from scanner.review.places import show, spot
from scanner.review.queue import Item, open_items
from scanner.season.decisions import LAST_PERSON, UNFOLLOWED, OvertakenError
from scanner.season.store import Season, open_season
from scanner.sheet.errors import ClabberError, InputError, LayoutError, SeasonError
from scanner.sheet.layout import BUILT_IN
from scanner.sheet.results import Quad

#: The league table of a season file: rows of rank, team, played, won, lost, points_for.
Standings = Callable[[Path], Sequence[dict]]


@dataclass(frozen=True)
class Tools:
    """What the desk borrows from rooms it does not know: a reader for moved grids, a table for the end."""

    read_cells: ReadCells | None = None
    standings: Standings | None = None
    by: str | None = None


@dataclass
class _Sitting:
    """This run of the program: when it began, what was open then, who answered how often."""

    began: float = field(default_factory=time.monotonic)
    sheets: int = 0
    items: int = 0
    answers: Counter[str] = field(default_factory=Counter)


class Desk:
    """A season being reviewed. Close it, or use it in a ``with`` block.

    Raises:
        SeasonError: the file is absent, damaged, locked, of another kind or of a newer version.
    """

    def __init__(self, season: Path, folders: Sequence[Path] = (), tools: Tools = Tools()) -> None:  # noqa: B008 - frozen
        self.path = Path(season)
        self.tools = tools
        self.shelf = pictures.Shelf([self.path.parent, *folders])
        self._thread = ThreadPoolExecutor(1, "season")
        self._stack = ExitStack()
        self._sitting = _Sitting()
        try:
            self._thread.submit(self._open).result()
            self._mover = Mover(self._run, self.shelf, tools.read_cells)
            if tools.read_cells is not None and self._run(Season.select, UNFOLLOWED):
                threading.Thread(target=self._mover.follow, daemon=True).start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the season file. Safe to call twice."""
        with suppress(RuntimeError):
            self._thread.submit(self._stack.close).result()
        self._thread.shutdown()

    def act(self, name: str, args: dict) -> dict:
        """Do what the page asks; what a person can mend comes back as ``{"error": message}``.

        Raises:
            InputError: no such request, or one with the wrong arguments.
        """
        method = _ACTS.get(name)
        if method is None:
            raise InputError(f"{name!r}: there is no such request.")
        _refuse_odd(name, args)
        try:
            return method(self, **args)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise InputError(f"{name}: {error}") from error
            raise
        except OvertakenError:
            return self._run(self._overtaken, str(args.get("place")))
        except ClabberError as error:
            return {"error": str(error)}

    # What the page may ask for, in the order of _ACTS.

    def hello(self) -> dict:
        """What the page needs to begin: who sat here last, layouts to choose from, whether any photo is gone."""
        return self._run(self._hello)

    def next(self, skipped: Sequence[str] = (), sheet: str | None = None) -> dict:
        """The state of the queue and the next question that is not among the skipped places."""
        return self._run(self._state, skipped, sheet)

    def answer(self, place: str, text: str, by: str, seen: int | None = None, note: str | None = None,
               skipped: Sequence[str] = (), sheet: str | None = None) -> dict:
        """Write an answer, decode what follows from it, and give the next question."""

        def do(season: Season) -> dict:
            decide(season, place, text, by, seen, note)
            self._sitting.answers[by] += 1
            _settle(season)
            return self._state(season, skipped, sheet)

        return self._run(do)

    def undo(self, by: str, skipped: Sequence[str] = (), sheet: str | None = None) -> dict:
        """Take back this person's last decision and ask it again first."""

        last = self._run(Season.last_decision, by)
        if last is not None and last.moves:
            self._mover.take_back(last, by)
        elif last is not None:
            self._run(Season.undo, last, by)
        place = None if last is None else last.place

        def again(season: Season) -> dict:
            _settle(season)
            state = self._state(season, [s for s in skipped if s != place], sheet)
            item = next((item for item in self._items if item.place == place), None)
            return state | {"undone": place} | ({} if item is None else {"item": views.item_view(season, item)})

        return self._run(again)

    def version(self) -> dict:
        """A number that changes whenever anybody changes the season, this program or another."""
        return self._run(lambda season: {"version": _version(season)})

    def picture(self, place: str) -> dict:
        """The pictures of a place, or what is missing."""
        return show(self._run(spot, place), self.shelf)

    def sheets(self) -> dict:
        """All sheets, with what is left of each."""
        return self._run(self._sheets)

    def sheet(self, sheet: str) -> dict:
        """One sheet in full."""
        return self._run(lambda season: views.sheet_view(season, sheet, self._fresh(season)))

    def photo(self, sheet: str) -> dict:
        """The whole photo of a sheet."""
        row = self._run(lambda season: dict(views.sheet_row(season, sheet)))
        found = self.shelf.photo(row["sha256"], row["photo"])
        return {"missing": {"photo": row["photo"]}} if found is None else asdict(pictures.sheet_picture(found.pixels))

    def mark(self, sheet: str, mark: str | None, by: str, note: str | None = None) -> dict:
        """Set a sheet aside, or take it back."""
        return self._run(lambda season: season.mark(sheet, mark, by, note) or {"version": _version(season)})

    def move(self, game: str, quad: Quad, by: str) -> dict:
        """Put a grid on other corners of the photo and read it again there."""
        self._mover.move(game, quad, by)
        return self.version()

    def layout(self, sheet: str, layout: str, by: str) -> dict:
        """Read a sheet again as another layout, on the corners its grids have now."""
        self._mover.change_layout(sheet, layout, by)
        return self.version()

    def alike(self, what: str, page: int = 0) -> dict:
        """A page of cells that hold the same digit or mark."""
        return self._run(lambda season: views.alike_view(season, what, page))

    def crops(self, places: Sequence[str]) -> dict:
        """Small pictures of cells; those without a photo are left out."""
        spots = [(place, self._run(spot, place)) for place in list(places)[:views.PAGE]]
        found = {}
        for place, where in spots:
            photo = None if where.quad is None else self.shelf.photo(where.sha256, where.photo)
            if photo is not None:
                found[place] = pictures.small_picture(photo.pixels, where.quad).image
        return {"crops": found}

    def folder(self, path: str) -> dict:
        """A folder where photos may be; only files with the right bytes are shown from it."""
        place = Path(path).expanduser()
        if not place.is_dir():
            raise InputError(f"{path}: there is no such folder.")
        self.shelf.folders.append(place)
        return self._run(self._hello)

    def summary(self) -> dict:
        """What this sitting has done, what waits for others, and what changed in the league table."""
        found = self._run(self._summary)
        if self.tools.standings is None:
            return found
        after, before = self.tools.standings(self.path), self.tools.standings(self._copy)
        return found | {"before": list(before), "after": list(after)}

    # How.

    def _run(self, task: Callable, *args: object):
        return self._thread.submit(lambda: task(self._season, *args)).result()

    def _open(self) -> None:
        self._season = self._stack.enter_context(open_season(self.path, create=False))
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="clabber-review-"))
        self._copy = Path(folder) / "before.db"
        self._season.copy_to(self._copy)
        _settle(self._season)
        self._items: list[Item] = open_items(self._season)
        self._sitting.items = len(self._items)
        self._sitting.sheets = len({item.sheet for item in self._items})

    def _fresh(self, season: Season) -> list[Item]:
        self._items = open_items(season)
        return self._items

    def _hello(self, season: Season) -> dict:
        last = season.select(LAST_PERSON)
        return {"by": self.tools.by or (last[0]["by"] if last else ""), "layouts": list(BUILT_IN),
                "season": self.path.name, "folders": [str(f) for f in self.shelf.folders]}

    def _state(self, season: Season, skipped: Sequence[str], sheet: str | None = None) -> dict:
        items, passed = self._fresh(season), set(skipped)
        waiting = [item for item in items if item.place not in passed and sheet in (None, item.sheet)]
        waiting = waiting or [item for item in items if item.place not in passed]
        minutes = (time.monotonic() - self._sitting.began) / 60
        sheets = len({item.sheet for item in items})
        done = self._sitting.sheets - sheets
        return {
            "version": _version(season), "questions": len(items), "sheets": sheets,
            "skipped": len(items) - len([i for i in items if i.place not in passed]),
            "of": self._sitting.items, "seconds_a_sheet": round(minutes * 60 / done, 1) if done > 0 else None,
            "item": views.item_view(season, waiting[0]) if waiting else None,
            "then": waiting[1].place if len(waiting) > 1 else None,
            "sheet_open": sum(item.sheet == waiting[0].sheet for item in items) if waiting else 0,
        }

    def _sheets(self, season: Season) -> dict:
        left = Counter(item.sheet for item in self._fresh(season))
        return {"version": _version(season), "sheets": views.sheets_view(season, left),
                "disagreements": views.disagreements(season)}

    def _overtaken(self, season: Season, place: str) -> dict:
        row = season.select("SELECT text, by FROM reviews WHERE cell_id = ? ORDER BY review_id DESC LIMIT 1", place)[0]
        return {"overtaken": {"place": place, "text": row["text"], "by": row["by"], "seen": views.seen(season, place)}}

    def _summary(self, season: Season) -> dict:
        items, sitting = self._fresh(season), self._sitting
        sheets = len({item.sheet for item in items})
        return views.waiting_view(season) | {
            "answers": dict(sitting.answers), "questions": len(items), "sheets": sheets,
            "minutes": round((time.monotonic() - sitting.began) / 60, 1), "done": max(0, sitting.sheets - sheets)}


#: What each argument of a request must be, and how long at most; "quad" is four corners.
_TEXTS = {"place": 200, "text": 80, "by": 40, "note": 500, "sheet": 200, "game": 200, "mark": 20, "layout": 80,
          "what": 4, "path": 4000}  # fmt: skip


def _refuse_odd(name: str, args: dict) -> None:
    """Requests may come from anything that has the token, so their arguments are looked at before they are used."""
    for key, value in args.items():
        if key in _TEXTS:
            good = value is None or (isinstance(value, str) and len(value) <= _TEXTS[key] and value.isprintable())
        elif key in ("skipped", "places"):
            good = isinstance(value, list) and all(isinstance(v, str) and v.isprintable() for v in value)
        elif key == "quad":
            good = isinstance(value, list) and len(value) == 4 and all(map(_is_point, value))
        else:
            good = value is None or (isinstance(value, int) and abs(value) < 2**53)
        if not good:
            raise InputError(f"{name}: {key} is not as expected.")


def _is_point(value: object) -> bool:
    pair = isinstance(value, list | tuple) and len(value) == 2
    return pair and all(isinstance(v, int | float) and abs(v) < 1e6 for v in value)


def _settle(season: Season) -> None:
    """Decode every game with answers its decoding does not know; one that cannot be keeps them and stays as it is."""
    for game_id in season.stale():
        with suppress(LayoutError, SeasonError):
            decode_stale(season, game_id)


def _version(season: Season) -> str:
    """Numbers that move with every write: SQLite's own for other programs' writes, the latest review for ours."""
    other = season.select("PRAGMA data_version")[0][0]
    review = season.select("SELECT coalesce(max(review_id), 0) FROM reviews")[0][0]
    return f"{other}.{review}"


_ACTS = {name: getattr(Desk, name) for name in (
    "hello", "next", "answer", "undo", "version", "picture", "sheets", "sheet", "photo", "mark", "move", "layout",
    "alike", "crops", "folder", "summary")}
