"""Random hands in the record format, made without the package and without the referee, some with one cheat in them.

`random_hand(rng)` keeps every rule. `random_hand(rng, cheat="overtrump")` breaks that one once and goes on as if
nothing had happened: seats, winners and scores follow from what was played, so a referee must find this fault and no
other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import naive

#: Cheats in bidding and in play, named after the rule that is broken.
BIDDING = ("first_round_suit", "second_round_suit", "call_without_card", "bid_turn", "bid_after_play")
DUTIES = ("follow", "trump", "overtrump", "beat_trump_lead")
CHEATS = (*BIDDING, *DUTIES, "leader", "turn")

Card = str
Table = list[tuple[int, Card]]


def beats(card: Card, best: Card, trump: str) -> bool:
    """Whether a card laid later takes the trick from the best card so far."""
    if card[1] != best[1]:
        return card[1] == trump
    order = "QKTA9J" if card[1] == trump else "9JQKTA"
    return order.index(card[0]) > order.index(best[0])


def best_play(table: Table, trump: str) -> tuple[int, Card]:
    best = table[0]
    for play in table[1:]:
        if beats(play[1], best[1], trump):
            best = play
    return best


def narrowings(hand: list[Card], table: Table, trump: str) -> Iterator[tuple[str, list[Card]]]:
    """(duty, cards that still may be played) for one duty after the other."""
    if not table:
        return
    led = table[0][1][1]
    suits = {"follow": led, "trump": trump}
    duty = next((duty for duty, suit in suits.items() if any(card[1] == suit for card in hand)), None)
    if duty is None:
        return
    of_suit = [card for card in hand if card[1] == suits[duty]]
    yield duty, of_suit
    if suits[duty] == trump:
        best = best_play(table, trump)[1]
        if some := [card for card in of_suit if beats(card, best, trump)]:
            yield ("beat_trump_lead" if led == trump else "overtrump"), some


class Game:
    """One deal on its way to a record; `cheat` is set to None once it has been done."""

    def __init__(self, rng: random.Random, cheat: str | None):
        self.rng, self.cheat = rng, cheat
        pack = list(naive.PACK)
        rng.shuffle(pack)
        self.dealer = rng.randrange(4)
        self.deal = {seat: pack[seat::4] for seat in range(4)}
        self.turned = self.deal[self.dealer][-1]
        self.bids: list[dict] = []

    def done(self, cheat: str) -> bool:
        """Whether this is the moment for `cheat`."""
        if self.cheat != cheat or self.rng.random() < 0.5:
            return False
        self.cheat = None
        return True

    def suits_to_call(self, seat: int, second_round: bool) -> list[str]:
        held = {card[1] for card in self.deal[seat]}
        allowed = set(naive.SUITS) - {self.turned[1]} if second_round else {self.turned[1]}
        if self.cheat == "call_without_card" and allowed - held and self.done("call_without_card"):
            return sorted(allowed - held)
        wrong_suits = (set(naive.SUITS) - allowed) & held
        if wrong_suits and self.done("second_round_suit" if second_round else "first_round_suit"):
            return sorted(wrong_suits)
        return sorted(allowed & held)

    def bid(self) -> tuple[int, str] | None:
        for number in range(8):
            seat = (self.dealer + 1 + number) % 4
            if self.done("bid_turn"):
                self.bids.append({"seat": (seat + self.rng.randrange(1, 4)) % 4, "call": "pass"})
                continue
            honest = self.cheat
            suits = self.suits_to_call(seat, number >= 4)
            if suits and (honest != self.cheat or self.rng.random() < 0.2):
                suit = self.rng.choice(suits)
                self.bids.append({"seat": seat, "call": "play", "suit": suit})
                if self.done("bid_after_play"):
                    self.bids.append({"seat": (seat + 1) % 4, "call": "pass"})
                return seat, suit
            self.bids.append({"seat": seat, "call": "pass"})
        return None

    def choose(self, hand: list[Card], table: Table, trump: str) -> Card:
        choice = hand
        for duty, narrower in narrowings(hand, table, trump):
            forbidden = [card for card in choice if card not in narrower]
            if forbidden and self.done(duty):
                return self.rng.choice(forbidden)
            choice = narrower
        return self.rng.choice(choice)

    def play(self, trump: str) -> tuple[list[Table], dict[str, int]]:
        hands = {seat: list(hand) for seat, hand in self.deal.items()}
        leader = (self.dealer + 1) % 4
        points = {"we": 0, "they": 0}
        tricks = []
        for number in range(6):
            if self.done("leader"):
                leader = (leader + self.rng.randrange(1, 4)) % 4
            order = [(leader + step) % 4 for step in range(4)]
            if self.done("turn"):
                order[1:] = [order[2], order[1], order[3]]
            table: Table = []
            for seat in order:
                card = self.choose(hands[seat], table, trump)
                hands[seat].remove(card)
                table.append((seat, card))
            leader = best_play(table, trump)[0]
            worth = sum(naive.card_points(card, trump) for _, card in table)
            points["they" if leader % 2 else "we"] += worth + (10 if number == 5 else 0)
            tricks.append(table)
        return tricks, points

    def record(self) -> dict:
        called = self.bid()
        start = {
            "dealer": self.dealer,
            "deal": {str(seat): hand for seat, hand in self.deal.items()},
            "turned": self.turned,
            "bids": self.bids,
            "all_pass": called is None,
        }
        if called is None:
            return {**start, "trump": None, "maker_seat": None, "plays": []}
        maker, trump = called
        tricks, trick_points = self.play(trump)
        plays = [[{"seat": seat, "card": card} for seat, card in table] for table in tricks]
        melds = naive.meld_points(self.deal, trump)
        score = self.score("they" if maker % 2 else "we", trick_points, melds)
        return {**start, "trump": trump, "maker_seat": maker, "plays": plays, **score}

    def score(self, makers: str, tricks: dict[str, int], melds: dict[str, int]) -> dict:
        opponents = "we" if makers == "they" else "they"
        points = {side: tricks[side] + melds[side] for side in ("we", "they")}
        made = points[makers] > points[opponents]
        if not made:
            points[makers] = 0
        set_side = None if made else makers
        return {"trick_points": tricks, "meld_points": melds, "set": set_side, "points": points}


def random_hand(rng: random.Random, cheat: str | None = None) -> dict:
    """A record; with `cheat`, deals again until that cheat could be done."""
    while True:
        game = Game(rng, cheat)
        record = game.record()
        if game.cheat is None:
            return record


def random_hands(count: int, seed: int, cheat: str | None = None) -> list[dict]:
    rng = random.Random(seed)
    return [random_hand(rng, cheat) for _ in range(count)]
