"""A report as a PDF to print: A4 pages, filled from the top with text, pictures and pieces of tables."""

from __future__ import annotations

import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure, SubFigure

from analysis import page
from analysis.export import replaced
from analysis.parts import Picture, Section

_A4 = (8.27, 11.69)  # inches
_MARGIN, _INNER = 0.45, _A4[1] - 0.9
#: Inches: a heading, a line of text, of a table, a row of two pictures, one picture, one of many teams.
_HEADING, _LINE, _ROW, _PAIR, _SINGLE, _LARGE = 0.5, 0.19, 0.235, 2.9, 3.9, 5.0
#: Names that go beside half a page's picture.
_FEW = 14
#: Letters of a line of text, of a heading or name, and of a line in a table. A value has three lines at most; the whole
#: of it is in the other files.
_WIDE, _LETTERS, _COLUMN = 108, 96, 64


@dataclass(frozen=True)
class _Block:
    """A piece of a page: its height in inches, how to draw it, and whether the next has to be on the same page."""

    height: float
    draw: Callable[[SubFigure], None]
    holds_next: bool = False


def write_pdf(title: str, parts: Sequence[Section], path: Path, foot: str = "",
              told: Callable[[str], None] = lambda line: None) -> Path:
    """Writes the sections as a PDF file; ``foot`` stands under every page.

    ``told`` gets a line before each page, for people who wait.
    """
    with replaced(path) as temporary, PdfPages(temporary, metadata={"Title": title, "CreationDate": None}) as pdf:
        blocks = [_heading(title, 20), *(block for part in parts for block in _blocks(part))]
        pages = list(_pages(blocks))
        for number, some in enumerate(pages, 1):
            told(f"{path.name}: page {number} of {len(pages)}")
            with figure_to_save(_A4) as figure:
                _draw(figure, some, f"{foot}  {number}" if foot else str(number))
                pdf.savefig(figure)
    return path


def _blocks(part: Section) -> Iterator[_Block]:
    yield _heading(part.title, 14)
    lines = [line for note in part.notes for line in textwrap.wrap(note, _WIDE)]
    for some in _by(lines, 20):
        yield _text(some)
    if part.frame is not None and len(part.frame):
        cells = [[_folded(page.shown(value)) for value in row.values()]
                 for row in part.frame[list(part.titles)].to_dict("records")]
        row = _ROW * (0.4 + 0.6 * max(1 + text.count("\n") for line in cells for text in line))
        for some in _by(cells, int((_INNER - 2 * _HEADING - _ROW) / row)):
            yield _table(list(part.titles.values()), some, row)
    if any(map(_crowded, part.pictures)):
        yield from (_gallery([picture], _LARGE) for picture in part.pictures)
    else:
        yield from (_gallery(pair, _PAIR if len(pair) > 1 else _SINGLE) for pair in _by(part.pictures, 2))


def _pages(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """Blocks to pages: a heading never stands alone at the foot of one."""
    groups: list[list[_Block]] = [[]]
    for block in blocks:
        groups[-1].append(block)
        if not block.holds_next:
            groups.append([])
    some: list[_Block] = []
    for group in groups:
        if some and sum(b.height for b in (*some, *group)) > _INNER:
            yield some
            some = []
        some += group
    if some:
        yield some


def _draw(figure: Figure, blocks: Sequence[_Block], foot: str) -> None:
    rest = max(_INNER - sum(block.height for block in blocks), 0.01)
    heights = [_MARGIN, *(block.height for block in blocks), rest, _MARGIN]
    rows = figure.subfigures(len(heights), 3, height_ratios=heights, width_ratios=(0.07, 0.86, 0.07))[:, 1]
    for row, block in zip(rows[1:], blocks, strict=False):
        block.draw(row)
    rows[-1].text(0.5, 0.5, _safe(foot), ha="center", va="center", fontsize=7, color="#555555")


def _heading(text: str, size: float) -> _Block:
    return _Block(_HEADING, lambda row: row.text(0, 0.3, _safe(_cut(text)), fontsize=size, weight="bold"), True)


def _text(lines: Sequence[str]) -> _Block:
    text = _safe("\n".join(lines))
    return _Block(0.1 + _LINE * len(lines), lambda row: row.text(0, 0.95, text, fontsize=9, va="top"))


def _crowded(picture: Picture) -> bool:
    """Whether a picture names too many teams for half a page's width."""
    ax = Figure().subplots()
    picture.draw(ax)
    legend = ax.get_legend()
    return max(len(ax.get_yticks()), len(legend.get_texts()) if legend else 0) > _FEW


def _gallery(pictures: Sequence[Picture], height: float) -> _Block:
    def draw(row: SubFigure) -> None:
        places = [row] if len(pictures) == 1 else list(row.subfigures(1, 2))
        for place, some in zip(places, pictures, strict=False):
            ax = place.subplots()
            some.draw(ax)
            ax.set_title(ax.get_title(), fontsize=9)
            ax.tick_params(labelsize=6)
            ax.xaxis.label.set_size(7)
            ax.yaxis.label.set_size(7)
            for text in (legend.get_texts() + [legend.get_title()] if (legend := ax.get_legend()) else ()):
                text.set_fontsize(6.5)
    return _Block(height, draw)


def _table(heads: Sequence[str], cells: Sequence[Sequence[str]], row_height: float) -> _Block:
    height = _ROW + row_height * len(cells) + 0.15

    def draw(row: SubFigure) -> None:
        ax = row.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        texts = [[_safe(text) for text in line] for line in cells]
        drawn = ax.table(texts, colLabels=heads, loc="upper left", cellLoc="left", edges="horizontal")
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(_size(heads, cells))
        drawn.auto_set_column_width(list(range(len(heads))))
        for (line, _), cell in drawn.get_celld().items():
            cell.set_height((row_height if line else _ROW) / height)
            cell.set_linewidth(0.4)
    return _Block(height, draw)


def _size(heads: Sequence[str], cells: Sequence[Sequence[str]]) -> float:
    """Points in which the longest line of the table goes on a page: about 90 letters at 8."""
    longest = sum(2 + max(len(part) for row in (heads, *cells) for part in row[i].split("\n"))
                  for i in range(len(heads)))
    return min(8.0, max(4.0, 8.0 * 90 / longest))


def _by(items: Sequence, count: int) -> Iterator[Sequence]:
    """The items, so many at a time."""
    return (items[i : i + count] for i in range(0, len(items), count))


def _folded(text: str) -> str:
    return "\n".join(textwrap.wrap(text, _COLUMN, max_lines=3, placeholder="…"))


def _cut(text: str) -> str:
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"


def _safe(text: str) -> str:
    """A text between dollar signs is no formula."""
    return text.replace("\\", "\\\\").replace("$", r"\$") if "$" in text else text


@contextmanager
def figure_to_save(size: tuple[float, float]) -> Iterator[Figure]:
    """A figure to draw on and save. Names in a script the font lacks print as boxes, and the names of forty teams leave
    no room for a picture: no reason to stop."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="constrained_layout not applied")
        warnings.filterwarnings("ignore", message=".*[Gg]lyph .* missing from font")
        yield Figure(figsize=size, layout="constrained")
