"""The faults by name: each turns an everyday plan into one with that fault, of a strength drawn by chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.foreign.plan import Plan

Fault = Callable[[np.random.Generator, Plan], Plan]
FAULTS: dict[str, Fault] = {}


def fault(name: str) -> Callable[[Fault], Fault]:
    """Registers a fault under its name."""
    def keep(make: Fault) -> Fault:
        FAULTS[name] = make
        return make
    return keep


@fault("clean")
def _clean(rng: np.random.Generator, plan: Plan) -> Plan:
    return plan


@fault("perspective")
def _perspective(rng: np.random.Generator, plan: Plan) -> Plan:
    side = rng.uniform(15, 32) * rng.choice([-1, 1])
    return replace(plan, pitch=rng.uniform(10, 35), yaw=float(side) * 0.6, focal=rng.uniform(0.7, 0.85))
