"""The scorekeeper without pixels: ``python benchmarks/no_pixels.py [clean|slips|misread] --games 3000``.

* ``clean``: typed games without a slip; every problem is a false alarm.
* ``slips``: typed games with one slip of each kind the workshop knows; those that break a rule must be named.
* ``misread``: games without a slip, one cell of each read wrong with confidence, the right text anywhere among the
  2,004; the row must be settled or asked, not accused. ``like`` texts have one digit changed, lost or made up; ``sum``
  texts are ten or a hundred off or turned round, which is what people do too; ``any`` may be any text.

Games are done in blocks of 100 that depend on seed and number alone; ``--work FILE`` keeps what is done.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from scanner.scorekeeper.check import check_game
from scanner.scorekeeper.decode import decode_game
from scanner.sheet.layout import Layout, built_in_layouts, parse_layout
from scanner.sheet.reading import CellReading
from scanner.sheet.results import GameResult
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, VOCABULARY
from scanner.workshop.games import Keeper, WrittenGame, write_game
from scanner.workshop.slips import KEEPING_KINDS, KINDS

BLOCK = 100
Rng = np.random.Generator
#: Doubt of the wrong text, and how it came about.
DOUBTS = (0.1, 0.01, 0.001, 0.0001)
WAYS = ("like", "sum", "any")
CAREFUL = {"slip": 0.0, "strike": 0.0, "rewrite": 0.0, "forget": 0.0}


def layout_of(*keys: str) -> Layout:
    """A pad with these columns."""
    columns = "".join(f'[[columns]]\nkey = "{key}"\nwidth = 20.0\n' for key in keys)
    return parse_layout(f'name = "{"+".join(keys)}"\nrows = 12\nrow_height = 9.0\n{columns}', "own.toml")


LAYOUTS = (*built_in_layouts(), layout_of("we_total", "they_total"), layout_of("we_points", "they_points"))


def accused(game: GameResult | None) -> set[int]:
    """Rows accused of a slip."""
    return {p.row for p in game.problems if p.code not in ("unreadable", "winner-mark")} if game else set()


def texts_of(game: WrittenGame) -> list[dict[str, str]]:
    """The rows as typed."""
    return [{key: entry.text for key, entry in row.items()} for row in game.rows]


def clean(rng: Rng, layout: Layout) -> Counter:
    """One typed game without a slip."""
    game = write_game(layout, Keeper(repeat=bool(rng.random() < 0.3), **CAREFUL), rng)
    result = check_game(texts_of(game), game.winner_mark, layout)
    return Counter(games=1, rows=len(game.rows), alarms=len(result.problems))


def slips(rng: Rng, layout: Layout) -> Counter:
    """One typed game with a slip planned."""
    kinds = sorted({*KINDS, *KEEPING_KINDS, "past-the-end"})
    kind = kinds[int(rng.integers(len(kinds)))]
    game = write_game(layout, Keeper(repeat=bool(rng.random() < 0.3), **CAREFUL), rng, planned=kind)
    result = check_game(texts_of(game), game.winner_mark, layout)
    count = Counter(games=1, rows=len(game.rows), alarms=len(accused(result) - {s.row for s in game.slips}))
    for slip in game.slips:
        found = [p for p in result.problems if p.row == slip.row]
        named = any(slip.cell in {None, p.cell, *(c.cell for c in p.candidates)} for p in found)
        count.update({f"{kind} made": 1, f"{kind} found": bool(found), f"{kind} named": named})
    return count


def misread(rng: Rng, layout: Layout) -> Counter:
    """One game of sure readings with one confident misreading."""
    game = write_game(layout, Keeper(repeat=bool(rng.random() < 0.3), **CAREFUL), rng)
    rows = texts_of(game)
    readings = {(n, key): sure(rng, rows[n - 1].get(key, EMPTY) if n <= len(rows) else EMPTY)
                for n in range(1, layout.rows + 1) for key in layout.keys}  # fmt: skip
    if game.winner_mark and len(rows) < layout.rows:
        readings[len(rows) + 1, f"{game.winner_mark}_{column(layout)}"] = sure(rng, "W")
    row, key = int(rng.integers(len(rows))) + 1, str(rng.choice(layout.arithmetic_keys))
    doubt, way = DOUBTS[int(rng.integers(len(DOUBTS)))], WAYS[int(rng.integers(len(WAYS)))]
    right = rows[row - 1][key]
    readings[row, key] = wrongly(rng, wrong_text(rng, right, way), doubt)
    result = decode_game(readings, layout)
    cells = {r.row: r.cells for r in result.rows} if result else {}
    cell = cells.get(row, {}).get(key)
    wrong = sum(cells[n][k].text != text and not cells[n][k].review if n in cells else 1
                for n, texts in enumerate(rows, 1) for k, text in texts.items())  # fmt: skip
    asked = sum(c.review for texts in cells.values() for c in texts.values())
    count = Counter(games=1, rows=len(rows), accused=len(accused(result)), silent=wrong, asked=asked,
                    settled=bool(cell and cell.text == right and not cell.review))  # fmt: skip
    for name in (f"doubt {doubt:g}", way, f"{way}, doubt {doubt:g}", layout.name):
        count.update({f"{name}|{what}": n for what, n in count.items() if "|" not in what})
    return count


def column(layout: Layout) -> str:
    """The kind of column a W is written in."""
    return "total" if "we_total" in layout.keys else "points"


def sure(rng: Rng, text: str) -> CellReading:
    """A right reading with a doubt of 0.003 down to 0.00001, spread unevenly over everything else."""
    return wrongly(rng, text, float(10 ** -rng.uniform(2.5, 5)))


def wrongly(rng: Rng, read: str, doubt: float) -> CellReading:
    """``read`` has all but ``doubt``; the rest falls off over the vocabulary in random order.
    """
    falls = 1 / (1 + np.arange(len(VOCABULARY)))
    rest = rng.permutation(falls)
    rest[INDEX[read]] = 0
    chances = doubt * rest / rest.sum()
    chances[INDEX[read]] = 1 - doubt
    return CellReading(np.log(chances))


def wrong_text(rng: Rng, right: str, way: str) -> str:
    """Another text: a digit taken for another, lost or made up; ten or a hundred off, turned round; any text at all."""
    while True:
        if way == "any" or not right.isdigit():
            marked = rng.random() < 0.1
            wrong = str(rng.choice(["XX", "-", ""])) if marked else VOCABULARY[int(rng.integers(len(VOCABULARY)))]
        elif way == "like":
            digits, how = list(right), rng.random()
            place = int(rng.integers(len(digits)))
            digits[place : place + (how < 0.8)] = str(rng.integers(10)) if how < 0.9 else ""
            wrong = "".join(digits)
        else:
            off = int(rng.choice([10, -10, 100, -100, 1, -1, 20, 2]))
            wrong = str(int(right) + off) if rng.random() < 0.8 else right[::-1]
        if wrong != right and wrong in INDEX and (not wrong.isdigit() or 0 <= int(wrong) < NUMBERS):
            return wrong


_WHAT = ("games", "rows", "accused", "silent", "asked", "settled")
PARTS: dict[str, Callable[[Rng, Layout], Counter]] = {"clean": clean, "slips": slips, "misread": misread}


def blocks(part: str, games: int, seed: int, work: Path | None, layouts: tuple[Layout, ...]) -> Iterator[Counter]:
    """The counts of every block, done or still to do."""
    done = {}
    if work and work.exists():
        done = {(b["part"], b["seed"], b["block"]): b["count"] for b in map(json.loads, work.read_text().splitlines())}
    for block in range(-(-games // BLOCK)):
        if (part, seed, block) not in done:
            rng, count = np.random.default_rng([seed, block, len(part)]), Counter()
            for i in range(BLOCK):
                count.update(PARTS[part](rng, layouts[i % len(layouts)]))
            if work:
                with work.open("a") as file:
                    file.write(json.dumps({"part": part, "seed": seed, "block": block, "count": count}) + "\n")
            done[part, seed, block] = count
        yield Counter(done[part, seed, block])


def show(part: str, count: Counter) -> None:
    """The figures of one part."""
    if part == "clean":
        print(f"{count['games']} clean games, {count['rows']} rows: {count['alarms']} false alarms")
    elif part == "slips":
        print(f"{count['games']} games, {count['alarms']} rows accused without a slip")
        for kind in sorted({name.rsplit(" ", 1)[0] for name in count if name.endswith("made")}):
            made, found, named = (count[f"{kind} {what}"] for what in ("made", "found", "named"))
            print(f"  {kind:15} {found} of {made}, cell named {named}")
    else:
        for name in ("", *sorted({key.split("|")[0] + "|" for key in count if "|" in key})):
            games, rows, wrongly, silent, asked, settled = (count[name + what] for what in _WHAT)
            print(f"{name[:-1] or 'all':24} {games:5} games {rows:6} rows: accused {wrongly:4} = "
                  f"{100 * wrongly / rows:.3f} %, settled {100 * settled / games:.1f} %, asked {asked} silent {silent}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=list(PARTS))
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--work", type=Path, help="file that keeps the blocks done")
    parser.add_argument("--built-in", action="store_true", help="only the pads built in")
    args = parser.parse_args()
    layouts = LAYOUTS[:3] if args.built_in else LAYOUTS
    for part in [args.part] if args.part else list(PARTS):
        start = time.process_time()
        count = sum(blocks(part, args.games, args.seed, args.work, layouts), Counter())
        show(part, count)
        print(f"  {1000 * (time.process_time() - start) / max(1, count['games']):.1f} ms a game")


if __name__ == "__main__":
    main()
