"""``clabber simulate``: hands as JSON lines, and whole seasons as a season file and photographs, that nobody played."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scanner.commands.status import ExitCode, say
from scanner.output.files import make_folder, write_atomically
from scanner.output.progress import paced
from scanner.rules.house import DEFAULT_RULES, load_house_rules
from scanner.rules.simulate import simulate_hands
from scanner.season.store import open_season
from scanner.sheet.errors import InputError

if TYPE_CHECKING:
    from scanner.workshop.seasons import KeptSeason


def simulate(count: int, seed: int, players: str, rules: Path | None = None) -> ExitCode:
    """Print ``count`` deals as JSON lines; the same seed gives the same hands."""
    house = load_house_rules(rules) if rules else DEFAULT_RULES
    for record in simulate_hands(count, seed, players.split(","), house):
        sys.stdout.write(json.dumps(record) + "\n")
    return ExitCode.OK


def simulate_season(teams: int, seed: int, season: Path, photos: Path | None) -> ExitCode:
    """Write a simulated season with its truth to a new file, and photographs of its sheets to an empty folder."""
    from scanner.workshop.seasons import keep_season

    _refuse_old(season, photos)
    kept = keep_season(teams, seed, paced(say))
    slips = sum(len(game.written.slips) for game in kept.games)
    say(f"{len(kept.teams)} teams, {len(kept.games)} games, {sum(len(g.hands) for g in kept.games)} hands, "
        f"{slips} slips of the scorekeepers")
    with _new_file(season) as part:
        _save(kept, part)
    print(season)
    if photos is not None:
        _photograph(kept, photos)
        print(photos)
    return ExitCode.OK


def _refuse_old(season: Path, photos: Path | None) -> None:
    """Nothing that is there is ever added to or written over."""
    if season.exists() or season.is_symlink():
        raise InputError(f"{season}: exists already, and a simulated season is never mixed with another; "
                         "choose another name, or delete that file first.")
    if photos is not None:
        make_folder(photos)
        if any(photos.iterdir()):
            raise InputError(f"{photos}: this folder is not empty; choose a new one for the photographs.")


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """A file to write into that gets its name only when all of it is there."""
    make_folder(path.parent)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=path.parent) as folder:
        part = Path(folder) / path.name
        yield part
        part.rename(path)


def _save(kept: KeptSeason, path: Path) -> None:
    from scanner.workshop.seasons import save_game

    evening = ""
    with open_season(path, clock=lambda: f"{evening}T22:00:00+00:00") as file:
        file.add_strengths({team.name: team.strength for team in kept.teams})
        for number, game in enumerate(kept.games, 1):
            evening = game.day.isoformat()
            save_game(file, game, kept.seed)
            if number == len(kept.games) or kept.games[number].week > game.week:
                say(f"week {game.week}: {number} of {len(kept.games)} games saved")


def _photograph(kept: KeptSeason, folder: Path) -> None:
    from scanner.workshop.seasons import photograph_game, roster_text

    write_atomically(folder / "roster.toml", roster_text(kept.teams).encode())
    for number, game in enumerate(kept.games, 1):
        path = photograph_game(kept, game, folder)
        say(f"[{number}/{len(kept.games)}] {path}")
