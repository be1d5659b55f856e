"""How long one game takes to judge: ``python benchmarks/game_time.py [--rows 12] [--games 12]``.

Every cell is read for certain and right. No game fills twelve rows before a side has 500: hands go on after the end.
Processor time of one core in milliseconds, for the pads built in, only totals, and only points.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from no_pixels import LAYOUTS, sure

from scanner.scorekeeper.decode import decode_game
from scanner.sheet.layout import Layout
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import EMPTY
from scanner.workshop.games import random_hand
from scanner.workshop.slips import slip_on

Rng = np.random.Generator


def written_rows(layout: Layout, rows: int, rng: Rng) -> list[dict[str, str]]:
    """So many hands one below the other, three of four set, so that the total check stays below 2,000."""
    found, before = [], [{"we": 0, "they": 0}]
    for row in range(1, rows + 1):
        hand = next(hand for hand in iter(lambda: random_hand(rng), None) if (hand.set is None) == (row % 4 == 1))
        numbers, _ = slip_on(None, row, hand.points, hand.set, before, layout.keys, rng)
        texts = {"hand_check": str(numbers.hand_check), "total_check": str(numbers.total_check)}
        for side in ("we", "they"):
            mark = "XX" if hand.set == side else "-" if hand.points[side] == 0 else ""
            texts |= {f"{side}_points": mark or str(hand.points[side]), f"{side}_total": str(numbers.totals[side])}
            if mark and f"{side}_points" not in layout.keys:
                texts[f"{side}_total"] = mark
        found.append({key: texts[key] for key in layout.keys})
        before.append(numbers.totals)
    return found


def readings(layout: Layout, rows: list[dict[str, str]], rng: Rng) -> dict[tuple[int, str], CellReading]:
    """Sure readings of the rows, nothing below them."""
    below = [dict.fromkeys(layout.keys, EMPTY)] * (layout.rows - len(rows))
    return {(n, key): sure(rng, row[key]) for n, row in enumerate([*rows, *below], 1) for key in layout.keys}


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=12, help="written rows of each game")
    parser.add_argument("--games", type=int, default=12)
    args = parser.parse_args()
    for layout in LAYOUTS:
        rng, spent = np.random.default_rng(5), []
        for _ in range(args.games + 1):
            game = readings(layout, written_rows(layout, min(args.rows, layout.rows), rng), rng)
            start = time.process_time()
            decode_game(game, layout)
            spent.append(1000 * (time.process_time() - start))
        low, middle, high = np.quantile(spent[1:], (0, 0.5, 1))  # the first one fills caches
        print(f"{layout.name:24} {args.rows} rows: {middle:.1f} ms median ({low:.1f} to {high:.1f}) of {args.games}")


if __name__ == "__main__":
    main()
