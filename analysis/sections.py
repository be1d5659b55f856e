"""What a season's report says, part by part, before it is put on a page. Scorekeeping is in ``auditsections``."""

from __future__ import annotations

import pandas as pd

from analysis import audit, form, plots, stats
from analysis.auditsections import doubts, scorekeeping
from analysis.doubt import doubtful_standings, in_words
from analysis.expected import above_expectation
from analysis.frames import Frames
from analysis.handstats import team_hand_table
from analysis.league import criteria_of, not_counted, standings, team_results
from analysis.leaguefile import League
from analysis.outlook import odds_by_week
from analysis.parts import Picture, Section, percent, several, unsettled_heads
from analysis.ranking import CRITERIA, SHARED, stated
from analysis.schedule import met_too_often
from analysis.strength import bradley_terry, title_odds
from analysis.tables import left_to_play

_STANDINGS = {"rank": "", "team": "Team", "played": "Played", "won": "Won", "lost": "Lost", "tied": "Tied",
              "points_for": "For", "points_against": "Against", "form": "Form", "apart": "Placed by"}
_TEAMS = {"team": "Team", "games": "Games", "hands": "Hands", "make": "Make rate", "set": "Set rate",
          "points": "Points a hand"}
_RATES = ("Make rate: hands in which the team made trump. Set rate: of those, hands in which it was set. In brackets "
          "the 95 % interval: with few hands it is wide.")
#: Longest list of games to come; all of them are in `clabber export`.
_MOST_LEFT = 60
_RECORDS = {"record": "Record", "value": "", "team": "Team", "opponent": "Against", "date": "Date", "game_id": "Game"}
_SKILL = (
    "Strength: the chance to beat an average team (Bradley and Terry's model of the games; a prior keeps teams that "
    "won everything finite).",
    "Above expectation: own points less the opponents', a hand, beyond what simulated players get when the same side "
    "makes trump. Cards and play look alike on a sheet. Where an interval holds the dotted line, luck alone will do.")


def sections(frames: Frames, ranking: str | None = None, league: League | None = None) -> list[Section]:
    """Everything the report says, in order; ``ranking`` and ``league`` as in :func:`analysis.standings`."""
    games, hands = frames.games, frames.hands
    table = standings(games, ranking, league)
    by = ranking or (league.ranking if league else "games")
    return [
        Section("In short", tuple(_short(frames, table))),
        _table(games, table, criteria_of(ranking, league)),
        *_open_questions(frames, by),
        _race(games, by),
        *_odds(frames, by),
        _meetings(games),
        _teams(games, hands),
        _hand_by_hand(games, hands),
        _skill(games, hands),
        Section("Hand scores", pictures=(Picture(
            lambda ax: plots.hand_scores_plot(hands, ax=ax),
            "Bars: the sheets. Line: what simulated play by the rules expects of as many hands."),)),
        Section("Records", frame=form.records(games, hands), titles=_RECORDS),
        *scorekeeping(frames),
        doubts(frames),
    ]


def _short(frames: Frames, table: pd.DataFrame) -> list[str]:
    """The season in four sentences."""
    games, hands = frames.games, frames.hands
    days = games["date"].dropna()
    told = [f"{several(len(table), 'team')}, {several(len(games), 'game')}, {several(len(hands), 'hand')}"
            + (f", {days.min().date().isoformat()} to {days.max().date().isoformat()}." if len(days) else ".")]
    if len(table):
        told.append(_leader(table))
    made = hands["maker"].notna().sum()
    if made:
        sets = int(hands["set"].notna().sum())
        told.append(f"Makers were set in {percent(sets / made)} of {several(int(made), 'hand')}.")
    found, turned = audit.slips(frames.problems), audit.changed_winners(games)
    return told + [f"{several(len(found), 'slip')} of the pencil; {several(len(turned), 'game')} ended otherwise for "
                   "them than by the corrected totals." if len(found) else "No slip of the pencil was found."]


def _leader(table: pd.DataFrame) -> str:
    first = table[table["rank"] == 1]["team"].tolist()
    best = table.iloc[0]
    level = table[(table["won"] == best["won"]) & (table["rank"] > 1)]["team"].tolist()
    text = f"First: {_and(first)}, with {best['won']} of {several(best['played'], 'game')} won and " \
           f"{best['points_for']} game points."
    return text + (f" {_and(level)} won as many." if level else "")


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _table(games: pd.DataFrame, table: pd.DataFrame, criteria: tuple[str, ...]) -> Section:
    letters = form.form(games).set_index("team")["form"]
    words = CRITERIA | {SHARED: "level"}
    apart = [words.get(text, "") for text in table["tie_break"]]
    shown = table.assign(form=table["team"].map(letters).fillna(""), apart=apart)
    # With one tie break alone the note above says it all.
    empty = {key for key, none in (("tied", not shown["tied"].any()), ("apart", len(criteria) < 3)) if none}
    titles = {key: title for key, title in _STANDINGS.items() if key not in empty}
    notes = (stated(criteria), _counted(games),
             "For and against: game points. Form: the last five games, the newest at the right.")
    pictures = (Picture(lambda ax: plots.standings_plot(table, ax=ax),
                        "Where the bars overlap, the order of the table may be luck."),) if len(table) else ()
    return Section("Standings", notes, shown, titles, pictures)


def _counted(games: pd.DataFrame) -> str:
    left, questions = not_counted(games), int(games["questions"].sum())
    text = f"{len(games) - len(left)} of {len(games)} games are counted"
    reasons = [f"{n} left out, {why}" for why, n in left.groupby("reason").size().items()]
    text += (": " + "; ".join(reasons) if reasons else "") + "."
    if questions:
        text += f" {several(questions, 'cell')} still {'waits' if questions == 1 else 'wait'} for a person " \
                "(clabber review); scores may change with the answers."
    return f"{text} {unsettled_heads(games)}".rstrip()


def _open_questions(frames: Frames, ranking: str) -> list[Section]:
    """The table under doubt, if a question is open that may change it."""
    doubtful = doubtful_standings(frames, ranking)
    if (doubtful.ranks["probability"] == 1).all():
        return []
    notes = ["Cells that wait for a person are drawn from what the scan thinks of them; the rank is the likeliest."]
    notes += [f"Cell {a.cell_id}: an answer moves a team's chance of the first place by up to {percent(a.moves)}. "
              f"{a.said}" for a in doubtful.answers.head(5).itertuples()]
    told = doubtful.ranks.assign(said=in_words(doubtful.ranks))
    return [Section("Standings while questions are open", tuple(notes), told,
                    {"said": "Place", "open_games": "Games with open questions"})]


def _race(games: pd.DataFrame, ranking: str) -> Section:
    race = stats.race(games)
    if not len(race):
        return _nothing("The race")
    level = "Teams level with each other are moved apart a little."
    pictures = [Picture(lambda ax: plots.race_plot(race, ax=ax), level)]
    # Where pairs meet more than once nobody knows from the games alone how many were to come.
    if games["week"].nunique() > 1 and met_too_often(games).empty:
        odds = odds_by_week(games, ranking)
        pictures.append(Picture(
            lambda ax: plots.odds_plot(odds, ax=ax),
            "Chance to end first if every pair meets once, by what was known after each week."))
    return Section("The race", pictures=tuple(pictures))


def _odds(frames: Frames, ranking: str) -> list[Section]:
    """What is still to be played and the chances of the first place, if some but not all games are over."""
    left = left_to_play(frames)
    if left.empty:
        return []
    odds = title_odds(frames.games, ranking, left=left[["we", "they"]])
    told = odds.assign(chance=[percent(p) for p in odds["chance"]])
    are = "game is" if len(left) == 1 else "games are"
    way = "By the schedule" if len(frames.fixtures) else "If every team meets every other once,"
    notes = (f"{way} {len(left)} {are} still to come. They were played 4,000 times with strengths drawn from what the "
             "games so far say.",)
    titles = {"we": "Team", "they": "Against"}
    if len(frames.fixtures):
        titles = {"tournament": "Tournament", "week": "Week", "date": "Date"} | titles
    return [Section("Who may still win", notes, told,
                    {"team": "Team", "remaining": "Games left", "chance": "Chance of the first place"}),
            Section("Still to play", (f"The first {_MOST_LEFT} of {len(left)}.",) if len(left) > _MOST_LEFT else (),
                    left.head(_MOST_LEFT), titles)]


def _meetings(games: pd.DataFrame) -> Section:
    met, results = stats.head_to_head(games), team_results(games)
    if not len(met):
        return _nothing("Form, and who beat whom")
    return Section("Form, and who beat whom", pictures=(
        Picture(lambda ax: plots.form_plot(results, ax=ax), "Filled: won. Hollow: lost. The newest at the right."),
        Picture(lambda ax: plots.head_to_head_plot(met, ax=ax), "Read a line from the left: games won against each.")))


def _teams(games: pd.DataFrame, hands: pd.DataFrame) -> Section:
    teams = stats.team_table(games, hands)
    return Section("Teams", (_RATES,), _worded(teams), _TEAMS, (
        Picture(lambda ax: plots.set_rate_plot(teams, ax=ax),
                "To the right: calls often. Up: pays for it. Dotted: simulated play."),
        Picture(lambda ax: plots.average_plot(teams, ax=ax), "Mean points of a hand, with 95 % intervals.")))


def _hand_by_hand(games: pd.DataFrame, hands: pd.DataFrame) -> Section:
    table = team_hand_table(games, hands)
    closed = form.closing(games, hands).set_index("team")
    shown = pd.DataFrame({"team": table["team"]} | {
        key: [_share(*row) for row in table[[f"{key}_rate", f"{key}_low", f"{key}_high"]].itertuples(index=False)]
        for key in ("best", "inflicted", "zeros")})
    # Student's interval knows nothing of meld; no mean of it is below 0.
    shown["meld"] = [_mean(mean, max(low, 0), high) for mean, low, high in
                     table[["meld", "meld_low", "meld_high"]].itertuples(index=False)]
    shown["closed"] = [f"{closed.at[team, 'closed']} of {closed.at[team, 'led']}" if team in closed.index else ""
                       for team in table["team"]]
    return Section("Hand by hand", (
        "Hands won: with more points than the opponents. Sets inflicted: of hands on which the opponents made trump. "
        "Meld: of both sides, on made hands of the team. Closed out: games won, of those in which it was first at 400.",
    ), shown, {"team": "Team", "best": "Hands won", "inflicted": "Sets inflicted", "zeros": "Zeros", "meld": "Meld",
               "closed": "Closed out"})


def _skill(games: pd.DataFrame, hands: pd.DataFrame) -> Section:
    strength, above = bradley_terry(games), above_expectation(games, hands)
    if not len(strength):
        return _nothing("Skill and luck")
    return Section("Skill and luck", _SKILL, pictures=(
        Picture(lambda ax: plots.strength_plot(strength, ax=ax), "By games won and lost."),
        Picture(lambda ax: plots.expected_plot(above, ax=ax), "By the points of every hand.")))


def _nothing(title: str) -> Section:
    return Section(title, ("Nothing to show yet: no finished game with both teams' names (and a date).",))


def _worded(teams: pd.DataFrame) -> pd.DataFrame:
    rates = {key: [_share(*row) for row in teams[[f"{key}_rate", f"{key}_low", f"{key}_high"]].itertuples(index=False)]
             for key in ("make", "set")}
    points = [_mean(*row) for row in teams[["average", "average_low", "average_high"]].itertuples(index=False)]
    return teams.assign(**rates, points=points)


def _share(rate: float, low: float, high: float) -> str:
    return "" if pd.isna(rate) else f"{100 * rate:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def _mean(mean: float, low: float, high: float) -> str:
    return "" if pd.isna(mean) else f"{mean:.1f}" + ("" if pd.isna(low) else f" ({low:.0f} to {high:.0f})")
