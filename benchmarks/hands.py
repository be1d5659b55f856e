"""How fast hands and seasons are simulated, in CPU time of one core: ``python benchmarks/hands.py``."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable

import numpy as np

from scanner.rules import simulate
from scanner.rules.league import simulate_season
from scanner.rules.players import PLAYERS, players_of

HANDS = 10 * simulate.BATCH


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Median CPU seconds of one call."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def parts(count: int) -> dict[str, Callable[[], object]]:
    """The steps of ``count`` hands of sensible players, each on its own."""
    rng, four = np.random.default_rng(1), players_of("sensible")
    batch = simulate.simulate_batch(count, rng)
    on = batch.played
    table = batch.cards[on], batch.trump[on], batch.maker[on], (batch.dealer[on] + 1) % 4
    made = list(simulate.records(batch))
    return {
        "dealing, bidding, scoring": lambda: simulate.simulate_batch(count, rng),  # the play is taken off below
        "play": lambda: simulate.play_cards(*table, rng, four),
        "records": lambda: sum(1 for _ in simulate.records(batch)),
        "JSON": lambda: sum(len(json.dumps(record)) for record in made),
    }


def main() -> None:
    """Print the figures."""
    for name in PLAYERS:
        taken = seconds(lambda name=name: [json.dumps(r) for r in simulate.simulate_hands(HANDS, 1, name)])
        print(f"{name:10} {HANDS / taken:8,.0f} hands a second as JSON lines")
    rng = np.random.default_rng(1)
    taken = seconds(lambda: [simulate.simulate_batch(simulate.BATCH, rng) for _ in range(10)])
    print(f"{'sensible':10} {HANDS / taken:8,.0f} hands a second as arrays")
    times = {name: seconds(work, 15) for name, work in parts(simulate.BATCH).items()}
    times["dealing, bidding, scoring"] -= times["play"]
    for name, part in times.items():
        print(f"  {part / sum(times.values()):4.0%} {name}")
    for teams in (8, 20):
        games = teams * (teams - 1) // 2
        print(f"{teams} teams: {games} games in {seconds(lambda teams=teams: simulate_season(teams, 1)):.2f} s")


if __name__ == "__main__":
    main()
