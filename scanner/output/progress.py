"""Progress of a run on stderr: one line a photo, and how long the rest will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

from scanner.output.plain import counted, plain
from scanner.sheet.results import PhotoResult

#: Seconds without a sign of life after which a person wonders.
PATIENCE = 2.0


def paced(tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> Callable[[str], None]:
    """``tell`` for work in many small steps: a line passes only when none did for :data:`PATIENCE` seconds.

    Work that is done sooner says nothing at all.
    """
    last = clock()

    def told(line: str) -> None:
        nonlocal last
        if clock() - last >= PATIENCE:
            tell(line)
            last = clock()

    return told


class Progress:
    """A context manager; call :meth:`step` for each photo done. Lines only, so that a log of them stays readable."""

    def __init__(self, total: int, file: TextIO | None = None) -> None:
        self.total = total
        self.done = 0
        self._file = file or sys.stderr
        self._start = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.flush()

    def step(self, result: PhotoResult) -> None:
        """Report one photo."""
        self.done += 1
        line = f"[{self.done}/{self.total}] {plain(result.photo)}: {_found(result)}{self._rest()}"
        print(line, file=self._file, flush=True)

    def _rest(self) -> str:
        left = (time.monotonic() - self._start) / self.done * (self.total - self.done)
        return "" if left < 1 else f" (about {_span(left)} left)"


def _found(result: PhotoResult) -> str:
    if result.error is not None:
        return f"{result.error.code}, {plain(result.error.message.removeprefix(f'{result.photo}: '))}"
    games = [game for sheet in result.sheets for game in sheet.games]
    slips = sum(problem.code != "unreadable" for game in games for problem in game.problems)
    hands = sum(len(game.rows) for game in games)
    return f"{counted(hands, 'hand')}, {counted(slips, 'slip')}" if hands else "nothing written on the sheet"


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
