"""Printed pages: everything is on one of them, in order, none too full, and no heading stands alone at a foot."""

from __future__ import annotations

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from analysis import page, plots, printed
from analysis.parts import Picture, Section, percent, several
from analysis.printed import _INNER, _Block, _pages


@given(st.lists(st.tuples(st.floats(0.1, _INNER / 2), st.booleans()), max_size=40))
def test_blocks_are_laid_out_in_order_on_pages_that_hold_them(pieces):
    blocks = [_Block(height, lambda row: None, holds) for height, holds in pieces]
    made = list(_pages(blocks))
    assert [block for some in made for block in some] == blocks
    for number, some in enumerate(made):
        held = sum(block.height for block in some)
        assert held <= _INNER or all(block.holds_next for block in some[:-1])
        assert not (some[-1].holds_next and number < len(made) - 1)


def test_a_long_table_goes_on_over_pages_and_none_of_it_is_lost(tmp_path):
    rows = pd.DataFrame({"date": [pd.Timestamp("2026-01-05")] * 120, "text": [f"row {i} $x_$" for i in range(120)]})
    part = Section("Long", ("A note.",) * 70, rows, {"date": "Date", "text": "Text"})
    blocks = list(printed._blocks(part))
    assert max(block.height for block in blocks) <= _INNER
    path = printed.write_pdf("A $title", [part], tmp_path / "long.pdf", "foot")
    data = path.read_bytes()
    assert data.count(b"/Type /Page ") == len(list(_pages([printed._heading("A", 20), *blocks]))) >= 4


def test_short_texts_stand_on_one_line_and_numbers_at_the_right():
    frame = pd.DataFrame({"team": ["West Side"], "n": [7], "why": ["x" * 99], "share": [0.25]})
    html = page.table(frame, {"team": "Team", "n": "N", "why": "Why", "share": "Share"})
    assert '<td class="s">West Side</td><td class="n">7</td><td>' in html and '<td class="n">0.2</td>' in html
    assert page.table(frame.iloc[:0], {"team": "Team"}).count("<tr>") == 1


def test_chances_are_never_rounded_to_certainty():
    assert [percent(p) for p in (0.0, 0.004, 0.5, 0.996, 1.0)] == ["0 %", "under 1 %", "50 %", "over 99 %", "100 %"]
    assert several(0, "game") == "0 games" and several(2, "entry", "entries") == "2 entries"


def test_pictures_of_many_teams_have_the_width_of_the_page():
    few, many = (Picture(lambda ax, n=n: plots.standings_plot(standing(n), ax=ax), "") for n in (8, 24))
    heights = [[block.height for block in printed._blocks(Section("x", pictures=(one, one)))] for one in (few, many)]
    assert heights == [[printed._HEADING, printed._PAIR], [printed._HEADING, printed._LARGE, printed._LARGE]]


def standing(teams: int) -> pd.DataFrame:
    return pd.DataFrame({"rank": range(1, teams + 1), "team": [f"T{i}" for i in range(teams)], "won": 1, "played": 2})
