"""The league's file: read as it is meant, or refused in words that name the place and the nearest right one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.leaguefile import Fixture, League, load_league, read_fixtures
from scanner.sheet.errors import ClabberError, InputError

ROSTER = """
[[teams]]
name = "Eagles"
aliases = ["Egles"]
[[teams]]
name = "Owls"
[[teams]]
name = "Hawks"
"""
PLAN = """tournament,week,date,we,they,forfeit
spring,1,2026-01-05,Eagles,Owls,
spring,1,,Hawks,,
spring,2,,EGLES,Hawks,hawks
final,1,2026-02-02,Owls,Hawks,both
"""
FILE = """
name = "Evansville 2026"
roster = "roster.toml"
fixtures = "plan.csv"
tie_breaks = ["head_to_head", "points_for"]
forfeit_points = [520, 10]
[championship]
tournament = "final"
places = 2
"""


def write(folder, text: str = FILE, plan: str = PLAN):
    (folder / "roster.toml").write_text(ROSTER)
    (folder / "plan.csv").write_text(plan)
    (folder / "league.toml").write_text(text)
    return folder / "league.toml"


def test_a_league_is_read_whole(tmp_path):
    league = load_league(write(tmp_path))
    assert (league.name, league.names) == ("Evansville 2026", ("Eagles", "Owls", "Hawks"))
    assert league.criteria == ("won", "head_to_head", "points_for") and league.forfeit_points == (520, 10)
    assert (league.championship, league.places) == ("final", 2)
    assert league.fixtures == (
        Fixture("spring", 1, "2026-01-05", "Eagles", "Owls"), Fixture("spring", 1, None, "Hawks", None),
        Fixture("spring", 2, None, "Eagles", "Hawks", "they"),
        Fixture("final", 1, "2026-02-02", "Owls", "Hawks", "both"))
    assert league.canonical(" egles ") == "Eagles" and league.canonical("Bears") is None


def test_what_is_left_out_has_its_default(tmp_path):
    (tmp_path / "league.toml").write_text("")
    league = load_league(tmp_path / "league.toml")
    assert (league.name, league.criteria, league.names) == ("league", ("won", "points_for"), ())
    assert League(ranking="points", tie_breaks=()).criteria == ("points_for",)
    plan = read_fixtures(b"week;we;they\n1;Eagles;Owls\n\n;;\n", "plan.csv")
    assert plan == (Fixture("season", 1, None, "Eagles", "Owls"),)
    assert League(fixtures=plan).names == ("Eagles", "Owls")


@pytest.mark.parametrize(("text", "message"), [
    ("rankin = 1", "key 'rankin' is unknown. Did you mean 'ranking'"), ("ranking = 'luck'", "'games' or 'points'"),
    ("name = 3", "'name' must be a text"), ("roster = 'none.toml'", "none.toml: cannot be read"),
    ("fixtures = 'none.csv'", "none.csv: cannot be read"), ("= 3", "not a TOML file"),
    ("tie_breaks = ['points']", "tie break 'points' is unknown. Did you mean 'points_for'"),
    ("tie_breaks = ['points_for', 'points_for']", "each once"), ("tie_breaks = ['won']", "is unknown"),
    ("tie_breaks = 3", "must be a list"), ("forfeit_points = [0, 500]", "smaller one"),
    ("forfeit_points = [true, 0]", "two numbers"), ("championship = 3", "must be a table"),
    ("[championship]\nplaces = 1", "from 2"), ("[championship]\nplace = 2", "Did you mean 'places'"),
])
def test_an_unusable_league_is_refused_with_the_key(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        load_league(write(tmp_path, text))


@pytest.mark.parametrize(("change", "message"), [
    (("week", "wek"), "column 'wek' is unknown. Did you mean 'week'"),
    (("date,", ""), "line 2: 6 values under 5 columns"),
    (("spring,2", "spring,two"), "line 4: the week must be a number"), (("spring,2", "spring,0"), "from 1"),
    (("Eagles,Owls", "Egals,Owls"), "line 2: 'Egals' is no team of the league. Did you mean 'Eagles'"),
    (("Eagles,Owls", "Eagles,egles"), "cannot play itself"), (("2026-01-05", "2026-02-30"), "is no day"),
    (("hawks", "Owls"), "line 4: forfeit names the one of the two"), (("Hawks,,", "Hawks,,Hawks"), "forfeit names"),
    (("Hawks,,", ",Hawks,"), "no team; a bye"), (("Eagles,Owls", 'Eagles,"Ow'), "not a CSV file"),
    (("tournament,week", "week,week"), "each once"),
])
def test_an_unusable_schedule_is_refused_with_the_line(tmp_path, change, message):
    with pytest.raises(InputError, match=message) as caught:
        load_league(write(tmp_path, plan=PLAN.replace(*change)))
    assert "plan.csv" in str(caught.value)


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet='week,theyEaglsOw12026-; "\n\r\0é', max_size=60), st.booleans())
def test_any_text_is_a_schedule_or_refused_in_words(text, headed):
    try:
        read_fixtures(("week,we,they,date\n" * headed + text).encode(), "plan.csv")
    except ClabberError as error:
        assert len(str(error)) < 1000
