"""Seasons made in plain Python, with known rates, for the tests of ``analysis``; nothing here uses the code tested."""

from __future__ import annotations

import datetime
import hashlib
import random
from dataclasses import dataclass

from scanner.season.store import open_season
from scanner.season.typed import TypedGame, TypedSheet
from scanner.sheet.layout import load_layout
from scanner.sheet.results import CellResult, Consequence, GameResult, HandScore, Pair, Problem, RowResult

NAMES = ("Eagles", "Owls", "Hawks", "Ravens", "Bears", "Foxes", "Wolves", "Otters")


@dataclass(frozen=True)
class Hand:
    we: int
    they: int
    we_total: int
    they_total: int
    set: str | None
    maker: str
    meld: int | None


@dataclass(frozen=True)
class Game:
    we: str
    they: str
    date: str | None
    hands: tuple[Hand, ...]

    @property
    def totals(self) -> tuple[int, int]:
        return (self.hands[-1].we_total, self.hands[-1].they_total) if self.hands else (0, 0)

    @property
    def winner(self) -> str | None:
        we, they = self.totals
        return None if max(we, they) < 500 or we == they else "we" if we > they else "they"


def play(rng: random.Random, we: str, they: str, date: str | None, set_rate: float = 0.2, most: int = 99) -> Game:
    """A game to 500 whose makers are drawn evenly and set at ``set_rate``; ``most`` hands at most."""
    totals, hands = [0, 0], []
    while max(totals) < 500 and len(hands) < most:
        maker, meld = rng.randrange(2), rng.choice((0, 0, 0, 20, 50))
        lower = rng.randrange(0, 81)
        points = [0, 0]
        is_set = rng.random() < set_rate
        if is_set:
            points[1 - maker] = 162 - lower + meld
        else:
            points[maker], points[1 - maker] = 162 - lower + meld, lower
        totals = [totals[0] + points[0], totals[1] + points[1]]
        side = ("we", "they")[maker]
        hands.append(Hand(*points, *totals, side if is_set else None, side, None if is_set else meld))
    return Game(we, they, date, tuple(hands))


def season(seed: int, teams: int = 6, rounds: int = 1, set_rate: float = 0.2) -> list[Game]:
    """Every pair of teams once a round, a day a game night."""
    rng = random.Random(seed)
    games, day = [], datetime.date(2026, 1, 5)
    for _ in range(rounds):
        for i in range(teams):
            for j in range(i):
                games.append(play(rng, NAMES[i], NAMES[j], day.isoformat(), set_rate))
            day += datetime.timedelta(days=7)
    return games


def result_of(game: Game) -> GameResult:
    """The game as a check would report it, without any doubt."""
    rows = []
    for number, hand in enumerate(game.hands, 1):
        score = HandScore(Pair(hand.we, hand.they), Pair(hand.we_total, hand.they_total))
        cells = {"we_total": CellResult("XX" if hand.set == "we" else str(hand.we_total), 1.0),
                 "they_total": CellResult("XX" if hand.set == "they" else str(hand.they_total), 1.0)}
        rows.append(RowResult(number, cells, score, score, hand.set, hand.maker, hand.meld))
    return GameResult(tuple(rows), game.winner, game.winner, game.winner, ())


def slip(row: int, points: int, changes: bool, code: str = "running-total") -> Problem:
    return Problem(code, row, "we_total", "10", "20", f"Hand {row}: a slip of {points}.", (), 0.9,
                   Consequence(changes, points))


def save(path, games: list[Game], results: list[GameResult] | None = None) -> None:
    """A season file with one typed sheet a game."""
    layout = load_layout("evansville")
    with open_season(path) as file:
        for number, game in enumerate(games):
            sha = hashlib.sha256(f"{number}".encode()).hexdigest()
            teams = {"we": game.we, "they": game.they}
            sheet = TypedSheet(f"{number}.json", sha, layout, (TypedGame((), None),), teams, game.date)
            file.add_typed(sheet, [result_of(game) if results is None else results[number]])
