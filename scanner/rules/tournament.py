"""Tournaments: single round robins over set weeks, how they rank, and the city championship that closes the year.

S0 says that tournaments last a set number of weeks in which each team meets each other once, and that the league holds
another every year for the title of city champion; how that one is played it does not say (assumption: like all others,
a round robin, between the teams that did best in the year's tournaments).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

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
        weeks.append(tuple((a, b) if (i or week) % 2 == 0 else (b, a) for i, (a, b) in enumerate(pairs) if a and b))
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


def championship_field(
    tournaments: Iterable[Iterable[Result]], places: int, rules: HouseRules = DEFAULT_RULES
) -> tuple[str, ...]:
    """The teams that play for the city championship: the best of all games of the year's tournaments together.

    Teams that tie for the last place all play. Pass the field to :func:`round_robin` for the weeks.

    Raises:
        RuleError: fewer than two places, or fewer teams than places.
    """
    table = standings((result for games in tournaments for result in games), rules)
    if not 2 <= places <= len(table):
        raise RuleError("championship", f"A championship takes 2 to {len(table)} of {len(table)} teams, got {places}.")
    return tuple(line.team for line in table if line.rank <= places)


def champions(results: Iterable[Result], rules: HouseRules = DEFAULT_RULES) -> tuple[str, ...]:
    """Who won a tournament that was played out; more than one when games and game points are equal.

    Raises:
        RuleError: no games, or pairs that have not met yet or have met twice.
    """
    results = list(results)
    teams = sorted({team for r in results for team in (r.we, r.they)})
    met = Counter(frozenset((r.we, r.they)) for r in results)
    due = Counter(frozenset(pair) for pair in combinations(teams, 2))
    if not results or met != due:
        wrong = sorted(" - ".join(sorted(pair)) for pair in (met - due) + (due - met))
        raise RuleError("round-robin", f"Every team meets every other once; not so: {', '.join(wrong) or 'no games'}.")
    return tuple(line.team for line in standings(results, rules) if line.rank == 1)
