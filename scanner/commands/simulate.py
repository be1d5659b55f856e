"""``clabber simulate``: hands nobody played, one JSON object a line."""

from __future__ import annotations

import json
import sys

from scanner.commands.status import ExitCode
from scanner.rules.simulate import simulate_hands


def simulate(count: int, seed: int, players: str) -> ExitCode:
    """Print ``count`` deals as JSON lines; the same seed gives the same hands."""
    for record in simulate_hands(count, seed, players):
        sys.stdout.write(json.dumps(record) + "\n")
    return ExitCode.OK
