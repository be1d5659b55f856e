"""Team names on a line: the roster's teams, their aliases, nobody, and nothing written."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.reader.lines import ALPHABET, Line
from scanner.reader.names import LEAST_NAME, may_be_name, name_on, read_names, team_probabilities
from scanner.sheet.roster import Roster, Team

ROSTER = Roster((Team("Eagles", ("Eagle",)), Team("Owls"), Team("Bell Ringers"), Team("Bells"), Team("O'Brien & Sons"),
                 Team("West Side", ("W.S.", "Westsiders"))))


def written(text: str, doubt: float = 1e-3) -> Line:
    """A line whose every letter the network is all but sure of."""
    places = [p for char in text for p in (ALPHABET.index(char), 0)] or [0, 0]
    frames = np.full((len(places), len(ALPHABET)), doubt / (len(ALPHABET) - 1))
    frames[np.arange(len(places)), places] = 1 - doubt
    return Line((frames,))


@pytest.mark.parametrize("text, team", [
    ("eagles", "Eagles"), ("eagle", "Eagles"), ("owls", "Owls"), ("bells", "Bells"), ("bell ringers", "Bell Ringers"),
    ("bellringers", "Bell Ringers"), ("o'brien & sons", "O'Brien & Sons"), ("westsiders", "West Side"),
    ("eag1es", "Eagles"), ("west sid", "West Side"),
])
def test_a_team_is_known_by_any_spelling_and_through_a_misread_letter(text: str, team: str):
    label = name_on(written(text, doubt=0.05), ROSTER)
    assert label.text == team
    assert label.confidence >= LEAST_NAME


@pytest.mark.parametrize("text", ["sportsmen", "hawks", "mueller", "3-7-26", "x"])
def test_a_stranger_is_nobody_rather_than_the_nearest_team(text: str):
    label = name_on(written(text), ROSTER)
    assert (label.text, label.confidence) == ("", 0.0)


def test_probabilities_are_shared_among_teams_and_nobody():
    shares = team_probabilities(written("owls"), ROSTER)
    assert shares.shape == (len(ROSTER.teams) + 1,)
    assert shares.sum() == pytest.approx(1)
    assert shares.argmax() == 1


def test_an_empty_line_is_surely_empty():
    label = name_on(written(""), ROSTER)
    assert label.text == "" and label.confidence > 0.9


def test_without_a_roster_the_line_speaks_for_itself():
    label = name_on(written("o'brien's west siders"))
    assert label.text == "O'Brien's West Siders"
    assert 0.8 < label.confidence <= 1


def test_a_doubtful_letter_shows_in_the_confidence():
    frames = written("owls").looks[0].copy()
    frames[0, ALPHABET.index("o")], frames[0, ALPHABET.index("a")] = 0.6, 0.4
    assert name_on(Line((frames,))).confidence == pytest.approx(0.6, abs=0.02)


def test_one_good_look_is_enough():
    blind = np.full_like(written("owls").looks[0], 1 / len(ALPHABET))
    assert name_on(Line((blind, written("owls").looks[0])), ROSTER).text == "Owls"


def test_nobody_plays_against_himself(monkeypatch):
    sure, unsure = written("owls"), written("owls", doubt=0.4)
    monkeypatch.setattr("scanner.reader.names.read_lines", lambda strips: [sure, unsure])
    strip = np.zeros((40, 200, 3), np.uint8)
    labels = read_names({"we": strip, "they": strip}, ROSTER)
    assert labels["we"].text == "Owls"
    assert labels["they"].text != "Owls"


@pytest.mark.parametrize("text", ["7-14-25", "3/7/26", "4", "1201", "", "a", "'- &", "3 7 2026", "12 a"])
def test_figures_and_scraps_are_no_team(text: str) -> None:
    assert not may_be_name(text)
    assert name_on(written(text)).text == ""


@pytest.mark.parametrize("text", ["mules", "d & j", "lodge 1201", "vfw 12", "o'hara's"])
def test_what_may_be_a_team_stays_one(text: str) -> None:
    assert may_be_name(text)
