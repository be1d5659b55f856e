"""A game decoded again after a person's answer, which counts as certain."""

from __future__ import annotations

from scanner.scorekeeper.check import check_game
from scanner.scorekeeper.decode import decode_game
from scanner.season.store import Season
from scanner.sheet.layout import Layout, load_layout
from scanner.sheet.results import GameResult


def decode_stale(season: Season, game_id: str) -> None:
    """Decode one game of a season with every answer so far, and store what that changes.

    Raises:
        LayoutError: the sheet's layout is a user's own, known by name only.
        SeasonError: the file is locked or damaged; the answers themselves are saved already.
    """
    layout = load_layout(season.layout(game_id))
    before = season.game(game_id)
    if before.quad is None:  # typed, so there is nothing to decode but the answers
        season.update_game(game_id, _checked_again(season, game_id, before, layout))
        return
    game = decode_game(season.readings(game_id), layout)
    if game is not None:
        season.update_game(game_id, game)


def _checked_again(season: Season, game_id: str, before: GameResult, layout: Layout) -> GameResult:
    answers = {q["cell_id"]: q["settled"] for q in season.select(_SETTLED, game_id)}
    rows = [
        {key: answers.get(f"{game_id}/{row.row}/{key}", cell.text) for key, cell in row.cells.items()}
        for row in before.rows
    ]
    return check_game(rows, before.winner_mark, layout)


_SETTLED = "SELECT cell_id, settled FROM cells WHERE game_id = ? AND settled IS NOT NULL"
