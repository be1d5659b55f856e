"""What a deal is worth between players of given strength: expected points and the chance of a set, with error bars.

The deal is played many times by players whose judgement is blurred anew each time, so the spread is that of play and
the mean that of the cards: the difference between what a team scored and this is what play (and luck in play) added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scanner.rules.cards import members
from scanner.rules.deal import Deal
from scanner.rules.errors import RuleError
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.players import players_of
from scanner.rules.simulate import Batch, Players, play_deals, simulate_batch


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error."""

    mean: float
    error: float


@dataclass(frozen=True)
class Expectation:
    """What one deal, or any deal, brings.

    Attributes:
        we, they: points written for each side.
        margin: we less they.
        set_we, set_they: chance that a side is set.
        all_passed: chance that nobody names trump (no points; counted as 0 above).
        plays: number of plays this rests on.
    """

    we: Estimate
    they: Estimate
    margin: Estimate
    set_we: Estimate
    set_they: Estimate
    all_passed: Estimate
    plays: int


def expectation(
    deal: Deal | None = None, players: Players = "sensible", plays: int = 500, seed: int = 0,
    rules: HouseRules = DEFAULT_RULES,
) -> Expectation:
    """Expected points of a deal, or of a random one when ``deal`` is None.

    Raises:
        RuleError: fewer than two plays, a negative seed, or an unknown player.
    """
    if plays < 2:
        raise RuleError("simulate", f"An expectation with an error takes two or more plays, got {plays}.")
    if seed < 0:
        raise RuleError("simulate", f"A seed is 0 or more, got {seed}.")
    rng = np.random.default_rng(seed)
    if deal is None:
        return _summary(simulate_batch(plays, rng, players, rules))
    hands = [sorted(members(deal.hands[(deal.first + i) % 4])) for i in range(4)]
    hands[3].remove(deal.turned)
    hands[3].append(deal.turned)
    cards = np.broadcast_to(np.array(hands, np.int8), (plays, 4, 6))
    return _summary(play_deals(cards, np.full(plays, deal.dealer), rng, players_of(players), rules))


def _summary(batch: Batch) -> Expectation:
    points = batch.points.astype(float)
    return Expectation(
        _estimate(points[:, 0]), _estimate(points[:, 1]), _estimate(points[:, 0] - points[:, 1]),
        _estimate(batch.set == 0), _estimate(batch.set == 1), _estimate(~batch.played), len(points),
    )


def _estimate(values: np.ndarray) -> Estimate:
    values = values.astype(float)
    return Estimate(float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))
