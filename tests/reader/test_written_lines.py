"""The shipped network of written lines: on lines composed by hands it never saw, and on photographed sheets."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from scanner.photo.blanks import cut_head
from scanner.photo.load import load
from scanner.photo.sheets import FoundSheet, Grid
from scanner.reader.dates import read_date
from scanner.reader.lines import ALPHABET, read_lines
from scanner.reader.names import name_on, read_name, read_names
from scanner.sheet.errors import ClabberError
from scanner.sheet.layout import load_layout
from scanner.sheet.roster import Roster, Team
from scanner.workshop.glyphs import own_hand
from scanner.workshop.letters import LetterHand
from scanner.workshop.lines import compose_line

PHOTOS = Path(__file__).resolve().parents[2].parent / "shared" / "photos"
TEAMS = ("Eagles", "Owls", "Bell Ringers", "Hickory Knob", "Jasper Jays", "Kiwanis", "Vets", "Zion", "Old Post 12")
ROSTER = Roster(tuple(Team(name) for name in TEAMS))
HANDS = tuple(LetterHand(f"own {i}", own_hand(700_000 + i)) for i in range(8))


@pytest.fixture(scope="module")
def lines() -> list:
    """(line as read, what is written, whether that is on the roster), badly photographed ones included."""
    rng, some = np.random.default_rng(11), []
    for i in range(36):
        text = (*TEAMS, "Mueller's", "Trump", "Sycamore")[i % 12]
        image, _ = compose_line(HANDS, rng, text)
        some.append((read_lines([image])[0], text, text in TEAMS))
    return some


def test_most_names_of_the_roster_are_known_and_hardly_any_is_wrong(lines):
    labels = [(name_on(line, ROSTER), text, known) for line, text, known in lines]
    right = sum(label.text == text for label, text, known in labels if known)
    wrong = sum(label.text not in ("", text) for label, text, _ in labels)
    assert right >= 16 and wrong <= 1


def test_frames_are_probabilities_of_the_alphabet(lines):
    for line, _, _ in lines[:4]:
        for frames in line.looks:
            assert frames.shape[1] == len(ALPHABET)
            np.testing.assert_allclose(frames.sum(1), 1, atol=1e-6)


def test_bare_paper_says_nothing():
    paper = np.full((70, 400, 3), 230, np.uint8)
    assert read_name(paper, ROSTER).text == ""
    assert read_name(paper).text == ""
    assert read_date(paper).iso is None


def test_a_picture_that_is_none_is_refused():
    with pytest.raises(ClabberError, match="uint8"):
        read_name(np.zeros((40, 100), float))


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photographed sheets are not here")
def test_photographed_sheets_name_their_teams():
    truths = [json.loads(path.read_text()) for path in sorted(PHOTOS.glob("dev*.json"))]
    roster = Roster(tuple(Team(n) for n in sorted({t for truth in truths for t in truth["teams"].values()})))
    right = wrong = 0
    for truth in truths[3::12]:
        for side, label in read_names(_strips(truth), roster).items():
            right += label.text == truth["teams"][side]
            wrong += label.text not in ("", truth["teams"][side])
    assert right >= 9 and wrong == 0


def _strips(truth: dict) -> dict[str, np.ndarray]:
    """Strips of both names, cut by the grid as it truly lies."""
    grids = tuple(Grid(i, tuple(map(tuple, quad)), np.array(nodes), 0.0) for i, (quad, nodes)
                  in enumerate(zip(truth["game_quads"], truth["ruling_nodes"], strict=True), 1))
    photo = load(PHOTOS / truth["photo"])
    strips = cut_head(photo.pixels, FoundSheet(load_layout(truth["layout"]), 1.0, grids[0].quad, grids))
    return {side: strips[side] for side in ("we", "they") if side in strips}
