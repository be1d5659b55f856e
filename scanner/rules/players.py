"""Players for the simulator: how strong they are and which card they play, on many hands at once.

Every player values each legal card by an estimate of the points it brings: the chance that his side wins the trick,
times what is in it, less what the card would be worth later.  Strength is two things: what a player remembers of the
cards gone, and how much noise blurs his judgement (a table talks, people count badly).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scanner.rules.cards import CARDS, PACK, STRENGTH
from scanner.rules.errors import RuleError
from scanner.rules.vector import (
    BIT_TABLE,
    POINT_TABLE,
    STRENGTH_TABLE,
    SUIT_MASK_TABLE,
    SUIT_TABLE,
    masks,
    trick_strength,
)


@dataclass(frozen=True)
class Player:
    """How strong somebody plays.

    Attributes:
        memory: 0 remembers only the trick on the table, 1 also the trumps gone, 2 every card gone and who is out of
            a suit.
        noise: standard deviation, in points, of what blurs the value of each card and, twice as much, of each bid;
            infinite for a player who picks any legal card and calls at random.
    """

    memory: int = 1
    noise: float = 2.0


#: Players by name, weakest first.
PLAYERS: dict[str, Player] = {
    "random": Player(memory=0, noise=np.inf),
    "beginner": Player(memory=0, noise=10.0),
    "sensible": Player(memory=1, noise=2.0),
    "counting": Player(memory=2, noise=0.0),
}


def players_of(players: str | Player | Sequence[str | Player]) -> tuple[Player, Player, Player, Player]:
    """Four players by seat, from one for all, two for (we, they), or four.

    Raises:
        RuleError: an unknown name, or another number of players.
    """
    some = [players] if isinstance(players, str | Player) else list(players)
    if len(some) not in (1, 2, 4):
        raise RuleError("players", f"Give one player for all seats, two for we and they, or four; got {len(some)}.")
    four = [some[seat % len(some)] for seat in range(4)]
    for name in four:
        if not isinstance(name, Player) and name not in PLAYERS:
            raise RuleError("players", f"No player {name!r}; there are {', '.join(PLAYERS)}.")
    a, b, c, d = (p if isinstance(p, Player) else PLAYERS[p] for p in four)
    return a, b, c, d


@dataclass(frozen=True)
class Skills:
    """How strong the four players at each of N tables play, as arrays; one row stands for every table.

    Attributes:
        memory, noise: as in :class:`Player`, by table and seat, shape (N, 4) or (1, 4).
    """

    memory: np.ndarray
    noise: np.ndarray

    def at(self, seat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Memory and noise of the player at a seat of each table, (N,) each."""
        rows = np.arange(len(seat)) if len(self.memory) > 1 else 0
        return self.memory[rows, seat], self.noise[rows, seat]

    def take(self, tables: np.ndarray) -> Skills:
        """Those of some tables, given by number or by a mask."""
        return self if len(self.memory) == 1 else Skills(self.memory[tables], self.noise[tables])


def skills_of(players: Sequence[Player] | Skills) -> Skills:
    """Skills from the four players who sit at every table; skills stay what they are."""
    return players if isinstance(players, Skills) else table_skills([players])


def table_skills(tables: Sequence[Sequence[Player]]) -> Skills:
    """Skills from the four players of each table."""
    return Skills(
        np.array([[p.memory for p in four] for four in tables]), np.array([[p.noise for p in four] for four in tables])
    )


# Weights of the card values, in points, from a coarse random search in which a new setting replaced the old when it won
# 8,000 duplicate deals against it (both sides hold the same cards once). Trumps are only ever spent freely by leading
# them, so a large keeping value means: do not lead one unless to draw the others' out.
_KEEP_TRUMP, _KEEP_PLAIN = 13.0, 0.7  # what a card's order above the lowest is worth later, a step
_TO_COME = 1.5  # points each player yet to play adds
_DRAW_TRUMPS = 25.0  # leading a winning trump for the makers
# Chance that one of three hidden hands holds at least one of n cards, and that it holds none.
_HOLDS = (1 - (2 / 3) ** np.arange(25)).astype(np.float32)
_LACKS = ((2 / 3) ** np.arange(25)).astype(np.float32)
_PARTNER_HELPS = 0.2  # how often a partner who could win the trick does


def _above_tables() -> tuple[np.ndarray, np.ndarray]:
    """Masks of the cards that beat strength b: of the suit led (trump, led, b + 1), and of trump (trump, b + 1)."""
    led_above, trump_above = np.zeros((4, 4, 13), np.uint32), np.zeros((4, 13), np.uint32)
    for trump in range(4):
        for strength in range(-1, 12):
            for card in CARDS:
                if STRENGTH[trump][card] > strength:
                    led_above[trump, card // 6, strength + 1] |= np.uint32(1 << card)
                    if card // 6 == trump:
                        trump_above[trump, strength + 1] |= np.uint32(1 << card)
    return led_above, trump_above


_LED_ABOVE, _TRUMP_ABOVE = _above_tables()


@dataclass
class Table:
    """What lies on N tables between two plays. All arrays have N in front.

    Attributes:
        trump, maker: suit and seat, (N,).
        led: suit led, (N,); meaningless for the leader.
        best: strength of the card that wins so far, (N,), -1 when none; winner: its seat, (N,).
        points: points in the trick so far, (N,).
        down: mask of the cards in the trick; gone: mask of all cards of earlier tricks, (N,).
        void: whether a seat has shown to be out of a suit, (N, 4, 4).
        position: 0 for the leader to 3, the same on all tables; trick: 1 to 6.
    """

    trump: np.ndarray
    maker: np.ndarray
    led: np.ndarray
    best: np.ndarray
    winner: np.ndarray
    points: np.ndarray
    down: np.ndarray
    gone: np.ndarray
    void: np.ndarray
    position: int = 0
    trick: int = 1


def card_values(table: Table, cards: np.ndarray, held: np.ndarray, seat: np.ndarray, memory: np.ndarray) -> np.ndarray:
    """Value in points of each card of the player to act, float, shape (N, 6), before noise.

    Args:
        cards: six cards as dealt, shape (N, 6).
        held: which are still held, shape (N, 6).
        seat: seat to act, shape (N,).
        memory: what that player remembers, shape (N,).
    """
    trump = table.trump[:, None]
    suits, strength = SUIT_TABLE[cards], STRENGTH_TABLE[trump, cards]
    led = suits if table.position == 0 else np.broadcast_to(table.led[:, None], cards.shape)
    if table.position:
        strength_now = trick_strength(cards, table.led, table.trump)
        best = np.maximum(strength_now, table.best[:, None])
        partner_best = (table.winner % 2 == seat % 2)[:, None]
        ours = np.where(strength_now > table.best[:, None], True, partner_best)
    else:
        best, ours = strength, np.ones(cards.shape, bool)
    chance = _winning_chance(table, led, best, ours, cards, seat, memory)
    points = POINT_TABLE[trump, cards]
    pot = table.points[:, None] + points + _TO_COME * (3 - table.position) + (10 if table.trick == 6 else 0)
    value = (2 * chance - 1) * pot
    is_trump = suits == trump
    keep = np.where(is_trump, _KEEP_TRUMP * (strength - 3), _KEEP_PLAIN * strength)
    value -= keep * ((6 - table.trick) / 5)
    if table.position == 0:
        makers = (table.maker % 2 == seat % 2)[:, None]
        value += _DRAW_TRUMPS * (is_trump & makers & (chance > 0.8))
    return value


def _winning_chance(
    table: Table, led: np.ndarray, best: np.ndarray, ours: np.ndarray, cards: np.ndarray, seat: np.ndarray,
    memory: np.ndarray,
) -> np.ndarray:
    """Chance that the player's side wins the trick with each card, (N, 6), from the cards he cannot account for."""
    known = masks(cards) | table.down
    known |= np.where(memory > 0, table.gone & SUIT_MASK_TABLE[table.trump], np.uint32(0))
    known |= np.where(memory > 1, table.gone, np.uint32(0))
    unseen = (np.uint32(PACK) & ~known)[:, None]
    trump = table.trump[:, None]
    in_led = np.bitwise_count(unseen & SUIT_MASK_TABLE[led])
    beat_led = np.bitwise_count(unseen & _LED_ABOVE[trump, led, best + 1])
    beat_trump = np.where(led == trump, 0, np.bitwise_count(unseen & _TRUMP_ABOVE[trump, best + 1]))
    follows, ruffs, out = _HOLDS[beat_led], _HOLDS[beat_trump], _LACKS[in_led]
    chance = ours.astype(np.float32)
    counts = (memory > 1)[:, None]
    rows = np.arange(len(seat))[:, None]
    for later in range(1, 4 - table.position):
        other = ((seat + later) % 4)[:, None]
        known_out = counts & table.void[rows, other, led]
        no_trump = counts & table.void[rows, other, trump]
        beats = np.where(known_out, 0, follows) + np.where(known_out, 1, out) * np.where(no_trump, 0, ruffs)
        if later == 2:
            chance += (1 - chance) * beats * _PARTNER_HELPS
        else:
            chance *= 1 - beats
    return chance


def bits(cards: np.ndarray) -> np.ndarray:
    """Mask of each single card."""
    return BIT_TABLE[cards]
