"""The league's own file (docs/league-file.md): its teams, how it ranks, its schedule with forfeits and byes.

Sheets say who played; only a league knows who should have.  So what no sheet can show stands in a small TOML file, with
the schedule as a CSV file beside it, and is laid over the season when it is loaded (:mod:`analysis.fixtures`).
"""

from __future__ import annotations

import csv
import difflib
import hashlib
import io
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.ranking import CRITERIA, RANKINGS
from scanner.season.days import day
from scanner.sheet.errors import InputError
from scanner.sheet.roster import Team, load_roster

#: Game points of winner and loser of a forfeited game. The sources do not say; 500 is the least a won game brings, so
#: nobody gains on a team that had to play (assumption).
FORFEIT_POINTS = (500, 0)
#: Name of the tournament where a schedule has but one, and where there is no schedule.
SEASON = "season"

_KEYS = ("name", "ranking", "tie_breaks", "forfeit_points", "roster", "fixtures", "championship")
_COLUMNS = ("tournament", "week", "date", "we", "they", "forfeit")
_MOST_BYTES = 2_000_000


@dataclass(frozen=True)
class Fixture:
    """One line of the schedule.

    Attributes:
        week: from 1, in its tournament.
        date: ISO, None where the schedule does not say.
        they: None for a bye: ``we`` does not play that week.
        forfeit: "we" or "they", the side that did not come; "both"; None for a game that is (to be) played.
    """

    tournament: str
    week: int
    date: str | None
    we: str
    they: str | None
    forfeit: str | None = None


@dataclass(frozen=True)
class League:
    """A league's rules and schedule.

    Attributes:
        tie_breaks: criteria after the first, in order (:data:`analysis.ranking.CRITERIA`).
        forfeit_points: game points of the team that came and of the one that did not.
        championship: name of the tournament that is the city championship, None if there is none.
        places: teams that play in it.
        source, sha256: the schedule's file, where forfeits come from.
    """

    name: str = ""
    teams: tuple[Team, ...] = ()
    ranking: str = "games"
    tie_breaks: tuple[str, ...] = RANKINGS["games"][1:]
    forfeit_points: tuple[int, int] = FORFEIT_POINTS
    fixtures: tuple[Fixture, ...] = ()
    championship: str | None = None
    places: int | None = None
    source: str = ""
    sha256: str = "0" * 64

    @property
    def criteria(self) -> tuple[str, ...]:
        """What the table goes by, first to last."""
        return (RANKINGS[self.ranking][0], *self.tie_breaks)

    @property
    def names(self) -> tuple[str, ...]:
        """The teams' names: those of the roster, or of the schedule where there is no roster."""
        if self.teams:
            return tuple(team.name for team in self.teams)
        return tuple(sorted({name for f in self.fixtures for name in (f.we, f.they) if name}))

    def canonical(self, name: str) -> str | None:
        """The league's spelling of a name, by the roster's aliases and whatever the case; None for no team of it."""
        return self.spellings.get(_plain(name))

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Every spelling of a team in lower case to its name."""
        if self.teams:
            return {_plain(s): team.name for team in self.teams for s in team.spellings}
        return {_plain(name): name for name in self.names}


def load_league(path: str | Path) -> League:
    """The league in a TOML file; the files it names lie beside it.

    Raises:
        InputError: a file that cannot be read, an unknown key or team (with the nearest right one), a day that is
            none, a team against itself, a forfeit by a team that does not play.
    """
    path = Path(path)
    table = _toml(path)
    near_known(table, _KEYS, f"{path}: key")
    roster = load_roster(path.parent / _text(table, "roster", path)) if "roster" in table else None
    teams = roster.teams if roster else ()
    ranking = table.get("ranking", "games")
    if ranking not in RANKINGS:
        raise InputError(f"{path}: ranking {ranking!r} is unknown; it is 'games' or 'points'.")
    championship, places = _championship(table.get("championship"), path)
    plan = path.parent / _text(table, "fixtures", path) if "fixtures" in table else None
    data = _bytes(plan) if plan else b""
    fixtures = read_fixtures(data, str(plan), tuple(teams)) if plan else ()
    return League(
        _text(table, "name", path) if "name" in table else path.stem, teams, ranking,
        _tie_breaks(table.get("tie_breaks", list(RANKINGS[ranking][1:])), ranking, path),
        _points(table.get("forfeit_points", list(FORFEIT_POINTS)), path), fixtures, championship, places,
        str(plan or path), hashlib.sha256(data).hexdigest())


def read_fixtures(data: bytes, source: str, teams: tuple[Team, ...] = ()) -> tuple[Fixture, ...]:
    """The schedule in a CSV file with the columns week, we, they, and at will tournament, date and forfeit.

    Args:
        teams: the league's; without any, the schedule's names are taken as they stand.

    Raises:
        InputError: as :func:`load_league`.
    """
    try:
        text = data.decode("utf-8-sig")
        delimiter = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{source}: not a CSV file in UTF-8 ({error}).") from error
    heading = [cell.strip() for cell in rows[0]] if rows else []
    near_known(heading, _COLUMNS, f"{source}: column")
    for key in ("week", "we", "they"):
        if heading.count(key) != 1:
            raise InputError(f"{source}: the first line must name the columns week, we and they, each once.")
    names = League(teams=teams).spellings
    found = []
    for number, row in enumerate(rows[1:], 2):
        if len(row) > len(heading):
            raise InputError(f"{source}, line {number}: {len(row)} values under {len(heading)} columns.")
        record = dict(zip(heading, map(_typed, row), strict=False))
        if any(record.values()):
            found.append(_fixture(record, names, f"{source}, line {number}"))
    return tuple(found)


def _typed(cell: str) -> str:
    """A cell as it was meant: without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:2] in set("=+-@") else cell


def near_known(keys: Iterable[str], known: tuple[str, ...], what: str) -> None:
    """Refuses a key that is not among the known ones, naming the nearest."""
    for key in keys:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"{what} {key[:40]!r} is unknown.{hint} Known: {', '.join(known)}.")


def _fixture(record: dict[str, str], names: dict[str, str], source: str) -> Fixture:
    week = record.get("week", "")
    if not (week.isascii() and week.isdigit() and 1 <= int(week) <= 999):
        raise InputError(f"{source}: the week must be a number from 1, got {week[:20]!r}.")
    we = _team(record.get("we", ""), names, source)
    if we is None:
        raise InputError(f"{source}: no team; a bye has the team under 'we' and nothing under 'they'.")
    they = _team(record.get("they", ""), names, source)
    if they is not None and _plain(we) == _plain(they):
        raise InputError(f"{source}: {we!r} cannot play itself; correct one of the two names.")
    return Fixture(record.get("tournament") or SEASON, int(week), _day(record.get("date", ""), source), we, they,
                   _forfeit(record.get("forfeit", ""), we, they, names, source))


def _team(name: str, names: dict[str, str], source: str) -> str | None:
    if not name:
        return None
    if not names:
        return " ".join(name.split())
    if _plain(name) not in names:
        near = difflib.get_close_matches(_plain(name), names, n=1, cutoff=0.5)
        hint = f" Did you mean {names[near[0]]!r}?" if near else ""
        raise InputError(f"{source}: {name[:80]!r} is no team of the league.{hint}")
    return names[_plain(name)]


def _forfeit(name: str, we: str, they: str | None, names: dict[str, str], source: str) -> str | None:
    if not name:
        return None
    if name == "both" and they is not None:
        return "both"
    team = _team(name, names, source)
    if they is None or team is None or _plain(team) not in (_plain(we), _plain(they)):
        raise InputError(f"{source}: forfeit names the one of the two teams that did not come, or both; "
                         f"got {name[:80]!r}.")
    return "we" if _plain(team) == _plain(we) else "they"


def _day(text: str, source: str) -> str | None:
    if not text:
        return None
    try:
        return day(text)
    except ValueError as error:
        raise InputError(f"{source}: {text[:20]!r} is no day ({error}); write it as 2026-03-07.") from error


def _toml(path: Path) -> dict:
    try:
        return tomllib.loads(_bytes(path).decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path}: not a TOML file ({error}).") from error


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from error
    if len(data) > _MOST_BYTES:
        raise InputError(f"{path}: larger than {_MOST_BYTES // 1_000_000} MB; this is no league's file.")
    return data


def _text(table: dict, key: str, path: Path) -> str:
    if not isinstance(table[key], str) or not table[key].strip():
        raise InputError(f"{path}: {key!r} must be a text, got {table[key]!r}.")
    return table[key].strip()


def _tie_breaks(value: object, ranking: str, path: Path) -> tuple[str, ...]:
    known = tuple(c for c in CRITERIA if c != RANKINGS[ranking][0])
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value) or len(set(value)) < len(value):
        raise InputError(f"{path}: tie_breaks must be a list, each once, of {', '.join(known)}.")
    near_known(value, known, f"{path}: tie break")
    return tuple(value)


def _points(value: object, path: Path) -> tuple[int, int]:
    if not (isinstance(value, list) and len(value) == 2 and all(type(v) is int and 0 <= v <= 1999 for v in value)
            and value[0] > value[1]):
        raise InputError(f"{path}: forfeit_points must be two numbers, the winner's and a smaller one, like [500, 0].")
    return value[0], value[1]


def _championship(value: object, path: Path) -> tuple[str | None, int | None]:
    if value is None:
        return None, None
    if not isinstance(value, dict):
        raise InputError(f"{path}: championship must be a table with tournament and places.")
    near_known(value, ("tournament", "places"), f"{path}, championship: key")
    places = value.get("places")
    if type(places) is not int or places < 2:
        raise InputError(f"{path}, championship: places must be a number from 2, got {places!r}.")
    return _text({"tournament": "championship"} | value, "tournament", path), places


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
