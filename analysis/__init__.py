"""What a league wants to know, from its season file: tidy, documented pandas frames, and tables made of them.

    >>> import analysis
    >>> frames = analysis.load("season.db")         # doctest: +SKIP
    >>> analysis.standings(frames.games)            # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.frames import Frames, load
    from analysis.league import standings
    from analysis.leaguefile import League, load_league
    from analysis.report import write_report

# pandas and matplotlib take seconds to import, so each name is fetched when it is first used.
_HOME = {"load": "frames", "Frames": "frames", "standings": "league", "League": "leaguefile",
         "load_league": "leaguefile", "write_report": "report"}

__all__ = ["Frames", "League", "load", "load_league", "standings", "write_report"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    return getattr(import_module(f"analysis.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
