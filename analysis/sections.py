"""What a season's report says, part by part, before it is put on a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes

from analysis import audit, form, plots, stats
from analysis.doubt import doubtful_standings
from analysis.frames import Frames
from analysis.league import not_counted, standings
from analysis.schedule import still_to_meet
from analysis.strength import bradley_terry, title_odds

#: Longest list a page shows; the rest is in the Excel file.
_MOST_LINES = 200
_RANKING = {
    "games": "Ranked by games won; ties are broken by game points. Teams equal in both share a rank.",
    "points": "Ranked by game points alone; games won do not count. Teams equal in points share a rank.",
}
_STANDINGS = {"rank": "", "team": "Team", "played": "Played", "won": "Won", "lost": "Lost", "tied": "Tied",
              "points_for": "Points for", "points_against": "Points against"}
_TEAMS = {"team": "Team", "games": "Games", "hands": "Hands", "make": "Make rate", "set": "Set rate",
          "points": "Points a hand"}
_RATES = ("Make rate: hands in which the team made trump. Set rate: of those, hands in which it was set. In brackets "
          "the 95 % interval: with few hands it is wide.")
_RECORDS = {"record": "Record", "value": "", "team": "Team", "opponent": "Against", "date": "Date", "game_id": "Game"}
_STRENGTH = ("Chance of each team to beat an average one, with 95 % intervals (Bradley and Terry's model; a prior "
             "keeps teams that won everything finite). Where intervals overlap the order may be luck.")


@dataclass(frozen=True)
class Section:
    """One part of the report: its text, its table with the headings of the columns shown, its picture."""

    title: str
    notes: tuple[str, ...]
    frame: pd.DataFrame | None = None
    titles: dict[str, str] | None = None
    draw: Callable[[Axes], Axes] | None = None


def sections(frames: Frames, ranking: str = "games") -> list[Section]:
    """Everything the report says, in order."""
    games, hands = frames.games, frames.hands
    table, teams = standings(games, ranking), stats.team_table(games, hands)
    race, kinds = stats.race(games), audit.slips_by_kind(frames.problems, hands)
    met, strength = stats.head_to_head(games), bradley_terry(games)
    return [
        Section("Standings", (_RANKING[ranking], _counted(games)), table, _STANDINGS),
        *_open_questions(frames, ranking),
        Section("The race", (), draw=lambda ax: plots.race_plot(race, ax=ax)) if len(race) else _nothing("The race"),
        Section("Who beat whom", (), draw=lambda ax: plots.head_to_head_plot(met, ax=ax))
        if len(met) else _nothing("Who beat whom"),
        Section("Teams", (_RATES,), _worded(teams), _TEAMS),
        Section("Average hand", (), draw=lambda ax: plots.average_plot(teams, ax=ax)),
        Section("Calling and paying", (), draw=lambda ax: plots.set_rate_plot(teams, ax=ax)),
        Section("Hand scores", (), draw=lambda ax: plots.hand_scores_plot(hands, ax=ax)),
        Section("Strength", (_STRENGTH,), draw=lambda ax: plots.strength_plot(strength, ax=ax))
        if len(strength) else _nothing("Strength"),
        *_odds(games, ranking),
        Section("Records", (), form.records(games, hands), _RECORDS),
        _slips(frames, kinds),
        _doubts(frames),
    ]


def _nothing(title: str) -> Section:
    return Section(title, ("Nothing to show yet: no finished game with both teams' names (and a date).",))


def _counted(games: pd.DataFrame) -> str:
    left, questions = not_counted(games), int(games["questions"].sum())
    text = f"{len(games) - len(left)} of {len(games)} games are counted"
    reasons = [f"{n} left out, {why}" for why, n in left.groupby("reason").size().items()]
    text += (": " + "; ".join(reasons) if reasons else "") + "."
    if questions:
        text += f" {questions} cells still wait for a person (clabber review); scores may change with the answers."
    return text


def _open_questions(frames: Frames, ranking: str) -> list[Section]:
    """The table under doubt, if a question is open that may change it."""
    doubtful = doubtful_standings(frames, ranking)
    if (doubtful.ranks["probability"] == 1).all():
        return []
    notes = ["Cells that wait for a person are drawn from what the scan thinks of them; the rank is the likeliest."]
    notes += [f"Cell {a.cell_id}: an answer moves a team's chance of the first place by up to {a.moves:.0%}."
              for a in doubtful.answers.head(5).itertuples()]
    told = doubtful.ranks.assign(probability=[_percent(p) for p in doubtful.ranks["probability"]])
    return [Section("Standings while questions are open", tuple(notes), told,
                    {"rank": "", "team": "Team", "probability": "Sure", "open_games": "Games with open questions"})]


def _odds(games: pd.DataFrame, ranking: str) -> list[Section]:
    """Chances of the first place, if some but not all pairs have met in a single round robin."""
    left = still_to_meet(games)
    if left.empty:
        return []
    odds = title_odds(games, ranking)
    told = odds.assign(chance=[_percent(p) for p in odds["chance"]])
    notes = (f"If every team meets every other once, {len(left)} games are still to come. They were played "
             "4,000 times with strengths drawn from what the games so far say.",)
    return [Section("Who may still win", notes, told,
                    {"team": "Team", "remaining": "Games left", "chance": "Chance of the first place"})]


def _percent(chance: float) -> str:
    return "over 99%" if 0.995 <= chance < 1 else "under 1%" if 0 < chance < 0.005 else f"{chance:.0%}"


def _worded(teams: pd.DataFrame) -> pd.DataFrame:
    def rate(name: str) -> list[str]:
        columns = zip(teams[f"{name}_rate"], teams[f"{name}_low"], teams[f"{name}_high"], strict=True)
        return ["" if pd.isna(r) else f"{r:.0%} ({low:.0%} to {high:.0%})" for r, low, high in columns]

    points = [f"{a:.1f}" + ("" if pd.isna(low) else f" ({low:.1f} to {high:.1f})") if not pd.isna(a) else ""
              for a, low, high in zip(teams["average"], teams["average_low"], teams["average_high"], strict=True)]
    return teams.assign(make=rate("make"), set=rate("set"), points=points)


def _slips(frames: Frames, kinds: pd.DataFrame) -> Section:
    found = audit.slips(frames.problems)
    changed = audit.changed_winners(frames.games)
    notes = (f"{len(found)} slips on {len(frames.hands)} hands. The written totals are the official score until a "
             f"person decides otherwise. {len(changed)} games would have another winner by the corrected totals.",
             *_only_first(found))
    named = found.merge(frames.games[["game_id", "date", "we", "they"]], on="game_id").head(_MOST_LINES)
    return Section("Slips of the pencil", notes, named,
                   {"date": "Date", "we": "We", "they": "They", "message": "Finding", "game_id": "Game"},
                   (lambda ax: plots.slips_plot(kinds, ax=ax)) if len(kinds) else None)


def _doubts(frames: Frames) -> Section:
    left = not_counted(frames.games)
    twins = audit.doubles(frames.games, frames.hands)
    notes = [f"Perhaps entered twice: game {t.game_id} ({t.photo}) tells the same as {t.twin}. Both are counted."
             for t in twins.head(_MOST_LINES).itertuples()]
    notes += [f"Perhaps one team: {a.team} ({a.games} games) and {a.like}." for a in
              audit.alike_names(frames.teams).head(_MOST_LINES).itertuples()]
    stale = int(frames.games["stale"].sum())
    if stale:
        notes.append(f"{stale} games have answers that their scores do not show yet; run clabber review once more.")
    notes += _only_first(left)
    if left.empty and not notes:
        return Section("Doubts", ("None: every game is counted, none looks entered twice, no two names look alike.",))
    return Section("Doubts", tuple(notes), left.head(_MOST_LINES), {
        "date": "Date", "we": "We", "they": "They", "reason": "Not counted because", "photo": "Photo"})


def _only_first(frame: pd.DataFrame) -> list[str]:
    return [f"The first {_MOST_LINES} of {len(frame)} are listed; all of them are in season.xlsx."] \
        if len(frame) > _MOST_LINES else []
