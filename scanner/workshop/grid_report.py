"""How well grids are found: ``python -m scanner.workshop.grid_report TRUTH_DIR`` prints a table, a photo a line.

A truth folder holds ``NAME.json`` beside ``NAME.jpg`` with ``layout`` and ``ruling_nodes`` (for every grid the photo's
position of each crossing of the rulings). Distances are in mean row heights of the grid. Times are milliseconds from
the file's bytes to the cut cells, the processor's and the clock's, with decoding the picture alone beside them.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from scanner.photo.cells import cut_cells
from scanner.photo.load import Photo, decode
from scanner.photo.sheets import find_sheets
from scanner.sheet.layout import Layout, built_in_layouts
from scanner.sheet.results import PhotoError

#: A crossing further off than this many row heights makes the photo count as missed.
CLOSE = 0.06


def measure(truth_path: Path, layouts: tuple[Layout, ...], turn: int = 0) -> dict:
    """One photo against its truth: layout found, worst and median distance of a crossing, and milliseconds.

    ``ms`` are the processor's and ``clock`` the clock's, from bytes to cut cells; ``decode`` the processor's for the
    picture alone.

    ``turn`` quarter turns the pixels clockwise first, as if the EXIF turn were lost.
    """
    truth = json.loads(truth_path.read_text("utf-8"))
    data = (truth_path.parent / truth["photo"]).read_bytes()
    alone = time.process_time()
    with Image.open(io.BytesIO(data)) as image:
        image.load()
    start, clock = time.process_time(), time.perf_counter()
    photo = decode(data, truth["photo"])
    if not isinstance(photo, PhotoError) and turn:
        photo = Photo(photo.name, photo.sha256, np.ascontiguousarray(np.rot90(photo.pixels, -turn)))
    found = photo if isinstance(photo, PhotoError) else find_sheets(photo, layouts)
    if not isinstance(found, PhotoError):
        for sheet in found:
            for grid in sheet.grids:
                cut_cells(photo.pixels, grid, sheet.layout)
    took = {"ms": 1000 * (time.process_time() - start), "clock": 1000 * (time.perf_counter() - clock),
            "decode": 1000 * (start - alone)}
    row = took | {"photo": truth["photo"], "truth": truth["layout"], "size": truth["camera"]["size"]}
    if isinstance(found, PhotoError):
        return row | {"layout": found.code, "sure": 0.0, "worst": np.inf, "median": np.inf, "fit": np.inf}
    right = [np.array(n, dtype=float) for n in truth["ruling_nodes"]]
    right = [_turned(n, turn, photo) for n in right]
    grids = [g for s in found for g in s.grids]
    miss = [_miss(n, grids) for n in right]
    extra = np.inf if len(grids) != len(right) else 0.0
    every = np.concatenate([m.ravel() for m in miss])
    return row | {
        "layout": "+".join(s.layout.name for s in found), "sure": min(s.layout_confidence for s in found),
        "worst": float(every.max() + extra), "median": float(np.median(every)), "fit": max(g.fit_error for g in grids),
    }


def _turned(nodes: np.ndarray, turn: int, photo: Photo) -> np.ndarray:
    width, height = (photo.height, photo.width) if turn % 2 else (photo.width, photo.height)
    for _ in range(turn):
        nodes = np.stack([height - 1 - nodes[..., 1], nodes[..., 0]], axis=-1)
        width, height = height, width
    return nodes


def _miss(truth: np.ndarray, grids: list) -> np.ndarray:
    """Distances of all crossings to those of the grid that fits best, in row heights."""
    row = np.linalg.norm(np.diff(truth, axis=0), axis=-1).mean()
    same = [g.nodes for g in grids if g.nodes.shape == truth.shape]
    if not same:
        return np.full(truth.shape[:2], np.inf)
    return min((np.linalg.norm(n - truth, axis=-1) / row for n in same), key=lambda m: m.max())


def main(arguments: list[str] | None = None) -> int:
    """Print the table for a truth folder; exit 0 always, it is a measurement."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turn", type=int, default=0, choices=(0, 90, 180, 270),
                        help="degrees clockwise to turn the pixels by, as if the EXIF turn were lost")
    parser.add_argument("--every", type=int, default=1, help="only every n-th photo")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    rows = []
    print("photo         size       truth       layout      sure   worst  median  fit     ms")
    for path in sorted(options.folder.glob("*.json"))[::options.every]:
        row = measure(path, built_in_layouts(), options.turn // 90)
        rows.append(row)
        size = "x".join(map(str, row["size"]))
        flag = "" if row["worst"] <= CLOSE and row["layout"] == row["truth"] else "  <--"
        print(f"{row['photo']:13} {size:10} {row['truth']:11} {row['layout']:11} {row['sure']:.3f}  "
              f"{row['worst']:6.3f} "
              f"{row['median']:6.3f}  {row['fit']:.4f} {row['ms']:5.0f}{flag}", flush=True)
    close = sum(r["worst"] <= CLOSE for r in rows)
    named = sum(r["layout"] == r["truth"] for r in rows)
    print(f"{len(rows)} photos: every crossing within {CLOSE} rows on {close}; layout right on {named}")
    print(_times("all", rows))
    print(_times("12 megapixels", [r for r in rows if r["size"][0] * r["size"][1] > 1e7]))
    return 0


def _times(which: str, rows: list[dict]) -> str:
    """The medians of the photos' times in a line."""
    if not rows:
        return f"{which}: no photos"
    ms, clock, decode = (float(np.median([r[key] for r in rows])) for key in ("ms", "clock", "decode"))
    return (f"{which}, {len(rows)} photos: median {ms:.0f} ms of the processor, {clock:.0f} ms by the clock, "
            f"of the first {decode:.0f} ms are decoding alone")


if __name__ == "__main__":
    sys.exit(main())
