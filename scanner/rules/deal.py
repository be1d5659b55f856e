"""Before the first call: partners by jacks, the cut, the deal, and what makes a deal void."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scanner.rules.cards import CARDS, HAND_SIZE, NAMES, PACK, RANKS, card, mask, members, rank_of
from scanner.rules.errors import CardError, RuleError, TurnError

SEATS = range(4)
#: Fewest cards in each part of a cut (S0, S1, S2).
LEAST_CUT = 4
_JACK = RANKS.index("J")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: the short name of the rule it offends, and a sentence with what was expected."""

    rule: str
    message: str


@dataclass(frozen=True)
class Deal:
    """Four hands of six.

    Attributes:
        dealer: seat 0 to 3; seats go clockwise, 0 and 2 are "we".
        hands: masks by seat, the turned card among the dealer's.
        turned: the dealer's last card, whose suit is offered first.

    Raises:
        TurnError: no such dealer.
        CardError: not six cards each of the whole pack, or a turned card that is not the dealer's.
    """

    dealer: int
    hands: tuple[int, int, int, int]
    turned: int

    def __post_init__(self) -> None:
        if self.dealer not in SEATS:
            raise TurnError("deal", f"The dealer sits at a seat from 0 to 3, got {self.dealer!r}.")
        counts = [hand.bit_count() for hand in self.hands]
        if counts != [HAND_SIZE] * len(SEATS):
            raise CardError("deal", f"Each of the {len(SEATS)} seats gets {HAND_SIZE} cards, not {counts}.")
        # With six cards each, anything held twice leaves another card out.
        if self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3] != PACK:
            raise CardError("pack", f"A deal takes the {len(CARDS)} cards of the pack, each once.")
        if self.turned not in members(self.hands[self.dealer]):
            raise CardError("turned", f"The turned card {self.turned!r} is not in the dealer's hand, where it belongs.")

    @property
    def first(self) -> int:
        """The seat at the dealer's left, who bids and leads first."""
        return (self.dealer + 1) % 4


def side_of(seat: int) -> str:
    """The side a seat plays for."""
    return "we" if seat % 2 == 0 else "they"


def cut(pack: Sequence[int], at: int) -> tuple[int, ...]:
    """The pack after the player at the dealer's right has cut ``at`` cards from the top.

    Raises:
        RuleError: fewer than four cards in a part.
    """
    if not LEAST_CUT <= at <= len(pack) - LEAST_CUT:
        raise RuleError("cut", f"A cut leaves at least {LEAST_CUT} cards in each part, not {at} and {len(pack) - at}.")
    return (*pack[at:], *pack[:at])


def deal(pack: Sequence[int], dealer: int) -> Deal:
    """Deal from the top, one card at a time, clockwise from the dealer's left; the last card is turned up.

    Raises:
        CardError: not the 24 cards, each once.
        TurnError: no such seat.
    """
    if dealer not in SEATS:
        raise TurnError("deal", f"The dealer sits at a seat from 0 to 3, got {dealer!r}.")
    if len(pack) != len(CARDS) or set(pack) != set(CARDS):
        raise CardError("pack", f"A deal takes the {len(CARDS)} cards of the pack, each once; got {len(pack)} cards.")
    hands = [0, 0, 0, 0]
    for i, c in enumerate(pack):
        hands[(dealer + 1 + i) % 4] |= 1 << c
    return Deal(dealer, (hands[0], hands[1], hands[2], hands[3]), pack[-1])


def deal_faults(hands: Mapping[int, Sequence[str]], dealer: int, turned: str) -> tuple[Fault, ...]:
    """All that is wrong with a deal written in card names; empty when it is a deal."""
    faults = []
    seen: dict[str, int] = {}
    for seat in SEATS:
        cards = hands.get(seat, ())
        if len(cards) != HAND_SIZE:
            faults.append(Fault("deal", f"Seat {seat} has {len(cards)} cards; everyone gets {HAND_SIZE}."))
        for name in cards:
            if name not in NAMES:
                faults.append(Fault("cards", f"Seat {seat} holds {name!r}, which is no card of the pack."))
            elif name in seen:
                faults.append(Fault("pack", f"{name} is there twice: with seat {seen[name]} and seat {seat}."))
            seen.setdefault(name, seat)
    if dealer not in SEATS:
        faults.append(Fault("deal", f"The dealer sits at a seat from 0 to 3, got {dealer!r}."))
    elif turned not in hands.get(dealer, ()):
        faults.append(Fault("turned", f"The turned card {turned!r} is not in the dealer's hand, where it belongs."))
    missing = [name for name in NAMES if name not in seen]
    if missing:
        faults.append(Fault("pack", f"Nobody holds {', '.join(missing)}."))
    return tuple(faults)


def deal_of(hands: Mapping[int, Sequence[str]], dealer: int, turned: str) -> Deal:
    """A deal from card names.

    Raises:
        CardError: not a deal; the message has every fault of :func:`deal_faults`.
    """
    faults = deal_faults(hands, dealer, turned)
    if faults:
        raise CardError(faults[0].rule, " ".join(f.message for f in faults))
    masks = [mask(card(name) for name in hands[seat]) for seat in SEATS]
    return Deal(dealer, (masks[0], masks[1], masks[2], masks[3]), card(turned))


def draw_partners(pack: Sequence[int], first: int = 0) -> tuple[int, int]:
    """First dealer and his partner by the first two jacks dealt face up, from ``first`` (S1).

    The one who has the first jack deals the first hand and gets no more cards; who gets the second is his partner.

    Raises:
        CardError: the pack runs out before two jacks.
    """
    dealer, seat = None, first
    for c in pack:
        if seat == dealer:
            seat = (seat + 1) % 4
        if rank_of(c) == _JACK:
            if dealer is not None:
                return dealer, seat
            dealer = seat
        seat = (seat + 1) % 4
    raise CardError("jacks", "The cards ran out before two jacks were dealt; draw from the whole pack.")


def seating(dealer: int, partner: int) -> tuple[int, int, int, int]:
    """Players by new seat once partners face each other: dealer at seat 0, partner at 2, the others as they sat.

    >>> seating(1, 2)
    (1, 3, 2, 0)
    """
    first, second = (p for p in ((dealer + i) % 4 for i in range(1, 4)) if p != partner)
    return dealer, first, partner, second


def misdeal(
    exposed: bool = False, out_of_turn: bool = False, cards_dealt: int = len(CARDS), claimed: bool = False
) -> str | None:
    """What follows an accident of the deal: ``"same_dealer"``, ``"right_dealer"`` or None when the deal stands.

    Args:
        exposed: a card was exposed while dealing; the same player deals again.
        out_of_turn: somebody dealt whose turn it was not.
        cards_dealt: cards on the table when that was claimed; once the last is turned the deal is legal.
        claimed: whether anybody claimed it.
    """
    if out_of_turn and claimed and cards_dealt < len(CARDS):
        return "right_dealer"
    return "same_dealer" if exposed else None


def cards_text(cards: int) -> str:
    """A mask as card names, for messages."""
    return " ".join(NAMES[c] for c in members(cards & PACK))
