"""How games go: recent form, streaks, comebacks, closing out from 400, and the season's records."""

from __future__ import annotations

import pandas as pd

from analysis.intervals import wilson
from analysis.league import played_at_the_table, team_results
from analysis.schemas import INT
from analysis.stats import team_hands

#: From here a game is there to be closed out: an ordinary hand or two wins it.
CLOSE = 400


def form(games: pd.DataFrame, last: int = 5) -> pd.DataFrame:
    """One row a team, alphabetical: team, form (W, L, T of its last games, newest last), streak (3 or -2: won or lost).

    Games count in the order of their days; those without one come first, in the order they were saved.
    """
    results = team_results(games).sort_values("date", kind="stable", na_position="first")
    letters = results["won"].map({True: "W", False: ""}) + results["lost"].map({True: "L", False: ""})
    rows = []
    for team, own in letters.where(letters != "", "T").groupby(results["team"], sort=True):
        rows.append((team, "".join(own.tail(last)), _streak(list(own))))
    return pd.DataFrame(rows, columns=["team", "form", "streak"])


def streaks(games: pd.DataFrame) -> pd.DataFrame:
    """One row a team: its longest runs of games won and lost and how it stands now, in the order of :func:`form`.

    Returns:
        team, games, longest_won, longest_lost, now (3 or -2: won or lost in a row, 0 after a tie).
    """
    results = team_results(games).sort_values("date", kind="stable", na_position="first")
    rows = []
    for team, own in results.groupby("team", sort=True):
        won, lost = own["won"].astype(bool).tolist(), own["lost"].astype(bool).tolist()
        letters = ["W" if w else "L" if x else "T" for w, x in zip(won, lost, strict=True)]
        rows.append((team, len(own), _longest(won), _longest(lost), _streak(letters)))
    return pd.DataFrame(rows, columns=["team", "games", "longest_won", "longest_lost", "now"])


def _longest(happened: list[bool]) -> int:
    longest = run = 0
    for so in happened:
        run = run + 1 if so else 0
        longest = max(longest, run)
    return longest


def closing(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """One row a team: games in which it was the first to reach 400 while ahead, and how many of them it won.

    Returns:
        team, led, closed, rate, low, high (95 %).
    """
    lead = _first_ahead(hands)
    results = team_results(games).merge(lead, on="game_id", how="inner")
    sides = games.set_index("game_id")
    leader = results["game_id"].map(sides["we"]).where(results["side"] == "we", results["game_id"].map(sides["they"]))
    led = results[results["team"] == leader]
    table = led.groupby("team", sort=True).agg(led=("won", "size"), closed=("won", "sum")).reset_index()
    low, high = wilson(table["closed"].to_numpy(dtype=float), table["led"].to_numpy(dtype=float))
    rate = table["closed"].astype(float) / table["led"].astype(float)
    return table.assign(led=table["led"].astype(INT), closed=table["closed"].astype(INT), rate=rate, low=low, high=high)


def comebacks(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """Won games by the greatest number of points the winner was ever behind: game_id, date, team, opponent, behind."""
    gap = (hands["we_total"] - hands["they_total"]).groupby(hands["game_id"]).agg(["min", "max"])
    won = team_results(games)
    won = won[won["won"].astype(bool)].merge(gap, left_on="game_id", right_index=True)
    is_we = won["game_id"].map(games.set_index("game_id")["winner_side"]) == "we"
    behind = (-won["min"]).where(is_we, won["max"]).clip(lower=0).fillna(0).astype(INT)
    table = won.assign(behind=behind).sort_values("behind", ascending=False, kind="stable", ignore_index=True)
    return table[["game_id", "date", "team", "opponent", "behind"]]


def records(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """The season's records, one row each: record, value, team, opponent, date, game_id. Ties go to the earlier game.

    Biggest hand, widest margin, greatest comeback, shortest and longest game (hands).
    """
    results = team_results(played_at_the_table(games))
    won = results[results["won"].astype(bool)]
    length = won.assign(value=won["game_id"].map(games.set_index("game_id")["hands"]))
    scores = team_hands(games, hands).dropna(subset=["points"]).rename(columns={"points": "value"})
    best = [
        ("biggest hand", scores, True),
        ("widest margin", won.assign(value=won["points"] - won["against"]), True),
        ("greatest comeback", comebacks(games, hands).rename(columns={"behind": "value"}), True),
        ("shortest game", length, False),
        ("longest game", length, True),
    ]
    rows = []
    for name, table, most in best:
        if len(table):
            row = table.sort_values("value", ascending=not most, kind="stable").iloc[0]
            rows.append((name, int(row["value"]), row["team"], row["opponent"], row["date"], row["game_id"]))
    return pd.DataFrame(rows, columns=["record", "value", "team", "opponent", "date", "game_id"])


def _streak(letters: list[str]) -> int:
    last = letters[-1]
    length = next((i for i, letter in enumerate(reversed(letters)) if letter != last), len(letters))
    return {"W": length, "L": -length, "T": 0}[last]


def _first_ahead(hands: pd.DataFrame) -> pd.DataFrame:
    """For each game the side first at 400 or more and ahead: game_id, side."""
    ahead = hands[(hands[["we_total", "they_total"]].max(axis=1) >= CLOSE) & (hands["we_total"] != hands["they_total"])]
    first = ahead.sort_values("hand", kind="stable").drop_duplicates("game_id")
    side = (first["we_total"] > first["they_total"]).map({True: "we", False: "they"})
    return pd.DataFrame({"game_id": first["game_id"], "side": side})
