"""``clabber demo``: the sample sheets scanned, problems told, pictures and a season written, the truth compared."""

from __future__ import annotations

import sys
from pathlib import Path

from scanner.batch import Task
from scanner.commands.evaluate import median_seconds
from scanner.commands.scan import Run, Wishes, read_settings
from scanner.commands.status import ExitCode
from scanner.output.document import scan_document, to_json
from scanner.output.files import write_atomically
from scanner.output.table import print_problems
from scanner.sheet.errors import InputError
from scanner.workshop.evaluate import evaluate, load_truths, report


def demo(samples: Path, out: Path, jobs: int | None) -> ExitCode:
    """Scan ``samples``, write everything into ``out``, and print problems and the comparison with the truth."""
    if not samples.is_dir():
        raise InputError(f"{samples}: no such folder; run this in the project's folder, or give --samples FOLDER.")
    truths = load_truths(samples)
    tasks = [Task(samples / truth["photo"], str(samples / truth["photo"])) for truth in truths]
    roster = samples / "roster.toml"
    run = Run(tasks, Wishes(overlay=out / "overlays", season=out / "season.db", jobs=jobs))
    run.go(read_settings("auto", str(roster) if roster.is_file() else None))
    write_atomically(out / "scan.json", to_json(scan_document(run.results)).encode())
    print_problems(run.results, sys.stdout)
    outcomes = [(truth, run.outcomes[i]) for i, truth in enumerate(truths)]
    counts = evaluate((truth, outcome.result) for truth, outcome in outcomes)
    print(f"\nAgainst the truth of {samples}:\n{report(counts, median_seconds(outcomes, list(counts)))}\n")
    _tell(out, _season_pictures(out))
    return ExitCode.OK  # a sheet that cannot be read is part of what is shown


def _season_pictures(out: Path) -> list[Path]:
    """The season's report and two pictures, made from the season file as a league would."""
    import analysis
    from analysis import plots, stats
    from analysis.printed import figure_to_save

    made = analysis.write_report(out / "season.db", out / "report")
    frames = analysis.load(out / "season.db")
    for name, plot, table in (
        ("race.png", plots.race_plot, stats.race(frames.games)),
        ("hands.png", plots.hand_scores_plot, frames.hands),
    ):
        if not len(table):
            continue
        with figure_to_save((7.5, 4.5)) as figure:
            plot(table, ax=figure.subplots())
            figure.savefig(out / name, dpi=110)
        made.append(out / name)
    return made


def _tell(out: Path, made: list[Path]) -> None:
    print("Look at:")
    for path, what in (
        (out / "overlays", "every photo with its readings and problems"),
        (out / "scan.json", "what programs get"),
        (out / "season.db", "the season file"),
        *((path, "") for path in made),
    ):
        print(f"  {str(path):26}  {what}".rstrip())
