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
    """Slips a hand by a group.

    Args:
        by: ``"layout"`` of the pad, ``"month"`` (as 2026-03), ``"week"`` of the season, ``"keeper"`` (the team that
            kept the sheet: the one under We, as whoever keeps score calls the own side so; an assumption), or
            ``"team"`` (every slip counts for both teams of its game).

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
    if by not in ("layout", "month", "week", "keeper"):
        raise InputError(f"{by!r}: slips are counted by week, keeper, layout, month or team.")
    found = games.assign(month=games["date"].dt.strftime("%Y-%m"), keeper=games["we"])
    return found[["game_id", by]].dropna()


def points_given(games: pd.DataFrame) -> pd.DataFrame:
    """What slips gave each team: written less corrected final totals, the team with most profit first.

    Returns:
        team, games (with both totals known), own (points it was given, negative: taken), others (the same for its
        opponents), net, won, lost (games that only the slip gave to it, or to its opponents).
    """
    known = games.dropna(subset=["we", "they", "we_total_written", "they_total_written", "we_total_corrected",
                                 "they_total_corrected"])
    won = known["winner_written"].where((known["winner_written"] != known["winner_corrected"]).fillna(True))
    sides = []
    for side, other in (("we", "they"), ("they", "we")):
        own, others = ((known[f"{s}_total_written"] - known[f"{s}_total_corrected"]).astype(int) for s in (side, other))
        sides.append(pd.DataFrame({"team": known[side], "own": own, "others": others, "won": won == side,
                                   "lost": won == other}))
    both = pd.concat(sides).fillna({"won": False, "lost": False}).assign(games=1)
    table = both.groupby("team", sort=True)[["games", "own", "others", "won", "lost"]].sum().astype(int).reset_index()
    table["net"] = table["own"] - table["others"]
    table = table.sort_values(["net", "team"], ascending=[False, True], ignore_index=True)
    return table[["team", "games", "own", "others", "net", "won", "lost"]]


def changed_winners(games: pd.DataFrame) -> pd.DataFrame:
    """Games whose winner differs between the written and the corrected totals: the frame ``games``, those rows.

    Corrected totals end with the hand that won, so a game played on after its end, to another end, is among them.
    """
    return games[games["winner_written"].fillna("") != games["winner_corrected"].fillna("")]


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
