"""Hands by the thousand: dealt, bid, played and scored on arrays, and handed out as records.

>>> len(list(simulate_hands(3, seed=1)))
3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from scanner.rules import vector
from scanner.rules.bidding import bid
from scanner.rules.cards import HAND_SIZE, LAST_TRICK, NAMES, SUITS
from scanner.rules.errors import RuleError
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.players import (
    Player,
    Skills,
    Table,
    bits,
    card_values,
    players_of,
    skills_of,
)
from scanner.rules.score import SIDES, HandScore

#: Hands simulated together: large enough that array calls cost little each, small enough to stay in cache.
BATCH = 1024
Players = str | Player | Sequence[str | Player]


@dataclass(frozen=True)
class Batch:
    """N hands as arrays; seats and sides (0 we, 1 they) as everywhere.

    Attributes:
        dealer: (N,). cards: (N, 4, 6) in order of dealing. turned: (N,).
        maker: seat, -1 when all passed, (N,). trump: (N,), -1 when all passed. calls: calls made, (N,).
        leaders: seat that led each trick, (N, 6). plays: cards in order of play, (N, 24).
        tricks, melds, points: (N, 2). set: side set or -1, (N,).
    """

    dealer: np.ndarray
    cards: np.ndarray
    turned: np.ndarray
    maker: np.ndarray
    trump: np.ndarray
    calls: np.ndarray
    leaders: np.ndarray
    plays: np.ndarray
    tricks: np.ndarray
    melds: np.ndarray
    points: np.ndarray
    set: np.ndarray

    @property
    def played(self) -> np.ndarray:
        """Whether somebody named trump, bool, (N,)."""
        return self.maker >= 0


def simulate_hands(
    count: int, seed: int, players: Players = "sensible", rules: HouseRules = DEFAULT_RULES
) -> Iterator[dict]:
    """Records of ``count`` deals at one table, those all passed included; the same arguments give the same hands.

    The turn to deal goes round as the rules say, and the first hands do not depend on ``count``.

    Args:
        players: a name of :data:`scanner.rules.players.PLAYERS` or a Player for all seats, two for (we, they), or four.

    Raises:
        RuleError: a negative count or seed, or an unknown player.
    """
    if count < 0 or seed < 0:
        raise RuleError("simulate", f"Count and seed are 0 or more, got {count} and {seed}.")
    four = players_of(players)
    return _hands(count, np.random.default_rng(seed), four, rules)


def _hands(count: int, rng: np.random.Generator, players: tuple[Player, ...], rules: HouseRules) -> Iterator[dict]:
    dealer = 0
    while count > 0:
        batch = simulate_batch(BATCH, rng, players, rules, first_dealer=dealer)
        yield from records(batch, min(count, BATCH))
        count -= BATCH
        dealer = int(next_dealers(batch.dealer[-1:], batch.played[-1:], rules)[0])


def simulate_batch(
    count: int, rng: np.random.Generator, players: Players = "sensible", rules: HouseRules = DEFAULT_RULES,
    first_dealer: int = 0,
) -> Batch:
    """Some hands in a row at one table, as arrays."""
    four = players_of(players)
    by_turn = deal_cards(count, rng)
    noise = rng.standard_normal((count, 8, 4))
    dealer = _dealers(by_turn, noise, four, rules, first_dealer)
    return play_deals(by_turn, dealer, rng, four, rules, noise)


def deal_cards(count: int, rng: np.random.Generator) -> np.ndarray:
    """Shuffled packs dealt out: the cards of each player from the dealer's left to the dealer, int8, (N, 4, 6)."""
    packs = np.argsort(rng.random((count, 24)), axis=1).astype(np.int8)  # sorting random numbers shuffles
    return packs.reshape(count, HAND_SIZE, 4).transpose(0, 2, 1)


def play_deals(
    by_turn: np.ndarray, dealer: np.ndarray, rng: np.random.Generator, players: tuple[Player, ...] | Skills,
    rules: HouseRules = DEFAULT_RULES, noise: np.ndarray | None = None,
) -> Batch:
    """Bid, play and score given deals.

    Args:
        by_turn: cards from the player left of the dealer to the dealer, shape (N, 4, 6); the last card is turned.
        dealer: seats, shape (N,).
        players: four players for all tables, or the skills at each.
        noise: standard normal, shape (N, 8, 4), that blurs each call by suit; drawn when None.
    """
    count = len(dealer)
    if noise is None:
        noise = rng.standard_normal((count, 8, 4))
    skills = skills_of(players)
    maker, trump, calls = bid(by_turn, dealer, noise, skills)
    rows = np.arange(count)
    seats = (dealer[:, None] + 1 + np.arange(4)) % 4
    cards = np.empty_like(by_turn)
    cards[rows[:, None], seats] = by_turn
    on = maker >= 0
    leaders, plays = np.zeros((count, 6), np.int8), np.zeros((count, 24), np.int8)
    tricks, melds = np.zeros((count, 2), np.int16), np.zeros((count, 2), np.int16)
    leaders[on], plays[on], tricks[on] = play_cards(
        cards[on], trump[on], maker[on], (dealer[on] + 1) % 4, rng, skills.take(on)
    )
    melds[on] = vector.side_melds(vector.masks(cards[on]), trump[on], rules.four_tens)
    points, failed = np.zeros((count, 2), np.int16), np.full(count, -1)
    points[on], failed[on] = vector.score(tricks[on], melds[on], maker[on] % 2)
    return Batch(dealer, cards, by_turn[:, 3, 5], maker, trump, calls, leaders, plays, tricks, melds, points, failed)


def next_dealers(dealer: np.ndarray, played: np.ndarray, rules: HouseRules = DEFAULT_RULES) -> np.ndarray:
    """Who deals after hands that were played or, where ``played`` is false, passed by all; all (N,)."""
    moves = played | (rules.all_pass == "next_dealer")
    return (dealer + moves) % 4


def _dealers(
    by_turn: np.ndarray, noise: np.ndarray, players: tuple[Player, ...], rules: HouseRules, first: int
) -> np.ndarray:
    """Who deals each hand; the bidding is tried with every dealer, as whether all pass depends on who sits where."""
    count = len(by_turn)
    alike, skills = len(set(players)) == 1, skills_of(players)
    passed = [bid(by_turn, np.full(count, d), noise, skills)[0] < 0 for d in range(1 if alike else 4)]
    dealers = np.empty(count, np.int64)
    stays = rules.all_pass == "redeal"
    for i in range(count):
        dealers[i] = first
        if not (stays and passed[0 if alike else first][i]):
            first = (first + 1) % 4
    return dealers


def play_cards(
    cards: np.ndarray, trump: np.ndarray, maker: np.ndarray, leader: np.ndarray, rng: np.random.Generator,
    players: tuple[Player, ...] | Skills,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play hands out: leader of each trick (N, 6), cards in order (N, 24), trick points of the sides (N, 2)."""
    count, rows = len(trump), np.arange(len(trump))
    skills = skills_of(players)
    held = np.ones((count, 4, HAND_SIZE), bool)
    leaders, plays = np.zeros((count, 6), np.int8), np.zeros((count, 24), np.int8)
    points = np.zeros((count, 2), np.int16)
    table = _cleared(trump, maker, np.zeros(count, np.uint32), np.zeros((count, 4, 4), bool))
    for trick in range(6):
        leaders[:, trick] = leader
        table = _cleared(trump, maker, table.gone | table.down, table.void)
        table.trick = trick + 1
        for position in range(4):
            table.position = position
            seat = (leader + position) % 4
            own, left = cards[rows, seat], held[rows, seat]
            slot = _choose(table, own, left, seat, *skills.at(seat), rng)
            played = own[rows, slot]
            held[rows, seat, slot] = False
            plays[:, 4 * trick + position] = played
            _put_down(table, played, seat, rows)
        leader = table.winner
        points[rows, leader % 2] += table.points + LAST_TRICK * (trick == 5)
    return leaders, plays, points


def _choose(
    table: Table, own: np.ndarray, left: np.ndarray, seat: np.ndarray, memory: np.ndarray, blur: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Which of the six cards each player plays, (N,)."""
    allowed = vector.legal(own, left, table.led if table.position else None, table.trump, table.best)
    luck = rng.standard_normal(own.shape, dtype=np.float32)
    if table.trick == 6:
        return allowed.argmax(1)
    blind = np.isinf(blur)[:, None]
    value = luck if blind.all() else card_values(table, own, left, seat, memory)
    if not blind.all():
        value = np.where(blind, luck, value + luck * np.where(blind, 0, blur[:, None]))
    return np.where(allowed, value, -np.inf).argmax(1)


def _cleared(trump: np.ndarray, maker: np.ndarray, gone: np.ndarray, void: np.ndarray) -> Table:
    count = len(trump)
    return Table(
        trump=trump, maker=maker, led=np.zeros(count, np.int64), best=np.full(count, -1, np.int8),
        winner=np.zeros(count, np.int64), points=np.zeros(count, np.int16), down=np.zeros(count, np.uint32),
        gone=gone, void=void,
    )


def _put_down(table: Table, played: np.ndarray, seat: np.ndarray, rows: np.ndarray) -> None:
    """Lay one card on every table and note what it shows."""
    suit = vector.SUIT_TABLE[played]
    if table.position == 0:
        table.led = suit.astype(np.int64)
    out = suit != table.led
    table.void[rows[out], seat[out], table.led[out]] = True
    no_trump = out & (suit != table.trump)
    table.void[rows[no_trump], seat[no_trump], table.trump[no_trump]] = True
    strength = vector.trick_strength(played[:, None], table.led, table.trump)[:, 0]
    wins = strength > table.best
    table.best, table.winner = np.where(wins, strength, table.best), np.where(wins, seat, table.winner)
    table.points = table.points + vector.POINT_TABLE[table.trump, played]
    table.down = table.down | bits(played)


def hand_scores(batch: Batch) -> Iterator[HandScore | None]:
    """The score of each hand; None where all passed."""
    for (we, they), failed, on in zip(batch.points.tolist(), batch.set.tolist(), batch.played.tolist(), strict=True):
        yield HandScore(we, they, SIDES[failed] if failed >= 0 else None) if on else None


# ---- records -------------------------------------------------------------------------------------------------------


def records(batch: Batch, count: int | None = None) -> Iterator[dict]:
    """The first ``count`` hands of a batch as records (see :mod:`scanner.rules.record`)."""
    columns = {name: getattr(batch, name)[:count].tolist() for name in Batch.__dataclass_fields__}
    for hand in zip(*columns.values(), strict=True):
        yield _record(*hand)


def _record(dealer, cards, turned, maker, trump, calls, leaders, plays, tricks, melds, points, failed) -> dict:
    bids = [{"seat": (dealer + 1 + i) % 4, "call": "pass"} for i in range(calls)]
    on = maker >= 0
    if on:
        bids[-1] = {"seat": maker, "call": "play", "suit": SUITS[trump]}
    return {
        "dealer": dealer,
        "deal": {str(seat): [NAMES[c] for c in hand] for seat, hand in enumerate(cards)},
        "turned": NAMES[turned],
        "bids": bids,
        "all_pass": not on,
        "trump": SUITS[trump] if on else None,
        "maker_seat": maker if on else None,
        "plays": [
            [{"seat": (leader + i) % 4, "card": NAMES[plays[4 * t + i]]} for i in range(4)]
            for t, leader in enumerate(leaders)
        ] if on else [],
        "trick_points": {"we": tricks[0], "they": tricks[1]},
        "meld_points": {"we": melds[0], "they": melds[1]},
        "set": ("we", "they")[failed] if failed >= 0 else None,
        "points": {"we": points[0], "they": points[1]},
    }
