"""How often the intervals of the tables hold the truth: ``python benchmarks/season_intervals.py``.

Seasons of simulated card play by the same eight teams, each season analysed on its own; the truth of a rate or mean is
what it is over all of them together.  Strengths by games and by hands are also tried on leagues whose true strengths
are drawn from the prior, where a stated 95 % must be 95 %.
"""

from __future__ import annotations

import argparse
from itertools import combinations

import numpy as np
import pandas as pd

from analysis import form, handmodel, handstats, schemas, stats
from analysis.strength import PRIOR, bradley_terry
from scanner.rules.league import season_teams, simulate_season

#: Table, name of the rate or mean in it, and its columns: count and n (or the mean), low, high.
_RATES = {
    "make rate": ("team", "made", "told", "make_low", "make_high"),
    "set rate": ("team", "sets", "made", "set_low", "set_high"),
    "hands kept": ("hand", "kept", "kept_n", "kept_low", "kept_high"),
    "sets inflicted": ("hand", "inflicted", "inflicted_n", "inflicted_low", "inflicted_high"),
    "zeros": ("hand", "zeros", "zeros_n", "zeros_low", "zeros_high"),
    "hands won": ("hand", "best", "best_n", "best_low", "best_high"),
    "closing from 400": ("close", "closed", "led", "low", "high"),
    "won after leading hand 1": ("first", "won", "ahead", "rate_low", "rate_high"),
    "last hands kept": ("last", "kept", "made", "rate_low", "rate_high"),
}
_MEANS = {
    "points a hand": ("team", "average", "hands", "average_low", "average_high"),
    "meld of made hands": ("hand", "meld", "meld_n", "meld_low", "meld_high"),
    "margin of games": ("margin", "margin", "n", "low", "high"),
    "points of first hands": ("first", "average", "n", "low", "high"),
    "points of last hands": ("last", "average", "n", "low", "high"),
}


def frames(seasons: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """All seasons as one pair of frames games and hands; a team is called season/name, so none meets another's."""
    teams, games, hands = season_teams(8, 1), [], []
    for season in range(seasons):
        for number, game in enumerate(simulate_season(teams, season)):
            key = f"{season}/{number}"
            names = f"{season}/{game.we}", f"{season}/{game.they}"
            games.append((key, pd.NaT, *names, *game.totals, game.winner, len(game.hands)))
            total = [0, 0]
            for row, hand in enumerate(game.hands, 1):
                total = [total[0] + hand.we, total[1] + hand.they]
                maker = hand.set or ("we" if hand.we > hand.they else "they")
                meld = None if hand.set else hand.we + hand.they - 162
                hands.append((key, row, hand.we, hand.they, *total, hand.set, maker, meld))
    columns = ["game_id", "date", "we", "they", "we_total", "they_total", "winner_side", "hands"]
    return (_frame(games, columns, ("we_total", "they_total", "hands")),
            _frame(hands, ["game_id", "hand", "we_points", "they_points", "we_total", "they_total", "set", "maker",
                           "meld"], ("hand", "we_points", "they_points", "we_total", "they_total", "meld")))


def _frame(rows: list[tuple], columns: list[str], whole: tuple[str, ...]) -> pd.DataFrame:
    types = {c: schemas.INT if c in whole else schemas.TEXT for c in columns if c != "date"}
    return pd.DataFrame(rows, columns=columns).astype(types)


def covered(table: pd.DataFrame, estimate: str, n: str, low: str, high: str, rate: bool) -> tuple[float, int, float]:
    """Share of intervals that hold the truth of their team, how many there are, and the mean n."""
    table = table.assign(name=table["team"].str.split("/").str[1], n=table[n].astype(float))
    table["sum"] = table[estimate].astype(float) * (1 if rate else table["n"])
    known = table[(table["n"] > 0) & table[low].notna()]
    sums = known.groupby("name")[["sum", "n"]].sum()
    truth = known["name"].map(sums["sum"] / sums["n"])
    return float(known[low].le(truth).mul(known[high].ge(truth)).mean()), len(known), float(known["n"].mean())


def season_by_season(games: pd.DataFrame, hands: pd.DataFrame) -> pd.DataFrame:
    """The table of hands of each season alone: its intervals of meld take their spread from all teams of the season."""
    parts = (dict(list(frame.groupby(frame["game_id"].str.split("/").str[0]))) for frame in (games, hands))
    of_season, its_hands = parts
    return pd.concat([handstats.team_hand_table(own, its_hands[season]) for season, own in of_season.items()],
                     ignore_index=True)


def prior_leagues(seasons: int, seed: int = 1) -> tuple[float, float]:
    """Coverage of strengths by games and by hands, in leagues of eight with true strengths drawn from the priors."""
    rng, names, by_games, by_hands = np.random.default_rng(seed), [f"T{i}" for i in range(8)], [], []
    for _ in range(seasons):
        logits, points = rng.normal(0, PRIOR, 8), rng.normal(0, handmodel.PRIOR, 8)
        games, hands = [], []
        for number, (i, j) in enumerate(combinations(range(8), 2)):
            we = rng.random() < 1 / (1 + np.exp(logits[j] - logits[i]))
            games.append((str(number), pd.NaT, names[i], names[j], 510 if we else 400, 400 if we else 510,
                          "we" if we else "they"))
            hands += [(str(number), 300 + round(gap), 300) for gap in rng.normal(points[i] - points[j], 99, 6)]
        table = _frame(games, ["game_id", "date", "we", "they", "we_total", "they_total", "winner_side"],
                       ("we_total", "they_total"))
        for found, truth, into in ((bradley_terry(table), logits, by_games), (handmodel.hand_strength(
                table, _frame(hands, ["game_id", "we_points", "they_points"], ("we_points", "they_points"))), points,
                by_hands)):
            row = found.set_index("team").loc[names]
            into.append(((row["low"] <= truth) & (truth <= row["high"])).mean())
    return float(np.mean(by_games)), float(np.mean(by_hands))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--seasons", type=int, default=1000)
    options = parser.parse_args()
    games, hands = frames(options.seasons)
    print(f"{options.seasons} seasons of 8 teams, {len(games)} games, {len(hands)} hands")
    found = {"team": stats.team_table(games, hands), "hand": season_by_season(games, hands),
             "close": form.closing(games, hands), "first": handstats.first_hands(games, hands),
             "last": handstats.last_hands(games, hands), "margin": stats.margins(games)}
    found["team"]["told"] = found["team"]["hands"]
    for kinds, rate in ((_RATES, True), (_MEANS, False)):
        for name, (table, *columns) in kinds.items():
            share, count, n = covered(found[table], *columns, rate)
            print(f"{name:26} {100 * share:5.1f} % of {count} intervals, n {n:5.1f} on average")
    by_games, by_hands = prior_leagues(options.seasons)
    for name, share in (("strength by games, prior", by_games), ("strength by hands, prior", by_hands)):
        print(f"{name:26} {100 * share:5.1f} %")


if __name__ == "__main__":
    main()
