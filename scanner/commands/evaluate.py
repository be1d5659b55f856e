"""``clabber evaluate``: a folder of photos with truth, scanned and scored."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from scanner.batch import Outcome, Task, Way, scan_many
from scanner.commands.scan import default_jobs, read_settings
from scanner.commands.status import ExitCode
from scanner.output.plain import plain
from scanner.output.progress import Progress
from scanner.workshop import reliability
from scanner.workshop.evaluate import evaluate, games_of, level_of, load_truths, mistakes, report


def evaluate_folder(folder: str, layout: str, roster: str | None, jobs: int | None, verbose: bool,
                    plot: str | None = None) -> ExitCode:  # fmt: skip
    """Scan every photo that has a truth in ``folder`` and print the report.

    ``verbose`` lists what went wrong; ``plot`` is a picture file for the reliability diagram.
    """
    truths, picture = load_truths(Path(folder)), reliability.picture_file(plot) if plot else None
    tasks = [Task(Path(folder, Path(truth["photo"]).name), truth["photo"]) for truth in truths]
    settings = read_settings(layout, roster)
    outcomes: dict[int, Outcome] = {}
    with Progress(len(tasks)) as progress:
        for outcome in scan_many(tasks, Way(settings), jobs or default_jobs(len(tasks))):
            outcomes[outcome.index] = outcome
            progress.step(outcome.result)
    done = [(truths[i], outcomes[i]) for i in sorted(outcomes)]
    if verbose:
        for truth, outcome in done:
            print("".join(f"{plain(line)}\n" for line in mistakes(truth, outcome.result)), end="")
    counts = evaluate((truth, outcome.result) for truth, outcome in done)
    print(report(counts, median_seconds(done, list(counts))), file=sys.stdout)
    said = reliability.both([pair for truth, outcome in done for pair in games_of(truth, outcome.result)])
    print("\n".join(reliability.table(kind, part) for kind, part in said.items()))
    if picture:
        reliability.draw(said, picture)
    return ExitCode.PROBLEMS if any(outcome.result.error for outcome in outcomes.values()) else ExitCode.OK


def median_seconds(done: list[tuple[dict, Outcome]], levels: list[str]) -> dict[str, float]:
    """Median seconds a photo took, by difficulty."""
    return {v: statistics.median(o.seconds for t, o in done if v in ("all", level_of(t))) for v in levels}
