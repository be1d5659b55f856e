"""Seasons nobody played: a round robin between teams of differing strength, as true games without a scorekeeper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scanner.rules.errors import RuleError
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.players import PLAYERS, Player, Skills, table_skills
from scanner.rules.score import Game, HandScore
from scanner.rules.simulate import deal_cards, hand_scores, next_dealers, play_deals
from scanner.rules.tournament import Result, Standing, round_robin, standings

#: Clubs and lodges of the kind that met in the league (S2 names some of the first season's), for teams without names.
CLUBS = (
    "Eagles", "Owls", "Moose", "Elks", "Knights", "Germania", "West Side", "Lamasco", "Servel", "Bucyrus", "Redbirds",
    "Turners", "Riverside", "Howell", "St. Joe", "Haynie's", "Pigeon Creek", "Fall Festival", "Hilltop", "Oak Hill",
)
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
        spare: hands dealt after the end, for a table whose sheet, added wrong, says that the game goes on.
    """

    week: int
    we: str
    they: str
    hands: tuple[HandScore, ...]
    winner: str | None
    spare: tuple[HandScore, ...] = ()

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
    teams: int | Sequence[Team], seed: int, rules: HouseRules = DEFAULT_RULES, spare: int = 0,
    told: Callable[[str], None] | None = None,
) -> tuple[TrueGame, ...]:
    """The games of a single round robin, week by week; the same arguments give the same games.

    Args:
        teams: teams, or how many to make up (see :func:`season_teams`).
        spare: hands to deal after the end of each game.
        told: gets a line after each deal, for people who wait.

    Raises:
        RuleError: fewer than two teams, one name twice, or a strength outside 0 to 1.
    """
    some = {team.name: team for team in season_teams(teams, seed)}
    pairs = [(number, *pair) for number, week in enumerate(round_robin(list(some)), 1) for pair in week]
    skills = table_skills([(some[we].player(), some[they].player()) * 2 for _, we, they in pairs])
    played = _play_all(skills, np.random.default_rng([seed, 1]), rules, spare, told)
    return tuple(
        TrueGame(*pair, game.hands, game.winner, tuple(more)) for pair, (game, more) in zip(pairs, played, strict=True)
    )


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


def _play_all(
    skills: Skills, rng: np.random.Generator, rules: HouseRules, spare: int,
    told: Callable[[str], None] | None = None,
) -> list[tuple[Game, list[HandScore]]]:
    """A game and its spare hands at every table; all tables that still play deal at the same time, for speed."""
    count = len(skills.memory)
    games: list[tuple[Game, list[HandScore]]] = [(Game(rules=rules), []) for _ in range(count)]
    dealer, on = rng.integers(0, 4, count), np.arange(count)
    while len(on):
        some = skills.take(on) if count > 1 else skills
        batch = play_deals(deal_cards(len(on), rng), dealer[on], rng, some, rules)
        dealer[on] = next_dealers(dealer[on], batch.played, rules)
        for table, score in zip(on.tolist(), hand_scores(batch), strict=True):
            games[table] = _after(*games[table], score)
        on = np.array([table for table in on.tolist() if not games[table][0].over or len(games[table][1]) < spare])
        if told:
            told(f"playing: {count - len(on)} of {count} games are over")
    return games


def _after(game: Game, more: list[HandScore], score: HandScore | None) -> tuple[Game, list[HandScore]]:
    if score is None:
        return game, more
    return (game, [*more, score]) if game.over else (game.add(score), more)


def season_standings(games: Sequence[TrueGame], rules: HouseRules = DEFAULT_RULES) -> tuple[Standing, ...]:
    """The table after true games."""
    return standings([Result(g.we, g.they, *g.totals) for g in games], rules)
