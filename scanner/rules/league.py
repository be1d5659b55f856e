"""Seasons nobody played: a round robin between teams of differing strength, as true games without a scorekeeper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scanner.rules.errors import RuleError
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.players import PLAYERS, Player
from scanner.rules.score import SIDES, Game, HandScore
from scanner.rules.simulate import simulate_batch
from scanner.rules.tournament import Result, Standing, round_robin, standings

#: Clubs and lodges of the kind that met in the league (S2 names some of the first season's), for teams without names.
CLUBS = (
    "Eagles", "Owls", "Moose", "Elks", "Knights", "Germania", "West Side", "Lamasco", "Servel", "Bucyrus", "Redbirds",
    "Turners", "Riverside", "Howell", "St. Joe", "Haynie's", "Pigeon Creek", "Fall Festival", "Hilltop", "Oak Hill",
)
#: Deals simulated at a time for one game; a game takes 4 to 8 hands, seldom more than a dozen.
_DEALS_AHEAD = 16
#: Noise, in points, of the weakest team's judgement; "beginner" in :data:`scanner.rules.players.PLAYERS` has 10.
_MOST_NOISE = 14.0


@dataclass(frozen=True)
class Team:
    """A team of two: its name and how strong both play.

    Attributes:
        strength: 0 (follows the rules and little more) to 1 (counts every card).
    """

    name: str
    strength: float = 0.5

    def player(self) -> Player:
        """The player both partners are."""
        if self.strength >= 1:
            return PLAYERS["counting"]
        return Player(memory=int(3 * self.strength), noise=_MOST_NOISE * (1 - self.strength))


@dataclass(frozen=True)
class TrueGame:
    """A game as it was really played, whatever a scorekeeper made of it.

    Attributes:
        week: week of the season, from 1.
        we, they: names of the teams, by side.
        hands: scores of the hands in order; the deals all passed are not among them.
        winner: ``"we"``, ``"they"``, or None for a tie (house rule ``tie_at_target``).
    """

    week: int
    we: str
    they: str
    hands: tuple[HandScore, ...]
    winner: str | None

    @property
    def totals(self) -> tuple[int, int]:
        """Final totals (we, they)."""
        return Game(self.hands).totals


def random_teams(count: int, rng: np.random.Generator) -> tuple[Team, ...]:
    """Teams with club names and strengths spread evenly from 0 to 1, in random order.

    Raises:
        RuleError: fewer than two teams.
    """
    if count < 2:
        raise RuleError("round-robin", f"A season takes two or more teams, got {count}.")
    names = [CLUBS[i % len(CLUBS)] + (f" {i // len(CLUBS) + 1}" if i >= len(CLUBS) else "") for i in range(count)]
    strengths = rng.permutation(np.linspace(0, 1, count))
    return tuple(Team(name, round(float(s), 3)) for name, s in zip(names, strengths, strict=True))


def simulate_season(
    teams: int | Sequence[Team], seed: int, rules: HouseRules = DEFAULT_RULES
) -> Iterator[TrueGame]:
    """The games of a single round robin, week by week; the same teams and seed give the same games.

    Args:
        teams: teams, or how many to make up (see :func:`season_teams`).

    Raises:
        RuleError: fewer than two teams, one name twice, or a strength outside 0 to 1.
    """
    some = season_teams(teams, seed)
    by_name = {team.name: team for team in some}
    for number, week in enumerate(round_robin([team.name for team in some]), 1):
        for pair, (we, they) in enumerate(week):
            rng = np.random.default_rng([seed, number, pair])
            yield _game(number, by_name[we], by_name[they], rng, rules)


def season_teams(teams: int | Sequence[Team], seed: int) -> tuple[Team, ...]:
    """The teams of :func:`simulate_season`: those given, or so many made up from the seed.

    Raises:
        RuleError: a strength outside 0 to 1, a negative seed, fewer than two teams to make up.
    """
    if seed < 0:
        raise RuleError("simulate", f"The seed is 0 or more, got {seed}.")
    some = random_teams(teams, np.random.default_rng(seed)) if isinstance(teams, int) else tuple(teams)
    for team in some:
        if not 0 <= team.strength <= 1:
            raise RuleError("players", f"Strength of {team.name} is {team.strength}; give 0 to 1.")
    return some


def _game(week: int, we: Team, they: Team, rng: np.random.Generator, rules: HouseRules) -> TrueGame:
    game, dealer = Game(rules=rules), int(rng.integers(4))
    while True:
        batch = simulate_batch(_DEALS_AHEAD, rng, (we.player(), they.player()), rules, dealer)
        for points, failed, on in zip(batch.points.tolist(), batch.set.tolist(), batch.played.tolist(), strict=True):
            if game.over:
                return TrueGame(week, we.name, they.name, game.hands, game.winner)
            if on:
                game = game.add(HandScore(points[0], points[1], SIDES[failed] if failed >= 0 else None))
        dealer = int(batch.dealer[-1] + batch.played[-1]) % 4


def season_standings(games: Sequence[TrueGame], rules: HouseRules = DEFAULT_RULES) -> tuple[Standing, ...]:
    """The table after true games."""
    return standings([Result(g.we, g.they, *g.totals) for g in games], rules)
