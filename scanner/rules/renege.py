"""Reneges: every clause of the lists, until when it can be called, what it costs, and what a wrong call costs.

S0 is the encyclopedia article with the league's handout of 2019, S1 the card-game site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scanner.rules.cards import HAND_SIZE
from scanner.rules.deal import SEATS, side_of
from scanner.rules.errors import RuleError
from scanner.rules.hand import Hand
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.play import sure_of_all
from scanner.rules.score import HandScore, opponents, score_renege


@dataclass(frozen=True)
class Clause:
    """One kind of renege.

    Attributes:
        name: short name, the ``rule`` of the error that refuses the same thing at the table.
        what: what the offender does.
        source: the sources that list it.
        bidding: whether it belongs to the bidding, and must be called before the caller's first card.
    """

    name: str
    what: str
    source: str
    bidding: bool = False


#: Every clause by name.
CLAUSES: dict[str, Clause] = {
    c.name: c
    for c in (
        Clause("own-trump", "Names trump without holding a card of the suit.", "S0 S1", bidding=True),
        Clause("passed-suit", "Plays a suit that was passed in round one.", "S0", bidding=True),
        Clause("follow-suit", "Does not follow suit when able to.", "S1"),
        Clause("trump-in", "Does not trump when out of the suit led and able to.", "S1"),
        Clause("overtrump", "Plays a trump that does not beat the highest one when able to.", "S1"),
        Clause("turn", "Leads or plays out of turn; on the last trick that is none.", "S0"),
        Clause("meld-out-of-turn", "Announces or shows meld out of turn.", "S0 S1"),
        Clause("bell-early", "Announces bell before its second card is played or shown.", "S1"),
        Clause("exposed", "Exposes a card other than to play it or show scoring meld.", "S0 S1"),
        Clause("advice", "Calls meld for the partner, reminds him of it, or advises him in any way.", "S0 S1"),
        Clause("unturned", "Leads to the next trick before the last one is turned over.", "S0"),
        Clause("looked", "Looks at a turned trick.", "S0 S1"),
        Clause("laid-down", "Lays the hand down as all tricks when one can be lost.", "S0"),
        Clause("unproven", "Calls a renege, has turned tricks reviewed, and does not prove it.", "S0"),
    )
}


@dataclass(frozen=True)
class Claim:
    """A renege called at the table.

    Attributes:
        clause: name of the clause.
        offender: seat it is called against.
        caller: seat that calls it, of the other side.
        trick: trick in which it happened, 1 to 6; 0 in the bidding.
        cards_by_caller: cards the caller had played when calling.
        last_trick_turned: whether the last trick had been turned over by then.
        side_has_played: for ``looked``: the offender's side had played to the trick after the one looked at.
        reviewed: the challenge went as far as turning over played tricks.
        proven: it was so.
    """

    clause: str
    offender: int
    caller: int
    trick: int
    cards_by_caller: int = 1
    last_trick_turned: bool = False
    side_has_played: bool = False
    reviewed: bool = False
    proven: bool = True


@dataclass(frozen=True)
class Ruling:
    """What a claim comes to: the side that reneged, or None when play goes on, and why in one sentence."""

    offender: str | None
    reason: str


def rule_on(claim: Claim, rules: HouseRules = DEFAULT_RULES) -> Ruling:
    """Judge one claim.

    Raises:
        RuleError: no such clause, seat or trick, or a player calls it on his own side.
    """
    if claim.clause not in CLAUSES:
        raise RuleError("renege", f"No renege {claim.clause!r}; the clauses are {', '.join(CLAUSES)}.")
    if claim.offender not in SEATS or claim.caller not in SEATS or claim.trick not in range(HAND_SIZE + 1):
        raise RuleError("renege", f"Seats are 0 to 3 and tricks 1 to {HAND_SIZE} (0 in the bidding), got {claim}.")
    if side_of(claim.offender) == side_of(claim.caller):
        raise RuleError("renege", f"Seat {claim.caller} cannot call a renege on his own side.")
    late = _too_late(claim)
    if late:
        return Ruling(None, late)
    allowed = _allowed(claim, rules)
    if allowed:
        return Ruling(None, allowed)
    if claim.proven:
        return Ruling(side_of(claim.offender), CLAUSES[claim.clause].what)
    if claim.reviewed:
        return Ruling(side_of(claim.caller), CLAUSES["unproven"].what)
    return Ruling(None, "Not proven, and no turned trick was reviewed for it: play goes on.")


def _too_late(claim: Claim) -> str | None:
    if CLAUSES[claim.clause].bidding and claim.cards_by_caller > 0:
        return "A renege of the bidding must be called before the caller's first card."
    if claim.last_trick_turned:
        return "A renege must be called before the last trick is turned."
    return None


def _allowed(claim: Claim, rules: HouseRules) -> str | None:
    """Why the thing claimed is no renege here, or None."""
    if claim.clause == "turn" and claim.trick == 6:
        return "Playing out of turn is no renege on the last trick."
    if claim.clause == "bell-early" and not rules.early_bell:
        return "This house does not count bell announced early as a renege."
    if claim.clause == "looked" and rules.turned_tricks == "until_next_play" and not claim.side_has_played:
        return "A turned trick may be looked at until one's side has played to the next."
    return None


def settle(
    claims: Sequence[Claim], melds: Mapping[str, int], rules: HouseRules = DEFAULT_RULES
) -> HandScore | str | None:
    """What the hand comes to after some claims.

    Args:
        melds: melds and bell of each side as they count between the two (assumption: a better meld of the offenders
            still beats the others', since the sources only say "plus meld").

    Returns:
        A score when one side reneged; ``"redeal"`` (same dealer, no score) when both did; None when play goes on.
    """
    offenders = {ruling.offender for ruling in (rule_on(c, rules) for c in claims)} - {None}
    if len(offenders) == 2:
        return "redeal"
    return score_renege(offenders.pop(), melds) if offenders else None


def laid_down(hands: Sequence[int], layer: int, trump: int, agreed: bool = True) -> str:
    """The side that gets the rest when a player on lead lays his hand down: his own, or by renege the opponents'.

    Args:
        hands: cards left, masks by seat.
        agreed: laying down was agreed on before play (S0: else all hands are played out, and this exposes cards).
    """
    return side_of(layer) if agreed and sure_of_all(hands, layer, trump) else opponents(side_of(layer))


def claim_at(hand: Hand, clause: str, offender: int, caller: int, **facts: bool) -> Claim:
    """A claim made at this point of a hand: trick and cards played are taken from it, ``facts`` are Claim's others."""
    trick = 0 if hand.trump is None or not hand.cards else min(len(hand.tricks) + 1, 6)
    return Claim(clause, offender, caller, trick, hand.played_by(caller), **facts)
