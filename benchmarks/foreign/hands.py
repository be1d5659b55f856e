"""Fifteen handwritings: each with its own shape of every digit, its slant, size, spacing and habits."""

from __future__ import annotations

from dataclasses import dataclass, field

#: The shapes people give the digits. A hand picks one of each digit and keeps to it.
SHAPES: dict[str, str] = {
    "0 round": "36,3 14,12 4,50 16,90 34,99 52,86 57,48 47,14 30,2 22,7",
    "0 narrow": "28,0 13,28 12,72 27,100 43,74 44,28 29,1",
    "0 open": "34,4 12,16 5,58 20,96 42,92 54,52 47,15 40,9",
    "0 slashed": "33,2 12,14 4,52 16,90 34,99 52,84 56,46 44,10 31,2 | 56,8 6,94",
    "0 curl": "40,12 20,4 5,44 14,90 34,99 54,72 53,30 40,6 26,8 30,20 46,14 54,4",
    "0 back": "10,26 26,3 48,16 57,56 40,96 16,90 5,54 11,22 20,8",
    "0 small": "30,30 12,44 8,74 26,99 48,86 50,52 32,30 26,32",
    "1 bar": "30,0 29,50 28,100",
    "1 tall": "31,-8 30,50 29,104",
    "1 european": "2,44 20,24 36,0* 34,50 33,100",
    "1 flag": "14,20 30,2* 29,50 29,100",
    "1 serif": "12,20 30,1* 30,98* | 10,100 50,99",
    "1 hook": "32,0 30,60 30,88 40,99",
    "2 swan": "6,24 22,2 46,8 46,36 26,66 4,97* 30,94 56,96",
    "2 loop": "8,26 26,2 48,14 42,48 16,92 4,88 14,76 34,92 58,90",
    "2 angular": "6,6 28,3 50,8 46,34 6,97* 56,97",
    "2 flat": "8,18 28,1 50,16 42,44 10,96* 26,86 42,98 58,92",
    "2 wide": "2,30 16,4 46,4 52,30 30,64 0,98* 34,100 66,98",
    "3 round": "8,14 28,1 48,14 42,38 22,47* 46,55 54,76 34,99 4,88",
    "3 flat": "6,4 28,3 50,3* 22,42* 46,50 53,76 32,100 2,90",
    "3 curl": "8,14 28,1 46,14 36,40 20,48 22,40 42,52 54,76 32,100 4,90",
    "3 soft": "10,10 32,1 47,18 36,42 28,47 44,56 51,80 26,100 2,90",
    "3 leaning": "14,10 38,0 52,12 44,36 26,45* 46,56 44,84 20,100 -2,90",
    "4 open": "12,4 8,30 4,56* 30,58 58,54 | 42,20 40,60 38,104",
    "4 sail": "42,100 43,50 44,0* 24,34 4,66* 30,68 60,67",
    "4 closed": "40,1 20,34 2,66* 30,67 60,66 | 42,2 42,50 41,101",
    "4 chair": "10,4 8,36 14,54 34,54 50,40* | 52,2 48,50 44,102",
    "4 square": "10,4 8,52* 32,53 56,50 | 46,2 45,50 44,100",
    "5 two": "16,5 14,24 12,44* 32,38 52,54 50,82 28,99 4,93 | 16,5 36,4 56,1",
    "5 one": "54,3 34,4 16,5* 12,44* 34,38 52,58 48,84 26,99 4,90",
    "5 wave": "54,4 32,2 18,10 15,40 36,44 50,62 44,88 22,100 2,90",
    "5 gap": "14,12 12,46* 34,40 52,58 46,88 24,100 4,92 | 20,2 38,3 58,-2",
    "6 plain": "44,0 22,24 8,62 12,92 32,100 51,82 44,60 26,58 10,76",
    "6 hook": "50,12 38,1 18,20 5,62 12,94 32,99 49,80 40,58 22,60 8,78",
    "6 stick": "34,-4 18,40 9,74 18,97 36,99 50,80 38,62 20,68 11,80",
    "6 spiral": "46,4 20,22 5,66 18,98 44,92 48,66 28,58 16,72 22,82",
    "7 plain": "4,6 28,4 54,4* 38,44 24,100",
    "7 crossed": "4,6 28,4 56,4* 38,44 24,100 | 14,50 32,48 52,46",
    "7 nose": "6,20 5,4* 30,4 56,3* 36,44 26,101",
    "7 crossed nose": "4,20 5,3* 30,5 56,3* 38,44 25,100 | 16,52 34,50 54,47",
    "7 wave": "4,10 16,2 34,9 56,3* 40,40 30,70 28,100",
    "8 crossing": "48,14 30,1 10,16 22,42 48,68 36,97 12,94 8,70 30,46 48,24 46,12",
    "8 rings": "30,2 13,12 12,32 30,46 46,32 46,12 30,2* | 30,46 8,60 8,88 30,100 52,88 50,60 30,46",
    "8 open": "52,8 34,1 14,12 22,36 46,60 46,88 24,100 8,84 22,58 42,36 56,16",
    "8 knot": "16,8 14,26 40,58 48,84 28,100 8,84 18,58 44,28 40,6 24,1 15,12",
    "9 stick": "47,14 30,1 10,10 7,36 24,48 42,34 48,10* 46,54 44,101",
    "9 hook": "48,16 32,1 11,10 8,34 24,46 42,34 48,14 48,56 38,92 22,100 8,92",
    "9 straight": "46,20 28,4 10,20 18,46 38,40 47,4* 40,54 34,101",
    "9 loop": "48,18 30,2 10,16 14,42 32,44 48,14* 40,60 24,101",
    "9 round": "50,22 36,2 12,8 6,32 20,50 44,36 50,18 46,62 30,98",
}

#: Capitals for the names of teams, plain strokes in one style; a hand's slant and bends make them its own.
CAPITALS: dict[str, str] = {
    "A": "2,100 30,0* 58,100 | 14,64 48,62", "B": "6,0 6,100 | 6,2 40,8 40,42 8,48* 50,56 48,94 6,100",
    "C": "54,14 32,0 6,30 6,72 32,100 56,86", "D": "8,0 8,100 | 8,2 46,20 54,58 36,94 8,100",
    "E": "52,2 8,2* 8,98* 54,98 | 8,48 42,48", "F": "52,2 8,2* 8,100 | 8,48 42,48",
    "G": "54,14 30,0 6,34 8,78 32,100 54,84 54,58* 34,58", "H": "6,0 6,100 | 54,0 54,100 | 6,50 54,48",
    "I": "28,0 28,100 | 12,1 46,1 | 12,99 46,99", "J": "46,0 46,76 28,100 6,84", "K": "6,0 6,100 | 50,2 8,54* 54,100",
    "L": "8,0 8,98* 54,98", "M": "2,100 8,0* 30,62* 52,0* 60,100", "N": "6,100 6,0* 54,100* 54,0",
    "O": "32,0 6,22 4,70 30,100 54,76 54,24 30,0", "P": "8,100 8,2* 48,8 48,44 8,52",
    "Q": "32,0 6,22 4,70 30,100 54,76 54,24 30,0 | 34,74 60,106", "R": "8,100 8,2* 48,8 46,44 8,50* 54,100",
    "S": "50,12 28,0 8,18 28,46 52,70 32,100 4,88", "T": "30,2 30,100 | 2,2 60,1", "U": "6,0 6,72 30,100 54,72 54,0",
    "V": "2,0 30,100* 58,0", "W": "0,0 14,100* 32,30* 46,100* 64,0", "X": "4,0 56,100 | 54,0 4,100",
    "Y": "4,0 30,50* 56,0 | 30,50 28,100", "Z": "4,2 54,2* 4,98* 56,98",
    "'": "20,0 16,16", "&": "50,98 12,20 30,0 40,20 6,70 26,100 54,66", "-": "8,54 40,52", "/": "46,-4 6,106",
}


@dataclass(frozen=True)
class Hand:
    """One person's writing.

    Attributes:
        name: of the hand, for the report.
        shapes: digit to the name of its shape in :data:`SHAPES` without the digit.
        slant: tangent of the lean to the right.
        size: height of a digit as a part of the row's.
        breadth: of the digits, 1 as the shapes are drawn.
        gap: between two digits, in digit heights; negative ones touch.
        looseness: how much two of one digit differ, heights.
        tremor: of the line, heights.
        joins: share of neighbouring digits connected by a stroke.
        align: where in the cell numbers stand, 0 left to 1 right.
        set_mark: how a set side is marked, ``XX`` or ``XXX``.
        zero_mark: how zero is written, ``-``, ``--`` or ``~``.
    """

    name: str
    shapes: dict[str, str] = field(repr=False)
    slant: float = 0.1
    size: float = 0.62
    breadth: float = 1.0
    gap: float = 0.12
    looseness: float = 0.03
    tremor: float = 0.0
    joins: float = 0.0
    align: float = 0.5
    set_mark: str = "XX"
    zero_mark: str = "-"


def _hand(name: str, shapes: str, **habits: object) -> Hand:
    return Hand(name, dict(zip("0123456789", shapes.split(","), strict=True)), **habits)


HANDS: tuple[Hand, ...] = (
    _hand("clerk", "round,flag,swan,round,closed,two,plain,plain,crossing,stick", slant=0.15, size=0.6, align=0.6),
    _hand("engineer", "slashed,serif,angular,flat,square,two,plain,crossed,rings,straight", slant=0.0, size=0.56,
          breadth=0.9, gap=0.2, looseness=0.018),
    _hand("immigrant", "round,european,loop,soft,open,gap,hook,crossed nose,open,hook", slant=0.22, size=0.68,
          zero_mark="~", align=0.4),
    _hand("grandmother", "curl,hook,loop,curl,chair,one,hook,wave,crossing,round", slant=0.3, size=0.6, tremor=0.012,
          joins=0.15, zero_mark="~"),
    _hand("hurried", "open,bar,flat,soft,sail,wave,spiral,plain,open,loop", slant=0.35, size=0.7, gap=0.02,
          looseness=0.05, joins=0.35, align=0.35, set_mark="XXX"),
    _hand("schoolgirl", "round,bar,swan,round,closed,one,plain,plain,rings,hook", slant=-0.05, size=0.5, breadth=1.2,
          gap=0.16),
    _hand("farmer", "back,bar,wide,leaning,square,gap,stick,nose,knot,straight", slant=0.05, size=0.85, breadth=0.95,
          gap=0.06, looseness=0.045, align=0.5, set_mark="XXX"),
    _hand("left-hander", "back,flag,angular,flat,open,two,plain,crossed,knot,stick", slant=-0.22, size=0.62,
          align=0.7, zero_mark="--"),
    _hand("minute", "narrow,bar,swan,soft,closed,one,hook,nose,crossing,straight", slant=0.12, size=0.42, gap=0.2,
          breadth=0.95, align=0.3),
    _hand("tall", "narrow,tall,flat,round,chair,two,stick,plain,knot,stick", slant=0.18, size=0.95, breadth=0.66,
          gap=0.08, align=0.55),
    _hand("squat", "round,bar,wide,curl,open,wave,spiral,wave,rings,round", slant=0.08, size=0.48, breadth=1.5,
          gap=0.04),
    _hand("shaky", "open,hook,swan,leaning,open,gap,plain,crossed nose,open,loop", slant=0.1, size=0.66, tremor=0.024,
          looseness=0.045, zero_mark="--"),
    _hand("connected", "curl,flag,loop,soft,sail,one,spiral,wave,crossing,hook", slant=0.26, size=0.6, gap=0.05,
          joins=0.7),
    _hand("draughty", "slashed,european,flat,flat,open,gap,hook,crossed,rings,loop", slant=0.02, size=0.64, gap=0.24,
          looseness=0.04, align=0.62),
    _hand("bookkeeper", "small,bar,swan,round,sail,two,hook,crossed,crossing,hook", slant=0.28, size=0.58, breadth=0.9,
          gap=0.1, align=0.9, looseness=0.022),
)
