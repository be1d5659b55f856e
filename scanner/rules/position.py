"""Where a hand stands: the deal, the calls, the cards played and the melds announced, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from scanner.rules import play as trick_rules
from scanner.rules.cards import HAND_SIZE
from scanner.rules.deal import Deal
from scanner.rules.errors import RuleError
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.melds import Meld


@dataclass(frozen=True)
class Call:
    """One call of the bidding: a pass (``suit`` None) or "play" with the suit that becomes trump."""

    seat: int
    suit: int | None = None


@dataclass(frozen=True)
class Position:
    """A deal, all that was done with it, and where that leaves the hand.

    Attributes:
        deal: the four hands as dealt.
        calls: the bidding so far.
        cards: cards played so far, in order, all tricks in a row.
        announced: melds announced, by seat.
        shown: melds shown before the second trick, by seat.
        bells: seats that announced bell in time.
    """

    deal: Deal
    rules: HouseRules = DEFAULT_RULES
    calls: tuple[Call, ...] = ()
    cards: tuple[int, ...] = ()
    announced: Mapping[int, tuple[Meld, ...]] = field(default_factory=dict)
    shown: Mapping[int, tuple[Meld, ...]] = field(default_factory=dict)
    bells: tuple[int, ...] = ()

    @cached_property
    def maker(self) -> int | None:
        """Seat that named trump, None while nobody has."""
        return next((c.seat for c in self.calls if c.suit is not None), None)

    @cached_property
    def trump(self) -> int | None:
        """Trump suit, None while nobody has named it."""
        return next((c.suit for c in self.calls if c.suit is not None), None)

    @property
    def all_passed(self) -> bool:
        """Whether everybody passed twice: no score, a new deal."""
        return len(self.calls) == 8 and self.trump is None

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return self.all_passed or len(self.cards) == 4 * HAND_SIZE

    @cached_property
    def tricks(self) -> tuple[tuple[int, ...], ...]:
        """Complete tricks, cards in order of play."""
        return tuple(self.cards[i : i + 4] for i in range(0, len(self.cards) // 4 * 4, 4))

    @property
    def trick(self) -> tuple[int, ...]:
        """Cards of the trick being played."""
        return self.cards[len(self.tricks) * 4 :]

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """Seat that led each trick, the one to come included."""
        seats = [self.deal.first]
        for trick in self.tricks:
            seats.append((seats[-1] + trick_rules.trick_winner(trick, self._trump())) % 4)
        return tuple(seats)

    @property
    def to_act(self) -> int | None:
        """Seat whose turn it is to call or play; None when the hand is over."""
        if self.over:
            return None
        if self.trump is None:
            return (self.deal.first + len(self.calls)) % 4
        return (self.leaders[-1] + len(self.trick)) % 4

    def held(self, seat: int) -> int:
        """Cards a seat still holds, as a mask."""
        left = self.deal.hands[seat]
        for c in self.cards:
            left &= ~(1 << c)
        return left

    def played_by(self, seat: int) -> int:
        """Number of cards a seat has played."""
        return HAND_SIZE - self.held(seat).bit_count()

    def _trump(self) -> int:
        if self.trump is None:
            raise RuleError("trump", "Trump has not been named yet.")
        return self.trump
