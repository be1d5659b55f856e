"""``clabber report``: a season for people without Python."""

from __future__ import annotations

from pathlib import Path

from scanner.commands.status import ExitCode, say
from scanner.output.plain import plain
from scanner.output.progress import paced


def report(season: Path, out: Path, ranking: str | None, league: Path | None = None) -> ExitCode:
    """Write standings, games, hands, a workbook, a page and a PDF into ``out`` and name them."""
    import analysis

    for path in analysis.write_report(season, out, ranking, league, paced(say)):
        print(plain(str(path)))
    return ExitCode.OK
