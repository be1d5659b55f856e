"""The trick: which cards may be played, why another may not, and who wins."""

from __future__ import annotations

from collections.abc import Sequence

from scanner.rules.cards import NAMES, PACK, STRENGTH, SUITS, members, suit_of

#: Mask of each suit.
SUIT_MASKS = tuple(0b111111 << 6 * suit for suit in range(4))
#: ``HIGHER[trump][card]``: the trumps that beat a trump.
HIGHER = tuple(
    tuple(
        sum(1 << c for c in range(6 * trump, 6 * trump + 6) if STRENGTH[trump][c] > STRENGTH[trump][card])
        for card in range(24)
    )
    for trump in range(4)
)


def legal_plays(hand: int, trick: Sequence[int], trump: int) -> int:
    """The cards of a hand (a mask) that may be played to the cards already in the trick, in order, as a mask.

    Follow suit; with none of it, trump; a trump must beat the highest in the trick if it can, but following a plain
    suit there is no duty to beat; with neither, any card.
    """
    if not trick:
        return hand
    led = suit_of(trick[0])
    if led != trump and hand & SUIT_MASKS[led]:
        return hand & SUIT_MASKS[led]
    trumps = hand & SUIT_MASKS[trump]
    if not trumps:
        return hand
    highest = highest_trump(trick, trump)
    if highest is None:
        return trumps
    return trumps & HIGHER[trump][highest] or trumps


def highest_trump(trick: Sequence[int], trump: int) -> int | None:
    """The highest trump among some cards, or None."""
    trumps = [c for c in trick if suit_of(c) == trump]
    return max(trumps, key=STRENGTH[trump].__getitem__, default=None)


def why_illegal(card: int, hand: int, trick: Sequence[int], trump: int) -> tuple[str, str] | None:
    """The rule a card would break and a sentence with what was expected, or None when it may be played."""
    if not hand >> card & 1:
        return "own-card", f"{NAMES[card]} is not in this hand; it holds {_names(hand)}."
    legal = legal_plays(hand, trick, trump)
    if legal >> card & 1:
        return None
    led = suit_of(trick[0])
    if hand & SUIT_MASKS[led] and suit_of(card) != led:
        return "follow-suit", f"{SUITS[led]} was led and is in the hand, so not {NAMES[card]}: {_names(legal)}."
    if suit_of(card) != trump:
        return "trump-in", f"With no {SUITS[led]} but a trump in hand, not {NAMES[card]}: {_names(legal)}."
    highest = highest_trump(trick, trump)
    assert highest is not None  # a trump is illegal only when it fails to beat one
    return "overtrump", f"{NAMES[highest]} is in the trick and can be beaten, so not {NAMES[card]}: {_names(legal)}."


def trick_winner(trick: Sequence[int], trump: int) -> int:
    """Position (0 to 3, in order of play) of the card that wins."""
    led = suit_of(trick[0])
    strength = STRENGTH[trump]
    return max(range(len(trick)), key=lambda i: strength[trick[i]] if suit_of(trick[i]) in (led, trump) else -1)


def sure_of_all(hands: Sequence[int], layer: int, trump: int) -> bool:
    """Whether the player who leads wins every trick left, with his own cards, however the others play.

    This is what laying a hand down claims; the opponents break it by showing any legal line that takes a trick.

    Args:
        hands: masks by seat, as many cards each.
        layer: the seat that is to lead and laid down.
    """
    return _sure(tuple(hands), layer, trump, {})


def _sure(hands: tuple[int, ...], layer: int, trump: int, known: dict[tuple[int, ...], bool]) -> bool:
    if not hands[layer]:
        return True
    if hands not in known:
        known[hands] = any(_lead_holds(hands, layer, (c,), trump, known) for c in members(hands[layer]))
    return known[hands]


def _lead_holds(hands: tuple[int, ...], layer: int, trick: tuple[int, ...], trump: int, known: dict) -> bool:
    """Whether a lead wins against every answer, and so do leads after it."""
    if len(trick) == 4:
        if trick_winner(trick, trump) != 0:
            return False
        left = list(hands)
        for i, c in enumerate(trick):
            left[(layer + i) % 4] &= PACK ^ (1 << c)
        return _sure(tuple(left), layer, trump, known)
    seat = (layer + len(trick)) % 4
    legal = legal_plays(hands[seat], trick, trump)
    return all(_lead_holds(hands, layer, (*trick, c), trump, known) for c in members(legal))


def _names(cards: int) -> str:
    return " ".join(NAMES[c] for c in members(cards))
