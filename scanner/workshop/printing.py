"""A small print shop: the words on a pad, set in the fonts that come with the plotting library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Rng = np.random.Generator

#: Families of (plain, bold) files; an empty name is Pillow's own face. Only faces with a full Latin alphabet.
FAMILIES = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("DejaVuSans-Oblique.ttf", "DejaVuSans-BoldOblique.ttf"),
    ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"),
    ("DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf"),
    ("DejaVuSerif-Italic.ttf", "DejaVuSerif-BoldItalic.ttf"),
    ("STIXGeneral.ttf", "STIXGeneralBol.ttf"),
    ("STIXGeneralItalic.ttf", "STIXGeneralBolIta.ttf"),
    ("cmr10.ttf", "cmb10.ttf"),
    ("cmss10.ttf", "cmss10.ttf"),
    ("cmtt10.ttf", "cmtt10.ttf"),
    ("", ""),
)
#: The face that has the four suits.
SUITS_FACE = "DejaVuSans.ttf"

_OWNERS = ("Hartig", "Schnell", "Baumann", "O'Leary", "Weber", "Kratz", "Mueller", "Angermeier", "Fenwick", "Tapp",
           "Lindauer", "Wagner", "Pfeiffer", "Boone", "Nunn", "Reitz", "Hoffmann", "Delaney", "Vogel", "Sandusky")
_FIRMS = ("'s", " Bros.", " & Sons", "")
_EXCHANGES = ("HA", "GR", "42", "47")
_TRADES = ("Feed Mill", "Drugs", "Auto Body", "Plumbing & Heating", "Meats", "Funeral Home", "Coal Co.", "Barber Shop",
           "Shoe Repair", "Dairy", "Bottling Co.", "Lumber", "Tap Room", "Garage", "Floral", "Printing",
           "Bowling Lanes",
           "Savings & Loan", "Cafe", "Roofing", "Radio & TV", "Electric", "Nursery", "Upholstery", "Oil Co.")
_CLUBS = ("St. Boniface Men's Club", "North Park Clabber League", "V.F.W. Post 1114", "Knights of St. John",
          "Eagles Aerie 427", "Posey County Old Settlers", "Union Local 215", "Germania Maennerchor",
          "Tri-County Clabber Association", "Haubstadt Sommerfest", "Sacred Heart Parish",
          "Stringtown Volunteer Fire Dept.")
_SLOGANS = ("Where friends meet", "Serving the tri-state since 1934", "Open evenings", "Cold beer - hot fish",
            "We deliver", "Free estimates", "Quality you can trust", "Closed Sundays", "Fish fry every Friday",
            "Your neighbor since 1911", "Good luck, card players!", "Ask for Bob", "Stop in after the game")
_STREETS = ("W. Franklin St.", "Main Street", "First Avenue", "Old State Road", "Fulton Ave.", "Highway 41 North",
            "Washington Ave.", "Barker Ave.", "Second & Main", "Division St.")
_NAMES = ("CLABBER", "Clabber", "Clabber Score", "CLABBER SCORE PAD", "Clabber Score Card", "Official Clabber Tally",
          "CLABBER TALLY", "Clabber League", "Clabber Score Sheet", "C L A B B E R")
_RULES = ("Jack 20  Nine 14  Ace 11  Ten 10  King 4  Queen 3", "Bell 20   Dad 20   Fifty 50   Hundred 100",
          "500 points wins the game", "Follow suit - trump in - overtrump", "Four Jacks 200",
          "Renege: 162 and meld to opponents", "Form 12-C", "Turn pad over when done", "Please recycle",
          "Printed in U.S.A.")


@cache
def _folder() -> Path:
    # Found without importing matplotlib, which takes seconds.
    return Path(str(find_spec("matplotlib").origin)).parent / "mpl-data" / "fonts" / "ttf"


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """A face by file name (``""`` for Pillow's own) at a size in pixels."""
    return ImageFont.truetype(str(_folder() / name), size) if name else ImageFont.load_default(size)


@dataclass(frozen=True)
class Word:
    """A run of print: its text, face, height and letter spacing in millimetres."""

    text: str
    face: str
    size: float
    spacing: float = 0.0


class Plate:
    """The ink a press lays on one page: a coverage picture, written in millimetres.

    Attributes:
        pixels: uint8 array, shape (H, W); 255 is full coverage.
        ppm: pixels to the millimetre.
    """

    def __init__(self, width: float, height: float, ppm: float) -> None:
        self.ppm = ppm
        self._image = Image.new("L", (round(width * ppm), round(height * ppm)), 0)
        self._draw = ImageDraw.Draw(self._image)

    @property
    def pixels(self) -> np.ndarray:
        """The plate so far, a copy."""
        return np.array(self._image)

    def width(self, word: Word) -> float:
        """How wide a word will be, in millimetres."""
        face = font(word.face, self._size(word))
        return face.getlength(word.text) / self.ppm + word.spacing * max(0, len(word.text) - 1)

    def put(self, word: Word, x: float, y: float, anchor: str = "l", ink: int = 255) -> None:
        """Sets a word with its base line at ``y`` and its left (l), middle (m) or right (r) at ``x``, millimetres."""
        x -= {"l": 0.0, "m": 0.5, "r": 1.0}[anchor] * self.width(word)
        face = font(word.face, self._size(word))
        for run in (word.text if word.spacing else [word.text]):
            self._draw.text((x * self.ppm, y * self.ppm), run, font=face, fill=ink, anchor="ls")
            x += face.getlength(run) / self.ppm + word.spacing

    def fitted(self, word: Word, room: float) -> Word:
        """The word, made smaller if it is wider than ``room`` millimetres."""
        wide = self.width(word)
        return word if wide <= room else Word(word.text, word.face, word.size * room / wide, word.spacing * room / wide)

    def box(self, x0: float, y0: float, x1: float, y1: float, ink: int = 255, line: float | None = None) -> None:
        """A filled rectangle, or with ``line`` a frame of that line width, millimetres."""
        corners = [v * self.ppm for v in (x0, y0, x1, y1)]
        if line is None:
            self._draw.rectangle(corners, fill=ink)
        else:
            self._draw.rectangle(corners, outline=ink, width=max(1, round(line * self.ppm)))

    def _size(self, word: Word) -> int:
        return max(6, round(word.size * self.ppm))


def advertiser(rng: Rng) -> list[str]:
    """One to four lines about whoever paid for the pad."""
    name = _pick(rng, _CLUBS)
    if rng.random() < 0.65:
        name = f"{_pick(rng, _OWNERS)}{_pick(rng, _FIRMS)} {_pick(rng, _TRADES)}"
    lines = [name.upper() if rng.random() < 0.5 else name]
    number = f"{_pick(rng, _EXCHANGES)}{rng.integers(2, 9)}-{rng.integers(1000, 9999)}"
    more = [_pick(rng, _SLOGANS), f"{rng.integers(2, 2900)} {_pick(rng, _STREETS)}",
            f"{_pick(rng, ('Phone', 'Call', 'Tel.', 'Ph.'))} {number}"]
    rng.shuffle(more)
    return lines + more[: int(rng.integers(0, 4))]


def game_name(rng: Rng) -> str:
    """The printed title of the pad."""
    return _pick(rng, _NAMES)


def small_print(rng: Rng) -> list[str]:
    """Zero to three lines for the foot of a page."""
    return [_pick(rng, _RULES) for _ in range(int(rng.choice(4, p=[0.5, 0.25, 0.15, 0.1])))]


def _pick(rng: Rng, words: tuple[str, ...]) -> str:
    return words[int(rng.integers(len(words)))]
