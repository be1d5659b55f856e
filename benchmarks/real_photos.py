"""``python benchmarks/real_photos.py [FOLDER]``: how well tables in other people's photographs are found and cut.

FOLDER (by default ``../shared/real``) has a ``.json`` and a ``.csv`` beside each photograph, the corners of whose cells
were set by hand. No known layout fits these tables: a layout is learnt from each photograph, as ``clabber layout
learn`` does, and the photograph is then scanned with that layout alone. For measuring only: nothing in this project is
set by what these photographs show.
"""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from scanner.photo.learn import learn_table
from scanner.photo.load import Photo, load
from scanner.photo.rulings import line_map
from scanner.photo.sheets import find_sheets
from scanner.sheet.results import PhotoError

#: A cell is cut well if all its corners lie within this part of its row's height.
CLOSE = 0.25


@dataclass(frozen=True)
class Measured:
    """One photograph: what was learnt, the scan's error code or "", and each cell's worst corner in row heights."""

    name: str
    looks: str
    error: str
    off: np.ndarray

    @property
    def good(self) -> bool:
        """Whether the table was found and every cell is cut within a quarter of a row."""
        return not self.error and len(self.off) > 0 and bool((self.off <= CLOSE).all())


def measure(truth: Path) -> Measured:
    """A photograph against the hand-set corners; crossings are those of the scan, or of the learnt table if refused."""
    photo = load(truth.with_name(json.loads(truth.read_text("utf-8"))["file"]))
    assert isinstance(photo, Photo), photo.message
    table = learn_table(line_map(photo.pixels))
    if table is None:
        return Measured(truth.stem, "no table", "no-sheet", np.zeros(0))
    found = find_sheets(photo, (table.layout,))
    refused = isinstance(found, PhotoError)
    nodes = [table.nodes] if refused else [grid.nodes for sheet in found for grid in sheet.grids]
    off = _misses(_cells(truth.with_suffix(".csv")), np.concatenate([n.reshape(-1, 2) for n in nodes]))
    return Measured(truth.stem, table.looks, found.code if refused else "", off)


def _cells(path: Path) -> np.ndarray:
    """Corners of the labelled cells, photo pixels, shape (cells, 4, 2), clockwise from the top left."""
    names = [f"{axis}{corner}" for corner in range(4) for axis in "xy"]
    with path.open(encoding="utf-8", newline="") as file:
        return np.array([[float(row[name]) for name in names] for row in csv.DictReader(file)]).reshape(-1, 4, 2)


def _misses(cells: np.ndarray, crossings: np.ndarray) -> np.ndarray:
    """For each cell the distance of its worst corner from the nearest crossing, by its own height, shape (cells,)."""
    height = np.linalg.norm(cells[:, 3] - cells[:, 0], axis=1)
    far = np.linalg.norm(cells[:, :, None] - crossings[None, None], axis=-1).min(axis=2)
    return far.max(axis=1) / height


def main() -> int:
    """Prints a line a photograph; exit 0 always, it is a measurement."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "shared" / "real"
    truths = sorted(folder.glob("*/*.json"))
    if not truths:
        print(f"{folder}: no photographs with truth there; nothing measured.")
        return 0
    cv2.setNumThreads(1)
    measured = []
    for truth in truths:
        one = measure(truth)
        measured.append(one)
        cut = f"{(one.off <= CLOSE).sum()} of {len(one.off)} cells" if len(one.off) else "none"
        worst = f"median {np.median(one.off):.3f}, worst {one.off.max():.3f} rows" if len(one.off) else ""
        refused = f"; the scan refuses it: {one.error}, crossings are the learnt table's" if one.error else ""
        print(f"{one.name:28s} {one.looks}: {cut} within {CLOSE} rows, {worst}{refused}", flush=True)
    print(f"found and cut within a quarter of a row: {sum(m.good for m in measured)} of {len(measured)}; by the learnt "
          f"table alone {sum(len(m.off) > 0 and bool((m.off <= CLOSE).all()) for m in measured)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
