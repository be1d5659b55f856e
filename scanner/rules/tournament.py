"""Tournaments: single round robins over set weeks, and how they rank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scanner.rules.errors import RuleError
from scanner.rules.house import DEFAULT_RULES, HouseRules


@dataclass(frozen=True)
class Result:
    """A finished game between two teams: names and final totals. Equal totals are a tie."""

    we: str
    they: str
    we_total: int
    they_total: int


@dataclass(frozen=True)
class Standing:
    """One line of the table; equal teams share the lower rank."""

    rank: int
    team: str
    games: int
    won: int
    points: int


def round_robin(teams: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Weeks of pairings in which every team meets every other once (circle method); with an odd number one rests.

    Raises:
        RuleError: fewer than two teams, or one twice.

    >>> len(round_robin(["Owls", "Eagles", "Moose", "Bears"]))
    3
    """
    if len(teams) < 2 or len(set(teams)) != len(teams):
        raise RuleError("round-robin", f"A round robin takes two or more different teams, got {list(teams)}.")
    circle: list[str | None] = [*teams] + [None] * (len(teams) % 2)
    weeks = []
    for week in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        # Sides alternate so that no team always sits as "we".
        weeks.append(tuple((a, b) if (week + i) % 2 == 0 else (b, a) for i, (a, b) in enumerate(pairs) if a and b))
        circle.insert(1, circle.pop())
    return tuple(weeks)


def standings(
    results: Iterable[Result], rules: HouseRules = DEFAULT_RULES, teams: Sequence[str] = ()
) -> tuple[Standing, ...]:
    """The table, best first: by games won and then game points, or by game points alone (house rule ``ranking``)."""
    games = {team: [0, 0, 0] for team in teams}
    for r in results:
        for team, own, other in ((r.we, r.we_total, r.they_total), (r.they, r.they_total, r.we_total)):
            line = games.setdefault(team, [0, 0, 0])
            line[0] += 1
            line[1] += own > other
            line[2] += own

    def merit(team: str) -> tuple[int, ...]:
        _, won, points = games[team]
        return (won, points) if rules.ranking == "games" else (points,)

    order = sorted(games, key=lambda t: (*(-m for m in merit(t)), t))
    rank = {team: 1 + sum(merit(t) > merit(team) for t in games) for team in games}
    return tuple(Standing(rank[t], t, *games[t]) for t in order)
