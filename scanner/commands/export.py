"""``clabber export``: a season as CSV, Excel or Parquet files for other programs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scanner.commands.status import ExitCode
from scanner.output.files import refuse_suffix
from scanner.output.plain import plain
from scanner.sheet.errors import InputError


@dataclass(frozen=True)
class Targets:
    """Where to write: folders for CSV and Parquet files, a file for Excel; None for what is not wanted."""

    csv: Path | None = None
    xlsx: Path | None = None
    parquet: Path | None = None


def export(season: Path, targets: Targets, ranking: str | None, league: Path | None) -> ExitCode:
    """Write every frame of a season and the tables made of them, and name the files."""
    if targets == Targets():
        raise InputError("say what to write: --csv FOLDER, --xlsx FILE or --parquet FOLDER (or several of them).")
    if targets.xlsx:
        refuse_suffix(targets.xlsx, ".xlsx")
    import analysis
    from analysis import export as to

    if targets.parquet:
        to.refuse_parquet()
    rules = analysis.load_league(league) if league else None
    frames = analysis.load(season, rules)
    files = to.export_csv(frames, targets.csv, ranking, rules) if targets.csv else []
    files += [to.export_xlsx(frames, targets.xlsx, ranking, rules)] if targets.xlsx else []
    files += to.export_parquet(frames, targets.parquet, ranking, rules) if targets.parquet else []
    for path in files:
        print(plain(str(path)))
    return ExitCode.OK
