"""A report as a PDF to print: A4 pages, a picture or a piece of a table on each."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from analysis import page
from analysis.export import replaced
from analysis.sections import Section

#: Lines of a table on one page; A4 holds so many at the size below.
_LINES_A_PAGE = 30
_A4 = (8.27, 11.69)  # inches


def write_pdf(title: str, parts: Sequence[Section], path: Path) -> Path:
    """Writes the sections as a PDF file."""
    with replaced(path) as temporary, PdfPages(temporary, metadata={"Title": title, "CreationDate": None}) as pdf:
        for part in parts:
            if part.draw:
                with figure_to_save((_A4[0], _A4[1] / 2)) as figure:
                    part.draw(figure.subplots())
                    pdf.savefig(figure)
            if part.frame is not None and len(part.frame):
                for start in range(0, len(part.frame), _LINES_A_PAGE):
                    _table_page(pdf, part, start)
    return path


def _table_page(pdf: PdfPages, part: Section, start: int) -> None:
    rows = part.frame.iloc[start : start + _LINES_A_PAGE]
    cells = [[_cut(page.shown(value)) for value in row.values()] for row in rows[list(part.titles)].to_dict("records")]
    with figure_to_save(_A4) as figure:
        ax = figure.subplots()
        ax.set_axis_off()
        ax.set_title(part.title, loc="left", fontsize=16, pad=20)
        drawn = ax.table(cells, colLabels=list(part.titles.values()), loc="upper left", cellLoc="left",
                         edges="horizontal")
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(8)
        drawn.auto_set_column_width(list(range(len(part.titles))))
        drawn.scale(1, 1.4)
        pdf.savefig(figure)


def _cut(text: str) -> str:
    """A text as a table of the PDF holds it; the whole of it is in the other files."""
    text = text if len(text) <= 60 else text[:59] + "…"
    return text.replace("$", r"\$")


@contextmanager
def figure_to_save(size: tuple[float, float]) -> Iterator[Figure]:
    """A figure to draw on and save. Names in a script the font lacks print as boxes, which is no reason to stop."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph .* missing from font")
        yield Figure(figsize=size, layout="constrained")
