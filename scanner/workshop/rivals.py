"""Other ways to judge the same readings, to hold the scorekeeper against: greedy, by sum rules, by repair.

    python -m scanner.workshop.rivals --work build/trial --count 200 --seed 77

* **greedy**: the best text of each cell; every broken rule accuses, cells under :data:`SURE` are asked.
* **by sum rules**: as in published work on forms and invoices, a few candidates of each cell are put through every sum
  rule of a row, and those that do not add up are weighed down; the best of each cell is kept.
* **by repair**: row by row, a row that breaks a rule is mended by the likeliest change of one cell that makes it whole,
  and accused if there is none.

All three see what the reader says and nothing else; the rows that hold hands are those the greedy texts fill.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np

from scanner.scorekeeper.check import check_game, holds_hand
from scanner.scorekeeper.decode import decode_game
from scanner.scorekeeper.meaning import Totals, row_ink
from scanner.scorekeeper.verify import violations
from scanner.sheet.results import GameResult, Problem
from scanner.sheet.texts import WON
from scanner.workshop.evaluate import score_game
from scanner.workshop.trial import LEVEL, TrialGame, trial_games

#: Cells whose kept text has less than this are asked: the bare threshold such systems have.
SURE = 0.9
#: Candidates of a cell; what is left of the weight of one that no sum rule confirms.
CANDIDATES, UNCONFIRMED = 5, 0.02
#: A change of one cell is tried down to this probability of its new text.
_WORTH_TRYING = 1e-6
_REPAIRS = 20

Texts = dict[str, str]
Chances = dict[str, float]
Way = Callable[[TrialGame, int, Totals], tuple[Texts, Chances]]


def greedy(game: TrialGame, row: int, before: Totals) -> tuple[Texts, Chances]:
    """Best text of each cell, and its probability."""
    cells = {key: game.readings[row, key] for key in game.layout.arithmetic_keys}
    return {key: c.text for key, c in cells.items()}, {key: c.confidence for key, c in cells.items()}


def by_sum_rules(game: TrialGame, row: int, before: Totals) -> tuple[Texts, Chances]:
    """Candidates weighed down where no sum rule of the row confirms them."""
    keys = game.layout.arithmetic_keys
    tops = {key: game.readings[row, key].top(CANDIDATES) for key in keys}
    confirmed = {key: [0.0] * CANDIDATES for key in keys}
    for choice in product(range(CANDIDATES), repeat=len(keys)):
        texts = {key: tops[key][i][0] for key, i in zip(keys, choice, strict=True)}
        if not _broken(texts, before, keys):
            weight = float(np.prod([tops[key][i][1] for key, i in zip(keys, choice, strict=True)]))
            for key, i in zip(keys, choice, strict=True):
                confirmed[key][i] += weight
    found, chances = {}, {}
    for key in keys:
        best = max(confirmed[key])
        weights = [p * (1 if best and c > 1e-3 * best else UNCONFIRMED)
                   for (_, p), c in zip(tops[key], confirmed[key], strict=True)]  # fmt: skip
        i = int(np.argmax(weights))
        found[key], chances[key] = tops[key][i][0], weights[i] / sum(weights)
    return found, chances


def by_repair(game: TrialGame, row: int, before: Totals) -> tuple[Texts, Chances]:
    """The likeliest change of one cell that makes a broken row whole."""
    texts, chances = greedy(game, row, before)
    keys = game.layout.arithmetic_keys
    if not _broken(texts, before, keys):
        return texts, chances
    changes = [(p / chances[key], key, text) for key in keys for text, p in game.readings[row, key].top(_REPAIRS)
               if text != texts[key] and p > _WORTH_TRYING]  # fmt: skip
    for _, key, text in sorted(changes, reverse=True):
        if not _broken(texts | {key: text}, before, keys):
            return texts | {key: text}, chances | {key: 1.0}  # confirmed by the sums, so nobody is asked
    return texts, chances


def _broken(texts: Texts, before: Totals, keys: tuple[str, ...]) -> bool:
    return bool(violations(row_ink(texts, before, keys), texts, before, keys))


def judged(game: TrialGame, way: Way) -> GameResult | None:
    """A game judged by one of the three."""
    layout, before, rows = game.layout, (0, 0), {}
    for number in range(1, layout.rows + 1):
        texts, chances = greedy(game, number, before)
        if not holds_hand(texts, layout):
            continue
        texts, chances = way(game, number, before)
        rows[number] = (texts, chances)
        before = tuple(side.carried for side in row_ink(texts, before, layout.arithmetic_keys).sides)
    if not rows:
        return None
    typed = [rows[n][0] if n in rows else {} for n in range(1, max(rows) + 1)]
    return _asked(check_game(typed, _mark(game, max(rows)), layout), rows)


def _asked(result: GameResult, rows: dict[int, tuple[Texts, Chances]]) -> GameResult:
    found, questions = [], []
    for row in result.rows:
        low = {key for key, chance in rows[row.row][1].items() if chance < SURE}
        cells = {key: replace(cell, confidence=rows[row.row][1].get(key, 1.0), review=key in low)
                 for key, cell in row.cells.items()}  # fmt: skip
        found.append(replace(row, cells=cells))
        questions += [Problem("unreadable", row.row, key, None, None, "") for key in low]
    return replace(result, rows=tuple(found), problems=(*result.problems, *questions))


def _mark(game: TrialGame, last: int) -> str | None:
    for (row, key), reading in game.readings.items():
        if row > last and reading.text == WON and not key.endswith("check"):
            return key.split("_")[0]
    return None


WAYS: dict[str, Callable[[TrialGame], GameResult | None]] = {
    "greedy": lambda game: judged(game, greedy),
    "by sum rules": lambda game: judged(game, by_sum_rules),
    "by repair": lambda game: judged(game, by_repair),
    "scorekeeper": lambda game: decode_game(game.readings, game.layout),
}


def table(counts: dict[str, Counter]) -> str:
    """A row a way, as Markdown."""
    lines = ["| | wrong, not asked | asked | games right once asked | slips reported | rows accused wrongly |",
             "|---|---|---|---|---|---|"]
    for name, c in counts.items():
        lines.append(f"| {name} | {c['silent']} of {c['cells']} | {c['asked']} | {c['perfect']} of {c['games']} | "
                     f"{c['guilty']} of {c['slips']} | {c['accused']} of {c['rows']} |")
    return "\n".join(lines)


def examples(game: TrialGame, results: dict[str, GameResult | None]) -> list[str]:
    """Rows in which the ways differ about whether somebody slipped, a line each."""
    slips = {slip["row"] for slip in game.truth.get("slips", ())}
    said = {name: {p.row for p in r.problems if p.code not in ("unreadable", "winner-mark")} if r else set()
            for name, r in results.items()}  # fmt: skip
    rows = range(1, len(game.truth["rows"]) + 1)
    return [f"{game.where} row {n} ({'a slip' if n in slips else 'no slip'}), accused: "
            f"{', '.join(name for name in said if n in said[name])}; written {game.truth['rows'][n - 1]}"
            for n in rows if len({n in found for found in said.values()}) > 1]  # fmt: skip


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("build/trial"), help="as of scanner.workshop.trial")
    parser.add_argument("--count", type=int, default=200, help="sheets")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--level", default=LEVEL)
    parser.add_argument("--verbose", action="store_true", help="list the rows on which the ways differ")
    args = parser.parse_args()
    counts: dict[str, Counter] = {name: Counter() for name in WAYS}
    for game in trial_games(args.work, args.count, args.seed, args.level):
        results = {name: way(game) for name, way in WAYS.items()}
        for name, result in results.items():
            counts[name].update(score_game(game.truth, result))
        if args.verbose:
            print("".join(f"{line}\n" for line in examples(game, results)), end="")
    print(table(counts))


if __name__ == "__main__":
    main()
