"""What both tables of altered rules share: the deals, the tables of cards with an error in them, and the question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pytest
from packs import Pack, hands_of, has_four, packs_full_of_melds, random_packs
from referee import disagreements

from scanner.rules.cards import RANKS, rank_of, suit_of

Patch = pytest.MonkeyPatch

FAIR = random_packs(3000, seed=31)
FULL_OF_MELDS = packs_full_of_melds(seed=32)
TWO_FOURS = [pack for pack in FULL_OF_MELDS if sum(map(has_four, hands_of(pack))) == 2]
FOURS = [pack for pack in FULL_OF_MELDS if any(map(has_four, hands_of(pack)))]
SIXES = [pack for pack in FULL_OF_MELDS if any(len({name[1] for name in hand}) == 1 for hand in hands_of(pack))]


@dataclass(frozen=True)
class Alteration:
    """One rule made wrong, what the referee may call it, and the deals that bring it out."""

    name: str
    alter: Callable[[Patch], None]
    rules: frozenset[str]
    packs: list[Pack]

    def __str__(self) -> str:
        return self.name


def altered(name: str, alter: Callable[[Patch], None], rules: str, packs: list[Pack] = FAIR) -> Alteration:
    return Alteration(name, alter, frozenset(rules.split()), packs)


def rules_broken(records: Iterable[dict], wanted: frozenset[str] = frozenset()) -> set[str]:
    """Rules the referee finds broken, hand after hand until one of the wanted is among them."""
    found: set[str] = set()
    for game in records:
        found |= {fault.rule for fault in disagreements(game)}
        if found & wanted:
            break
    return found


# --- tables of cards -------------------------------------------------------------------------------------------------


def exchanged(table: Iterable[Iterable[int]], ranks: str, of_trump: bool) -> list[list[int]]:
    """A table by trump and card in which two ranks, of trump or of the plain suits, change places."""
    rows = []
    for trump, row in enumerate(table):
        new = list(row)
        for suit in range(4):
            if (suit == trump) == of_trump:
                one, other = (6 * suit + RANKS.index(rank) for rank in ranks)
                new[one], new[other] = new[other], new[one]
        rows.append(new)
    return rows


def raised(table: Iterable[Iterable[int]], rank: str, of_trump: bool) -> list[list[int]]:
    """A table by trump and card in which one rank, of trump or of the plain suits, counts one more."""
    return [
        [value + (rank_of(c) == RANKS.index(rank) and (suit_of(c) == trump) == of_trump) for c, value in enumerate(row)]
        for trump, row in enumerate(table)
    ]


ORDERS = [(pair, True) for pair in ("J9", "9A", "AT", "TK", "KQ")] + [
    (pair, False) for pair in ("AT", "TK", "KQ", "QJ", "J9")
]
KIND = {True: "trump", False: "plain"}
PLAY_RULES = "overtrump beat_trump_lead leader trick_points"
