"""What the sample sheets show, one by one, and the made-up league they are about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

Rng = np.random.Generator

#: Teams of the samples' league; ``sample_sheets/roster.toml`` lists the same.
TEAMS = ("Mules", "Turkey Tracks", "Four Jacks", "Bell Ringers", "Dads", "Trumps", "River Rats", "Corner Table",
         "Last Trick", "Old Nines", "Fifty Club", "Sidekicks", "Night Shift", "Lamplighters", "Hedgehogs", "Tin Cups")

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Sheet:
    """The plan of one sheet.

    Attributes:
        layout: name of the pad's layout.
        level: easy, medium, hard or brutal.
        size: (width, height) of the photo before any messenger shrinks it.
        slips: kinds of slip to make, one for each game from the left.
        copy: longer side of a messenger's copy, 0 for none.
        scanner: laid on a scanner instead of photographed.
        hands: how many people wrote.
        empty: the last grid stays unused.
        unfinished: the last game stops after a few hands.
        turned: degrees clockwise that the EXIF tag asks a viewer to turn the stored picture.
        quality: of the JPEG.
        background: table top, random when left out.
        fill: share of the frame the page takes, random when left out.
        care: how much the keeper errs, 0 to 1, instead of what the level says.
        shows: a few words for the table.
    """

    layout: str
    level: str
    size: tuple[int, int] = (1536, 2048)
    slips: tuple[str, ...] = ()
    copy: int = 0
    scanner: bool = False
    hands: int = 1
    empty: bool = False
    unfinished: bool = False
    turned: int = 0
    quality: int = 86
    background: str | None = None
    fill: float | None = None
    care: float | None = None
    shows: str = ""


TOUR: tuple[Sheet, ...] = (
    Sheet("evansville", "easy", background="boards", care=0.0, shows="a clean sheet to begin with"),
    Sheet("beside", "easy", background="oilcloth", slips=("adding",), care=0.0, shows="a total added wrong"),
    Sheet("double", "easy", (2048, 1536), background="stone", care=0.0, shows="two games on a page"),
    Sheet("double", "medium", (2048, 1536), empty=True, background="felt", care=0.3, shows="the second grid not used"),
    Sheet("evansville", "medium", slips=("carrying",), turned=90, background="laminate", shows="added to an old total"),
    Sheet("beside", "medium", (2250, 3000), slips=("swapping",), care=1.0, turned=270, shows="digits turned round"),
    Sheet("evansville", "medium", (3024, 4032), slips=("counting",), quality=76, background="place mat",
          shows="a full-size phone photo; cards counted wrong"),
    Sheet("beside", "medium", background="white table", slips=("tied-hand",), shows="a white table; a set not marked"),
    Sheet("double", "medium", (2048, 1536), scanner=True, slips=("set-too-low",), shows="from a scanner"),
    Sheet("evansville", "hard", (2250, 3000), slips=("total-check",), hands=2, shows="two hands; a check added wrong"),
    Sheet("beside", "hard", background="notebook", care=1.0, shows="on other ruled paper"),
    Sheet("double", "hard", (2500, 1875), slips=("adding", "counting"), turned=180, shows="a slip in each game"),
    Sheet("evansville", "medium", copy=1280, slips=("hand-check",), shows="a messenger's small copy"),
    Sheet("beside", "medium", unfinished=True, background="dark bar", shows="a game broken off, nobody has won"),
    Sheet("evansville", "hard", slips=("past-the-end",), fill=1.1, shows="fills the frame; a hand after the end"),
    Sheet("double", "hard", (4032, 3024), quality=70, turned=90, background="newspaper", care=0.8,
          shows="a full-size photo among print"),
    Sheet("evansville", "brutal", (1875, 2500), care=0.8, shows="everything at once, still legible"),
    Sheet("beside", "brutal", copy=1600, slips=("swapping",), care=0.8, shows="everything at once, a small copy"),
)


def random_date(rng: Rng) -> str:
    """A date of the season as people write it."""
    year, month, day = int(rng.integers(24, 27)), int(rng.integers(1, 13)), int(rng.integers(1, 29))
    return date_text(date(2000 + year, month, day), rng)


def date_text(day: date, rng: Rng) -> str:
    """A date in one of the forms people write it in."""
    year, month = day.year % 100, day.month
    forms = (f"{month}-{day.day}-{year}", f"{month}/{day.day}/{year}", f"{month}/{day.day}/{day.year}",
             f"{_MONTHS[month - 1]} {day.day}")
    return forms[int(rng.choice(4, p=[0.4, 0.3, 0.15, 0.15]))]
