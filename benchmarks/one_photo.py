"""Seconds and memory of one photo on one core, everything after import: decode, find, cut, read, decode the game.

usage: python benchmarks/one_photo.py [PHOTO|FOLDER ...] [--rounds N]     (default: sample_sheets)

The photos are read one after another in this process, pinned to one core. Prints the first photo's seconds (it also
loads the network), the median and the worst of all, how they divide among the stages, and the process's peak memory.
Processor time stands beside the clock's, because the clock counts whatever else the machine does.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import time
from collections import defaultdict

os.environ.setdefault("OMP_NUM_THREADS", "1")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import cv2

from scanner import pipeline
from scanner.commands.photos import find_photos
from scanner.commands.scan import read_settings

STAGES = ("load", "find_sheets", "cut_cells", "read_cells", "cut_head", "read_head", "decode_game")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", nargs="*", default=["sample_sheets"])
    parser.add_argument("--rounds", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    at_import = _peak_megabytes()
    spent: dict[str, float] = defaultdict(float)
    for stage in STAGES:
        setattr(pipeline, stage, _timed(getattr(pipeline, stage), stage, spent))
    tasks = find_photos(args.photos).tasks * args.rounds
    settings = read_settings("auto", None)
    seconds, pixels, busy = [], [], []
    for task in tasks:
        start, start_cpu = time.perf_counter(), time.process_time()
        scan = pipeline.scan_photo(task.path, task.name, settings)
        seconds.append(time.perf_counter() - start)
        busy.append(time.process_time() - start_cpu)
        pixels.append(scan.result.width * scan.result.height / 1e6)
    print(f"{len(seconds)} photos, median {statistics.median(pixels):.1f} megapixels (of {max(pixels):.1f} at most)")
    for what, values in (("by the clock", seconds), ("processor time", busy)):
        print(f"{what}: first {values[0]:.2f} s, median {statistics.median(values):.2f} s, worst {max(values):.2f} s")
    print("mean processor time: " + ", ".join(f"{stage} {spent[stage] / len(seconds):.2f} s" for stage in STAGES))
    print(f"peak memory {_peak_megabytes():.0f} MB ({at_import:.0f} MB after import)")


def _timed(function, stage: str, spent: dict[str, float]):
    def call(*args, **kwargs):
        start = time.process_time()
        try:
            return function(*args, **kwargs)
        finally:
            spent[stage] += time.process_time() - start

    return call


def _peak_megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    main()
