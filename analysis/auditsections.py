"""The parts of a report for the captains' meeting: how the scores were kept, and which records look doubtful."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from matplotlib.axes import Axes

from analysis import audit, plots
from analysis.frames import Frames
from analysis.league import not_counted
from analysis.parts import Picture, Section, several, unsettled_heads

#: Longest list a page shows; the rest is in the Excel file.
_MOST_LINES = 200
#: Most pairs of names to doubt; teams that are numbered all look alike.
_MOST_NAMES = 20
_GIVEN = {"team": "Team", "own": "Points given to it", "others": "Given to its opponents", "net": "Profit",
          "won": "Games won by a slip", "lost": "Games lost by one"}
_SLIPS = {"date": "Date", "we": "We", "they": "They", "message": "Finding", "game_id": "Game"}
_CHANGED = {"date": "Date", "we": "We", "they": "They", "we_total_written": "We written",
            "they_total_written": "They written", "we_total_corrected": "We corrected",
            "they_total_corrected": "They corrected", "game_id": "Game"}
_OFFICIAL = "The written totals are the official score until a person decides otherwise."


def scorekeeping(frames: Frames) -> list[Section]:
    """How often which slip was made, by whom and when, what it gave to whom, and each of them in words."""
    found = audit.slips(frames.problems)
    changed = audit.changed_winners(frames.games)
    rate = f", {100 * len(found) / len(frames.hands):.1f} in a hundred hands" if len(frames.hands) else ""
    notes = (f"{several(len(found), 'slip')} on {several(len(frames.hands), 'hand')}{rate}. {_OFFICIAL} "
             f"{several(len(changed), 'game')} would have another winner, or none yet, by the corrected totals.",)
    given = audit.points_given(frames.games)
    given = given[(given[["own", "others", "won", "lost"]] != 0).any(axis=1)]
    parts = [Section("Scorekeeping", notes, pictures=tuple(_pictures(frames)) if len(found) else ())]
    if len(given):
        parts.append(Section("Points wrongly given", (
            "Written less corrected final totals: what slips gave each team. Below 0: taken from it.",), given, _GIVEN))
    if len(changed):
        parts.append(Section("Games that slips turned", (
            "The written and the corrected totals have different winners: a hand after the end counts as written only.",
        ), changed, _CHANGED))
    named = found.merge(frames.games[["game_id", "date", "we", "they"]], on="game_id").sort_values(
        "date", kind="stable", na_position="last")
    return [*parts, Section("Slips of the pencil", tuple(_only_first(found)), named.head(_MOST_LINES), _SLIPS)]


def _pictures(frames: Frames) -> list[Picture]:
    kinds = audit.slips_by_kind(frames.problems, frames.hands)

    def by(table: pd.DataFrame, plot: Callable[..., Axes]) -> Callable[[Axes], Axes]:
        return lambda ax: plot(table, ax=ax)

    tables = {key: audit.slips_by(frames, key) for key in ("keeper", "layout", "week")}
    captions = {"keeper": "By the team that kept the sheet (the one under We).", "layout": "By the kind of pad."}
    pictures = [Picture(by(kinds, plots.slips_plot), "By kind, with 95 % intervals.")]
    pictures += [Picture(by(tables[key], plots.slips_by_plot), text) for key, text in captions.items()
                 if len(tables[key])]
    if len(tables["week"]) > 1:
        pictures.append(Picture(by(tables["week"], plots.slips_trend_plot), "Dotted: the season's mean."))
    return pictures


def doubts(frames: Frames) -> Section:
    """Games no table counts, names that may be one team, and answers that scores do not show yet."""
    left = not_counted(frames.games)
    notes = [f"Perhaps one team: {a.team} ({several(a.games, 'game')}) and {a.like}." for a in
             audit.alike_names(frames.teams).head(_MOST_NAMES).itertuples()]
    heads = unsettled_heads(frames.games)
    if heads:
        notes.insert(0, heads)
    stale = int(frames.games["stale"].sum())
    if stale:
        notes.append(f"{several(stale, 'game')} {'has' if stale == 1 else 'have'} answers that the scores do not show "
                     "yet; run clabber review once more.")
    notes += _only_first(left)
    if left.empty and not notes:
        return Section("Doubts", ("None: every game is counted, none was entered twice, no two names look alike.",))
    return Section("Doubts", tuple(notes), left.head(_MOST_LINES), {
        "date": "Date", "we": "We", "they": "They", "reason": "Not counted because", "photo": "Photo"})


def _only_first(frame: pd.DataFrame) -> list[str]:
    return [f"The first {_MOST_LINES} of {len(frame)} are listed; all of them are in season.xlsx."] \
        if len(frame) > _MOST_LINES else []
