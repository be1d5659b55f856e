"""Photos a minute with one worker and with two: how much of a second core a batch really uses.

usage: python benchmarks/batch_speed.py [PHOTO|FOLDER ...] [--photos 100] [--rounds 3] [--jobs 2]
       (default: sample_sheets, its photos over and over until there are as many as asked for)

Each round reads all photos with one worker and then with several, from starting the workers to the last result, and
the order changes from round to round. Beside the clock's seconds stands the processor time of all processes: on a busy
machine the clock measures the others, but where processor time is equal and the machine is free, so is the work.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from itertools import cycle, islice

os.environ.setdefault("OMP_NUM_THREADS", "1")

from scanner.batch import Way, _kill_workers, scan_many
from scanner.commands.photos import find_photos
from scanner.commands.scan import read_settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=["sample_sheets"])
    parser.add_argument("--photos", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    tasks = list(islice(cycle(find_photos(args.paths).tasks), args.photos))
    way = Way(read_settings("auto", None))
    seconds: dict[int, list[float]] = {1: [], args.jobs: []}
    busy: dict[int, list[float]] = {1: [], args.jobs: []}
    for number in range(args.rounds):
        for jobs in (1, args.jobs) if number % 2 == 0 else (args.jobs, 1):
            clock, processor = _timed(tasks, way, jobs)
            seconds[jobs].append(clock)
            busy[jobs].append(processor)
            print(f"round {number + 1}, {jobs} at a time: {clock:.1f} s, processor {processor:.1f} s", flush=True)
    one, more = (statistics.median(seconds[jobs]) for jobs in (1, args.jobs))
    print(f"{len(tasks)} photos, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end")
    print(f"median with 1: {one:.1f} s, with {args.jobs}: {more:.1f} s, that is {one / more:.2f} times as fast")
    work = [statistics.median(busy[jobs]) for jobs in (1, args.jobs)]
    print(f"processor time with 1: {work[0]:.1f} s, with {args.jobs}: {work[1]:.1f} s")


def _timed(tasks: list, way: Way, jobs: int) -> tuple[float, float]:
    """Seconds by the clock, and processor seconds of this process and its workers, which are ended to be counted."""
    start, before = time.perf_counter(), _processor()
    errors = sum(outcome.result.error is not None for outcome in scan_many(tasks, way, jobs))
    clock = time.perf_counter() - start
    _kill_workers()
    time.sleep(1.0)  # until the workers' end has been noticed
    if errors:
        print(f"{errors} photos were not read")
    return clock, _processor() - before


def _processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


if __name__ == "__main__":
    main()
