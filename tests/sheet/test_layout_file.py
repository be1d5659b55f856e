"""Layouts written as files, and guesses at what printed headings stand for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.sheet.layout import Column, Layout, built_in_layouts, parse_layout
from scanner.sheet.layout_file import guessed, layout_toml

LENGTHS = st.integers(5, 4000).map(lambda tenths: tenths / 10)
NAMES = st.text(min_size=1, max_size=12).map(str.strip).filter(bool)
TITLES = st.lists(st.text(max_size=8).map(str.upper).filter(lambda t: t == t.upper()), max_size=2)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    count = draw(st.integers(1, 6))
    columns = tuple(Column(f"c{i}", tuple(draw(TITLES)), draw(LENGTHS), True) for i in range(count))
    heights = tuple(draw(st.lists(LENGTHS, min_size=1, max_size=6)))
    return Layout(draw(NAMES), columns, heights, draw(LENGTHS), draw(st.integers(1, 3)))


@settings(max_examples=60, deadline=None)
@given(layouts(), st.text(alphabet="ab\n #\"", max_size=20))
def test_what_is_written_is_read_again(layout: Layout, remark: str) -> None:
    assert parse_layout(layout_toml(layout, remark), "x.toml") == layout


@pytest.mark.parametrize("layout", built_in_layouts(), ids=lambda x: x.name)
def test_the_built_in_pads_survive_too(layout: Layout) -> None:
    assert parse_layout(layout_toml(layout), "x.toml") == layout


@pytest.mark.parametrize(("titles", "keys"), [
    (("We", "They", "Check", "Check"), ("we_total", "they_total", "hand_check", "total_check")),
    (("PTS", "WE", "THEY", "PTS"), ("we_points", "we_total", "they_total", "they_points")),
    (("WE", "THEY", "WE", "THEY"), ("we_points", "they_points", "we_total", "they_total")),
    (("No.", "US", "THEM", "ck"), ("number", "we_total", "they_total", "hand_check")),
    (("", "Dealer", "?", ""), (None, None, None, None)),
])
def test_headings_say_what_a_column_holds(titles: tuple[str, ...], keys: tuple[str | None, ...]) -> None:
    bare = Layout("x", tuple(Column(f"column_{i}", (), 9.0, True) for i in range(4)), (9.0,) * 3, 9.0)
    found = guessed(bare, titles)
    assert tuple(None if c.key.startswith("column_") else c.key for c in found.columns) == keys
    assert all(c.free == (key in (None, "number")) for c, key in zip(found.columns, keys, strict=True))
    assert parse_layout(layout_toml(found), "x.toml").keys == found.keys
