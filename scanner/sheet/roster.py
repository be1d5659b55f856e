"""The league's roster: team names, their aliases and players."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from scanner.sheet.errors import InputError

_KEYS = {"name", "aliases", "players"}


@dataclass(frozen=True)
class Team:
    """One team of the league; ``aliases`` are other spellings people write on sheets."""

    name: str
    aliases: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        """Its name and all aliases."""
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class Roster:
    """All teams of a league, in the order of the file."""

    teams: tuple[Team, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the teams."""
        return tuple(team.name for team in self.teams)


def load_roster(path: str | Path) -> Roster:
    """The roster in a TOML file.

    Raises:
        InputError: the file cannot be read or is no roster; the message names the key and the nearest right one.
    """
    try:
        text = Path(path).read_bytes()[:1_000_000].decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a roster ({error}).") from error
    return parse_roster(text, str(path))


def parse_roster(text: str, source: str) -> Roster:
    """A roster from the text of its file; ``source`` names it in error messages. Raises as :func:`load_roster`."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{source}: not a TOML file ({error}).") from error
    _refuse_unknown(table, {"teams"}, source)
    entries = table.get("teams")
    if not isinstance(entries, list) or not entries or not all(isinstance(e, dict) for e in entries):
        raise InputError(f"{source}: no teams; add a [[teams]] table with a name for each team.")
    teams = tuple(_team(entry, f"{source}, team {i}") for i, entry in enumerate(entries, 1))
    _refuse_shared(teams, source)
    return Roster(teams)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())[:60]


def _team(entry: dict, source: str) -> Team:
    _refuse_unknown(entry, _KEYS, source)
    name = entry.get("name")
    if not isinstance(name, str) or not _letters(name):
        raise InputError(f"{source}: 'name' is missing; write for example name = \"Eagles\".")
    return Team(name.strip(), _words(entry, "aliases", source), _words(entry, "players", source))


def _words(entry: dict, key: str, source: str) -> tuple[str, ...]:
    words = entry.get(key, [])
    if not isinstance(words, list) or not all(isinstance(w, str) for w in words):
        raise InputError(f"{source}: '{key}' must be a list of names, got {words!r}.")
    return tuple(w.strip() for w in words if w.strip())


def _refuse_unknown(table: dict, known: set[str], source: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, sorted(known), n=1, cutoff=0.4)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(f"{source}: key {key!r} is unknown.{hint} Known: {', '.join(sorted(known))}.")


def _refuse_shared(teams: Iterable[Team], source: str) -> None:
    owners: dict[str, str] = {}
    for team in teams:
        for spelling in {_letters(s) for s in team.spellings}:
            if spelling in owners:
                raise InputError(
                    f"{source}: {team.name!r} and {owners[spelling]!r} share a spelling; make them differ."
                )
            owners[spelling] = team.name
