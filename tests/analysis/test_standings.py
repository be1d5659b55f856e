"""Standings under any order of tie breaks, with ties, forfeits and unfinished games, against plain Python.

``CLABBER_SEASONS`` says how many seasons (200 by default; 1,000 were run and agree).
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass

import pandas as pd
import pytest
from simulated import NAMES

from analysis import schemas
from analysis.league import standings
from analysis.leaguefile import League
from analysis.ranking import CRITERIA, RANKINGS, stated
from analysis.weeks import cumulative, weekly

SEASONS = int(os.environ.get("CLABBER_SEASONS", "200"))
COLUMNS = ["rank", "team", "played", "won", "lost", "tied", "points_for", "points_against"]


@dataclass(frozen=True)
class Result:
    week: int
    we: str
    they: str
    we_total: int | None
    they_total: int | None
    forfeit: bool = False

    @property
    def winner(self) -> str | None:
        """The side that won; None on a tie, where both forfeited, and while nobody has won."""
        we, they = self.we_total, self.they_total
        if we is None or they is None or max(we, they) < 500 or we == they:
            return None
        return "we" if we > they else "they"

    @property
    def counts(self) -> bool:
        known = self.we_total is not None and self.they_total is not None
        return known and (max(self.we_total, self.they_total) >= 500 or self.forfeit)


def league(rng: random.Random) -> list[Result]:
    """A season with totals from so few values that teams are often level."""
    names, found = rng.sample(NAMES, rng.randrange(2, 7)), []
    for week in range(1, rng.randrange(2, 8)):
        order = rng.sample(names, len(names))
        for we, they in zip(order[::2], order[1::2], strict=False):
            kind = rng.random()
            totals = [rng.choice((500, 510)), rng.choice((400, 410))]
            rng.shuffle(totals)
            if kind < 0.1:
                found.append(Result(week, we, they, *rng.choice(((500, 0), (0, 500), (0, 0))), forfeit=True))
            elif kind < 0.2:
                found.append(Result(week, we, they, 520, 520))
            elif kind < 0.3:
                found.append(Result(week, we, they, *rng.choice(((300, 400), (450, 450), (None, 510)))))
            else:
                found.append(Result(week, we, they, *totals))
    return found


def frame(results: list[Result]) -> pd.DataFrame:
    rows = [(str(i), None, r.we, r.they, r.we_total, r.they_total, r.winner, "forfeit" if r.forfeit else "photo",
             "season", r.week) for i, r in enumerate(results)]
    games = pd.DataFrame(rows, columns=["game_id", "date", "we", "they", "we_total", "they_total", "winner_side",
                                        "source", "tournament", "week"])
    types = {"we_total": schemas.INT, "they_total": schemas.INT, "week": schemas.INT, "date": schemas.DAY}
    return games.astype(types | {key: schemas.TEXT for key in ("we", "they", "winner_side", "source", "tournament")})


def plain_table(results: list[Result], criteria: tuple[str, ...], teams: set[str] = frozenset()) -> list[list]:
    """The table on fingers: lines of COLUMNS."""
    lines = {team: dict.fromkeys(COLUMNS[2:], 0) for team in teams}
    met: dict[tuple[str, str], int] = {}
    for r in results:
        if not r.counts:
            continue
        for me, other, own, theirs, side in ((r.we, r.they, r.we_total, r.they_total, "we"),
                                             (r.they, r.we, r.they_total, r.we_total, "they")):
            line = lines.setdefault(me, dict.fromkeys(COLUMNS[2:], 0))
            line["played"] += 1
            line["points_for"] += own
            line["points_against"] += theirs
            outcome = "won" if r.winner == side else "lost" if r.winner else "lost" if r.forfeit else "tied"
            line[outcome] += 1
            met[me, other] = met.get((me, other), 0) + (outcome == "won")

    def merit(team: str, criterion: str, level: list[str]) -> int:
        line = lines[team]
        return {"won": line["won"], "points_for": line["points_for"], "points_against": -line["points_against"],
                "difference": line["points_for"] - line["points_against"],
                "head_to_head": sum(met.get((team, other), 0) for other in level)}[criterion]

    def place(level: list[str], left: tuple[str, ...]) -> list[list[str]]:
        """Groups of teams that nothing tells apart, the best first."""
        if len(level) == 1 or not left:
            return [sorted(level)]
        best = max(merit(team, left[0], level) for team in level)
        ahead = [team for team in level if merit(team, left[0], level) == best]
        if len(ahead) == len(level):
            return place(level, left[1:])
        behind = [team for team in level if team not in ahead]
        # Those behind are compared with one another by this criterion too, as it stood among all of them.
        values = sorted({merit(team, left[0], level) for team in behind}, reverse=True)
        groups = [[team for team in behind if merit(team, left[0], level) == value] for value in values]
        return [g for group in (ahead, *groups) for g in place(group, left[1:])]

    table, rank = [], 1
    for group in place(sorted(lines), criteria) if lines else []:
        table += [[rank, team, *lines[team].values()] for team in group]
        rank += len(group)
    return table


def random_league(rng: random.Random) -> League:
    ranking = rng.choice(("games", "points"))
    others = [c for c in CRITERIA if c != RANKINGS[ranking][0]]
    return League(ranking=ranking, tie_breaks=tuple(rng.sample(others, rng.randrange(0, 5))))


def test_every_season_agrees_with_plain_python():
    for seed in range(SEASONS):
        rng = random.Random(seed)
        results, rules = league(rng), random_league(rng)
        table = standings(frame(results), league=rules)
        assert table[COLUMNS].to_numpy().tolist() == plain_table(results, rules.criteria), seed


def test_the_tables_after_each_week_agree_with_plain_python():
    for seed in range(SEASONS // 10):
        rng = random.Random(seed)
        results, rules = league(rng), random_league(rng)
        teams = {team for r in results if r.counts for team in (r.we, r.they)}
        table = cumulative(frame(results), league=rules)
        assert sorted(table["week"].unique()) == sorted({r.week for r in results if r.counts})
        for week, rows in table.groupby("week"):
            so_far = [r for r in results if r.week <= week]
            assert rows[COLUMNS].to_numpy().tolist() == plain_table(so_far, rules.criteria, teams), (seed, week)
        for week, rows in weekly(frame(results)).groupby("week"):
            alone = plain_table([r for r in results if r.week == week], ("won",))
            assert sorted(map(tuple, rows[COLUMNS[1:]].to_numpy().tolist())) == sorted(tuple(r[1:]) for r in alone)


def test_what_broke_a_tie_is_said():
    """Four teams with a win each: D by points, then C and A level in those, A having beaten C; B alone behind."""
    results = [Result(1, "A", "C", 510, 400), Result(2, "C", "B", 510, 400), Result(3, "B", "D", 500, 410),
               Result(4, "D", "A", 520, 400)]
    rules = League(tie_breaks=("points_for", "head_to_head"))
    table = standings(frame(results), league=rules).set_index("team")
    assert table["rank"].to_dict() == {"D": 1, "A": 2, "C": 3, "B": 4}
    assert table["tie_break"].to_dict() == {"D": "points_for", "A": "head_to_head", "C": "head_to_head",
                                            "B": "points_for"}
    shared = standings(frame(results), league=League())["tie_break"].tolist()
    assert shared == ["points_for", "shared", "shared", "points_for"]
    assert stated(rules.criteria) == (
        "Ranked by games won; teams level in that by game points, then by games won among the teams still level. "
        "Teams level in all of it share a rank.")


@pytest.mark.parametrize("criteria", [("won",), ("points_for",)])
def test_one_criterion_is_stated_without_a_tie_break(criteria):
    assert stated(criteria) == f"Ranked by {CRITERIA[criteria[0]]}. Teams level in all of it share a rank."
