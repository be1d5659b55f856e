"""How well the check finds the slips of simulated seasons, no photograph: ``python benchmarks/season_audit.py``.

The scorekeepers err as the slip prior says: the model is judged on its own terms, and on people it can only do worse.
"""

from __future__ import annotations

import argparse
from collections import Counter

from scanner.scorekeeper.check import check_game
from scanner.sheet.results import GameResult
from scanner.workshop.seasons import KeptGame, keep_season


def audit(game: KeptGame) -> Counter[str]:
    """What was found of one game's slips, and how many of its rows are corrected to the hands that were played."""
    rows = [{key: entry.text for key, entry in row.items()} for row in game.written.rows]
    result = check_game(rows, game.written.winner_mark, game.layout)
    slips = {slip.row: slip for slip in game.written.slips}
    accused = {problem.row for problem in result.problems if problem.row}
    found = Counter(rows=len(rows), slips=len(slips), accused=len(accused - set(slips)), right=_right(game, result))
    for row, slip in slips.items():
        problems = [problem for problem in result.problems if problem.row == row]
        found["found"] += bool(problems)
        found["named"] += any(slip.cell in (p.cell, *(c.cell for c in p.candidates)) for p in problems)
        found["alone"] += any(slip.cell == p.cell for p in problems)
    return found


def _right(game: KeptGame, result: GameResult) -> int:
    pairs = [(row.corrected.points.we, row.corrected.points.they) for row in result.rows]
    return sum(pair == (hand.we, hand.they) for pair, hand in zip(pairs, game.hands, strict=True))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--teams", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = sum((audit(game) for game in keep_season(options.teams, options.seed).games), Counter())
    print(f"{found['rows']} rows, {found['slips']} with a slip")
    print(f"slips found on their row        {found['found']}")
    print(f"their cell named                {found['named']}, alone {found['alone']}")
    print(f"rows accused without a slip     {found['accused']}")
    print(f"rows corrected to what was played {found['right']}")


if __name__ == "__main__":
    main()
