"""How often hands end how: the distribution of scores under sensible play, made by simulation and kept as data.

``python -m scanner.rules.priors`` makes ``data/hand_prior.json`` again (about a minute); :func:`hand_prior` loads it.
The players are a mixture of strengths, so that no one style of table is taken for the truth, and a share of the
probability is spread evenly over everything the cards allow, so that nothing possible has none.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path

import numpy as np

from scanner.rules.arithmetic import made_hands, set_scores
from scanner.rules.errors import RuleError
from scanner.rules.simulate import BATCH, simulate_batch

#: Version of the data file; a file of another is refused.
SCHEMA = 1
FILE = "hand_prior.json"
#: Tables simulated, in turn: (we, they). Most league players are sensible; some count, some only follow.
TABLES = (
    ("sensible", "sensible"), ("counting", "sensible"), ("sensible", "beginner"), ("beginner", "beginner"),
)
#: Probability spread evenly over all possible scores: about what 400,000 hands leave unseen, and room for house style.
SPREAD = 0.02

#: A score as it stands on a sheet: points of we and they, and the side marked set or None.
Outcome = tuple[int, int, str | None]


@dataclass(frozen=True)
class HandPrior:
    """Distribution of what one scored hand writes on the sheet; both sides alike.

    Attributes:
        hands: number of hands it was made from.
        made: hands by (makers' points, others' points).
        set: hands by points of the side opposite the set one.
        all_passed: deals per scored hand that everybody passed twice.
    """

    hands: int
    made: Mapping[tuple[int, int], int]
    set: Mapping[int, int]
    all_passed: float

    @cached_property
    def outcomes(self) -> dict[Outcome, float]:
        """Probability of every possible score; sums to 1."""
        sets: list[Outcome] = [(0, s, "we") for s in set_scores()] + [(s, 0, "they") for s in set_scores()]
        possible: list[Outcome] = [(we, they, None) for we, they in made_hands()] + sets
        even = SPREAD / len(possible)
        return {outcome: even + (1 - SPREAD) * self._share(*outcome) for outcome in sorted(possible, key=str)}

    def _share(self, we: int, they: int, set_side: str | None) -> float:
        high, low = max(we, they), min(we, they)
        count = self.made.get((high, low), 0) if set_side is None else self.set.get(high, 0)
        return count / 2 / self.hands

    def log_prob(self, we: int, they: int, set_side: str | None = None) -> float:
        """Natural log of the probability of one score, -inf for an impossible one.

        >>> prior = hand_prior()
        >>> prior.log_prob(92, 70) > prior.log_prob(160, 2) > prior.log_prob(92, 71) == -math.inf
        True
        """
        probability = self.outcomes.get((we, they, set_side), 0.0)
        return math.log(probability) if probability else -math.inf

    @property
    def set_rate(self) -> float:
        """Share of hands in which the makers were set."""
        return sum(self.set.values()) / self.hands


@cache
def hand_prior() -> HandPrior:
    """The distribution that comes with the program.

    Raises:
        RuleError: the data file is of another version.
    """
    return read_prior(json.loads((resources.files("scanner.rules") / "data" / FILE).read_text("utf-8")))


def read_prior(document: Mapping) -> HandPrior:
    """A prior from its JSON document."""
    if document.get("schema") != SCHEMA:
        raise RuleError("prior", f"The hand prior has schema {document.get('schema')!r}; this program reads {SCHEMA}.")
    made = {(makers, others): count for makers, others, count in document["made"]}
    return HandPrior(document["hands"], made, {s: n for s, n in document["set"]}, document["all_passed"])


def make_prior(hands: int, seed: int) -> dict:
    """The JSON document of a prior from at least so many deals."""
    rng = np.random.default_rng(seed)
    made: Counter[tuple[int, int]] = Counter()
    sets: Counter[int] = Counter()
    passed = 0
    for number in range(-(-hands // BATCH)):
        batch = simulate_batch(BATCH, rng, TABLES[number % len(TABLES)])
        passed += int((~batch.played).sum())
        points = np.sort(batch.points[batch.played], axis=1)
        was_set = batch.set[batch.played] >= 0
        sets.update(points[was_set, 1].tolist())
        made.update((high, low) for low, high in points[~was_set].tolist())
    scored = sum(made.values()) + sum(sets.values())
    return {
        "schema": SCHEMA,
        "made_by": f"python -m scanner.rules.priors --hands {hands} --seed {seed}",
        "tables": [list(t) for t in TABLES],
        "hands": scored,
        "all_passed": round(passed / scored, 6),
        "made": [[*pair, count] for pair, count in sorted(made.items())],
        "set": [list(item) for item in sorted(sets.items())],
    }


def main() -> None:
    """Make the data file again."""
    parser = argparse.ArgumentParser(prog="python -m scanner.rules.priors", description=main.__doc__)
    parser.add_argument("--hands", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "data" / FILE)
    options = parser.parse_args()
    document = make_prior(options.hands, options.seed)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")
    prior = read_prior(document)
    print(f"{options.out}: {prior.hands} hands, {len(prior.made)} made scores, {prior.set_rate:.1%} set")


if __name__ == "__main__":
    main()
