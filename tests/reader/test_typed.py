"""Printed names: what Tesseract is sure of counts, what it guesses does not, and it is not asked about bare paper."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from scanner.photo.printed import find_tesseract, read_words
from scanner.reader.typed import has_ink, typed_name
from scanner.sheet.roster import Roster, Team

ROSTER = Roster((Team("Eagles", ("Golden Eagles",)), Team("Owls"), Team("Bell Ringers")))


@dataclass(frozen=True)
class Word:
    text: str
    confidence: float


def strip(text: str, paper: int = 235) -> np.ndarray:
    """A line of print on a strip with its writing line."""
    image = Image.new("RGB", (420, 74), (paper,) * 3)
    draw = ImageDraw.Draw(image)
    draw.text((40, 14), text, fill=(30, 30, 40), font=ImageFont.load_default(34))
    draw.line((10, 56, 410, 56), fill=(120, 120, 120), width=2)
    return np.array(image)


@pytest.mark.parametrize("words, name", [
    ([Word("Owls", 0.95)], "Owls"),
    ([Word("They:", 0.9), Word("Bell", 0.96), Word("Ringers", 0.9)], "Bell Ringers"),
    ([Word("golden", 0.9), Word("eagles", 0.9)], "Eagles"),
    ([Word("Eag1es", 0.9)], None),
    ([Word("Owls", 0.3)], None),
    ([Word("Mules", 0.95)], None),
    ([Word("We:", 0.9)], None),
    ([], None),
])
def test_sure_words_that_are_a_team_name_it(words: list[Word], name: str | None):
    label = typed_name(strip("Eagles"), ROSTER, lambda grey, mode: words)
    assert (label and label.text) == name


def test_without_a_roster_the_words_are_the_name():
    label = typed_name(strip("Lynnville"), None, lambda grey, mode: [Word("Lynnville", 0.9), Word("Lions", 0.8)])
    assert label is not None and (label.text, label.confidence) == ("Lynnville Lions", 0.8)


def test_bare_paper_is_not_shown_to_tesseract():
    def never(grey: np.ndarray, mode: int) -> None:
        raise AssertionError("asked about bare paper")

    assert typed_name(strip(""), ROSTER, never) is None


@pytest.mark.parametrize("paper", [235, 90])
def test_ink_is_seen_in_any_light(paper: int):
    assert has_ink(strip("Eagles", paper).mean(axis=2).astype(np.uint8))


@pytest.mark.skipif(find_tesseract() is None, reason="no Tesseract here")
def test_tesseract_itself_reads_a_printed_team():
    label = typed_name(strip("Bell Ringers"), ROSTER, read_words)
    assert label is not None and label.text == "Bell Ringers"
