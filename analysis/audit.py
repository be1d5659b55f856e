"""How the scores were kept: slips by kind, what they moved, and records that look doubtful."""

from __future__ import annotations

import difflib

import pandas as pd

from analysis.frames import Frames
from analysis.intervals import wilson
from scanner.sheet.errors import InputError


def slips(problems: pd.DataFrame) -> pd.DataFrame:
    """The findings that say the paper is wrong: every problem but open questions."""
    return problems[problems["code"] != "unreadable"]


def slips_by_kind(problems: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """One row a kind of slip, most frequent first: code, slips, hands, rate, low, high, points_moved, winner_changes.

    ``rate`` is slips a hand with a 95 % interval; ``points_moved`` and ``winner_changes`` are sums over the season.
    """
    kinds = slips(problems).groupby("code", sort=True).agg(
        slips=("code", "size"), points_moved=("points_moved", "sum"), winner_changes=("winner_changes", "sum"))
    kinds = kinds.reset_index().sort_values(["slips", "code"], ascending=[False, True], ignore_index=True)
    n = len(hands)
    low, high = wilson(kinds["slips"].to_numpy(dtype=float), kinds["slips"].to_numpy(dtype=float) * 0 + n)
    table = kinds.assign(hands=n, rate=kinds["slips"] / max(n, 1), low=low, high=high)
    return table[["code", "slips", "hands", "rate", "low", "high", "points_moved", "winner_changes"]]


def slips_by(frames: Frames, by: str) -> pd.DataFrame:
    """Slips a hand by ``"layout"``, ``"month"`` (as 2026-03) or ``"team"`` (every slip counts for both its teams).

    Returns:
        the group, slips, hands, rate, low, high (95 %), points_moved, winner_changes; in the order of the groups.
    """
    groups = _groups(frames.games, by)
    found = slips(frames.problems).merge(groups, on="game_id").groupby(by, sort=True)
    hands = frames.hands[["game_id"]].merge(groups, on="game_id").groupby(by, sort=True).size().rename("hands")
    sums = found.agg(slips=("code", "size"), points_moved=("points_moved", "sum"),
                     winner_changes=("winner_changes", "sum"))
    table = hands.to_frame().join(sums).fillna(0).astype(int).reset_index()
    low, high = wilson(table["slips"].to_numpy(dtype=float), table["hands"].to_numpy(dtype=float))
    table = table.assign(rate=table["slips"] / table["hands"], low=low, high=high)
    return table[[by, "slips", "hands", "rate", "low", "high", "points_moved", "winner_changes"]]


def _groups(games: pd.DataFrame, by: str) -> pd.DataFrame:
    """game_id and its group; a game stands under each of its two teams."""
    if by == "team":
        sides = [games[["game_id", side]].rename(columns={side: "team"}) for side in ("we", "they")]
        return pd.concat(sides).dropna()
    if by not in ("layout", "month"):
        raise InputError(f"{by!r}: slips are counted by layout, month or team.")
    return games.assign(month=games["date"].dt.strftime("%Y-%m"))[["game_id", by]].dropna()


def changed_winners(games: pd.DataFrame) -> pd.DataFrame:
    """Games whose winner differs between the written and the corrected totals: the frame ``games``, those rows."""
    written, corrected = games["winner_written"].fillna(""), games["winner_corrected"].fillna("")
    return games[written != corrected]


def doubles(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """Games that look entered twice: same teams and same running totals hand by hand, days equal or one unknown.

    Returns:
        game_id, twin (the earlier game it repeats), date, we, they, photo.
    """
    totals = hands["we_total"].astype("string") + "-" + hands["they_total"].astype("string")
    story = totals.fillna("?").groupby(hands["game_id"], sort=False).agg(" ".join).rename("story")
    told = games.merge(story, left_on="game_id", right_index=True)
    alike = ["we", "they", "story"]
    told = told[(told["hands"] > 1) & told.duplicated(alike, keep=False)]
    found = []
    for _, group in told.groupby(alike, sort=False):
        for i in range(1, len(group)):
            earlier = group.iloc[:i]
            day = group["date"].iloc[i]
            same = earlier[earlier["date"].isna() | (earlier["date"] == day) | pd.isna(day)]
            if len(same):
                found.append((group.index[i], same["game_id"].iloc[0]))
    table = told.loc[[i for i, _ in found], ["game_id", "date", "we", "they", "photo"]]
    table.insert(1, "twin", [twin for _, twin in found])
    return table.reset_index(drop=True)


def alike_names(teams: pd.DataFrame, likeness: float = 0.8) -> pd.DataFrame:
    """Pairs of team names so alike that one may be a misspelling: team, like, games (of the rarer one, named first).

    ``likeness`` is difflib's ratio; 0.8 lets one letter of five differ ("Owls", "Owl") and keeps "Hawks", "Hens" apart.
    """
    ordered = teams.sort_values(["games", "team"])
    names, games = list(ordered["team"]), list(ordered["games"])
    pairs = [(name, other, games[i]) for i, name in enumerate(names) for other in names[i + 1 :]
             if difflib.SequenceMatcher(None, name.casefold(), other.casefold()).ratio() >= likeness]
    return pd.DataFrame(pairs, columns=["team", "like", "games"])
