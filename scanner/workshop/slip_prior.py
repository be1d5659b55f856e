"""How often which slip comes, from every mistake that could be made in games played by simulation.

``python -m scanner.workshop.slip_prior`` makes ``scanner/scorekeeper/data/slip_prior.json`` again (some seconds);
:mod:`scanner.scorekeeper.prior` reads it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from scanner.rules.arithmetic import hand_possible
from scanner.rules.play import trick_winner
from scanner.rules.priors import TABLES
from scanner.rules.score import Game, HandScore
from scanner.rules.simulate import BATCH, Batch, simulate_batch
from scanner.scorekeeper import prior
from scanner.workshop.mistakes import STEP, Mistake, wrong_copies, wrong_counts, wrong_places, wrong_sums

#: Steps of a row besides its sums that can be left out or misplaced, as a share of :data:`STEP`: most are rarer than
#: forgetting to mark a set, since the empty or doubled place is seen at once.
_UNMARKED, _BLANK, _SWAPPED, _MARKED, _TIED = 1.0, 0.1, 0.15, 0.2, 10.0
#: How often the points are worked out from the totals, or from the other side's, instead of copied from the count.
_WORKED_OUT = 0.15


@dataclass
class _Tally:
    """Expected numbers of slips, by kind, way and gap."""

    ways: dict[str, Counter[tuple[str, int]]] = field(default_factory=lambda: defaultdict(Counter))
    steps: Counter[str] = field(default_factory=Counter)
    rows: int = 0

    def add(self, kind: str, mistakes: Iterable[Mistake]) -> None:
        for way, gap, chance in mistakes:
            self.ways[kind][way, gap] += chance


def make_prior(hands: int, seed: int) -> dict:
    """The JSON document of a prior from so many deals, at least."""
    rng, tally = np.random.default_rng(seed), _Tally()
    for number in range(-(-hands // BATCH)):
        batch = simulate_batch(BATCH, rng, TABLES[number % len(TABLES)])
        totals = [(0, 0)]
        for at in np.flatnonzero(batch.played).tolist():
            if Game((HandScore(*totals[-1]),)).over:
                totals = [(0, 0)]
            totals.append(_row(tally, batch, at, totals))
    return _document(tally) | {"made_by": f"python -m scanner.workshop.slip_prior --hands {hands} --seed {seed}"}


def _row(tally: _Tally, batch: Batch, at: int, totals: list[tuple[int, int]]) -> tuple[int, int]:
    """Tallies the mistakes of one row and returns the right totals after it."""
    points, failed = batch.points[at].tolist(), int(batch.set[at])
    after = tuple(t + p for t, p in zip(totals[-1], points, strict=True))
    tally.rows += 1
    for side in (0, 1):
        if side == failed:
            continue
        older = [t[side] for t in totals[-3:-1]] + [totals[-1][1 - side]]
        tally.add("total", wrong_sums(totals[-1][side], points[side]))
        tally.add("total", wrong_places(totals[-1][side], older))
        tally.add("total", wrong_copies())
        tally.add("points", wrong_copies())
        worked_out = wrong_sums(totals[-1][side], points[side])
        tally.add("points", (m._replace(chance=m.chance * _WORKED_OUT) for m in worked_out))
        tally.add("count", (m for m in _counts(batch, at, side) if not _believed(points, failed, side, m.gap)))
    for kind, pair in (("hand_check", points), ("total_check", after)):
        tally.add(kind, wrong_sums(*pair))
        tally.add(kind, wrong_copies())
    _steps(tally, batch, at)
    return after


def _steps(tally: _Tally, batch: Batch, at: int) -> None:
    failed = batch.set[at] >= 0
    tricks = batch.tricks[at] + batch.melds[at]
    tally.steps["no_mark"] += STEP * _UNMARKED * failed / 2
    tally.steps["tied"] += STEP * _TIED * bool(failed and tricks[0] == tricks[1]) / 2
    tally.steps["marked"] += STEP * _MARKED * (not failed) / 2
    tally.steps["blank"] += STEP * _BLANK / 2
    tally.steps["swapped"] += STEP * _SWAPPED


def _counts(batch: Batch, at: int, side: int) -> Iterator[Mistake]:
    """Wrong counts of one side's tricks and meld."""
    trump, cards = int(batch.trump[at]), batch.plays[at].tolist()
    tricks = [cards[i : i + 4] for i in range(0, 24, 4)]
    led = zip(batch.leaders[at].tolist(), tricks, strict=True)
    won_by = [(leader + trick_winner(trick, trump)) % 2 for leader, trick in led]
    taken = [trick for trick, winner in zip(tricks, won_by, strict=True) if winner == side]
    return wrong_counts(taken, trump, int(batch.melds[at, side]), won_by[-1] == side)


def _believed(points: list[int], failed: int, side: int, gap: int) -> bool:
    """Whether a wrong count leaves a hand the cards allow, so that nobody can tell it from a right one."""
    if not gap:
        return False  # heard wrong: what comes of it is not worked out here
    wrong = [p + gap * (i == side) for i, p in enumerate(points)]
    return min(wrong) < 0 or hand_possible(*wrong, None if failed < 0 else ("we", "they")[failed])


def _document(tally: _Tally) -> dict:
    rates = {kind: sum(ways.values()) / tally.rows for kind, ways in tally.ways.items()}
    for kind in ("total", "points", "count"):
        rates[kind] /= 2  # of one side
    rates |= {kind: count / tally.rows for kind, count in tally.steps.items()}
    figures = {kind: _figures(ways) for kind, ways in tally.ways.items()}
    return {"schema": prior.SCHEMA, "rows": tally.rows, "rates": {k: _short(v) for k, v in sorted(rates.items())},
            "figures": figures}


def _figures(ways: Counter[tuple[str, int]]) -> dict:
    """Shares of the ways of one kind; those of a gap by gap, seldom ones left to "anything"."""
    whole = sum(ways.values())
    gaps = {gap: n / whole for (way, gap), n in sorted(ways.items()) if way == "gap" and n / whole >= 0.0005}
    shares = {way: sum(n for (w, _), n in ways.items() if w == way) / whole
              for way in ("digit", "swap", "length", "elsewhere")}
    far = [(abs(gap), n) for (way, gap), n in ways.items() if way == "elsewhere"]
    reach = sum(gap * n for gap, n in far) / sum(n for _, n in far) if far else 1.0
    return {"gaps": [[gap, _short(share)] for gap, share in gaps.items()],
            **{way: _short(share) for way, share in shares.items()}, "reach": round(reach, 1)}


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def main() -> None:
    """Make the data file again."""
    parser = argparse.ArgumentParser(prog="python -m scanner.workshop.slip_prior", description=main.__doc__)
    parser.add_argument("--hands", type=int, default=20_480)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(prior.__file__).parent / "data" / prior.FILE)
    options = parser.parse_args()
    document = make_prior(options.hands, options.seed)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
    made = prior.read_prior(document)
    print(f"{options.out}: {made.rows} rows; a slip in {made.row_rate(points=True, checks=True):.1%} of full rows")
    for kind, rate in made.rates.items():
        print(f"  {kind:12}{rate:8.5f}")


if __name__ == "__main__":
    main()
