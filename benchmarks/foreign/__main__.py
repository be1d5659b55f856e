"""``python -m benchmarks.foreign``: makes a folder of foreign photos with their truth."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.foreign.faults import FAULTS, HARDER
from benchmarks.foreign.photos import make_photo, make_roster


def main() -> None:
    """Parses, makes the photos one by one, and says how far it is."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.foreign", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the photos and their truth")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", choices=sorted(FAULTS | HARDER),
                        help="only this one; default: all in turn, but for the harder ones (busy pad, hard mix)")
    parser.add_argument("--first", type=int, default=0, help="number to go on from after a break, counted from 0")
    args = parser.parse_args()
    make_roster(args.out)
    for index in range(args.first, args.count):
        path = make_photo(args.out, args.seed, index, args.fault)
        print(f"{index + 1} of {args.count}: {path.name}", flush=True)


if __name__ == "__main__":
    main()
