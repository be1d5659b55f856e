"""A game decoded again after a person's answer, which counts as certain."""

from __future__ import annotations

from scanner.scorekeeper.decode import decode_game
from scanner.season.store import Season
from scanner.sheet.layout import load_layout


def decode_stale(season: Season, game_id: str) -> None:
    """Decode one game of a season with every answer so far, and store what that changes.

    Raises:
        LayoutError: the sheet's layout is a user's own, known by name only.
        SeasonError: the file is locked or damaged; the answers themselves are saved already.
    """
    layout = load_layout(season.layout(game_id))
    game = decode_game(season.readings(game_id), layout)
    if game is not None:
        season.update_game(game_id, game)
