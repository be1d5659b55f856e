"""What hands say beyond making and being set: sets inflicted, zeros, meld and its worth, first and last hands, lengths.

Every rate comes with its n and a 95 % interval; see :mod:`analysis.intervals` for what the intervals take as given.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.intervals import mean_half_width, student, wilson
from analysis.league import played_at_the_table, team_results
from analysis.schemas import INT
from analysis.stats import team_hands

#: Meld on a made hand by size: none; a bell, a dad; up to a fifty and a bell; up to a hundred; more.
_MELDS = {"0": (0, 0), "20 to 40": (20, 40), "50 to 90": (50, 90), "100 to 150": (100, 150), "160 and more": (160, 999)}


def team_hand_table(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """One row a team, in alphabetical order: team, hands, and four rates and a mean with n and a 95 % interval.

    Returns:
        For each KEY of the following the columns KEY_n, KEY (how many), KEY_rate, KEY_low, KEY_high:
        kept: hands it made trump on and was not set, of those it made trump on;
        inflicted: opponents set, of the hands on which they made trump;
        zeros: hands without a point and without being set, of those whose points are known;
        best: hands with more points than the opponents, of those whose points are known;
        and meld_n, meld, meld_low, meld_high: mean total meld of the made hands on which it made trump (all teams'
        hands have one spread).
    """
    rows = team_hands(games, hands)
    made, other = rows["made"].fillna(False).astype(bool), rows["told"] & ~rows["made"].fillna(True).astype(bool)
    known = rows["points"].notna() & rows["against"].notna()
    set_against = rows["set_against"]
    facts = pd.DataFrame({
        "team": rows["team"], "kept_n": made, "kept": made & ~rows["set"],
        "inflicted_n": other, "inflicted": other & set_against,
        "zeros_n": known, "zeros": known & (rows["points"] == 0).fillna(False) & ~rows["set"],
        "best_n": known, "best": known & (rows["points"] > rows["against"]).fillna(False)})
    counts = facts.groupby("team", sort=True).sum().astype(float)
    table = pd.DataFrame({"hands": rows.groupby("team", sort=True).size()})
    for key in ("kept", "inflicted", "zeros", "best"):
        table[f"{key}_n"], table[key] = counts[f"{key}_n"].astype(INT), counts[key].astype(INT)
        table[f"{key}_rate"] = counts[key] / counts[f"{key}_n"].where(counts[f"{key}_n"] > 0)
        table[f"{key}_low"], table[f"{key}_high"] = wilson(counts[key].to_numpy(), counts[f"{key}_n"].to_numpy())
    melds = _pooled_mean(rows[made].dropna(subset=["meld"]), "team", "meld")
    table = table.join(melds.rename(columns={"n": "meld_n", "mean": "meld", "low": "meld_low", "high": "meld_high"}))
    return table.assign(meld_n=table["meld_n"].fillna(0).astype(INT)).rename_axis("team").reset_index().astype(
        {"hands": INT})


def meld_worth(hands: pd.DataFrame) -> pd.DataFrame:
    """Made hands by the meld on them: meld, hands, share, low, high (95 %), makers, others (their mean points).

    The total meld is all a sheet tells; how much of it the makers had shows in the means: see :func:`meld_share`.
    """
    made = _made(hands)
    total = len(made)
    rows = []
    for name, (least, most) in _MELDS.items():
        own = made[made["meld"].between(least, most)]
        low, high = wilson(np.array(len(own)), np.array(total))
        rows.append((name, len(own), len(own) / total if total else np.nan, float(low), float(high),
                     own["makers"].mean(), own["others"].mean()))
    return pd.DataFrame(rows, columns=["meld", "hands", "share", "low", "high", "makers", "others"]).astype(
        {"hands": INT})


def meld_share(hands: pd.DataFrame) -> pd.DataFrame:
    """How many of 100 points of meld on a made hand the makers end up with: n, share, low, high (95 %), one row.

    Least squares of the makers' points on the total meld; White's standard error, as the spread of trick points need
    not be the same with meld and without.
    """
    made = _made(hands)
    x, y = (made[key].to_numpy(dtype=float) for key in ("meld", "makers"))
    empty = pd.DataFrame({"n": [len(made)], "share": [np.nan], "low": [np.nan], "high": [np.nan]})
    if len(made) < 3 or np.ptp(x) == 0:
        return empty
    away = x - x.mean()
    slope = away @ y / (away @ away)
    left = y - y.mean() - slope * away
    error = np.sqrt((away**2 @ left**2) / (away @ away) ** 2 * len(made) / (len(made) - 2))
    half = float(student(np.array(len(made) - 2))) * error
    return empty.assign(share=slope, low=slope - half, high=slope + half)


def biggest_hands(games: pd.DataFrame, hands: pd.DataFrame, most: int = 10) -> pd.DataFrame:
    """The hands with most points of one side: points, against, team, opponent, date, game_id, hand, made, meld."""
    rows = team_hands(games, hands).dropna(subset=["points"])
    best = rows.sort_values(["points", "against"], ascending=[False, True], kind="stable").head(most)
    return best[["points", "against", "team", "opponent", "date", "game_id", "hand", "made", "meld"]].reset_index(
        drop=True)


def first_hands(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """One row a team: how first hands go. team, n (first hands), average, low, high, ahead (games in which it led after
    one hand), won (of those), rate, rate_low, rate_high."""
    rows = team_hands(games, hands)
    first = rows[(rows["hand"] == 1) & rows["points"].notna() & rows["against"].notna()]
    table = _mean(first, "team", "points").rename(columns={"mean": "average"})
    led = first[(first["points"] > first["against"]).astype(bool)]
    won = team_results(played_at_the_table(games))[["game_id", "team", "won"]].merge(led[["game_id", "team"]])
    return _of(table, won, "ahead", "won")


def last_hands(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """One row a team: the hands that ended its games. team, n (such hands), average, low, high, made (those on which it
    made trump), kept (of those, not set), rate, rate_low, rate_high."""
    rows = team_hands(games, hands)
    over = team_results(played_at_the_table(games))["game_id"].unique()
    ends = rows.groupby("game_id")["hand"].transform("max") == rows["hand"]
    last = rows[ends & rows["game_id"].isin(over)]
    table = _mean(last.dropna(subset=["points"]), "team", "points").rename(columns={"mean": "average"})
    made = last[last["made"].fillna(False).astype(bool)]
    return _of(table, made.assign(kept=~made["set"]), "made", "kept")


def lengths(games: pd.DataFrame) -> pd.DataFrame:
    """How many hands finished games took: hands, games, share, low, high (95 %), shortest first."""
    over = played_at_the_table(games)
    over = over[over["game_id"].isin(team_results(over)["game_id"])]
    counts = over.groupby("hands", sort=True).size()
    low, high = wilson(counts.to_numpy(dtype=float), np.full(len(counts), float(len(over))))
    share = counts.to_numpy() / max(len(over), 1)
    return pd.DataFrame({"hands": counts.index.astype("Int64"), "games": counts.to_numpy(), "share": share,
                         "low": low, "high": high}).astype({"games": INT})


def _made(hands: pd.DataFrame) -> pd.DataFrame:
    """Made hands whose maker and meld the sheet tells: meld, makers, others (points)."""
    made = hands[hands["maker"].notna() & hands["meld"].notna() & hands["set"].isna()]
    made = made.dropna(subset=["we_points", "they_points"])
    we = (made["maker"] == "we").astype(bool)
    return pd.DataFrame({"meld": made["meld"], "makers": made["we_points"].where(we, made["they_points"]),
                         "others": made["they_points"].where(we, made["we_points"])}).astype("float64")


def _mean(rows: pd.DataFrame, by: str, key: str) -> pd.DataFrame:
    """n, mean, low, high (Student's interval, hands as independent draws) by group."""
    values = rows.assign(**{key: rows[key].astype(float)}).groupby(by, sort=True)[key].agg(["size", "mean", "std"])
    half = mean_half_width(values["std"].to_numpy(), values["size"].to_numpy())
    return pd.DataFrame({"n": values["size"].astype(INT), "mean": values["mean"], "low": values["mean"] - half,
                         "high": values["mean"] + half})


def _pooled_mean(rows: pd.DataFrame, by: str, key: str) -> pd.DataFrame:
    """As :func:`_mean`, with one spread for all groups: most hands have no meld and a few a great one, so that a
    team's own dozen hands say too little of the spread (its intervals held the truth in 90 %, not 95 %)."""
    values = _mean(rows, by, key)
    numbers = rows[key].astype(float)
    away = numbers - numbers.groupby(rows[by]).transform("mean")
    freedom = max(len(rows) - len(values), 1)
    n = values["n"].to_numpy(dtype=float)
    half = float(student(np.array(freedom))) * np.sqrt((away**2).sum() / freedom / np.maximum(n, 1))
    half = np.where(len(rows) > len(values), half, np.nan)
    return values.assign(low=values["mean"] - half, high=values["mean"] + half)


def _of(table: pd.DataFrame, cases: pd.DataFrame, n: str, k: str) -> pd.DataFrame:
    """The table with counts ``n`` and ``k`` of the cases by team, their rate and its interval; team as a column."""
    counts = cases.assign(**{k: cases[k].astype(float)}).groupby("team")[k].agg(["size", "sum"])
    counts = counts.reindex(table.index).fillna(0)
    low, high = wilson(counts["sum"].to_numpy(), counts["size"].to_numpy())
    told = table.assign(**{n: counts["size"].astype(INT), k: counts["sum"].astype(INT)},
                        rate=counts["sum"] / counts["size"].where(counts["size"] > 0), rate_low=low, rate_high=high)
    return told.rename_axis("team").reset_index()
