"""Games entered twice: typed and photographed, or from both teams' sheets. The later one is set aside, and said why."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pandas as pd

#: (names in alphabetical order, totals of the first and the second after each hand)
_Story = tuple[str, str, tuple[tuple[float, float], ...]]


def twins(games: pd.DataFrame, hands: pd.DataFrame) -> pd.Series:
    """For each game that was entered twice a sentence that names the earlier one, else missing.

    Two games are one if they stand on different sheets, between the same teams (on whichever sides), with the same
    running totals hand by hand for two hands or more, on the same day or one of them on none that is known.  Two hands
    alike by chance are one in tens of thousands; two teams that meet once or twice a year need not fear it.
    """
    found = pd.Series(None, index=games.index, dtype=object)
    suspects = _suspects(games)
    told: dict[_Story, list[int]] = defaultdict(list)
    for position, story in zip(suspects, _stories(games.iloc[suspects], hands), strict=True):
        if story is not None:
            told[story].append(position)
    for alike in told.values():
        first: list[int] = []
        for position in alike:
            twin = next((p for p in first if _one(games.iloc[p], games.iloc[position])), None)
            if twin is None:
                first.append(position)
            else:
                earlier = games.iloc[twin]
                found.iloc[position] = f"entered twice: the same as {earlier['game_id']} ({earlier['photo']})"
    return found


def _suspects(games: pd.DataFrame) -> list[int]:
    """Positions of the games that end like another of the same two teams; only their hands need be compared."""
    # Plain strings: a column without any name has no type that strings can be compared with once pyarrow is installed.
    we, they = (games[side].astype(object).where(games[side].notna(), "").to_numpy(object) for side in ("we", "they"))
    first = pd.Series(we <= they, index=games.index).astype(bool)
    ends = pd.DataFrame({
        "one": games["we"].where(first, games["they"]), "two": games["they"].where(first, games["we"]),
        "own": games["we_total"].where(first, games["they_total"]),
        "other": games["they_total"].where(first, games["we_total"]), "hands": games["hands"]})
    return np.flatnonzero(ends.duplicated(keep=False)).tolist()


def _one(earlier: pd.Series, later: pd.Series) -> bool:
    days = earlier["date"], later["date"]
    return earlier["sheet_id"] != later["sheet_id"] and (any(map(pd.isna, days)) or days[0] == days[1])


def _stories(games: pd.DataFrame, hands: pd.DataFrame) -> list[_Story | None]:
    """What each game tells, the team first in the alphabet first; None where a name or all but one hand is missing."""
    hands = hands[hands["game_id"].isin(set(games["game_id"]))]
    totals: dict[str, list[tuple[float, float]]] = defaultdict(list)
    # A total that is not known is like no number but like another unknown one.
    numbers = [hands[f"{side}_total"].to_numpy(dtype=float, na_value=-1.0).tolist() for side in ("we", "they")]
    for game, *pair in zip(hands["game_id"].tolist(), *numbers, strict=True):
        totals[game].append(tuple(pair))
    stories = []
    for game, we, they in games[["game_id", "we", "they"]].itertuples(index=False, name=None):
        story = totals[game] if isinstance(we, str) and isinstance(they, str) else []
        if len(story) < 2:
            stories.append(None)
        elif we <= they:
            stories.append((we, they, tuple(story)))
        else:
            stories.append((they, we, tuple((b, a) for a, b in story)))
    return stories
