"""``clabber demo``: the samples scanned, problems told, pictures and a season's report written, the truth compared."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from scanner.batch import Task
from scanner.commands.evaluate import median_seconds
from scanner.commands.sample_season import settle_heads
from scanner.commands.scan import Run, Wishes, read_settings
from scanner.commands.status import ExitCode, say
from scanner.output.document import scan_document, to_json
from scanner.output.files import write_atomically
from scanner.output.table import print_problems
from scanner.season.store import open_season
from scanner.sheet.errors import InputError
from scanner.workshop.evaluate import evaluate, load_truths, report


def demo(samples: Path, out: Path, jobs: int | None) -> ExitCode:
    """Scan ``samples`` and the league's season in it, write everything into ``out``, print problems and the truth."""
    if not samples.is_dir():
        raise InputError(f"{samples}: no such folder; run this in the project's folder, or give --samples FOLDER.")
    runs = [_scanned(folder, out, season, jobs) for folder, season in _parts(samples, out)]
    results = [result for _, run in runs for result in run.results]
    write_atomically(out / "scan.json", to_json(scan_document(results)).encode())
    print_problems(results, sys.stdout)
    for (folder, season), (truths, run) in zip(_parts(samples, out), runs, strict=True):
        outcomes = [(truth, run.outcomes[i]) for i, truth in enumerate(truths)]
        counts = evaluate((truth, outcome.result) for truth, outcome in outcomes)
        print(f"\nAgainst the truth of {folder}:\n{report(counts, median_seconds(outcomes, list(counts)))}")
        if folder != samples:
            _put_right(season, truths)
    print()
    _tell(out, _season_pictures(out, samples / "season" / "league.toml"))
    return ExitCode.OK  # a sheet that cannot be read is part of what is shown


def _parts(samples: Path, out: Path) -> Iterator[tuple[Path, Path]]:
    """Folders of photos and the season file of each: sheets that have nothing to do with each other, and a league's."""
    league = samples / "season"
    if league.is_dir():
        yield samples, out / "sheets.db"
        yield league, out / "season.db"
    else:
        yield samples, out / "season.db"


def _scanned(folder: Path, out: Path, season: Path, jobs: int | None) -> tuple[list[dict], Run]:
    truths = load_truths(folder)
    say(f"{folder}: {len(truths)} photographs")
    tasks = [Task(folder / truth["photo"], str(folder / truth["photo"])) for truth in truths]
    roster = folder / "roster.toml"
    run = Run(tasks, Wishes(overlay=out / "overlays", season=season, jobs=jobs))
    run.go(read_settings("auto", str(roster) if roster.is_file() else None))
    return truths, run


def _put_right(season: Path, truths: list[dict]) -> None:
    """The names and dates of the league's sheets, which its secretary knows; a report needs all of them."""
    with open_season(season) as file:
        count = settle_heads(file, truths)
    print(f"\nNames and dates of the league's sheets: {count['right']} of {count['heads']} were read right and are "
          f"sure enough; {count['asked']} were asked about, {count['silent']} were wrong without a question. The truth "
          "answered, as the league's secretary would.")


def _season_pictures(out: Path, league: Path) -> list[Path]:
    """The season's report and two pictures, made from the season file as a league would."""
    import analysis
    from analysis import plots, stats
    from analysis.printed import figure_to_save

    made = analysis.write_report(out / "season.db", out / "report", league=league if league.is_file() else None)
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
        *(((out / "sheets.db", "the sample sheets as a season file"),) if (out / "sheets.db").is_file() else ()),
        (out / "season.db", "the season file"),
        *((path, "") for path in made),
    ):
        print(f"  {str(path):26}  {what}".rstrip())
