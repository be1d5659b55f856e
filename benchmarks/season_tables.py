"""How long a big season takes, from its file to every table, figure and file: ``python benchmarks/season_tables.py``.

Times are processor seconds of one core, the median of some rounds: what else the machine does counts for little.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

import numpy as np

from scanner.rules.league import Team, simulate_season
from scanner.season.schema import connect, transaction
from scanner.season.truth import Truth
from scanner.season.typed import TypedGame, TypedSheet
from scanner.sheet.layout import load_layout
from scanner.sheet.results import CellResult, Consequence, GameResult, HandScore, Pair, Problem, RowResult


def made_up(path: Path, games: int, teams: int, seed: int) -> int:
    """A season file of so many simulated games, a tenth of the rows with a slip; returns how many hands they have."""
    from scanner.season.saving import save_typed

    layout, start, rng = load_layout("evansville"), date(2025, 9, 1), np.random.default_rng(seed)
    some = [Team(f"Team {i:02d}", strength) for i, strength in enumerate(np.linspace(0, 1, teams).round(3))]
    played = []
    while len(played) < games:
        played += simulate_season(some, seed + len(played))
    hands = 0
    with closing(connect(path, create=True)) as db, transaction(db):
        for number, game in enumerate(played[:games]):
            day = start + timedelta(days=7 * (50 * number // games))
            sheet = TypedSheet(f"{number}.json", sha256(str(number).encode()).hexdigest(), layout,
                               (TypedGame((), None),), {"we": game.we, "they": game.they}, day.isoformat())
            save_typed(db, sheet, [written(Truth(game.hands), game.winner, rng)], f"{day}T22:00:00+00:00")
            hands += len(game.hands)
    return hands


def written(truth: Truth, winner: str | None, rng: np.random.Generator) -> GameResult:
    """The game as a check would report it, all four columns filled, now and then with a finding."""
    rows, problems, total = [], [], [0, 0]
    for number, hand in enumerate(truth.hands, 1):
        total = [total[0] + hand.we, total[1] + hand.they]
        score = HandScore(Pair(hand.we, hand.they), Pair(*total))
        maker = hand.set or ("we" if hand.we > hand.they else "they")
        texts = {"we_total": str(total[0]), "they_total": str(total[1]), "hand_check": str(hand.we + hand.they),
                 "total_check": str(sum(total))}
        cells = {key: CellResult(text, 1.0, choices=((text, 1.0),)) for key, text in texts.items()}
        rows.append(RowResult(number, cells, score, score, hand.set, maker,
                              None if hand.set else hand.we + hand.they - 162))
        if rng.random() < 0.1:
            problems.append(Problem("running-total", number, "we_total", "10", "20", f"Hand {number}: a slip.", (), 0.9,
                                    Consequence(False, 10)))
    return GameResult(tuple(rows), winner, winner, winner, tuple(problems))


def steps(season: Path, out: Path) -> dict[str, Callable[[], object]]:
    """What is timed, in order; each step leaves what the later ones need."""
    import analysis
    from analysis import export, page, printed, report, sections, tables

    kept: dict[str, object] = {}

    def keep(name: str, value: object) -> object:
        kept[name] = value
        return value

    def draw() -> None:
        for picture in (picture for part in kept["sections"] for picture in part.pictures):
            with printed.figure_to_save((7.5, 4.5)) as figure:
                picture.draw(figure.subplots())
                page.picture(figure, "", picture.caption)

    return {
        "frames": lambda: keep("frames", analysis.load(season)),
        "every table": lambda: keep("tables", tables.all_tables(kept["frames"])),
        "what the report says": lambda: keep("sections", sections.sections(kept["frames"])),
        "every figure, drawn": draw,
        "every table as CSV": lambda: export.export_csv(kept["frames"], out / "csv"),
        "every table as Excel": lambda: export.export_xlsx(kept["frames"], out / "all.xlsx"),
        "the whole report": lambda: report.write_report(season, out / "report"),
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--teams", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        season = Path(folder) / "season.db"
        hands = made_up(season, options.games, options.teams, 1)
        print(f"{options.games} games of {options.teams} teams, {hands} hands, {season.stat().st_size / 1e6:.0f} MB")
        times: dict[str, list[float]] = {}
        for _ in range(options.rounds):
            for name, step in steps(season, Path(folder)).items():
                begin = time.process_time()
                step()
                times.setdefault(name, []).append(time.process_time() - begin)
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in medians.items():
        print(f"{name:22} {seconds:6.2f} s")
    told = sum(medians[name] for name in ("frames", "every table", "every figure, drawn"))
    print(f"{'file to tables, figures':22} {told:6.2f} s")


if __name__ == "__main__":
    main()
