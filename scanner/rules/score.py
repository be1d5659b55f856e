"""From tricks and melds to what is written down: made, set, renege, the end of a game, the turn to deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scanner.rules.cards import HAND_POINTS, LAST_TRICK, POINTS
from scanner.rules.deal import Fault, side_of
from scanner.rules.house import DEFAULT_RULES, HouseRules
from scanner.rules.melds import BELL_POINTS, Meld, best_team, has_bell, meld_points
from scanner.rules.play import trick_winner

#: Points that end a game (all sources).
TARGET = 500
SIDES = ("we", "they")


@dataclass(frozen=True)
class HandScore:
    """What one hand adds: points of each side, and the side that was set, or None."""

    we: int
    they: int
    set: str | None = None

    def __getitem__(self, side: str) -> int:
        return self.we if side == "we" else self.they


def opponents(side: str) -> str:
    """The other side."""
    return "they" if side == "we" else "we"


def trick_points(tricks: Sequence[Sequence[int]], leader: int, trump: int) -> dict[str, int]:
    """Points of each side in complete tricks, and the last trick's ten once there are six.

    Args:
        tricks: cards of each trick in order of play.
        leader: seat that led the first one.
    """
    points = {"we": 0, "they": 0}
    for number, trick in enumerate(tricks, 1):
        leader = (leader + trick_winner(trick, trump)) % 4
        points[side_of(leader)] += sum(POINTS[trump][c] for c in trick) + LAST_TRICK * (number == 6)
    return points


def table_melds(shown: Mapping[int, Sequence[Meld]], bells: Sequence[int], trump: int) -> dict[str, int]:
    """Meld points of each side: all melds of the side with the best one, and bell to whoever holds it.

    Args:
        shown: melds that count, by seat.
        bells: seats that announced bell in time.
    """
    by_side = {side: [m for s, melds in shown.items() if side_of(s) == side for m in melds] for side in SIDES}
    best = best_team(by_side["we"], by_side["they"], trump)
    points = {side: meld_points(by_side[side]) if side == best else 0 for side in SIDES}
    for seat in bells:
        points[side_of(seat)] += BELL_POINTS
    return points


def bell_seats(hands: Sequence[int], trump: int) -> tuple[int, ...]:
    """Seats that hold bell: one, or none when king and queen are in two hands."""
    return tuple(seat for seat, hand in enumerate(hands) if has_bell(hand, trump))


def score_hand(tricks: Mapping[str, int], melds: Mapping[str, int], makers: str) -> HandScore:
    """Score of a hand that was played out.

    Makers with more than their opponents make it and both score; with as many or fewer they are set and score nothing.

    >>> score_hand({"we": 71, "they": 91}, {"we": 20, "they": 0}, "we")
    HandScore(we=0, they=91, set='we')
    """
    total = {side: tricks[side] + melds[side] for side in SIDES}
    if total[makers] > total[opponents(makers)]:
        return HandScore(total["we"], total["they"])
    total[makers] = 0
    return HandScore(total["we"], total["they"], makers)


def score_renege(offender: str, melds: Mapping[str, int]) -> HandScore:
    """Score of a hand ended by a renege of one side: the opponents have 162 and their meld, the offenders nothing.

    >>> score_renege("we", {"we": 50, "they": 20})
    HandScore(we=0, they=182, set=None)
    """
    points = {offender: 0, opponents(offender): HAND_POINTS + melds[opponents(offender)]}
    return HandScore(points["we"], points["they"])


@dataclass(frozen=True)
class Game:
    """Hands played in order, under house rules; hands nobody scored (all passed, both reneged) are not among them."""

    hands: tuple[HandScore, ...] = ()
    rules: HouseRules = DEFAULT_RULES

    @property
    def totals(self) -> tuple[int, int]:
        """Running totals (we, they) after all hands."""
        return sum(h.we for h in self.hands), sum(h.they for h in self.hands)

    @property
    def over(self) -> bool:
        """Whether a side has 500 or more and is ahead, or both tie there and the house takes a tie."""
        we, they = self.totals
        return max(we, they) >= TARGET and (we != they or self.rules.tie_at_target == "tie")

    @property
    def winner(self) -> str | None:
        """The higher side once the game is over; None before, and for a tie."""
        we, they = self.totals
        if not self.over or we == they:
            return None
        return "we" if we > they else "they"

    def add(self, hand: HandScore) -> Game:
        """The game after one more hand, which ought to be one (:meth:`faults` says when the game was over)."""
        return Game((*self.hands, hand), self.rules)

    def faults(self) -> tuple[Fault, ...]:
        """All that is wrong: hands no cards can score, hands after the end."""
        # Imported here: the enumeration behind it is not needed to add up a game.
        from scanner.rules.arithmetic import hand_possible

        faults = []
        for number, hand in enumerate(self.hands, 1):
            if Game(self.hands[: number - 1], self.rules).over:
                faults.append(Fault("end", f"Hand {number} was played after the game was over."))
            if not hand_possible(hand.we, hand.they, hand.set):
                faults.append(Fault("162", f"Hand {number}: {hand.we} and {hand.they} are no score of a hand."))
        return tuple(faults)


def next_dealer(dealer: int, outcome: str, rules: HouseRules = DEFAULT_RULES) -> int:
    """Who deals next after a hand that was ``"played"``, ``"passed"`` by all twice, or in which ``"both_reneged"``."""
    stays = outcome == "both_reneged" or (outcome == "passed" and rules.all_pass == "redeal")
    return dealer if stays else (dealer + 1) % 4
