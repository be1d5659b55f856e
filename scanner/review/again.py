"""A person's answer written down, and its game decoded again; the answer counts as certain."""

from __future__ import annotations

from scanner.scorekeeper.check import check_game
from scanner.scorekeeper.decode import decode_game
from scanner.season.store import Season
from scanner.sheet.errors import InputError
from scanner.sheet.layout import Layout
from scanner.sheet.results import SIDES, GameResult, other

#: What is left of a grid when a person has said of every cell that nothing is written in it.
_NOTHING = GameResult((), None, None, None, ())


def decide(season: Season, place: str, text: str, by: str, seen: int | None = None, note: str | None = None) -> None:
    """Settle any place a question may name: a cell, a name or date, or whose score counts (``GAME/official``).

    Raises:
        InputError: no such place, a text it cannot hold, or a team against itself.
        OvertakenError: somebody has decided after the decision numbered ``seen``.
    """
    if place.endswith("/official"):
        season.rule(place.rsplit("/", 1)[0], text, by, note, seen)
    else:
        _refuse_itself(season, place, text)
        season.answer(place, text, by, note, seen)


def _refuse_itself(season: Season, place: str, text: str) -> None:
    owner, _, what = place.rpartition("/")
    if owner.count("/") == 1 and what in SIDES:
        rival = season.select(_NAME[other(what)], owner)
        if rival and rival[0]["name"] and rival[0]["name"].casefold() == " ".join(text.split()).casefold():
            raise InputError(f"{text}: the other side has this name already, and a team cannot play itself.")


_NAME = {side: f"SELECT coalesce({side}_settled, {side}) AS name FROM sheets WHERE sheet_id = ?" for side in SIDES}


def decode_stale(season: Season, game_id: str) -> None:
    """Decode one game of a season with every answer so far, and store what that changes.

    Raises:
        LayoutError: the sheet's layout is a user's own, known by name only.
        SeasonError: the file is locked or damaged; the answers themselves are saved already.
    """
    layout = season.ruling(game_id)
    before = season.game(game_id)
    if before.quad is None:  # typed, so there is nothing to decode but the answers
        season.update_game(game_id, _checked_again(season, game_id, before, layout))
        return
    season.update_game(game_id, decode_game(season.readings(game_id), layout) or _NOTHING)


def _checked_again(season: Season, game_id: str, before: GameResult, layout: Layout) -> GameResult:
    answers = {q["cell_id"]: q["settled"] for q in season.select(_SETTLED, game_id)}
    rows: list[dict[str, str]] = [{} for _ in range(max((row.row for row in before.rows), default=0))]
    for row in before.rows:
        places = {key: f"{game_id}/{row.row}/{key}" for key in row.cells}
        rows[row.row - 1] = {key: answers.get(place, row.cells[key].text) for key, place in places.items()}
    return check_game(rows, before.winner_mark, layout)


_SETTLED = "SELECT cell_id, settled FROM cells WHERE game_id = ? AND settled IS NOT NULL"
