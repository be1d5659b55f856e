"""The roster: what it holds, and what is refused and how."""

from __future__ import annotations

from pathlib import Path

import pytest

from scanner.sheet.errors import InputError
from scanner.sheet.roster import load_roster, parse_roster


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
