"""A referee who judges one finished hand from its record alone, by brute force and from the written rules only.

Nothing here comes from the package: the card tables, the melds, the duties of play and the score are written down again
from the rules, slowly and plainly, so that an error in the engine cannot hide in the test of it.

    disagreements(record) -> [] for a hand that is right, else everything that is wrong with it

`record` is one line of the simulator's output as a dict. Seats 0 1 2 3 sit clockwise, 0 and 2 are "we". Where the rules
leave open how something is printed, every reading is accepted:

- `meld_points` of a side that is set: what its melds were worth, or 0 ("lost like everything else"). Its points are 0.
- a deal that everyone passed: trump, maker_seat, plays, trick_points, meld_points, set and points may be missing, null
  or empty, and the three scores may be zeros.
- further keys (strength, seed, ...) are nobody's business.

`trick_points` of a set side are the points in its tricks: they add up to 162 "in every hand". A six-card sequence ranks
as the five-card one with the same top card. A player whose melds could be shown in two equally dear ways shows the
higher.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

SUITS = "CDHS"
SEQUENCE = "9TJQKA"  # low to high
PACK = frozenset(rank + suit for rank in SEQUENCE for suit in SUITS)
SEATS = (0, 1, 2, 3)
SIDES = ("we", "they")
LAST_TRICK = 10
BELL = 20
FOUR_OF_A_KIND = "QKTA9J"  # low to high

TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
TRUMP_HEIGHT = {rank: height for height, rank in enumerate("QKTA9J")}
PLAIN_HEIGHT = {rank: height for height, rank in enumerate("9JQKTA")}


class Disagreement(NamedTuple):
    """One thing that is wrong: the rule it breaks, and a sentence."""

    rule: str
    text: str


class Meld(NamedTuple):
    """One meld that a hand may hold: its cards, its points, and its rank between teams (higher is better)."""

    cards: frozenset[str]
    points: int
    rank: tuple[int, int]


def every_meld(four_tens: bool) -> tuple[Meld, ...]:
    """All melds of the pack, bell aside. Rank: kind (4 of a kind above all sequences, else length), then height."""
    found = []
    for height, rank in enumerate(FOUR_OF_A_KIND):
        if rank != "T" or four_tens:
            found.append(Meld(frozenset(rank + suit for suit in SUITS), 200 if rank == "J" else 100, (9, height)))
    for suit in SUITS:
        for low, high in combinations(range(len(SEQUENCE) + 1), 2):
            length = high - low
            if length >= 3:
                points = {3: 20, 4: 50, 5: 100, 6: 100}[length]
                cards = frozenset(rank + suit for rank in SEQUENCE[low:high])
                found.append(Meld(cards, points, (min(length, 5), high)))
    return tuple(found)


EVERY_MELD = {four_tens: every_meld(four_tens) for four_tens in (True, False)}


def side_of(seat: int) -> str:
    return SIDES[seat % 2]


def other(side: str) -> str:
    return "they" if side == "we" else "we"


# --- melds -----------------------------------------------------------------------------------------------------------


def shown_melds(hand: Iterable[str], trump: str, four_tens: bool = True) -> tuple[Meld, ...]:
    """The best-scoring set of melds with no card in two of them, out of every set there is."""
    held_cards = frozenset(hand)
    held = [meld for meld in EVERY_MELD[four_tens] if meld.cards <= held_cards]
    if not held:
        return ()
    best: tuple[Meld, ...] = ()
    best_worth: tuple[Any, ...] = (0, ())
    for size in range(1, len(held) + 1):
        if size > 2:  # six cards hold no three melds
            break
        for some in combinations(held, size):
            if len(frozenset().union(*(meld.cards for meld in some))) < sum(len(meld.cards) for meld in some):
                continue
            worth = (sum(meld.points for meld in some), max(full_rank(meld, trump) for meld in some))
            if worth > best_worth:
                best, best_worth = some, worth
    return best


def full_rank(meld: Meld, trump: str) -> tuple[int, int, bool]:
    """Kind, height, and last whether it is a trump sequence: that breaks a tie of two sequences only."""
    return (*meld.rank, meld.rank[0] != 9 and all(card[1] == trump for card in meld.cards))


def has_bell(hand: Iterable[str], trump: str) -> bool:
    return {"K" + trump, "Q" + trump} <= set(hand)


def earned_melds(deal: Mapping[int, Sequence[str]], trump: str, four_tens: bool = True) -> dict[str, int]:
    """Meld with bell of both sides before anybody is set: all melds of the side with the best one, and bell."""
    shown = {seat: shown_melds(deal[seat], trump, four_tens) for seat in SEATS}
    best: dict[str, tuple[int, ...]] = {"we": (), "they": ()}
    total = {"we": 0, "they": 0}
    for seat, melds in shown.items():
        for meld in melds:
            best[side_of(seat)] = max(best[side_of(seat)], full_rank(meld, trump))
            total[side_of(seat)] += meld.points
    points = {"we": 0, "they": 0}
    if best["we"] > best["they"]:
        points["we"] = total["we"]
    if best["they"] > best["we"]:
        points["they"] = total["they"]
    for seat in SEATS:
        if has_bell(deal[seat], trump):
            points[side_of(seat)] += BELL
    return points


# --- play ------------------------------------------------------------------------------------------------------------


def broken_duty(hand: Iterable[str], trick: Sequence[str], card: str, trump: str) -> str | None:
    """The duty that `card` breaks, or None. `hand` is held before the play, `trick` the cards already on the table."""
    if not trick:
        return None
    led = trick[0][1]
    if card[1] != led and any(mine[1] == led for mine in hand):
        return "follow"
    if card[1] == led != trump:
        return None
    trumps = [mine for mine in hand if mine[1] == trump]
    if not trumps:
        return None
    if card[1] != trump:
        return "trump"
    to_beat = max((TRUMP_HEIGHT[laid[0]] for laid in trick if laid[1] == trump), default=-1)
    can_beat = any(TRUMP_HEIGHT[mine[0]] > to_beat for mine in trumps)
    if can_beat and TRUMP_HEIGHT[card[0]] < to_beat:
        return "beat_trump_lead" if led == trump else "overtrump"
    return None


def winning_place(trick: Sequence[str], trump: str) -> int:
    """Which of the cards wins: the highest trump, else the highest card of the suit led."""
    led = trick[0][1]
    worth = []
    for card in trick:
        if card[1] == trump:
            worth.append(100 + TRUMP_HEIGHT[card[0]])
        else:
            worth.append(PLAIN_HEIGHT[card[0]] if card[1] == led else -1)
    return worth.index(max(worth))


def points_in(cards: Iterable[str], trump: str) -> int:
    return sum((TRUMP_POINTS if card[1] == trump else PLAIN_POINTS)[card[0]] for card in cards)


def judge_plays(
    plays: Sequence[Sequence[Mapping[str, Any]]], deal: Mapping[int, Sequence[str]], leader: int, trump: str
) -> tuple[list[Disagreement], dict[str, int]]:
    """What is wrong with six tricks, and the points in the tricks of both sides as they were played."""
    wrong: list[Disagreement] = []
    left = {seat: set(deal[seat]) for seat in SEATS}
    points = {"we": 0, "they": 0}
    for number, trick in enumerate(plays, start=1):
        seats = [play["seat"] for play in trick]
        cards = [play["card"] for play in trick]
        if seats[0] != leader:
            wrong.append(Disagreement("leader", f"trick {number}: seat {seats[0]} leads, seat {leader} should"))
        if seats != [(seats[0] + step) % 4 for step in SEATS]:
            wrong.append(Disagreement("turn", f"trick {number}: seats play in the order {seats}"))
        for place, (seat, card) in enumerate(zip(seats, cards, strict=True)):
            if card not in left[seat]:
                wrong.append(Disagreement("holding", f"trick {number}: seat {seat} plays {card} without holding it"))
            elif duty := broken_duty(left[seat], cards[:place], card, trump):
                held = " ".join(sorted(left[seat]))
                text = f"trick {number}: seat {seat} with {held} plays {card} on {' '.join(cards[:place])}"
                wrong.append(Disagreement(duty, f"{text}, trump {trump}"))
            left[seat].discard(card)
        leader = seats[winning_place(cards, trump)]
        points[side_of(leader)] += points_in(cards, trump) + (LAST_TRICK if number == 6 else 0)
    return wrong, points


# --- deal and bidding ------------------------------------------------------------------------------------------------


def judge_deal(record: Mapping[str, Any]) -> list[Disagreement]:
    """24 different cards, six a seat, the turned card in the dealer's hand."""
    deal = record.get("deal")
    if not isinstance(deal, Mapping) or set(deal) != {"0", "1", "2", "3"}:
        return [Disagreement("deal", f"hands of seats 0 to 3 expected, not {deal!r}")]
    if not all(isinstance(hand, Sequence) and all(isinstance(card, str) for card in hand) for hand in deal.values()):
        return [Disagreement("deal", f"hands are lists of cards, not {deal!r}")]
    wrong = []
    for seat, hand in deal.items():
        if len(hand) != 6:
            wrong.append(Disagreement("deal", f"seat {seat} has {len(hand)} cards"))
    cards = [card for hand in deal.values() for card in hand]
    if len(cards) != 24 or set(cards) != PACK:
        wrong.append(Disagreement("deal", f"not the 24 cards of the pack once each: {sorted(cards)}"))
    dealer = record.get("dealer")
    if type(dealer) is not int or dealer not in SEATS:
        wrong.append(Disagreement("dealer", f"no such seat: {dealer!r}"))
    elif record.get("turned") not in deal[str(dealer)]:
        wrong.append(Disagreement("turned", f"{record.get('turned')!r} is not in the hand of dealer {dealer}"))
    return wrong


def judge_bids(
    bids: Any, deal: Mapping[int, Sequence[str]], dealer: int, turned: str
) -> tuple[list[Disagreement], tuple[int, str] | None]:
    """What is wrong with the bidding, and (caller, suit); None when everybody passed or nobody can tell."""
    if not isinstance(bids, Sequence) or not all(isinstance(bid, Mapping) for bid in bids):
        return [Disagreement("bids", f"a list of bids expected, not {bids!r}")], None
    wrong = []
    caller = None
    for number, bid in enumerate(bids):
        seat, call, suit = bid.get("seat"), bid.get("call"), bid.get("suit")
        if caller:
            wrong.append(Disagreement("bid_after_play", f"seat {seat} bids after seat {caller[0]} played"))
            continue
        if type(seat) is not int or seat != (dealer + 1 + number) % 4:
            wrong.append(Disagreement("bid_turn", f"bid {number + 1} by seat {seat!r}, dealer {dealer}"))
        if number >= 8:
            wrong.append(Disagreement("bid_rounds", "more than two rounds of bidding"))
        if call == "play":
            wrong += judge_call(seat, suit, number, deal, turned)
            if seat in SEATS and suit in tuple(SUITS):
                caller = (seat, suit)
        elif call != "pass":
            wrong.append(Disagreement("bids", f"no such call: {call!r}"))
    if not caller and len(bids) < 8:
        wrong.append(Disagreement("bid_rounds", f"{len(bids)} passes, then nothing"))
    return wrong, caller


def judge_call(seat: Any, suit: Any, number: int, deal: Mapping[int, Sequence[str]], turned: str) -> list[Disagreement]:
    """The suit of one "play" (the number-th bid, from 0), and whether its caller holds a card of it."""
    if seat not in SEATS or suit not in tuple(SUITS):
        return [Disagreement("bids", f"seat {seat!r} plays {suit!r}")]
    wrong = []
    if number < 4 and suit != turned[1]:
        wrong.append(Disagreement("first_round_suit", f"seat {seat} plays {suit} in round one, {turned} is turned"))
    if number >= 4 and suit == turned[1]:
        wrong.append(Disagreement("second_round_suit", f"seat {seat} plays {suit} in round two, {turned} was passed"))
    if not any(card[1] == suit for card in deal[seat]):
        wrong.append(Disagreement("call_without_card", f"seat {seat} plays {suit} without a card of it"))
    return wrong


# --- the whole record ------------------------------------------------------------------------------------------------


def disagreements(record: Mapping[str, Any], *, four_tens: bool = True) -> list[Disagreement]:
    """Everything that is wrong with one record; [] when it is right."""
    wrong = judge_deal(record)
    if wrong:
        return wrong  # without a deal nothing further can be judged
    deal = {seat: record["deal"][str(seat)] for seat in SEATS}
    dealer, turned = record["dealer"], record["turned"]
    bid_faults, caller = judge_bids(record.get("bids"), deal, dealer, turned)
    if record.get("all_pass") is not (caller is None):
        wrong.append(Disagreement("all_pass", f"all_pass is {record.get('all_pass')!r}, the caller {caller}"))
    wrong += bid_faults
    if caller is None:
        return wrong + judge_nothing_scored(record)
    return wrong + judge_played_hand(record, deal, caller, four_tens)


def judge_nothing_scored(record: Mapping[str, Any]) -> list[Disagreement]:
    """A deal that everyone passed twice: no trump, no maker, no play, no score."""
    wrong = []
    for key in ("trump", "maker_seat", "plays", "set"):
        if record.get(key) not in (None, []):
            wrong.append(Disagreement("all_pass", f"{key} is {record[key]!r} when everybody passed"))
    for key in ("trick_points", "meld_points", "points"):
        if record.get(key) not in (None, {}, {"we": 0, "they": 0}, {"we": None, "they": None}):
            wrong.append(Disagreement("all_pass", f"{key} is {record[key]!r} when everybody passed"))
    return wrong


def judge_played_hand(
    record: Mapping[str, Any], deal: Mapping[int, Sequence[str]], caller: tuple[int, str], four_tens: bool
) -> list[Disagreement]:
    """Trump, maker, the six tricks and the scores of a hand that was played."""
    maker, trump = caller
    wrong = []
    if record.get("trump") != trump:
        wrong.append(Disagreement("trump", f"trump is {record.get('trump')!r}, seat {maker} played {trump}"))
    if type(record.get("maker_seat")) is not int or record["maker_seat"] != maker:
        wrong.append(Disagreement("maker_seat", f"maker_seat is {record.get('maker_seat')!r}, seat {maker} played"))
    plays = record.get("plays")
    if not well_formed(plays):
        return [*wrong, Disagreement("plays", "six tricks of four plays of a seat and a card expected")]
    play_faults, tricks = judge_plays(plays, deal, (record["dealer"] + 1) % 4, trump)
    return wrong + play_faults + judge_score(record, side_of(maker), tricks, earned_melds(deal, trump, four_tens))


def well_formed(plays: Any) -> bool:
    """Whether `plays` is six tricks of four plays at all."""
    if not isinstance(plays, Sequence) or len(plays) != 6:
        return False
    for trick in plays:
        if not isinstance(trick, Sequence) or len(trick) != 4:
            return False
        for play in trick:
            if not isinstance(play, Mapping) or type(play.get("seat")) is not int or play["seat"] not in SEATS:
                return False
            if not isinstance(play.get("card"), str) or play["card"] not in PACK:
                return False
    return True


def judge_score(
    record: Mapping[str, Any], makers: str, tricks: Mapping[str, int], melds: Mapping[str, int]
) -> list[Disagreement]:
    """The four scores of the record against tricks and melds as judged here."""
    opponents = other(makers)
    set_side = makers if tricks[makers] + melds[makers] <= tricks[opponents] + melds[opponents] else None
    points = {side: 0 if side == set_side else tricks[side] + melds[side] for side in SIDES}
    wrong = []
    if record.get("set", "missing") != set_side:
        wrong.append(Disagreement("set", f"set is {record.get('set', 'missing')!r}, not {set_side!r}"))
    for key, right in (("trick_points", tricks), ("meld_points", melds), ("points", points)):
        written = record.get(key)
        if not isinstance(written, Mapping) or set(written) != set(SIDES):
            wrong.append(Disagreement(key, f"{key} of we and they expected, not {written!r}"))
            continue
        for side in SIDES:
            allowed = {right[side], 0} if key == "meld_points" and side == set_side else {right[side]}
            if type(written[side]) is not int or written[side] not in allowed:
                wrong.append(Disagreement(key, f"{key} of {side}: {written[side]!r}, not {right[side]}"))
    return wrong


def dealer_order(records: Iterable[Mapping[str, Any]], all_pass: str = "redeal") -> list[Disagreement]:
    """What is wrong with who deals in hands played in a row at one table, under the house rule `all_pass`.

    The turn to deal passes to the left after a hand; after a deal that all passed it stays ("redeal") or passes as well
    ("next_dealer").
    """
    wrong = []
    due = None
    for number, record in enumerate(records, start=1):
        if due is not None and record["dealer"] != due:
            wrong.append(Disagreement("dealer_order", f"hand {number} is dealt by {record['dealer']}, not {due}"))
        stays = record["all_pass"] and all_pass == "redeal"
        due = (record["dealer"] + (not stays)) % 4
    return wrong
