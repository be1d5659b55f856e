"""A league's season as its scorekeepers wrote it: games by simulation, slips by people, and the truth beside both.

Every team keeps the sheet of the games in which it sits as "we", in the hand and with the habits of its scorekeeper.  A
game goes on until the *written* totals say that it is over, as it does in a bar; so a slip can cost a team hands, or
give it some.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import numpy as np

from scanner.rules.league import Team, TrueGame, season_teams, simulate_season
from scanner.rules.priors import hand_prior
from scanner.rules.score import HandScore
from scanner.scorekeeper.check import check_game
from scanner.scorekeeper.prior import slip_prior
from scanner.season.store import Season
from scanner.season.truth import TrueSlip, Truth
from scanner.season.typed import TypedGame, TypedSheet
from scanner.sheet.layout import Layout, built_in_layouts
from scanner.workshop.games import Hand, Keeper, WrittenGame, random_keeper, write_game
from scanner.workshop.glyphs import own_hand
from scanner.workshop.samples import TROUBLE, Sample, fresh_page, random_sheet, write_sample, written_sample
from scanner.workshop.sheets import random_scribe
from scanner.workshop.slips import KEEPING_KINDS
from scanner.workshop.tour import Sheet, date_text

Rng = np.random.Generator

#: The first evening; the league meets once a week. Tournaments get organised in August and September (S0).
FIRST_EVENING = date(2025, 9, 2)
#: Hands dealt beyond the true end: enough for totals that a slip left three hundred points behind.
_SPARE = 6
#: How often a table plays on because nobody saw that the game was over.
_PLAYS_ON = 0.01
#: Spread (of the logarithm) of how much more or less than others a scorekeeper errs.
_UNLIKE = 0.6
#: Levels of trouble a photograph of a season may have.
LEVELS = ("easy", "medium", "hard")
# Streams of random numbers, so that drawing sheets changes nothing in the season.
_GAMES, _KEEPERS, _PHOTOS = 2, 3, 4


@dataclass(frozen=True)
class KeptGame:
    """One game of the season and its sheet.

    Attributes:
        week, table: from 1; the evening and the place in it.
        teams: names by side; ``we`` kept the sheet.
        keeper: number of the team that kept it, for its hand.
        day: the date.
        hands: what was really played, one for each written row.
        written: what the sheet says.
    """

    week: int
    table: int
    teams: dict[str, str]
    keeper: int
    day: date
    layout: Layout
    hands: tuple[HandScore, ...]
    written: WrittenGame

    @property
    def name(self) -> str:
        """A short name for files and messages."""
        return f"week{self.week:02d}-table{self.table:02d}"


@dataclass(frozen=True)
class KeptSeason:
    """A whole season: its teams with their true strengths, and its games in order."""

    seed: int
    teams: tuple[Team, ...]
    games: tuple[KeptGame, ...]


def keep_season(teams: int, seed: int, told: Callable[[str], None] | None = None) -> KeptSeason:
    """A single round robin, played and written down; the same arguments give the same season.

    Args:
        told: gets a line after each step, for people who wait.

    Raises:
        RuleError: fewer than two teams, or a negative seed.
    """
    some = season_teams(teams, seed)
    names = [team.name for team in some]
    keepers = [_keeper(np.random.default_rng([seed, _KEEPERS, i])) for i in range(len(some))]
    kept: list[KeptGame] = []
    tables: Counter[int] = Counter()
    played = simulate_season(some, seed, spare=_SPARE, told=told)
    for number, game in enumerate(played):
        tables[game.week] += 1
        who = names.index(game.we)
        kept.append(_kept(game, tables[game.week], who, keepers[who], np.random.default_rng([seed, _GAMES, number])))
        if told:
            told(f"writing down: {number + 1} of {len(played)} games")
    return KeptSeason(seed, some, tuple(kept))


def _keeper(rng: Rng) -> Keeper:
    """Somebody who keeps score all season: slips of every kind as often as people make them, more or less."""
    chances = _kind_chances()
    care = float(rng.lognormal(0, _UNLIKE))
    weights = tuple(chance / sum(chances.values()) for chance in chances.values())
    trouble = float(np.clip(0.4 * care, 0, 1))
    return replace(random_keeper(rng, trouble), slip=min(0.5, care * sum(chances.values())),
                   kinds=tuple(chances), weights=weights)


@cache
def _kind_chances() -> dict[str, float]:
    """Chance of each kind of slip on a row, by the prior the sheets are read with."""
    prior = slip_prior()
    total, ways = 2 * prior.rates["total"], prior.figures["total"]
    chances = {
        "adding": total * sum(ways.gaps.values()), "carrying": total * ways.elsewhere,
        "copying": total * (ways.digit + ways.length), "swapping": total * ways.swap,
        "counting": 2 * prior.rates["count"],
        # The rate is of all hands, and only a set one has a mark to forget.
        "forgotten-mark": 2 * prior.rates["no_mark"] / hand_prior().set_rate,
        "hand-check": prior.rates["hand_check"], "total-check": prior.rates["total_check"],
    }  # fmt: skip
    return {kind: chances[kind] for kind in KEEPING_KINDS}


def _kept(game: TrueGame, table: int, who: int, keeper: Keeper, rng: Rng) -> KeptGame:
    layouts = built_in_layouts()
    layout = layouts[int(rng.integers(len(layouts)))]
    dealt = (*game.hands, *game.spare)
    hands = [Hand({"we": hand.we, "they": hand.they}, hand.set) for hand in dealt]
    planned = "past-the-end" if rng.random() < _PLAYS_ON else None
    written = write_game(layout, keeper, rng, planned=planned, hands=hands)
    day = FIRST_EVENING + timedelta(weeks=game.week - 1)
    teams = {"we": game.we, "they": game.they}
    return KeptGame(game.week, table, teams, who, day, layout, dealt[: len(written.rows)], written)


# ---- into a season file --------------------------------------------------------------------------------------------


def save_game(season: Season, game: KeptGame, seed: int) -> None:
    """Saves the sheet of a game as if it had been typed, checked like any other, with its truth beside it."""
    sheet = typed_sheet(game, seed)
    checked = [check_game(typed.rows, typed.winner_mark, game.layout) for typed in sheet.games]
    slips = tuple(TrueSlip(s.row, s.code, s.cell, s.written, s.right) for s in game.written.slips)
    season.add_typed(sheet, checked, [Truth(game.hands, slips)])


def typed_sheet(game: KeptGame, seed: int) -> TypedSheet:
    """The sheet of a game as a typed file would hold it."""
    rows = tuple({key: entry.text for key, entry in row.items()} for row in game.written.rows)
    document = {"layout": game.layout.name, "teams": game.teams, "date": game.day.isoformat(),
                "games": [{"rows": rows, "winner_mark": game.written.winner_mark}], "simulated": [seed, game.name]}
    sha256 = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
    played = TypedGame(rows, game.written.winner_mark)
    return TypedSheet(f"simulated/{seed}/{game.name}", sha256, game.layout, (played,), game.teams,
                      game.day.isoformat())


# ---- as photographs ------------------------------------------------------------------------------------------------


def photograph_game(season: KeptSeason, game: KeptGame, folder: Path, levels: Sequence[str] = LEVELS,
                    change: Callable[[Sheet], Sheet] | None = None) -> Path:
    """Draws and photographs the sheet of a game; the photo in ``folder`` has its truth beside it as JSON."""
    return write_sample(photo_of(season, game, levels, change), folder, game.name)[0]


def photo_of(season: KeptSeason, game: KeptGame, levels: Sequence[str] = LEVELS,
             change: Callable[[Sheet], Sheet] | None = None) -> Sample:
    """The photograph of a game's sheet. All sheets of one keeper are in one hand, with one pen.

    Args:
        levels: levels of trouble to draw from, each as often as it is named.
        change: what to make of the plan that was drawn, for example another size.
    """
    rng = np.random.default_rng([season.seed, _PHOTOS, game.week, game.table])
    plan = random_sheet(rng, str(rng.choice(levels)), (game.layout,))
    plan = replace(plan, slips=(), empty=False, unfinished=False, hands=1)
    plan = plan if change is None else change(plan)
    own = np.random.default_rng([season.seed, _PHOTOS, _KEEPERS, game.keeper])
    scribe = random_scribe(own_hand(int(own.integers(2**31))), own, TROUBLE["medium"])
    page = fresh_page(plan, game.layout, [scribe], rng)
    heading = {**game.teams, "date": date_text(game.day, rng), "table": str(game.table), "game": "1",
               "round": str(game.week)}
    sample = written_sample(plan, page, [game.written], [scribe], heading, rng)
    hands = [{"we": hand.we, "they": hand.they, "set": hand.set} for hand in game.hands]
    more = {"iso_date": game.day.isoformat(), "week": game.week, "true_games": [{"hands": hands}]}
    return replace(sample, truth={**sample.truth, **more})


def roster_text(teams: Sequence[Team]) -> str:
    """The league's roster (TOML) for reading the names on the photographs."""
    return "".join(f"[[teams]]\nname = {json.dumps(team.name)}\n\n" for team in teams)
