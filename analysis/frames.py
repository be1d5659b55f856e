"""A season file as tidy frames, every column documented and checked (``analysis.schemas``)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from pandera.errors import SchemaErrors

from analysis import schemas
from analysis.fixtures import apply_league, default_weeks
from analysis.league import why_not_counted
from analysis.leaguefile import League, load_league
from analysis.twins import twins
from scanner.season.questions import COUNTED_HEADS
from scanner.season.store import Season, open_season
from scanner.sheet.errors import SeasonError


@dataclass(frozen=True)
class Frames:
    """The frames of a season; ``games`` and ``hands`` are the ones to start from."""

    games: pd.DataFrame
    hands: pd.DataFrame
    cells: pd.DataFrame
    problems: pd.DataFrame
    reviews: pd.DataFrame
    teams: pd.DataFrame
    fixtures: pd.DataFrame


def load(path: str | Path, league: League | str | Path | None = None) -> Frames:
    """The frames of a season file. Nothing in the file is changed.

    Args:
        league: the league, or its file (:func:`analysis.leaguefile.load_league`): then teams have its names, its
            forfeits are among the games, and games it does not know are set aside.

    Raises:
        SeasonError: the file is absent, damaged, locked, another program's, newer, or holds what no season can hold.
        InputError: the league's file cannot be used.
    """
    league = (load_league(league) if isinstance(league, str | Path) else league) or League()
    with open_season(path, create=False) as season:
        spellings = _spellings(season, league)
        games, hands = _games(season, spellings), _checked(_table(season, _HANDS), "hands", path)
        rest = {name: _checked(_table(season, sql), name, path)
                for name, sql in (("cells", _CELLS), ("problems", _PROBLEMS), ("reviews", _REVIEWS))}
    games = schemas.typed(default_weeks(games.assign(set_aside=twins(games, hands))), "games")
    games, fixtures = apply_league(games, why_not_counted(games) == "", league)
    games = _checked(games, "games", path)
    return Frames(games=games, hands=hands, teams=_checked(_teams(games, spellings), "teams", path),
                  fixtures=_checked(fixtures, "fixtures", path), **rest)


def _checked(frame: pd.DataFrame, name: str, path: str | Path) -> pd.DataFrame:
    try:
        return schemas.ALL[name].validate(schemas.typed(frame, name), lazy=True)
    except SchemaErrors as errors:
        cases = errors.failure_cases
        first = "; ".join(f"{c.column}: {c.failure_case!r} fails {c.check}" for c in cases.head(3).itertuples())
        raise SeasonError(f"{path}: the table {name} holds {len(cases)} values no season can hold ({first}). "
                          "The file was changed by hand or is damaged; restore your last copy of it.") from errors
    except (ValueError, TypeError) as error:
        raise SeasonError(f"{path}: the table {name} holds a value of the wrong kind ({error}). "
                          "The file was changed by hand or is damaged; restore your last copy of it.") from error


def _table(season: Season, sql: str) -> pd.DataFrame:
    columns, rows = season.table(sql)
    return pd.DataFrame.from_records(rows, columns=columns)


def _games(season: Season, spellings: dict[str, list[str]]) -> pd.DataFrame:
    games = _table(season, _GAMES)
    for side in ("we", "they"):
        official = {name: spellings[_plain(name)][0] for name in games[side].dropna().unique()}
        games[side] = games[side].map(official, na_action="ignore")
    side = games["winner_side"]
    games["winner"] = games["we"].where(side == "we", games["they"].where(side == "they"))
    return games


def _spellings(season: Season, league: League) -> dict[str, list[str]]:
    """By every spelling in lower case all those of its team: the league's, or else the most frequent, first.

    Case and spaces make no two teams of one; the aliases in the league's roster say what else is one.
    """
    counts: dict[str, dict[str, int]] = {}
    for name, count in season.table(_NAMES)[1]:
        counts.setdefault(_plain(league.canonical(name) or name), {})[name] = count
    found = {}
    for plain, names in counts.items():
        official = league.canonical(plain)
        ordered = sorted(names, key=lambda n: (n != official, -names[n], n))
        ordered = ordered if official in (None, ordered[0]) else [official, *ordered]
        found |= {_plain(name): ordered for name in (plain, *names)}
    return found


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _teams(games: pd.DataFrame, spellings: dict[str, list[str]]) -> pd.DataFrame:
    sides = pd.concat([games[["date", side]].rename(columns={side: "team"}) for side in ("we", "they")])
    found = sides.dropna(subset=["team"]).groupby("team", sort=True)["date"].agg(["size", "min", "max"])
    table = found.rename(columns={"size": "games", "min": "first", "max": "last"}).reset_index()
    return table.assign(spellings=[" | ".join(spellings.get(_plain(t), [t])) for t in table["team"]])


_NAMES = """
SELECT name, count(*) FROM (
    SELECT coalesce(we_settled, we) AS name FROM sheets JOIN games USING (sheet_id)
    UNION ALL SELECT coalesce(they_settled, they) FROM sheets JOIN games USING (sheet_id))
 WHERE name <> '' GROUP BY name
"""

_GAMES = f"""
WITH unsure AS ({COUNTED_HEADS}),
     last AS (SELECT game_id, count(*) AS hands, max(row) AS row FROM hands GROUP BY game_id),
     found AS (SELECT game_id, count(*) AS problems FROM problems WHERE code <> 'unreadable' GROUP BY game_id),
     asked AS (SELECT game_id, count(*) AS questions FROM cells WHERE review = 1 AND settled IS NULL GROUP BY game_id)
SELECT game_id, coalesce(date_settled, date) AS date,
       nullif(coalesce(we_settled, we), '') AS we, nullif(coalesce(they_settled, they), '') AS they,
       iif(official = 'written', written_we_total, corrected_we_total) AS we_total,
       iif(official = 'written', written_they_total, corrected_they_total) AS they_total,
       coalesce(last.hands, 0) AS hands, iif(official = 'written', winner, winner_corrected) AS winner_side, official,
       written_we_total AS we_total_written, written_they_total AS they_total_written, winner AS winner_written,
       corrected_we_total AS we_total_corrected, corrected_they_total AS they_total_corrected, winner_corrected,
       winner_mark, coalesce(problems, 0) AS problems, coalesce(questions, 0) AS questions,
       coalesce(heads, 0) AS heads, stale, sheet_id, grid, layout, source, photo, sha256
  FROM games JOIN sheets USING (sheet_id) JOIN photos USING (sha256)
  LEFT JOIN last USING (game_id) LEFT JOIN hands USING (game_id, row)
  LEFT JOIN found USING (game_id) LEFT JOIN asked USING (game_id) LEFT JOIN unsure USING (sheet_id)
 WHERE sheets.mark IS NULL
 ORDER BY date IS NULL, date, photos.saved_at, photos.rowid, sheets.number, grid
"""

_HANDS = """
SELECT game_id, row_number() OVER (PARTITION BY game_id ORDER BY row) AS hand,
       iif(official = 'written', written_we_points, corrected_we_points) AS we_points,
       iif(official = 'written', written_they_points, corrected_they_points) AS they_points,
       iif(official = 'written', written_we_total, corrected_we_total) AS we_total,
       iif(official = 'written', written_they_total, corrected_they_total) AS they_total,
       "set", maker, meld, row,
       written_we_points AS we_points_written, written_they_points AS they_points_written,
       written_we_total AS we_total_written, written_they_total AS they_total_written,
       corrected_we_points AS we_points_corrected, corrected_they_points AS they_points_corrected,
       corrected_we_total AS we_total_corrected, corrected_they_total AS they_total_corrected
  FROM hands JOIN games USING (game_id) JOIN sheets USING (sheet_id) WHERE mark IS NULL ORDER BY games.rowid, row
"""

_CELLS = """
SELECT cell_id, game_id, row, cell, coalesce(settled, text) AS text, text AS read, confidence, review, struck,
       settled, settled_by, settled_at, choices, box
  FROM cells ORDER BY game_id, row, rowid
"""

_PROBLEMS = """
SELECT game_id, number, code, row, cell, written, expected, message, probability, winner_changes, points_moved,
       candidates
  FROM problems ORDER BY game_id, number
"""

_REVIEWS = 'SELECT review_id, cell_id, before, text, "by", at, note, undoes FROM reviews ORDER BY review_id'
