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

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-bottom: 1px solid #999; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #ddd; text-align: left; overflow-wrap: anywhere; }
th { border-bottom: 2px solid #111; } td.n, th.n { text-align: right; }
img { max-width: 100%; } .note { color: #444; } .scroll { overflow-x: auto; }
@media print { body { max-width: none; margin: 0; } h2, table, img { break-inside: avoid; } }
"""


def page(title: str, parts: Iterable[str]) -> str:
    """A whole HTML document from parts that are HTML already."""
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n" + "\n".join(parts)
        + "\n</body>\n</html>\n")


def heading(text: str) -> str:
    """A section's heading."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f'<p class="note">{escape(text)}</p>'


def table(frame: pd.DataFrame, titles: dict[str, str]) -> str:
    """A frame as an HTML table: the columns named in ``titles``, in that order, under those headings."""
    numeric = {key: pd.api.types.is_numeric_dtype(frame[key]) for key in titles}
    heads = "".join(f"<th{_align(numeric[key])}>{escape(title)}</th>" for key, title in titles.items())
    rows = ("<tr>" + "".join(f"<td{_align(numeric[key])}>{escape(shown(value))}</td>" for key, value in row.items())
            + "</tr>" for row in frame[list(titles)].to_dict("records"))
    return f'<div class="scroll"><table>\n<tr>{heads}</tr>\n' + "\n".join(rows) + "\n</table></div>"


def picture(figure: Figure, caption: str) -> str:
    """A figure as a picture within the page, its caption as the text for those who do not see it."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110, metadata={"Software": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    return f'<p><img src="data:image/png;base64,{data}" alt="{escape(caption)}"></p>'


def shown(value: object) -> str:
    """A value as a reader wants to see it: nothing for null, days as ISO dates, one decimal."""
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, pd.Timestamp):
        return value.date().isoformat()
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def _align(numeric: bool) -> str:
    return ' class="n"' if numeric else ""
