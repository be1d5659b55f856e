"""House rules: every point on which the sources disagree, by name, with its default and who says so.

Sources: S0 the encyclopedia article with the league's handout of 2019, S1 the card-game site, S2 the Russian article.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from scanner.rules.errors import HouseRuleError

#: Choices of each house rule, the default first, and where each comes from.
CHOICES: dict[str, dict[object, str]] = {
    "all_pass": {
        "redeal": "the same dealer deals again (S0, S2)",
        "next_dealer": "the deal passes to the left (S1)",
    },
    "four_tens": {
        True: "four tens are a meld of 100 (S1)",
        False: "four tens are no meld (S0 leaves them out)",
    },
    "tie_at_target": {
        "play_on": "equal totals at 500 or over: another hand decides (S0, S2)",
        "tie": "equal totals at 500 or over: the game is tied (S1)",
    },
    "shown_by": {
        "announcers": "each player who announced shows; what is not shown does not count (S0, S2)",
        "best_team": "only the team with the highest announced meld shows (S1)",
    },
    "declare_rank": {
        False: "announcing names the meld in full (S0, S2)",
        True: "equal kinds are compared by rank, then trump, at the end of the first trick (S1)",
    },
    "turned_tricks": {
        "never": "a turned trick may not be looked at at all (S0, S2)",
        "until_next_play": "it may be, until one's side has played to the next trick (S1)",
    },
    "early_bell": {
        True: "announcing bell before its second card is played or shown is a renege (S1)",
        False: "it is not in the list of reneges (S0)",
    },
    "ranking": {
        "games": "tournaments rank by games won, ties by game points (S0, S2: usual)",
        "points": "tournaments rank by game points only (S0, S2: alternative)",
    },
}


@dataclass(frozen=True)
class HouseRules:
    """One choice for each disagreement; the defaults are the ones the score sheets are verified by.

    Raises:
        HouseRuleError: a value that is none of the choices; the message lists them.

    >>> HouseRules(all_pass="next_dealer").four_tens
    True
    """

    all_pass: str = "redeal"
    four_tens: bool = True
    tie_at_target: str = "play_on"
    shown_by: str = "announcers"
    declare_rank: bool = False
    turned_tricks: str = "never"
    early_bell: bool = True
    ranking: str = "games"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if not any(value == c and type(value) is type(c) for c in choices):
                wanted = " or ".join(f"{_toml(c)} ({why})" for c, why in choices.items())
                raise HouseRuleError(name, f"House rule {name!r} cannot be {value!r}: give {wanted}.")


DEFAULT_RULES = HouseRules()


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'


def parse_house_rules(text: str, source: str = "house rules") -> HouseRules:
    """House rules from TOML text, one ``name = value`` a line; those left out keep their default.

    Raises:
        HouseRuleError: not TOML, an unknown rule (the message names the nearest), or an impossible value.

    >>> parse_house_rules('four_tens = false').four_tens
    False
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HouseRuleError("toml", f"{source}: not a TOML file ({error}).") from error
    known = [f.name for f in fields(HouseRules)]
    for name in table:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise HouseRuleError(name, f"{source}: no house rule {name!r}.{hint} Known: {', '.join(known)}.")
    return HouseRules(**table)


def load_house_rules(path: str | Path) -> HouseRules:
    """House rules from a TOML file.

    Raises:
        HouseRuleError: unreadable file, or as :func:`parse_house_rules`.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise HouseRuleError("toml", f"{path}: cannot be read ({error}).") from error
    return parse_house_rules(text, str(path))
