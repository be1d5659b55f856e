"""The record of a hand (one JSON object a line): written from a hand, replayed into one, and judged as a whole.

A record is a dict with card names (rank and suit), seats 0 to 3 and sides ``we`` (0, 2) and ``they`` (1, 3)::

    {"dealer", "deal": {"0": [six cards], ...}, "turned", "bids": [{"seat", "call", "suit"?}], "all_pass",
     "trump", "maker_seat", "plays": [[{"seat", "card"}, four a trick], ...],
     "trick_points": {"we", "they"}, "meld_points": {...}, "set": side or None, "points": {...}}

Everybody announces and shows the best-scoring melds and announces bell in time; nobody reneges.  A hand all passed has
``"all_pass": true``, no plays, null for trump, maker and set, and no points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType

from scanner.rules import play as trick_rules
from scanner.rules.cards import NAMES, SUITS, card, members, suit_number
from scanner.rules.deal import Deal, Fault, deal_faults, deal_of, side_of
from scanner.rules.errors import RuleError
from scanner.rules.hand import Call, Hand
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.melds import best_melds
from scanner.rules.score import bell_seats, score_hand, table_melds, trick_points

_SCORES = ("trick_points", "meld_points", "points")


def to_record(hand: Hand) -> dict:
    """The record of a finished hand.

    Raises:
        TurnError: the hand is not over.
    """
    deal, score = hand.deal, hand.score()
    record = {
        "dealer": deal.dealer,
        "deal": {str(seat): [NAMES[c] for c in members(cards)] for seat, cards in enumerate(deal.hands)},
        "turned": NAMES[deal.turned],
        "bids": [_call(c) for c in hand.calls],
        "all_pass": hand.all_passed,
        "trump": None if hand.trump is None else SUITS[hand.trump],
        "maker_seat": hand.maker,
        "plays": [
            [{"seat": (leader + i) % 4, "card": NAMES[c]} for i, c in enumerate(trick)]
            for leader, trick in zip(hand.leaders, hand.tricks, strict=False)
        ],
    }
    if score is None:
        return record | {"trick_points": _none(), "meld_points": _none(), "set": None, "points": _none()}
    points = {"we": score.we, "they": score.they}
    return record | {
        "trick_points": hand.trick_points(), "meld_points": hand.meld_points(), "set": score.set, "points": points
    }


def _call(call: Call) -> dict:
    if call.suit is None:
        return {"seat": call.seat, "call": "pass"}
    return {"seat": call.seat, "call": "play", "suit": SUITS[call.suit]}


def _none() -> dict[str, int]:
    return {"we": 0, "they": 0}


def play_card(hand: Hand, seat: int, card: int) -> Hand:
    """Play a card and do, in time, all the melding everybody does in a record."""
    if seat != hand.to_act:
        return hand.play(seat, card)  # which is refused, with whose turn it is
    if hand.played_by(seat) == 0 and hand.best_melds(seat):
        hand = hand.announce(seat, hand.best_melds(seat))
    if hand.played_by(seat) == 1 and hand.shows(seat):
        hand = hand.show(seat, hand.announced[seat])
    return hand.play(seat, card, with_bell=hand.completes_bell(seat, card))


def replay(record: Mapping, rules: HouseRules = DEFAULT_RULES) -> Hand:
    """The hand a record tells, played again under the rules.

    Raises:
        RuleError: it is no record, or the first thing in it that the rules forbid (:func:`faults` has all of them).
    """
    found = shape_faults(record)
    if found:
        raise RuleError("record", " ".join(f.message for f in found))
    deal = deal_of({int(s): cards for s, cards in record["deal"].items()}, record["dealer"], record["turned"])
    hand = Hand(deal, rules)
    for bid in record["bids"]:
        hand = hand.call(bid["seat"], suit_number(bid["suit"]) if bid["call"] == "play" else None)
    for trick in record["plays"]:
        for played in trick:
            hand = play_card(hand, played["seat"], card(played["card"]))
    return hand


def faults(record: Mapping, rules: HouseRules = DEFAULT_RULES) -> tuple[Fault, ...]:
    """All that is wrong with a record at once, in the order of the hand; empty when every bid, play and sum is right.

    What is no record, or a deal that is none, leaves nothing to judge, so those faults stand alone.
    """
    found = shape_faults(record)
    if found:
        return found
    hands = {int(s): cards for s, cards in record["deal"].items()}
    found = deal_faults(hands, record["dealer"], record["turned"])
    if found:
        return found
    deal = deal_of(hands, record["dealer"], record["turned"])
    bidding = tuple(_bid_faults(Hand(deal, rules), record))
    if record["all_pass"]:
        return bidding + tuple(_all_pass_faults(record))
    trump, maker = record["trump"], record["maker_seat"]
    named = [(b["seat"], b["suit"]) for b in record["bids"] if b["call"] == "play"]
    if named != [(maker, trump)]:
        bidding += (Fault("maker", f"Trump {trump} and maker {maker} are not what was called: {named}."),)
    if trump not in tuple(SUITS) or maker not in range(4):
        return bidding
    return (*bidding, *_play_faults(deal, record), *_score_faults(deal, record, rules))


#: The type of each entry of a record.
_SHAPE = {
    "dealer": int, "deal": Mapping, "turned": str, "bids": list, "all_pass": bool, "trump": str | None,
    "maker_seat": int | None, "plays": list, "trick_points": Mapping, "meld_points": Mapping, "set": str | None,
    "points": Mapping,
}  # fmt: skip


def shape_faults(record: Mapping) -> tuple[Fault, ...]:
    """What keeps something from being a record at all: entries that are missing or of another kind."""
    if not isinstance(record, Mapping):
        return (Fault("record", f"A record is an object, got {type(record).__name__}."),)
    found = [
        Fault("record", f"{key!r} is missing." if key not in record else f"{key!r} cannot be {record[key]!r}.")
        for key, kind in _SHAPE.items()
        if key not in record or not _is_a(record[key], kind)
    ]
    if found:
        return tuple(found)
    hands = record["deal"]
    if set(hands) != {"0", "1", "2", "3"} or not all(_all_text(hand) for hand in hands.values()):
        found.append(Fault("record", "'deal' has a list of card names for each of the seats \"0\" to \"3\"."))
    if not all(_is_bid(bid) for bid in record["bids"]):
        found.append(Fault("record", "Each of 'bids' has a seat and the call \"pass\", or \"play\" and a suit."))
    if not all(isinstance(trick, list) and all(_is_play(p) for p in trick) for trick in record["plays"]):
        found.append(Fault("record", "'plays' is a list of tricks, each a list of plays with a seat and a card."))
    return tuple(found)


def _is_a(value: object, kind: type | UnionType) -> bool:
    # To Python true is a whole number too, and seat 1.
    return isinstance(value, kind) and isinstance(value, bool) == (kind is bool)


def _all_text(hand: object) -> bool:
    return isinstance(hand, list | tuple) and all(isinstance(name, str) for name in hand)


def _is_bid(bid: object) -> bool:
    if not isinstance(bid, Mapping) or not _is_a(bid.get("seat"), int):
        return False
    return bid.get("call") == "pass" or (bid.get("call") == "play" and isinstance(bid.get("suit"), str))


def _is_play(played: object) -> bool:
    return isinstance(played, Mapping) and _is_a(played.get("seat"), int) and isinstance(played.get("card"), str)


def _all_pass_faults(record: Mapping) -> Iterator[Fault]:
    if [b["call"] for b in record["bids"]] != ["pass"] * 8 or record["plays"]:
        yield Fault("all-pass", "All passed means eight passes and no plays.")
    named = [key for key in ("trump", "maker_seat", "set") if record[key] is not None]
    named += [key for key in _SCORES if record[key] != _none()]
    if named:
        yield Fault("all-pass", f"All passed leaves no {', '.join(named)}.")


def _bid_faults(hand: Hand, record: Mapping) -> Iterator[Fault]:
    """Faults of every call; after a wrong one the bidding goes on as if the seat due had passed."""
    for bid in record["bids"]:
        try:
            hand = hand.call(bid["seat"], suit_number(bid["suit"]) if bid["call"] == "play" else None)
        except RuleError as error:
            yield Fault(error.rule, str(error))
            if hand.to_act is not None and hand.trump is None:
                hand = hand.call(hand.to_act)


def _play_faults(deal: Deal, record: Mapping) -> Iterator[Fault]:
    """Faults of every play, each judged by what was really on the table before it."""
    held, leader, trump = list(deal.hands), deal.first, suit_number(record["trump"])
    for number, trick in enumerate(record["plays"], 1):
        down: list[int] = []
        for i, played in enumerate(trick):
            seat, due = played["seat"], (leader + i) % 4
            if seat != due:
                yield Fault("turn", f"Trick {number}: seat {seat} played out of turn; it was seat {due}'s.")
            if played["card"] not in NAMES or seat not in range(4):
                yield Fault("cards", f"Trick {number}: {played['card']!r} from seat {seat!r} is no play.")
                continue
            wrong = trick_rules.why_illegal(card(played["card"]), held[seat], down, trump)
            if wrong:
                yield Fault(wrong[0], f"Trick {number}, seat {seat}: {wrong[1]}")
            held[seat] &= ~(1 << card(played["card"]))
            down.append(card(played["card"]))
        if len(down) != 4:
            yield Fault("trick", f"Trick {number} has {len(down)} cards; four are played to every trick.")
        if down:
            leader = trick[trick_rules.trick_winner(down, trump) if len(down) == len(trick) else 0]["seat"]
    if len(record["plays"]) != 6:
        yield Fault("tricks", f"{len(record['plays'])} tricks were played; a hand has 6.")


def _score_faults(deal: Deal, record: Mapping, rules: HouseRules) -> Iterator[Fault]:
    if any(len(trick) != 4 or any(p["card"] not in NAMES for p in trick) for trick in record["plays"]):
        return
    trump = suit_number(record["trump"])
    tricks = trick_points([[card(p["card"]) for p in trick] for trick in record["plays"]], deal.first, trump)
    shown = {seat: best_melds(hand, rules.four_tens) for seat, hand in enumerate(deal.hands)}
    melds = table_melds(shown, bell_seats(deal.hands, trump), trump)
    score = score_hand(tricks, melds, side_of(record["maker_seat"]))
    expected = {"trick_points": tricks, "meld_points": melds, "points": {"we": score.we, "they": score.they}}
    for key in _SCORES:
        if record[key] != expected[key]:
            yield Fault(key.replace("_", "-"), f"{key} is {record[key]}; the cards say {expected[key]}.")
    if record["set"] != score.set:
        yield Fault("set", f"set is {record['set']!r}; the scores say {score.set!r}.")
