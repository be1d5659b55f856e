"""The strip of words under an overlay: what photo it is, what its marks mean, and every problem as a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from scanner.output import ink
from scanner.output.frames import cell_frame
from scanner.output.plain import counted, plain
from scanner.sheet.heads import unsettled_heads
from scanner.sheet.results import PhotoResult, Problem, SheetResult

#: Letters of the strip, in parts of the picture's width: some 75 letters on a line.
_LETTERS = 1 / 46
_SIDES = {"we": "We", "they": "They"}

_LEGEND = (
    ("sure", "sure"),
    ("less", "less sure"),
    ("asked", "please check (diamond)"),
    ("wrong", "the sums disagree (disc)"),
)


@dataclass(frozen=True)
class Note:
    """A problem and the number that stands at its cell."""

    number: int
    problem: Problem
    grid: int

    @property
    def colour(self) -> ink.Colour:
        """The colour of its badge."""
        return ink.VERMILION if self.problem.code == "unreadable" else ink.PURPLE


def caption(picture: Image.Image, result: PhotoResult, notes: Sequence[Note]) -> Image.Image:
    """``picture`` with a white strip of words added at its foot, as high as the words need."""
    strip = _Strip(picture.width)
    strip.write(_title(result), bold=True)
    if result.error is not None:
        strip.write(plain(result.error.message.removeprefix(f"{result.photo}: ")), ink.VERMILION)
    for sheet in result.sheets:
        for line in _outcome(sheet):
            strip.write(line)
    strip.gap()
    several = len({note.grid for note in notes}) > 1
    for note in notes:
        strip.note(note, f"Game {note.grid}. " if several else "")
    if result.sheets:
        strip.legend()
    foot = strip.image()
    whole = Image.new("RGB", (picture.width, picture.height + foot.height), ink.WHITE)
    whole.paste(picture, (0, 0))
    whole.paste(foot, (0, picture.height))
    return whole


def _title(result: PhotoResult) -> str:
    return plain("/".join(result.photo.split("/")[-2:]), 80)


def _outcome(sheet: SheetResult) -> list[str]:
    asked = unsettled_heads(sheet)
    names = {side: plain(label.text, 40) + "?" * (side in asked) for side, label in sheet.teams.items() if label.text}
    head = f"Layout {plain(sheet.layout, 40)}"
    if names:
        head += f"; we: {names.get('we', '?')}, they: {names.get('they', '?')}"
    if sheet.date.text:
        head += f"; {plain(sheet.date.iso or sheet.date.text, 30)}" + "?" * ("date" in asked)
    lines = [head] if sheet.games else [head, "Nothing is written on it."]
    for game in sheet.games:
        won = "nobody has won yet" if game.winner is None else f"{_SIDES[game.winner]} won, as written"
        if game.winner_corrected != game.winner:
            fair = "nobody has won yet" if game.winner_corrected is None else f"{_SIDES[game.winner_corrected]} won"
            won += f"; added up again, {fair}"
        which = f"Game {game.grid}: " if len(sheet.games) > 1 else ""
        slips = "" if game.problems else "; every sum is right"
        lines.append(f"{which}{counted(len(game.rows), 'hand')}, {won}{slips}.")
    return lines


class _Strip:
    """Lines of words set one under the other on white paper of a given width."""

    def __init__(self, width: int) -> None:
        self.size = max(int(width * _LETTERS), 11)
        self._margin = self.size
        self._width = width
        self._image = Image.new("RGBA", (width, self.size * 2), (*ink.WHITE, 255))
        self._y = self.size * 0.6

    def image(self) -> Image.Image:
        """What was written so far."""
        return self._image.crop((0, 0, self._width, int(self._y + self.size * 0.5))).convert("RGB")

    def write(self, text: str, colour: ink.Colour = ink.BLACK, bold: bool = False, indent: float = 0.0) -> None:
        """One paragraph, its lines broken between words."""
        letters = ink.font(self.size, bold)
        room = self._width - 2 * self._margin - indent
        for line in _broken(text, lambda part: letters.getlength(part) <= room):
            self._pen().text((self._margin + indent, self._y), line, font=letters, fill=(*colour, 255))
            self._y += self.size * 1.35

    def gap(self) -> None:
        """Some white below what was written."""
        self._y += self.size * 0.4

    def note(self, note: Note, before: str) -> None:
        """A problem behind its badge."""
        middle = (self._margin + self.size * 0.9, self._y + self.size * 0.6)
        ink.badge(
            self._pen(), middle, str(note.number), self.size, note.colour, round_=note.problem.code != "unreadable"
        )
        sure = "" if note.problem.probability >= 0.995 else f" ({note.problem.probability:.0%} sure)"
        self.write(before + plain(note.problem.message) + sure, indent=self.size * 2.4)
        self._y += self.size * 0.35

    def legend(self) -> None:
        """What the four kinds of frame mean, each behind a sample of it."""
        self._y += self.size * 0.4
        x = self._margin
        letters = ink.font(int(self.size * 0.8))
        for kind, words in _LEGEND:
            length = self.size * 2.6 + letters.getlength(words)
            if x > self._margin and x + length > self._width - self._margin:
                x, self._y = self._margin, self._y + self.size * 1.5
            pen = self._pen()
            self._image.paste(_sample(kind, self.size), (int(x), int(self._y)))
            pen.text((x + self.size * 2.0, self._y + self.size * 0.6), words, font=letters, anchor="lm", fill=ink.GREY)
            x += length
        self._y += self.size * 1.4

    def _pen(self) -> ImageDraw.ImageDraw:
        """A pen on the paper, which grows when the next line might not fit."""
        if self._y + self.size * 3 > self._image.height:
            longer = Image.new("RGBA", (self._width, int(self._y * 2 + self.size * 8)), (*ink.WHITE, 255))
            longer.paste(self._image, (0, 0))
            self._image = longer
        return ImageDraw.Draw(self._image)


def _sample(kind: str, size: int) -> Image.Image:
    """A small frame as it is drawn round a cell of that kind."""
    width, height = size * 1.7, size * 1.15
    canvas = np.full((int(height), int(width), 3), 255, np.uint8)
    corners = np.array([(3, 3), (width - 4, 3), (width - 4, height - 4), (3, height - 4)], dtype=float)
    cell_frame(canvas, corners, kind)
    return Image.fromarray(canvas)


def _broken(text: str, fits) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and not fits(longer):
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line]
