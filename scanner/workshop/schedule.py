"""The plan of a training run: its cycles of learning rate, and the shards of the pool each step may draw from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Cycle:
    """Steps in which the learning rate rises fast to ``rate`` and falls to nothing, drawing from ``shards`` shards.

    ``opens`` is the number of shards it begins with, where the rest join evenly over its steps; a ``grown`` cycle
    goes on with a larger network (see :func:`scanner.workshop.network.grow`).
    """

    steps: int
    rate: float
    shards: int
    opens: int | None = None
    grown: bool = False


@dataclass(frozen=True)
class Plan:
    """One training run. ``first`` shards must exist before step 0; one more joins every ``every`` steps.

    ``blend`` are the shares of the last cycles' ends in the weights that come out (the last one's share last): the
    mean of several is better than one (Izmailov et al. 2018, arXiv:1803.05407).
    """

    cycles: tuple[Cycle, ...] = (Cycle(6_000, 2e-3, 72), Cycle(5_500, 1.2e-3, 96), Cycle(2_500, 8e-4, 112),
                                 Cycle(6_500, 1.2e-3, 152, opens=112, grown=True),
                                 Cycle(4_000, 9e-4, 168, opens=154, grown=True),
                                 Cycle(6_000, 9e-4, 188, opens=170, grown=True),
                                 Cycle(3_000, 7e-4, 197, opens=189, grown=True),
                                 Cycle(8_000, 7e-4, 237, opens=199, grown=True))
    batch: int = 128
    first: int = 16
    every: int = 70
    seed: int = 1
    blend: tuple[float, ...] = (0.3, 0.7)

    @property
    def ends(self) -> list[int]:
        """Steps done at the end of each cycle."""
        return [int(step) for step in np.cumsum([cycle.steps for cycle in self.cycles])]

    @property
    def steps(self) -> int:
        """Steps of all cycles."""
        return sum(cycle.steps for cycle in self.cycles)

    @property
    def shards(self) -> int:
        """Shards the run needs in all."""
        return max(cycle.shards for cycle in self.cycles)

    def at(self, step: int) -> tuple[Cycle, int]:
        """The cycle a step belongs to, and the step's number within it."""
        for cycle in self.cycles:
            if step < cycle.steps:
                return cycle, step
            step -= cycle.steps
        raise IndexError("the plan has no such step")

    def open_shards(self, step: int) -> int:
        """How many shards a step draws from."""
        cycle, within = self.at(step)
        if cycle.opens is None:
            return min(cycle.shards, self.first + step // self.every)
        return cycle.opens + within * (cycle.shards - cycle.opens) // cycle.steps

    @property
    def grows_at(self) -> int:
        """Steps done before the network grows; all of them if it never does."""
        small = [cycle.steps for cycle in self.cycles if not cycle.grown]
        return sum(small)


def rate_at(plan: Plan, step: int) -> float:
    """Learning rate of a step: within each cycle 6 % of the way up in a half cosine, then down to nothing."""
    cycle, step = plan.at(step)
    rise = 0.06 * cycle.steps
    turn = step / rise - 1 if step < rise else (step - rise) / (cycle.steps - rise)
    return cycle.rate * max(1e-4, 0.5 * (1 + math.cos(math.pi * turn)))
