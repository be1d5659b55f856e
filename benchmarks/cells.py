"""How long the reader takes for one game's cells on one core: 12 rows of 4, exact probabilities included.

    python benchmarks/cells.py [--rounds 30]

The cells are cut from the sample sheets by their true grids; every round reads another 48 of them.  Loading the
network is timed apart, each time in a process of its own.  Processor time stands beside the clock's, because the clock
counts whatever else the machine does.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2
import numpy as np

from scanner.reader.cells import read_cells
from scanner.workshop.reader_report import true_cells

SHEETS = Path(__file__).resolve().parent.parent / "sample_sheets"
_LOAD = ("import time, onnxruntime, scanner.reader.network as n; t = time.perf_counter(), time.process_time(); "
         "n.session(); print(time.perf_counter() - t[0], time.process_time() - t[1])")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    images = [cell.image for cell in true_cells(SHEETS)]
    rng = np.random.default_rng(1)
    read_cells(images[:48])
    games = []
    for _ in range(args.rounds):
        game = [images[i] for i in rng.choice(len(images), 48, replace=False)]
        begun = time.perf_counter(), time.process_time()
        read_cells(game)
        games.append((time.perf_counter() - begun[0], time.process_time() - begun[1]))
    show(f"48 cells, {args.rounds} rounds", games)
    show("loading the network, 5 processes", [_load() for _ in range(5)])


def show(what: str, spent: list[tuple[float, float]]) -> None:
    """Prints the medians of clock and processor time."""
    clock, processor = (sorted(1000 * s[i] for s in spent) for i in (0, 1))
    print(f"{what}: median {statistics.median(clock):.1f} ms by the clock ({clock[0]:.1f} to {clock[-1]:.1f}), "
          f"{statistics.median(processor):.1f} ms of the processor ({processor[0]:.1f} to {processor[-1]:.1f})")


def _load() -> tuple[float, float]:
    run = subprocess.run([sys.executable, "-c", _LOAD], capture_output=True, text=True, check=True)
    clock, processor = run.stdout.split()
    return float(clock), float(processor)


if __name__ == "__main__":
    main()
