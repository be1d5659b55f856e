"""What a scan says, as values: one class per object of the JSON document, from a cell up to a photo.

Frames: every ``box`` and ``quad`` is four (x, y) pixel corners in the photo as a viewer shows it (EXIF turn applied),
clockwise from the grid's own top left. Rows and grids count from 1. ``None`` means not known.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

#: The two sides of a game, in the order of every pair in this project.
SIDES = ("we", "they")


def other(side: str) -> str:
    """The opponents of a side."""
    return "they" if side == "we" else "we"


@dataclass(frozen=True)
class CellResult:
    """One cell: what is written (``text``, with its probability after decoding) and whether a person must look."""

    text: str
    confidence: float
    review: bool = False
    struck: str | None = None
    box: Quad | None = None
    #: (text, probability) of the likeliest texts after decoding, best first; what a reviewer is offered.
    choices: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Pair:
    """One number for each side; None where not known."""

    we: int | None
    they: int | None

    def __getitem__(self, side: str) -> int | None:
        return self.we if side == "we" else self.they


@dataclass(frozen=True)
class HandScore:
    """Points of one hand and running totals after it."""

    points: Pair
    totals: Pair


@dataclass(frozen=True)
class Candidate:
    """A cell that may be the guilty one, and what it should hold if it is."""

    cell: str
    expected: str
    probability: float


@dataclass(frozen=True)
class Consequence:
    """What a slip changes: whether the winner differs, and how many points were moved (absolute, both sides).

    ``moved`` is by how much it changed the totals of (we, they) from its row on, and with them the game points in the
    standings.
    """

    winner_changes: bool = False
    points_moved: int = 0
    moved: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Problem:
    """One finding, with a sentence for a card player. ``row`` and ``cell`` are None for a ``winner-mark``."""

    code: str
    row: int | None
    cell: str | None
    written: str | None
    expected: str | None
    message: str
    candidates: tuple[Candidate, ...] = ()
    probability: float = 1.0
    consequence: Consequence = Consequence()


@dataclass(frozen=True)
class RowResult:
    """One row in which a hand is written. ``corrected`` is the most probable true game, totals added up from 0."""

    row: int
    cells: dict[str, CellResult]
    written: HandScore
    corrected: HandScore
    set: str | None
    maker: str | None
    meld: int | None


@dataclass(frozen=True)
class GameResult:
    """One game: its rows in order, who won as written and as corrected, and every problem."""

    rows: tuple[RowResult, ...]
    winner_mark: str | None
    winner: str | None
    winner_corrected: str | None
    problems: tuple[Problem, ...]
    grid: int = 1
    quad: Quad | None = None
    fit_error: float | None = None

    def placed(self, grid: int, quad: Quad, fit_error: float, boxes: dict[tuple[int, str], Quad]) -> GameResult:
        """The same game with its place in the photo: ``boxes`` maps (row, cell key) to the cell's corners."""
        rows = tuple(
            replace(row, cells={k: replace(c, box=boxes.get((row.row, k))) for k, c in row.cells.items()})
            for row in self.rows
        )
        return replace(self, rows=rows, grid=grid, quad=quad, fit_error=fit_error)


@dataclass(frozen=True)
class Label:
    """A name or date read from the head of a sheet; ``iso`` only for dates."""

    text: str
    confidence: float
    iso: str | None = None


@dataclass(frozen=True)
class Fault:
    """What is wrong with the picture of a sheet, though it was read: a code, a sentence, advice for the next photo.

    ``code`` is too-small, too-dark, blurred, glare, covered, nothing-read or another-sheet. ``grid`` is None where it
    is about no grid, ``rows`` are those it is on, none where it is about the whole grid.
    """

    code: str
    message: str
    advice: str
    grid: int | None = None
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class SheetResult:
    """One sheet: its layout, the smallest quad around all its grids, its head, its games, faults of its picture."""

    layout: str
    layout_confidence: float
    quad: Quad
    games: tuple[GameResult, ...]
    teams: dict[str, Label] = field(default_factory=dict)
    date: Label = Label("", 0.0)
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class PhotoError:
    """Why a photo could not be read: a code of the output contract and a sentence that says what to do."""

    code: str
    message: str


@dataclass(frozen=True)
class PhotoResult:
    """One photo: ``photo`` is the path as given, ``sha256`` of its bytes, size as a viewer shows it."""

    photo: str
    sha256: str
    width: int
    height: int
    sheets: tuple[SheetResult, ...] = ()
    error: PhotoError | None = None
