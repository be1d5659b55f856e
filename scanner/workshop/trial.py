"""The workshop at its hardest: thousands of its worst sheets, cut by their true grid, read and decoded.

    python -m scanner.workshop.trial --work build/trial --count 2000 --seed 77

What such a sheet is was fixed before the scorekeeper's model was measured on it: ``random_sheet`` at the level
``brutal``, with the slips of :mod:`scanner.workshop.slips` (its own kinds, its own wrong figures; nothing of the
decoder's). Cells are cut by the true rulings, so that only the reader and the scorekeeper are judged; scanning the same
sheets whole is ``python -m scanner.workshop.samples --level brutal`` and ``clabber evaluate``.

Crops are kept in ``--work`` and so is what the reader said of them, by the reader's checksum: an interrupted run goes
on, and other weights or another decoder need not make the sheets again.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np

from scanner.photo.blown import blown_out
from scanner.photo.cells import CELL_HEIGHT, cut_cells
from scanner.reader.cells import read_cells
from scanner.scorekeeper.decode import decode_game
from scanner.scorekeeper.likelihood import in_glare
from scanner.sheet.layout import Layout, built_in_layouts
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import canonical
from scanner.workshop import reliability
from scanner.workshop.answers import answered, show_answered
from scanner.workshop.develop import compressed
from scanner.workshop.evaluate import game_mistakes, report, score_game
from scanner.workshop.reader_report import kind_of, show
from scanner.workshop.samples import LEVELS, load, make_sample, random_sheet

LEVEL = "brutal"


@dataclass(frozen=True, eq=False)
class TrialGame:
    """One game of the trial: where it stands, its truth, its layout, and what the reader says of every cell."""

    where: str
    truth: dict
    layout: Layout
    readings: dict[tuple[int, str], CellReading]


def keep_sheets(work: Path, numbers: Iterable[int], seed: int, level: str = LEVEL) -> None:
    """Makes the sheets that ``work`` does not hold yet."""
    folder = work / f"{level}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    for i in numbers:
        if not (path := folder / f"{i:05d}.npz").exists():
            _replace(path, _made(seed, i, level))


def trial_games(work: Path, count: int, seed: int, level: str = LEVEL) -> Iterator[TrialGame]:
    """The games of so many sheets, made and read as far as ``work`` does not hold them yet."""
    cells, said = work / f"{level}-{seed}", work / f"{level}-{seed}-read-{_checksum()[:8]}"
    said.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        keep_sheets(work, range(i, i + 1), seed, level)
        crops, log_probs = cells / f"{i:05d}.npz", said / f"{i:05d}.npy"
        with np.load(crops) as kept:
            truth, grids = json.loads(str(kept["truth"])), [kept[f"grid{g}"] for g in range(int(kept["grids"]))]
            widths = kept["widths"]
        if not log_probs.exists():
            _replace(log_probs, _read(grids, widths))
        yield from _games(f"{level} {seed}/{i}", truth, np.load(log_probs), _crops(grids, widths))


def _checksum() -> str:
    """Of the reader: its weights and its program, so that what an older one said is never taken for what it says."""
    reader = resources.files("scanner.reader")
    sources = sorted((part for part in reader.iterdir() if part.name.endswith(".py")), key=lambda part: part.name)
    whole = hashlib.sha256((reader / "model" / "cells.json").read_bytes())
    for source in sources:
        whole.update(source.read_bytes())
    return whole.hexdigest()


def _made(seed: int, number: int, level: str) -> bytes:
    """One sheet as the bytes of its ``.npz``: the truth, and for each game all cells side by side as a PNG."""
    rng = np.random.default_rng([seed, number, LEVELS.index(level)])  # as samples.make_sheets draws it
    layouts = built_in_layouts()
    plan = random_sheet(rng, level, layouts)
    layout = load(plan.layout, layouts)
    sample = make_sample(plan, layout, rng)
    pixels = compressed(sample.shot.pixels, sample.quality)
    truth = {key: sample.truth[key] for key in ("layout", "games", "camera")}
    arrays, widths = {}, []
    for grid, nodes in enumerate(sample.truth["ruling_nodes"][: len(truth["games"])]):
        crops = list(cut_cells(pixels, SimpleNamespace(nodes=np.array(nodes)), layout).values())
        widths += [crop.shape[1] for crop in crops]
        arrays[f"grid{grid}"] = cv2.imencode(".png", np.concatenate(crops, axis=1))[1]
    out = io.BytesIO()
    np.savez(out, truth=json.dumps(truth), grids=len(truth["games"]), widths=np.array(widths), **arrays)
    return out.getvalue()


def _read(grids: Sequence[np.ndarray], widths: np.ndarray) -> bytes:
    """Log-probabilities of every text of every cell, grid by grid, half precision, as the bytes of an ``.npy``."""
    out = io.BytesIO()
    np.save(out, np.stack([r.log_probs for r in read_cells(_crops(grids, widths))]).astype(np.float16))
    return out.getvalue()


def _crops(grids: Sequence[np.ndarray], widths: np.ndarray) -> list[np.ndarray]:
    """The cells of a sheet, grid by grid."""
    row = np.concatenate([cv2.imdecode(grid, cv2.IMREAD_COLOR) for grid in grids], axis=1)
    assert row.shape[:2] == (CELL_HEIGHT, widths.sum())
    return np.split(row, np.cumsum(widths)[:-1], axis=1)


def _replace(path: Path, data: bytes) -> None:
    """Writes a file whole or not at all."""
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)


def _games(where: str, truth: dict, log_probs: np.ndarray, crops: Sequence[np.ndarray]) -> Iterator[TrialGame]:
    layout = load(truth["layout"])
    numbers = range(len(truth["games"]))
    places = [(n, row, key) for n in numbers for row in range(1, layout.rows + 1) for key in layout.keys]
    readings = {place: CellReading(row.astype(np.float64)) for place, row in zip(places, log_probs, strict=True)}
    readings = in_glare(readings, blown_out(dict(zip(places, crops, strict=True)), readings))
    for n, game in enumerate(truth["games"]):
        own = {(row, key): reading for (number, row, key), reading in readings.items() if number == n}
        yield TrialGame(f"{where} game {n + 1}", game, layout, own)


def reader_alone(game: TrialGame, counts: dict[str, Counter]) -> None:
    """Adds to ``counts``, by kind of cell, what the reader makes of the cells of the written rows before any sums."""
    struck = {(s["row"], s["cell"]) for s in game.truth.get("struck", [])}
    for row, written in enumerate(game.truth["rows"], 1):
        for key, text in written.items():
            kind = kind_of(text, (row, key) in struck)
            exact = game.readings[row, key].text == canonical(text)
            counts.setdefault(kind, Counter()).update(cells=1, exact=exact)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("build/trial"), help="folder for crops and readings")
    parser.add_argument("--count", type=int, default=2000, help="sheets")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--level", choices=LEVELS, default=LEVEL)
    parser.add_argument("--make", action="store_true", help="only make the sheets and keep their cells")
    parser.add_argument("--plot", type=Path, help="picture of said against so")
    parser.add_argument("--verbose", action="store_true", help="list every cell that is not as written")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.make:
        return keep_sheets(args.work, range(args.count), args.seed, args.level)
    counts: Counter = Counter()
    after: Counter = Counter()
    alone: dict[str, Counter] = {}
    pairs = []
    for game in trial_games(args.work, args.count, args.seed, args.level):
        decoded = decode_game(game.readings, game.layout)
        counts.update(score_game(game.truth, decoded))
        final, questions = answered(game.truth, game.readings, game.layout, decoded)
        after.update(score_game(game.truth, final), questions=questions)
        reader_alone(game, alone)
        pairs.append((game.truth, decoded))
        if not (decoded and decoded.rows):
            after.update(lost=1, lost_cells=sum(map(len, game.truth["rows"])))
        if args.verbose:
            print("".join(f"{game.where} {line}\n" for line in game_mistakes(game.truth, decoded)), end="")
        if counts["games"] % 50 == 0:
            print(f"{game.where} of {args.count} sheets", file=sys.stderr, flush=True)
    print(report({args.level: counts}))
    print(f"nothing is read of {after['lost']} games with {after['lost_cells']} cells, counted as wrong and not asked")
    print(show_answered(after))
    show("the reader alone", alone)
    said = reliability.both(pairs)
    print("\n".join(reliability.table(kind, part) for kind, part in said.items()))
    if args.plot:
        reliability.draw(said, args.plot)


if __name__ == "__main__":
    main()
