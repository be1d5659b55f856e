"""The roster: what is refused and how, and which team a badly read name is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.sheet.errors import InputError
from scanner.sheet.roster import Roster, Team, load_roster, match_name, parse_roster

LEAGUE = Roster((Team("Eagles", ("Eagle",)), Team("Owls"), Team("West Side"), Team("West End"), Team("Moose")))


def test_a_roster_is_read_in_the_order_of_its_file(tmp_path: Path):
    path = tmp_path / "roster.toml"
    path.write_text(
        '[[teams]]\nname = "Eagles"\naliases = ["Eagle"]\nplayers = ["Ann", "Bob"]\n[[teams]]\nname = "Owls"\n'
    )
    roster = load_roster(path)
    assert roster.names == ("Eagles", "Owls")
    assert roster.teams[0].spellings == ("Eagles", "Eagle") and roster.teams[0].players == ("Ann", "Bob")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[teams]", "not a TOML file"),
        ("", "no teams"),
        ("teams = 3", "no teams"),
        ('[[team]]\nname = "A"', "Did you mean 'teams'"),
        ('[[teams]]\nnames = "A"', "Did you mean 'name'"),
        ("[[teams]]\naliases = []", "team 1: 'name' is missing"),
        ('[[teams]]\nname = "  "', "'name' is missing"),
        ('[[teams]]\nname = "A"\nplayers = "Ann"', "'players' must be a list"),
        ('[[teams]]\nname = "Owls"\n[[teams]]\nname = "OWLS"', "share a spelling"),
    ],
)
def test_a_wrong_roster_is_refused_with_the_place_and_the_cure(text: str, message: str):
    with pytest.raises(InputError, match=f"r.toml.*{message}"):
        parse_roster(text, "r.toml")


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="nowhere.toml: cannot be read"):
        load_roster(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("read", "team"),
    [("Eagles", "Eagles"), ("EAGLE", "Eagles"), ("Eag1es", "Eagles"), ("0wls", "Owls"), ("west-side", "West Side")],
)
def test_a_name_with_a_letter_wrong_is_still_its_team(read: str, team: str):
    assert match_name(read, LEAGUE)[0] == team


@pytest.mark.parametrize("read", ["", "...", "Lions", "xyz", "West", "12"])
def test_what_is_nobodys_or_two_teams_name_is_none(read: str):
    assert match_name(read, LEAGUE) is None


@given(st.sampled_from(LEAGUE.teams), st.integers(0, 1))
def test_every_spelling_is_its_own_team_with_certainty(team: Team, which: int):
    spelling = team.spellings[min(which, len(team.spellings) - 1)]
    assert match_name(f" {spelling.upper()}. ", LEAGUE) == (team.name, 1.0)


@given(st.text(max_size=200))
def test_any_text_gives_a_team_of_the_roster_or_none(text: str):
    found = match_name(text, LEAGUE)
    assert found is None or (found[0] in LEAGUE.names and 0 <= found[1] <= 1)
