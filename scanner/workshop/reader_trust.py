"""How far the reader may be believed: measures what the scorekeeper assumes of it.

    python -m scanner.workshop.reader_trust --work build/trial

Cells of the workshop's sheets, cut by their true grid, are read; for each the probability of what is really written is
compared with the reader's doubt. Fitted by maximum likelihood are the constants of ``likelihood.py``: the power its
odds are taken to, the chance of a miss without doubt, its share of the doubt, and the ceiling. Beside each stands the
range that the cells allow (95 %, the others fitted anew) and the constant in use. In use are the ends of these ranges
that believe the reader least: other pens and cameras are not the workshop's. Run it again whenever the weights change;
sheets and readings are kept in ``--work``.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from scanner.scorekeeper import likelihood
from scanner.sheet.texts import INDEX
from scanner.workshop.trial import LEVEL, trial_games

GRID = {
    "READER_TRUST": (0.7, 0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5),
    "READER_MISS": (0.00003, 0.0001, 0.0003, 0.0005, 0.001, 0.002, 0.003, 0.005),
    "MISS_OF_DOUBT": (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
    "MOST_MISSED": (0.004, 0.01, 0.02, 0.05, 0.1, 0.2),
}
#: Twice this is the 95 % point of the chi-square distribution with one degree of freedom.
_ALLOWED = 1.92
_EDGES = (0.0, 1e-4, 1e-3, 1e-2, 0.05, 0.15, 0.4, 1.01)
#: The right text is far from the reader's mind below this share of its doubt.
_FAR = 0.01


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells that were read: the doubt, the floor and, by power of the odds, the probability of the right text, (N,)."""

    doubt: np.ndarray
    right: np.ndarray
    floor: np.ndarray
    chance: dict[float, np.ndarray]

    def surprises(self, trust: float, miss: float, of_doubt: float, most: float) -> float:
        """Sum of the negative log-likelihoods, in nats."""
        missed = np.minimum(miss + of_doubt * self.doubt, most)
        return float(-np.log((1 - missed) * self.chance[trust] + missed * self.floor).sum())


def read_cells(work: Path, count: int, seed: int, level: str) -> Cells:
    """The written rows of so many sheets."""
    doubt, right, floor, chance = [], [], [], {trust: [] for trust in GRID["READER_TRUST"]}
    for game in trial_games(work, count, seed, level):
        for number, row in enumerate(game.truth["rows"], 1):
            for key in game.layout.arithmetic_keys:
                reading, text = game.readings[number, key], INDEX[row[key]]
                doubt.append(1 - reading.confidence)
                right.append(reading.text == row[key])
                floor.append(likelihood.floor(INDEX[reading.text])[text])
                odds = reading.log_probs - reading.log_probs.max()
                for trust, found in chance.items():
                    found.append(np.exp(trust * odds[text]) / np.exp(trust * odds).sum())
    return Cells(*(np.array(part) for part in (doubt, right, floor)), {t: np.array(c) for t, c in chance.items()})


def by_doubt(cells: Cells) -> list[str]:
    """Lines: how many cells there are of each doubt, how many are wrong, and how many of those are far off."""
    lines = ["doubt              cells   wrong           the right text out of mind"]
    for low, high in zip(_EDGES, _EDGES[1:], strict=False):
        here = (cells.doubt >= low) & (cells.doubt < high)
        wrong = here & ~cells.right
        far = wrong & (cells.chance[1.0] < _FAR * cells.doubt)
        count, share = here.sum(), 100 * wrong.sum() / max(1, here.sum())
        lines.append(f"{low:7g} to {min(high, 1):<7g} {count:6d}  {wrong.sum():5d} = {share:5.2f} %  {far.sum()}")
    return lines


def fit(cells: Cells) -> tuple[dict[str, float], dict[str, tuple[float, float]], dict[tuple[float, ...], float]]:
    """The likeliest constants, the range each may have, and the surprise of every combination."""
    costs = {values: cells.surprises(*values) for values in product(*GRID.values())}
    best = min(costs, key=costs.get)
    ranges = {}
    for place, (name, values) in enumerate(GRID.items()):
        least = {v: min(cost for point, cost in costs.items() if point[place] == v) for v in values}
        allowed = [v for v, cost in least.items() if cost <= costs[best] + _ALLOWED]
        ranges[name] = (min(allowed), max(allowed))
    return dict(zip(GRID, best, strict=True)), ranges, costs


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("build/trial"), help="as of scanner.workshop.trial")
    parser.add_argument("--count", type=int, default=100, help="sheets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default=LEVEL)
    args = parser.parse_args()
    cells = read_cells(args.work, args.count, args.seed, args.level)
    print("\n".join(by_doubt(cells)))
    best, ranges, costs = fit(cells)
    used = {name: getattr(likelihood, name) for name in GRID}
    for name, value in best.items():
        low, high = ranges[name]
        print(f"{name:14} best {value:g}, allowed {low:g} to {high:g}, in use {used[name]:g}")
    mine = cells.surprises(used.pop("READER_TRUST"), *used.values())
    count = cells.doubt.size
    print(f"log-loss a cell: best {min(costs.values()) / count:.4f}, in use {mine / count:.4f}, the reader's own "
          f"{-np.log(np.maximum(cells.chance[1.0], 1e-12)).sum() / count:.4f} ({count} cells)")


if __name__ == "__main__":
    main()
