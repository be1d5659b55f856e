"""The reader alone, on cells cut by the true grid: how many it reads exactly, beside ready-made engines.

    python -m scanner.workshop.reader_report FOLDER [--peers] [--errors PICTURE.png]

``--peers`` reads the same crops with PP-OCRv6-small (the ``rapidocr`` wheel, output masked to digits) and Tesseract;
install the ``peers`` group first.  A folder with a ``cells.csv`` (file, source, value, flag) is read as single cells.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from PIL import Image, ImageDraw

from scanner.photo.cells import cut_cells
from scanner.photo.load import load
from scanner.reader.cells import read_cells
from scanner.reader.network import networks_of, session
from scanner.sheet.layout import load_layout
from scanner.sheet.reading import CellReading
from scanner.sheet.texts import canonical
from scanner.workshop.reliability import BELOW, Said
from scanner.workshop.reliability import table as reliability_table

#: An engine: crops in, its best text for each out.
Engine = Callable[[Sequence[np.ndarray]], list[str]]


@dataclass(frozen=True)
class TrueCell:
    """A crop and what is written in it; ``kind`` is digits, struck (beside a dead number), mark, empty or flagged."""

    image: np.ndarray
    text: str
    kind: str
    where: str


def true_cells(folder: Path) -> list[TrueCell]:
    """Every cell of every true row of a folder of photos with truth, cut by ``ruling_nodes``."""
    if (folder / "cells.csv").exists():
        return _single_cells(folder)
    cells: list[TrueCell] = []
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text())
        photo, layout = load(folder / truth["photo"]), load_layout(truth["layout"])
        for number, (game, nodes) in enumerate(zip(truth["games"], truth["ruling_nodes"], strict=False), 1):
            crops = cut_cells(photo.pixels, SimpleNamespace(nodes=np.array(nodes)), layout)
            struck = {(s["row"], s["cell"]) for s in game.get("struck", [])}
            for row, written in enumerate(game["rows"], 1):
                cells += [TrueCell(crops[row, key], canonical(text), kind_of(text, (row, key) in struck),
                                   f"{path.stem}/{number}/{row}/{key}") for key, text in written.items()]
    return cells


def _single_cells(folder: Path) -> list[TrueCell]:
    rows = list(csv.DictReader((folder / "cells.csv").open()))
    return [TrueCell(np.array(Image.open(folder / r["file"]).convert("RGB")), canonical(r["value"]),
                     "flagged" if r["flag"] else "digits", Path(r["file"]).stem) for r in rows]


def kind_of(text: str, struck: bool) -> str:
    """What a cell of a written row is counted under."""
    if struck:
        return "struck"
    return "digits" if text.isdigit() else "mark" if text else "empty"


def wilson(right: int, count: int) -> tuple[float, float]:
    """95 % Wilson interval of a share, in percent."""
    if not count:
        return 0.0, 100.0
    z, p = 1.96, right / count
    middle, reach = p + z * z / (2 * count), z * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count))
    return 100 * (middle - reach) / (1 + z * z / count), 100 * (middle + reach) / (1 + z * z / count)


def tally(cells: Sequence[TrueCell], texts: Sequence[str]) -> dict[str, Counter]:
    """Counts of cells and exact ones by kind; struck cells that hold digits count under digits too."""
    counts: dict[str, Counter] = defaultdict(Counter)
    for cell, text in zip(cells, texts, strict=True):
        kinds = [cell.kind] + (["digits"] if cell.kind == "struck" and cell.text.isdigit() else [])
        for kind in kinds:
            counts[kind].update(cells=1, exact=text == cell.text)
    return counts


def show(name: str, counts: dict[str, Counter]) -> None:
    """Prints one engine's table."""
    for kind in sorted(counts):
        c = counts[kind]
        low, high = wilson(c["exact"], c["cells"])
        print(f"{name:22s} {kind:8s} {c['exact']:5d} of {c['cells']:5d} = {100 * c['exact'] / c['cells']:6.2f} %"
              f"  (95 %: {low:.1f} to {high:.1f})")


def calibration(cells: Sequence[TrueCell], readings: Sequence[CellReading]) -> None:
    """Prints log-loss over all cells, and a reliability table of those whose best text has less than 0.99."""
    losses = [-math.log(max(r.probability(c.text), 1e-12)) for c, r in zip(cells, readings, strict=True)]
    print(f"log-loss {np.mean(losses):.4f} over {len(losses)} cells")
    doubtful = [(r.confidence, r.text == c.text) for c, r in zip(cells, readings, strict=True) if r.confidence < BELOW]
    print(reliability_table(f"cells below {BELOW}", Said.of(doubtful)))


def picture(cells: Sequence[TrueCell], texts: Sequence[str], path: Path, columns: int = 7) -> None:
    """A sheet of all misread crops with what was read and what is written."""
    wrong = [(c, t) for c, t in zip(cells, texts, strict=True) if c.text != t]
    page = Image.new("RGB", (columns * 190, max(1, -(-len(wrong) // columns)) * 84), "white")
    pen = ImageDraw.Draw(page)
    for i, (cell, text) in enumerate(wrong):
        x, y = i % columns * 190, i // columns * 84
        crop = Image.fromarray(cell.image)
        crop.thumbnail((186, 50))
        page.paste(crop, (x, y))
        pen.text((x, y + 52), f"read {text or '(empty)'}, is {cell.text or '(empty)'}\n{cell.where}", fill="black")
    page.save(path)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peers", action="store_true", help="read the same crops with ready-made engines too")
    parser.add_argument("--model", type=Path, help="folder with other weights than the shipped ones")
    parser.add_argument("--errors", type=Path, help="write a picture of the misread cells")
    args = parser.parse_args()
    with networks_of(args.model) if args.model else nullcontext():
        measure(args)


def measure(args: argparse.Namespace) -> None:
    """Reads the folder's cells and prints the tables."""
    cells = true_cells(args.folder)
    images = [c.image for c in cells]
    session()
    begun = time.perf_counter()
    readings = read_cells(images)
    spent = time.perf_counter() - begun
    texts = [r.text for r in readings]
    show("ours", tally(cells, texts))
    digits = [(c, r) for c, r in zip(cells, readings, strict=True) if c.text.isdigit()]
    third = sum(c.text in [t for t, _ in r.top(3)] for c, r in digits)
    print(f"digit cells with the right text among the three most probable: {third} of {len(digits)}"
          f" = {100 * third / max(1, len(digits)):.2f} %;  {1000 * spent / max(1, len(cells)):.2f} ms a cell")
    calibration(cells, readings)
    if args.errors:
        picture(cells, texts, args.errors)
    if args.peers:
        from scanner.workshop import peers
        show("with a second opinion", tally(cells, peers.second_opinion(images, readings)))
        for name, engine in peers.ENGINES.items():
            show(name, tally([c for c in cells if c.text.isdigit()],
                             engine([c.image for c in cells if c.text.isdigit()])))


if __name__ == "__main__":
    main()
