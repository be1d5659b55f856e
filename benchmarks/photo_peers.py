"""A photo to cut cells, beside what others do with it, in one run on one core: processor time in milliseconds.

The clock's time of ours stands in the last line; it counts whatever else the machine does.

usage: python benchmarks/photo_peers.py PHOTO... [--rounds N] [--img2table PYTHON] [--rapidocr PYTHON]

Prints for each photo, the best of N rounds: decoding the JPEG alone, ours (decode, find the sheet, cut its cells), and
where a Python that has them is named, img2table's bordered tables and RapidOCR over the whole page. These two read the
file themselves, loaded and warmed by the first photo; every process is pinned to one core with one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"})
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import cv2
from PIL import Image

from scanner.photo.cells import cut_cells
from scanner.photo.load import Photo, load
from scanner.photo.sheets import find_sheets
from scanner.sheet.layout import built_in_layouts

_TIMED = """
import json, sys, time, cv2
cv2.setNumThreads(1)
def run(call, name):
    start = time.process_time()
    result = call(name)
    return 1000 * (time.process_time() - start), result
{}
names, rounds = json.loads(sys.argv[1]), int(sys.argv[2])
call(names[0])
print(json.dumps([min((run(call, n) for _ in range(rounds)), key=lambda r: r[0]) for n in names]))
"""
_IMG2TABLE = _TIMED.format("""
from img2table.document import Image
def call(name):
    return ", ".join(f"{t.df.shape[0]} x {t.df.shape[1]}" for t in Image(name).extract_tables()) or "no table"
""")
_RAPIDOCR = _TIMED.format("""
from rapidocr import RapidOCR
engine = RapidOCR(params={"EngineConfig.onnxruntime.intra_op_num_threads": 1, "Global.log_level": "error"})
def call(name):
    return f"{len(engine(name).txts or ())} texts"
""")


#: Milliseconds by the clock of every round of ours, by photo.
_clock: dict[str, list[float]] = {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--img2table", help="a Python that has img2table")
    parser.add_argument("--rapidocr", help="a Python that has rapidocr")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    _ours(args.photos[0])
    table = {"decode": [_best(_decode, p, args.rounds) for p in args.photos],
             "ours": [_best(_ours, p, args.rounds) for p in args.photos]}
    for name, python, program in (("img2table", args.img2table, _IMG2TABLE), ("RapidOCR", args.rapidocr, _RAPIDOCR)):
        if python:
            table[name] = _elsewhere(python, program, args.photos, args.rounds)
    print("photo".ljust(24) + "".join(name.rjust(22) for name in table))
    for i, photo in enumerate(args.photos):
        cells = "".join(f"{rows[i][0]:.0f} ms ({rows[i][1]})".rjust(22) for rows in table.values())
        print(Path(photo).name[:23].ljust(24) + cells)
    print("median".ljust(24) + "".join(f"{statistics.median(r[0] for r in rows):.0f} ms".rjust(22)
                                       for rows in table.values()))

    print(f"ours by the clock: median {statistics.median(min(rounds) for rounds in _clock.values()):.0f} ms")

def _best(call, photo: str, rounds: int) -> tuple[float, str]:
    found = []
    for _ in range(rounds):
        start, clock = time.process_time(), time.perf_counter()
        said = call(photo)
        found.append((1000 * (time.process_time() - start), said))
        if call is _ours:
            _clock.setdefault(photo, []).append(1000 * (time.perf_counter() - clock))
    return min(found)


def _decode(name: str) -> str:
    with Image.open(name) as image:
        image.load()
        return f"{image.width * image.height / 1e6:.0f} megapixels"


def _ours(name: str) -> str:
    photo = load(name)
    if not isinstance(photo, Photo):
        return photo.code
    found = find_sheets(photo, built_in_layouts())
    if not isinstance(found, tuple):
        return found.code
    return f"{sum(len(cut_cells(photo.pixels, g, s.layout)) for s in found for g in s.grids)} cells"


def _elsewhere(python: str, program: str, photos: list[str], rounds: int) -> list[tuple[float, str]]:
    """Milliseconds and what came out, from a process of another environment."""
    names = json.dumps([str(Path(p).resolve()) for p in photos])
    answer = subprocess.run([python, "-c", program, names, str(rounds)], capture_output=True, text=True)
    if answer.returncode:
        sys.exit(f"{python} failed:\n{answer.stderr[-2000:]}")
    return [tuple(row) for row in json.loads(answer.stdout.splitlines()[-1])]


if __name__ == "__main__":
    main()
