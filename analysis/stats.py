"""What teams do with their hands: making trump, being set, scoring. Every rate with its n and a 95 % interval.

The maker of a hand follows from the sheet: the higher side of a made hand, the set side of a set one.  Hands whose
maker the sheet leaves open count as hands, not among those the rates are taken of.
"""

from __future__ import annotations

import pandas as pd

from analysis.intervals import mean_half_width, wilson
from analysis.league import played_at_the_table, team_results, two_sides
from analysis.schemas import INT, TEXT


def team_hands(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """One row for each team in each hand, games without both names left out.

    Returns:
        game_id, date, hand, team, opponent, side, points, against, total, against_total, made (this team made trump;
        missing where the sheet does not tell), told (the sheet tells), set (this team was set), set_against (the
        opponents were), meld (of both teams).
    """
    named = games.loc[games["we"].notna() & games["they"].notna(), ["game_id", "date", "we", "they"]]
    both = hands.merge(named, on="game_id", how="inner", validate="many_to_one")
    told = both["maker"].notna().to_numpy(dtype=bool)
    made, is_set = ({side: (both[key].astype(object) == side).to_numpy(dtype=bool) for side in ("we", "they")}
                    for key in ("maker", "set"))
    makers = {side: pd.arrays.BooleanArray(made[side], ~told) for side in made}
    return two_sides(pd.DataFrame({
        "game_id": both["game_id"], "date": both["date"], "hand": both["hand"], "team": both["we"],
        "opponent": both["they"], "side": pd.Series("we", both.index, dtype=TEXT), "points": both["we_points"],
        "against": both["they_points"], "total": both["we_total"], "against_total": both["they_total"],
        "made": makers["we"], "told": told, "set": is_set["we"], "set_against": is_set["they"],
        "meld": both["meld"]}), counter={
            "team": both["they"], "opponent": both["we"], "side": "they", "points": both["they_points"],
            "against": both["we_points"], "total": both["they_total"], "against_total": both["we_total"],
            "made": makers["they"], "set": is_set["they"], "set_against": is_set["we"]})


def team_table(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """One row a team, in alphabetical order: how it makes trump, is set and scores.

    Returns:
        team, games, hands, and
        made, make_rate, make_low, make_high: hands in which the team made trump, of the hands where the sheet tells;
        sets, set_rate, set_low, set_high: hands in which it was set, of those it made;
        average, average_low, average_high: points a hand (the interval takes hands as independent draws).
    """
    by = team_hands(games, hands).groupby("team", sort=True)
    table = by.agg(games=("game_id", "nunique"), hands=("hand", "size"), told=("told", "sum"), made=("made", "sum"),
                   sets=("set", "sum"), average=("points", "mean"), spread=("points", "std"),
                   counted=("points", "count")).reset_index()
    table["make_rate"], table["make_low"], table["make_high"] = _rate(table["made"], table["told"])
    table["set_rate"], table["set_low"], table["set_high"] = _rate(table["sets"], table["made"])
    half = mean_half_width(_floats(table["spread"]), _floats(table["counted"]))
    table["average"] = _floats(table["average"])
    table["average_low"], table["average_high"] = table["average"] - half, table["average"] + half
    for key in ("games", "hands", "made", "sets"):
        table[key] = table[key].astype(INT)
    return table[["team", "games", "hands", "made", "make_rate", "make_low", "make_high", "sets", "set_rate", "set_low",
                  "set_high", "average", "average_low", "average_high"]]


def head_to_head(games: pd.DataFrame) -> pd.DataFrame:
    """Games won by the team of the row against the team of the column; missing where they have not met.

    :func:`meetings` has the whole of it.
    """
    results = team_results(games)
    teams = sorted(set(results["team"]))
    won = results.assign(won=results["won"].astype(float)).pivot_table(
        index="team", columns="opponent", values="won", aggfunc="sum", observed=False)
    return won.reindex(index=teams, columns=teams)


def meetings(games: pd.DataFrame) -> pd.DataFrame:
    """One row a team and opponent that have met, forfeits included: how it went, alphabetical.

    Returns:
        team, opponent, played, won, lost, tied, points_for, points_against, rate (of games won), low, high (95 %).
    """
    results = team_results(games).assign(played=1)
    table = results.groupby(["team", "opponent"], sort=True).agg(
        played=("played", "size"), won=("won", "sum"), lost=("lost", "sum"), tied=("tied", "sum"),
        points_for=("points", "sum"), points_against=("against", "sum")).reset_index()
    table = table.astype(dict.fromkeys(table.columns[2:], INT))
    table["rate"], table["low"], table["high"] = _rate(table["won"], table["played"])
    return table


def margins(games: pd.DataFrame) -> pd.DataFrame:
    """One row a team: by how many points its games went, forfeits left out; alphabetical.

    Returns:
        team, n (games), margin (mean of own less opponents' total), low, high (95 %), best, worst, in_wins, in_losses
        (mean margins of games won and lost, missing without one).
    """
    results = team_results(played_at_the_table(games))
    results["margin"] = _floats(results["points"] - results["against"])
    by = results.groupby("team", sort=True)["margin"]
    table = by.agg(["size", "mean", "std", "max", "min"])
    half = mean_half_width(table["std"].to_numpy(), table["size"].to_numpy())
    of_wins, of_losses = (results[results[key].astype(bool)].groupby("team")["margin"].mean().reindex(table.index)
                          for key in ("won", "lost"))
    return pd.DataFrame({
        "n": table["size"].astype(INT), "margin": table["mean"], "low": table["mean"] - half,
        "high": table["mean"] + half, "best": table["max"].astype(INT), "worst": table["min"].astype(INT),
        "in_wins": of_wins, "in_losses": of_losses}).rename_axis("team").reset_index()


def race(games: pd.DataFrame) -> pd.DataFrame:
    """Games won so far, one row for each team and day on which it played: team, date, won, played.

    Games without a date are left out: there is no telling where they belong.
    """
    results = team_results(games).dropna(subset=["date"])
    days = results.groupby(["team", "date"], sort=True).agg(won=("won", "sum"), played=("won", "size"))
    return days.groupby(level="team").cumsum().reset_index()


def _rate(successes: pd.Series, n: pd.Series) -> tuple[pd.Series, ...]:
    k, n = _floats(successes), _floats(n)
    low, high = wilson(k, n)
    index = successes.index
    return (k / n.where(n > 0)).set_axis(index), pd.Series(low, index), pd.Series(high, index)


def _floats(values: pd.Series) -> pd.Series:
    return pd.Series(values.to_numpy(dtype=float, na_value=float("nan")), values.index)
