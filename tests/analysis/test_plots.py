"""Every figure: axes in, the same axes out, the table left alone, and its numbers where they belong."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from simulated import NAMES, play, result_of, save, season, slip

import analysis
from analysis import audit, expected, outlook, plots, reader, stats
from analysis.drawing import styles
from analysis.league import team_results
from analysis.strength import bradley_terry


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plots")
    games = season(3, teams=6)
    results = [result_of(g) for g in games]
    results[0] = dataclasses.replace(results[0], problems=(slip(1, 10, False), slip(2, 0, False, "hand-check")))
    save(folder / "season.db", games, results)
    frames = analysis.load(folder / "season.db")
    teams = stats.team_table(frames.games, frames.hands)
    return {
        "race_plot": stats.race(frames.games), "standings_plot": analysis.standings(frames.games),
        "form_plot": team_results(frames.games), "odds_plot": outlook.odds_by_week(frames.games, draws=50),
        "set_rate_plot": teams, "average_plot": teams, "hand_scores_plot": frames.hands,
        "expected_plot": expected.above_expectation(frames.games, frames.hands),
        "head_to_head_plot": stats.head_to_head(frames.games), "strength_plot": bradley_terry(frames.games),
        "slips_plot": audit.slips_by_kind(frames.problems, frames.hands),
        "slips_by_plot": audit.slips_by(frames, "keeper"), "slips_trend_plot": audit.slips_by(frames, "week"),
        "reliability_plot": reader.reliability([0.9, 0.99, 0.6], [True, True, False]),
    }


FIGURES = sorted(name for name in plots.__all__ if name.endswith("_plot"))


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_draws_on_the_axes_it_is_given_and_on_nothing(tables, name, tmp_path):
    plot, table = getattr(plots, name), tables[name]
    ax = Figure().subplots()
    before = table.copy()
    assert plot(table, ax=ax) is ax
    pd.testing.assert_frame_equal(table, before)
    assert ax.get_title() and (ax.has_data() or ax.images)
    assert isinstance(plot(table.iloc[:0]), Axes)
    ax.figure.savefig(tmp_path / "figure.png")


def dots_of(ax: Axes) -> dict[str, float]:
    """Label to place of its dot, of a figure with one line a row."""
    line = next(line for line in ax.lines if line.get_marker() == "o")
    names = {float(y): label.get_text() for y, label in zip(ax.get_yticks(), ax.get_yticklabels(), strict=True)}
    return {names[float(y)]: float(x) for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}


def test_the_standings_stand_in_their_order_at_the_share_they_won(tables):
    table = tables["standings_plot"]
    found = dots_of(plots.standings_plot(table))
    assert [label.split(". ")[1].split(" (")[0] for label in found] == table["team"].tolist()
    assert list(found.values()) == pytest.approx((table["won"] / table["played"]).astype(float).tolist())


def test_slips_are_told_in_words_and_a_hundred_hands(tables):
    found = dots_of(plots.slips_plot(tables["slips_plot"]))
    assert found.keys() == {"total added wrong (1)", "hand's check wrong (1)"}
    hands = tables["slips_plot"]["hands"].iloc[0]
    assert list(found.values()) == pytest.approx([100 / hands] * 2)


def test_teams_level_with_each_other_can_all_be_seen_in_the_race():
    days = pd.to_datetime(["2026-01-05", "2026-01-12"])
    race = pd.DataFrame([(team, day, i + 1, i + 1) for team in "ABC" for i, day in enumerate(days)],
                        columns=["team", "date", "won", "played"])
    ends = [line.get_ydata()[-1] for line in plots.race_plot(race).lines]
    assert len(set(ends)) == 3 and np.abs(np.array(ends) - 2).max() < 0.2


def test_the_form_shows_the_last_game_at_the_right():
    days = pd.to_datetime(["2026-01-12", "2026-01-05"])
    results = pd.DataFrame({"team": ["A", "A"], "date": days, "won": [True, False], "lost": [False, True],
                            "tied": False})
    won, lost, tied = plots.form_plot(results).collections
    assert (won.get_offsets()[0, 0], lost.get_offsets()[0, 0], len(tied.get_offsets())) == (0, -1, 0)


def test_expected_and_seen_hand_scores_are_drawn_to_one_scale():
    """Hands drawn from the simulation itself: every bar within five times its chance error of the line."""
    base = expected.baseline().scores
    rng = np.random.default_rng(6)
    seen = rng.choice(len(base), (2, 4000), p=base)
    ax = plots.hand_scores_plot(pd.DataFrame({"we_points": seen[0], "they_points": seen[1]}))
    bars = np.array([bar.get_height() for bar in ax.patches[:-1]])
    line = ax.patches[-1].get_data().values
    assert bars.sum() == 8000 and line.sum() == pytest.approx(8000)
    assert (np.abs(bars - line) < 5 * np.sqrt(np.maximum(line, 1))).all()


def test_teams_are_told_apart_without_colour():
    looks = styles(f"team {i}" for i in range(32))
    assert len({(look["marker"], look["linestyle"]) for look in looks.values()}) == 32
    assert styles(["b", "a"])["a"] == styles(["a", "b"])["a"]


def test_odds_end_with_the_table(tmp_path):
    rng = random.Random(9)
    weeks = [(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)]
    games = [play(rng, NAMES[p], NAMES[q], f"2026-01-{5 + 7 * week:02}")
             for week, (a, b, c, d) in enumerate(weeks) for p, q in ((a, b), (c, d))]
    save(tmp_path / "season.db", games)
    frames = analysis.load(tmp_path / "season.db")
    odds = outlook.odds_by_week(frames.games, draws=400)
    assert odds.groupby("week")["remaining"].sum().tolist() == [8, 4, 0]
    first = odds[odds["week"] == 1]
    assert first["chance"].between(0.01, 0.9).all() and len(first) == 4
    last = odds[odds["week"] == 3].set_index("team")["chance"]
    table = analysis.standings(frames.games)
    assert last.to_dict() == {row.team: float(row.rank == 1) for row in table.itertuples()}
