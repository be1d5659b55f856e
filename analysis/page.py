"""A report as one HTML file: pictures inside it, no scripts, and every text from a sheet escaped."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from html import escape

import pandas as pd
from matplotlib.figure import Figure

# No script may run and nothing may be fetched, even if a text ever got past the escaping.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

#: Letters of a text that is never broken; longer ones may be, so that no table is wider than its longest.
_SHORT = 24

_STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { font: 16px/1.5 Georgia, "Times New Roman", serif; max-width: 76rem; margin: 0 auto; padding: 0 1.25rem 3rem;
  color: #111; background: #fff; }
header { border-bottom: 3px double #111; margin: 1.5rem 0 1rem; padding-bottom: .5rem; }
h1 { font-size: clamp(1.6rem, 5vw, 2.4rem); line-height: 1.15; margin: 0; }
h2 { font-size: 1.35rem; line-height: 1.2; margin: 2.5rem 0 .5rem; border-bottom: 1px solid #999; }
p { margin: .35rem 0; max-width: 48rem; } .note { color: #333; }
.scroll { overflow-x: auto; margin: .75rem 0; }
table { border-collapse: collapse; font-size: .95rem; font-variant-numeric: tabular-nums lining-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #111; white-space: nowrap; } td.n, th.n { text-align: right; white-space: nowrap; }
td { max-width: 34rem; overflow-wrap: break-word; } td.s { white-space: nowrap; }
tbody tr:nth-child(even) { background: #f6f6f3; }
.pictures > .scroll { align-self: start; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 29rem), 1fr)); gap: 1rem 1.5rem; }
figure { margin: .5rem 0; max-width: 46rem; } img { width: 100%; height: auto; display: block; }
figcaption { color: #444; font-size: .9rem; }
footer { margin-top: 3rem; border-top: 1px solid #999; color: #444; font-size: .85rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { body { padding: 0 .75rem 2rem; } th, td { padding: .25rem .45rem; } }
@media print { body { max-width: none; } h2 { break-after: avoid; } table, figure { break-inside: avoid; }
  .scroll { overflow: visible; } }
"""


def page(title: str, parts: Iterable[str], foot: str = "") -> str:
    """A whole HTML document from parts that are HTML already; ``foot`` is plain text."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<header><h1>{escape(title)}</h1></header>\n<main>\n"
        + "\n".join(parts) + f"\n</main>\n<footer><p>{escape(foot)}</p></footer>\n</body>\n</html>\n")


def heading(text: str) -> str:
    """A section's heading."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f'<p class="note">{escape(text)}</p>'


def table(frame: pd.DataFrame, titles: dict[str, str]) -> str:
    """A frame as an HTML table: the columns named in ``titles``, in that order, under those headings."""
    looks = {key: _look(frame[key]) for key in titles}
    heads = "".join(f'<th scope="col"{looks[key]}>{escape(title)}</th>' for key, title in titles.items())
    rows = ("<tr>" + "".join(f"<td{looks[key]}>{escape(shown(value))}</td>" for key, value in row.items())
            + "</tr>" for row in frame[list(titles)].to_dict("records"))
    return (f'<div class="scroll"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n' + "\n".join(rows)
            + "\n</tbody></table></div>")


def _look(column: pd.Series) -> str:
    """Numbers stand at the right, short texts on one line."""
    if pd.api.types.is_numeric_dtype(column):
        return ' class="n"'
    return ' class="s"' if column.map(lambda value: len(shown(value))).max() <= _SHORT else ""


def picture(figure: Figure, title: str, caption: str) -> str:
    """A figure as a picture within the page, the title for those who do not see it, the caption under it."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    return (f'<figure><img src="data:image/png;base64,{data}" alt="{escape(f"{title}. {caption}")}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>")


def gallery(pictures: Iterable[str]) -> str:
    """Pictures, or a picture and a table, side by side where there is room."""
    return '<div class="pictures">\n' + "\n".join(pictures) + "\n</div>"


def shown(value: object) -> str:
    """A value as a reader wants to see it: nothing for null, days as ISO dates, one decimal."""
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    return f"{value:.1f}" if isinstance(value, float) else str(value)
