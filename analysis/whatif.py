"""What if: the season's sheets under other house rules, and what other rules do to simulated play.

Three kinds of question have an answer. Some need only the totals (ranking), some only the hands as they stand on the
sheet (a lower target, ties, whose totals count), and some need cards nobody wrote down (four tens) or hands nobody
played (a higher target): those are asked of simulated play.  A sheet ends when its game did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.intervals import wilson
from analysis.league import TARGET, standings
from analysis.schemas import INT
from scanner.rules import vector
from scanner.rules.errors import RuleError
from scanner.rules.house import CHOICES
from scanner.rules.simulate import Players, simulate_batch
from scanner.sheet.errors import InputError

#: Whose running totals a game is replayed by.
TOTALS = ("official", "written", "corrected")


def replayed(games: pd.DataFrame, hands: pd.DataFrame, target: int = TARGET, totals: str = "official") -> pd.DataFrame:
    """The games as they would have ended at another target, or by other totals: the frame ``games``, rewritten.

    A game ends with the first hand after which a side has the target and is ahead. Games that do not get there have no
    winner, and no table counts them.

    Args:
        target: at most 500, as sheets say nothing of hands that were not played.
        totals: ``official``, ``written`` (nobody had corrected a slip) or ``corrected`` (everybody had, at once).

    Returns:
        ``games`` with we_total, they_total, winner_side, winner and hands as they would be; the index as it was.

    Raises:
        InputError: a target that is none, or unknown totals.
    """
    if not 1 <= target <= TARGET:
        raise InputError(f"A target of {target} cannot be replayed: sheets end at {TARGET}; give 1 to {TARGET}.")
    if totals not in TOTALS:
        raise InputError(f"totals {totals!r} is unknown; it is one of {', '.join(TOTALS)}.")
    we, they = (f"{side}_total" + ("" if totals == "official" else f"_{totals}") for side in ("we", "they"))
    known = hands.dropna(subset=[we, they]).sort_values(["game_id", "hand"], kind="stable")
    over = (known[[we, they]].max(axis=1) >= target) & (known[we] != known[they])
    ends = known[over].drop_duplicates("game_id")
    lasts = known[~known["game_id"].isin(ends["game_id"])].drop_duplicates("game_id", keep="last")
    end = pd.concat([ends, lasts]).set_index("game_id").reindex(games["game_id"])
    won = games["game_id"].isin(ends["game_id"]).to_numpy()
    side = np.where(won, np.where((end[we] > end[they]).fillna(False).to_numpy(dtype=bool), "we", "they"), None)
    names = np.where(side == "we", games["we"], np.where(side == "they", games["they"], None))
    return games.assign(
        we_total=end[we].to_numpy(), they_total=end[they].to_numpy(), winner_side=_text(side, games, "winner_side"),
        winner=_text(names, games, "winner"), hands=end["hand"].fillna(0).to_numpy()).astype(
        {"we_total": INT, "they_total": INT, "hands": INT})


def compared(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Standings side by side: team and its rank in each table, in the order of the first; missing where it has none."""
    ranks = {name: table.set_index("team")["rank"] for name, table in tables.items()}
    return pd.DataFrame(ranks).reindex(next(iter(ranks.values())).index).rename_axis("team").reset_index()


def house_tables(games: pd.DataFrame, hands: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The league table under every rule that sheets can answer for, the rules in use first."""
    return {
        "as played": standings(games),
        "by points alone": standings(games, "points"),
        "slips corrected": standings(replayed(games, hands, totals="corrected")),
        "to 400": standings(replayed(games, hands, target=400)),
        "to 300": standings(replayed(games, hands, target=300)),
    }


def ties(hands: pd.DataFrame, target: int = TARGET) -> pd.DataFrame:
    """Hands after which both sides stood level at the target or over: where the house rule on ties decides."""
    level = (hands["we_total"] == hands["they_total"]) & (hands["we_total"] >= target)
    return hands[level.fillna(False).astype(bool)]


def four_tens_effect(deals: int = 10_000, seed: int = 0, players: Players = "sensible") -> pd.DataFrame:
    """Simulated hands scored with four tens as a meld and without; the same cards, calls and plays for both.

    Returns:
        four_tens, hands (scored), points (of both sides a hand), set_rate, changed (share of hands that score
        otherwise than under the default), low, high (its 95 % interval).

    Raises:
        RuleError: no deals, or an unknown player.
    """
    if deals < 1:
        raise RuleError("simulate", f"One deal or more, got {deals}.")
    batch = simulate_batch(deals, np.random.default_rng(seed), players)
    on = batch.played
    rows = []
    for choice in CHOICES["four_tens"]:
        melds = vector.side_melds(vector.masks(batch.cards[on]), batch.trump[on], bool(choice))
        points, failed = vector.score(batch.tricks[on], melds, batch.maker[on] % 2)
        changed = (points != batch.points[on]).any(axis=1)
        low, high = wilson(changed.sum(), np.array(len(changed)))
        rows.append((choice, len(points), points.sum(axis=1).mean(), (failed >= 0).mean(), changed.mean(), float(low),
                     float(high)))
    return pd.DataFrame(rows, columns=["four_tens", "hands", "points", "set_rate", "changed", "low", "high"])


def target_effect(targets: Sequence[int] = (150, 300, 500, 750, 1000), players: Players = ("counting", "beginner"),
                  games: int = 2000, deals: int = 4000, seed: int = 0) -> pd.DataFrame:
    """How often the first side wins simulated games to a target, and how long they last.

    Games are strung together from one pool of simulated hands, so they are a little more alike than they should be.

    Returns:
        target, games, hands (a game, mean), won (share won by the first side), low, high (95 %).

    Raises:
        RuleError: no deals, or an unknown player.
    """
    if deals < 1:
        raise RuleError("simulate", f"One deal or more, got {deals}.")
    rng = np.random.default_rng(seed)
    batch = simulate_batch(deals, rng, players)
    pool = batch.points[batch.played]
    # A hand brings 162 points or more to both, or 81 and more to one: so many hands are enough for any target.
    most = 4 + max(targets) // 40
    totals = pool[rng.integers(len(pool), size=(games, most))].cumsum(axis=1, dtype=np.int64)
    rows = []
    for target in targets:
        over = (totals.max(axis=2) >= target) & (totals[:, :, 0] != totals[:, :, 1])
        end = over.argmax(axis=1)
        won = totals[np.arange(games), end, 0] > totals[np.arange(games), end, 1]
        low, high = wilson(won.sum(), np.array(games))
        rows.append((target, games, 1 + end.mean(), won.mean(), float(low), float(high)))
    return pd.DataFrame(rows, columns=["target", "games", "hands", "won", "low", "high"])


def _text(values: np.ndarray, games: pd.DataFrame, key: str) -> pd.Series:
    return pd.Series(values, games.index, dtype=object).astype(games[key].dtype)
