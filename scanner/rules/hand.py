"""One hand at the table, from the first call to the score, as a value: every action returns the hand after it.

What the rules forbid is refused with the rule; :func:`Hand.legal_calls` and :func:`Hand.legal_plays` say what may be
done instead.  Reneges are therefore never *made* here; :mod:`scanner.rules.renege` says what they cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from scanner.rules import play as trick_rules
from scanner.rules.cards import HAND_SIZE, NAMES, PACK, SUITS, suit_of
from scanner.rules.deal import cards_text, side_of
from scanner.rules.errors import IllegalBid, IllegalMeld, IllegalPlay, TurnError
from scanner.rules.melds import FOUR_TENS, Meld, bell, best_melds, best_team, meld_name, melds_in
from scanner.rules.position import Call, Position
from scanner.rules.score import HandScore, score_hand, table_melds, trick_points


@dataclass(frozen=True)
class Hand(Position):
    """A hand one can go on with."""

    # ---- bidding ---------------------------------------------------------------------------------------------------

    def legal_calls(self) -> tuple[Call, ...]:
        """Every call the seat to act may make; none outside the bidding."""
        if self.over or self.trump is not None:
            return ()
        seat, turned = self._acting(), suit_of(self.deal.turned)
        offered = [turned] if len(self.calls) < 4 else [s for s in range(4) if s != turned]
        holding = [s for s in offered if self.deal.hands[seat] & trick_rules.SUIT_MASKS[s]]
        return (Call(seat), *(Call(seat, s) for s in holding))

    def call(self, seat: int, suit: int | None = None) -> Hand:
        """The hand after a pass, or after "play" with a suit.

        Raises:
            TurnError: not that seat's turn, or the bidding is over.
            IllegalBid: a suit not offered in this round, or of which the seat holds no card.
        """
        if self.over or self.trump is not None:
            raise TurnError("bidding", "The bidding is over; nothing more can be called.")
        self._refuse_out_of_turn(seat, "call")
        if Call(seat, suit) not in self.legal_calls():
            raise self._why_no_call(seat, suit)
        return replace(self, calls=(*self.calls, Call(seat, suit)))

    def _why_no_call(self, seat: int, suit: int | None) -> IllegalBid:
        turned = suit_of(self.deal.turned)
        if suit not in range(4):
            return IllegalBid("suits", f"{suit!r} is no suit; call 0 to 3 in the order {SUITS}, None to pass.")
        if len(self.calls) < 4 and suit != turned:
            return IllegalBid("turned-suit", f"Round one offers only {SUITS[turned]}, which is turned up.")
        if len(self.calls) >= 4 and suit == turned:
            return IllegalBid("passed-suit", f"{SUITS[suit]} was passed in round one; name another suit.")
        return IllegalBid("own-trump", f"Seat {seat} holds no {SUITS[suit]} and so may not name it trump.")

    # ---- melds -----------------------------------------------------------------------------------------------------

    def announce(self, seat: int, melds: Iterable[Meld]) -> Hand:
        """The hand after a seat announces melds, at its turn just before its first card.

        Raises:
            TurnError: there is no play now.
            IllegalMeld: too early, too late, out of turn, no meld, not held, a card in two melds.
        """
        melds = tuple(melds)
        self._refuse_wrong_moment(seat, 0, "announce-in-turn", "announced just before one's own first card")
        self._refuse_twice(seat, self.announced, "announced")
        self._refuse_bad_melds(seat, melds)
        return replace(self, announced={**self.announced, seat: melds})

    def best_melds(self, seat: int) -> tuple[Meld, ...]:
        """The best-scoring melds of a seat's hand as dealt, under the house rules."""
        return best_melds(self.deal.hands[seat], self.rules.four_tens)

    def shows(self, seat: int) -> bool:
        """Whether a seat has melds to show before the second trick, by the house rule ``shown_by``."""
        if not self.announced.get(seat):
            return False
        return self.rules.shown_by == "announcers" or self.announced_best == side_of(seat)

    @property
    def announced_best(self) -> str | None:
        """Side with the best announced meld; None when there is none or both tie."""
        we, they = ([m for s, ms in self.announced.items() if s % 2 == odd for m in ms] for odd in (0, 1))
        return best_team(we, they, self._trump())

    def declarations(self) -> tuple[str, ...]:
        """What S1 has the teams declare at the end of the first trick: rank, then trump, of equal best kinds.

        Empty unless the house declares and the best announced melds of both sides are of one kind.
        """
        if not self.rules.declare_rank or len(self.cards) != 4:
            return ()
        orders = [[m.order for s, ms in self.announced.items() if s % 2 == odd for m in ms] for odd in (0, 1)]
        if not orders[0] or not orders[1]:
            return ()
        we, they = max(orders[0]), max(orders[1])
        if we[0] != they[0]:
            return ()
        return ("rank", "trump") if we == they else ("rank",)

    def show(self, seat: int, melds: Iterable[Meld], with_bell: bool = False) -> Hand:
        """The hand after a seat shows announced melds, at its turn just before its second card.

        Args:
            with_bell: also announces bell, when both its cards are among those shown.

        Raises:
            TurnError: there is no play now.
            IllegalMeld: the wrong moment, out of turn, not announced, or not the seat's to show.
        """
        melds = tuple(melds)
        self._refuse_wrong_moment(seat, 1, "show-in-turn", "shown just before one's own second card")
        self._refuse_twice(seat, self.shown, "shown")
        if any(m not in self.announced.get(seat, ()) for m in melds):
            raise IllegalMeld("announced", "Only what was announced before the first card can be shown.")
        if not self.shows(seat):
            raise IllegalMeld("shown-by", f"Seat {seat} shows nothing: the house has only the best team show.")
        if with_bell and bell(self._trump()) & ~sum(m.cards for m in melds):
            raise IllegalMeld("bell-early", "Bell is announced when both its cards are shown, or with its second card.")
        bells = (*self.bells, seat) if with_bell else self.bells
        return replace(self, shown={**self.shown, seat: melds}, bells=bells)

    def _refuse_twice(self, seat: int, done: Mapping[int, tuple[Meld, ...]], what: str) -> None:
        if seat in done:
            raise IllegalMeld("once", f"Seat {seat} has {what} its melds already; all of them are {what} at once.")

    def _refuse_bad_melds(self, seat: int, melds: tuple[Meld, ...]) -> None:
        used = 0
        for meld in melds:
            if meld not in melds_in(PACK):
                raise IllegalMeld("meld", f"{meld} is no meld: neither a four nor a sequence of three or more.")
            if meld.cards & ~self.deal.hands[seat]:
                raise IllegalMeld("held", f"Seat {seat} does not hold {cards_text(meld.cards)}.")
            if meld.cards & used:
                raise IllegalMeld("one-meld", f"No card in two melds: {cards_text(meld.cards & used)} is in both.")
            if meld == FOUR_TENS and not self.rules.four_tens:
                raise IllegalMeld("four_tens", f"{meld_name(meld)} are no meld in this house.")
            used |= meld.cards

    def _refuse_wrong_moment(self, seat: int, played: int, rule: str, when: str) -> None:
        self._refuse_unless_playing()
        if seat != self.to_act:
            raise IllegalMeld("meld-out-of-turn", f"Seat {seat!r} cannot meld now; it is seat {self.to_act}'s turn.")
        if self.played_by(seat) != played:
            raise IllegalMeld(rule, f"Meld is {when}; seat {seat} has played {self.played_by(seat)}.")

    # ---- play ------------------------------------------------------------------------------------------------------

    def legal_plays(self) -> int:
        """Cards the seat to act may play, as a mask; 0 outside the play."""
        if self.over or self.trump is None:
            return 0
        return trick_rules.legal_plays(self.held(self._acting()), self.trick, self.trump)

    def play(self, seat: int, card: int, with_bell: bool = False) -> Hand:
        """The hand after a card is played.

        Args:
            with_bell: announces bell, of which this is the second card played.

        Raises:
            TurnError: not that seat's turn, or there is no play now.
            IllegalPlay: a card the rules forbid; ``rule`` is follow-suit, trump-in, overtrump or own-card.
            IllegalMeld: bell announced with anything but its second card.
        """
        self._refuse_unless_playing()
        self._refuse_out_of_turn(seat, "play")
        if card not in range(24):
            raise IllegalPlay("cards", f"{card!r} is no card; cards are numbered 0 to 23.")
        wrong = trick_rules.why_illegal(card, self.held(seat), self.trick, self._trump())
        if wrong:
            raise IllegalPlay(*wrong)
        if with_bell and not self.completes_bell(seat, card):
            raise IllegalMeld("bell-early", f"Bell is announced with its second card, and {NAMES[card]} is not that.")
        bells = (*self.bells, seat) if with_bell else self.bells
        return replace(self, cards=(*self.cards, card), bells=bells)

    def completes_bell(self, seat: int, card: int) -> bool:
        """Whether a card is the second of bell from this seat's hand, so that bell can be announced with it."""
        pair = bell(self._trump())
        dealt, held = self.deal.hands[seat] & pair, self.held(seat) & pair
        return dealt == pair and held == 1 << card and seat not in self.bells

    # ---- score -----------------------------------------------------------------------------------------------------

    def counted_melds(self) -> dict[int, tuple[Meld, ...]]:
        """Melds that were announced and shown, by seat; which side scores them is :func:`table_melds`'s to say.

        Where only the best team shows, a better meld that was announced and not shown still beats the others'.
        """
        if self.rules.shown_by == "announcers":
            return dict(self.shown)
        return {s: ms for s, ms in self.shown.items() if side_of(s) == self.announced_best}

    def meld_points(self) -> dict[str, int]:
        """Meld and bell of each side so far."""
        return table_melds(self.counted_melds(), self.bells, self._trump())

    def trick_points(self) -> dict[str, int]:
        """Points of each side in the tricks so far."""
        return trick_points(self.tricks, self.deal.first, self._trump())

    def score(self) -> HandScore | None:
        """Score of the hand; None when all passed.

        Raises:
            TurnError: cards are still to be played.
        """
        if self.all_passed:
            return None
        if not self.over or self.maker is None:
            raise TurnError("score", f"A hand is scored after {4 * HAND_SIZE} cards; {len(self.cards)} are played.")
        return score_hand(self.trick_points(), self.meld_points(), side_of(self.maker))

    # ---- refusals --------------------------------------------------------------------------------------------------

    def _acting(self) -> int:
        assert self.to_act is not None
        return self.to_act

    def _refuse_unless_playing(self) -> None:
        if self.trump is None or self.over:
            raise TurnError("play", "There is no play now: " + ("the hand is over." if self.over else "bid first."))

    def _refuse_out_of_turn(self, seat: int, what: str) -> None:
        if seat != self.to_act:
            raise TurnError("turn", f"Seat {seat!r} cannot {what} now; it is seat {self.to_act}'s turn.")
