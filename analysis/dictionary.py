"""``docs/data-dictionary.md`` from the schemas: ``python -m analysis.dictionary`` prints it."""

from __future__ import annotations

import pandas as pd

from analysis import schemas
from analysis.export import GAMES_CSV, HANDS_CSV
from analysis.tables import MEANINGS

_HEAD = """# Data dictionary

The frames of `analysis.load("season.db")` (with the league's file as a second argument, where there is
[one](league-file.md)) and the table of `analysis.standings(frames.games)`. Made from the schemas in
`analysis/schemas.py`, which every frame is checked against when it is loaded; after a change there, make it again with
`python -m analysis.dictionary > docs/data-dictionary.md`.

Start from `games` and `hands`. "Official" columns follow the written totals, or the corrected ones where a person has
ruled so; both stand beside them. Sides are `we` and `they`, the columns on paper; whole numbers may be empty (`Int64`).
"""


def dictionary() -> str:
    """The data dictionary as Markdown."""
    parts = [_HEAD]
    for name, schema in schemas.ALL.items():
        parts.append(f"\n## {name}\n\n{schema.description}\n\n")
        parts.append("| column | type | may be empty | meaning |\n|---|---|---|---|\n")
        parts += [f"| `{key}` | {_kind(column.dtype.type)} | {'yes' if column.nullable else 'no'} | "
                  f"{_escaped(column.description)} |\n" for key, column in schema.columns.items()]
    parts.append("\n## Other tables\n\n`clabber export` writes them beside the frames and the standings; in Python "
                 "`analysis.tables.all_tables(frames)` has them by name. Rates and means stand beside their n, the "
                 "lower and the upper end of a 95 % interval.\n\n| table | what it says |\n|---|---|\n")
    parts += [f"| `{name}` | {meaning} |\n" for name, meaning in MEANINGS.items()]
    parts.append("\n## CSV files of `clabber report`\n\nUTF-8, commas, ISO dates, nothing for null. A text that a "
                 "spreadsheet would take for a formula begins with an apostrophe.\n\n"
                 f"- `standings.csv`: {', '.join(f'`{c}`' for c in schemas.STANDINGS.columns)}\n"
                 f"- `games.csv`: {', '.join(f'`{c}`' for c in GAMES_CSV)}\n"
                 f"- `hands.csv`: {', '.join(f'`{c}`' for c in HANDS_CSV)}\n")
    return "".join(parts)


def _kind(dtype: object) -> str:
    if isinstance(dtype, pd.DatetimeTZDtype):
        return "time, UTC"
    if isinstance(dtype, pd.StringDtype):
        return "text"
    kinds = {"M": "day", "i": "whole number", "f": "number", "b": "true or false"}
    return kinds[dtype.kind]


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(dictionary(), end="")
