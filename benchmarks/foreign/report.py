"""``python -m benchmarks.foreign.report DIR``: scans a folder of foreign photos and prints a table by fault.

Photos already scanned into ``DIR/scans`` are not scanned again unless ``--fresh`` is given. Everything that went wrong
is listed with ``--notes``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.foreign.marking import Mark, mark_photo
from benchmarks.foreign.reader_alone import interval, read_photo

_COLUMNS = (("photos", "photos"), ("read", "read"), ("refd", "refused"), ("true", "refused truly"),
            ("other", "refused for a wrong reason"), ("hopel", "read though hopeless"), ("lost", "lost sheets"),
            ("extra", "extra sheets"), ("layout", "wrong layout"), ("off", "off by a row"), ("grids", "grids"),
            ("close", "close"), ("cells", "cells"), ("right", "right"), ("asked", "asked"), ("silent", "silent"),
            ("slips", "slips"), ("caught", "caught"), ("accus", "accused"))


def main() -> None:
    """Scans what is new, marks everything, prints the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.foreign.report", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fresh", action="store_true", help="scan all photos again")
    parser.add_argument("--notes", action="store_true", help="list everything that went wrong")
    parser.add_argument("--no-reader", action="store_true", help="leave out the reader on the true grid")
    args = parser.parse_args()
    truths = {p.with_suffix(".jpg").name: json.loads(p.read_text("utf-8")) for p in sorted(args.folder.glob("*.json"))}
    scans = scan_folder(args.folder, list(truths), args.fresh)
    marks = {name: mark_photo(truth, scans.get(name)) for name, truth in truths.items()}
    print_table(truths, marks)
    if args.notes:
        for name, mark in marks.items():
            print(*(f"{name}: {note}" for note in mark.notes), sep="\n", end="\n" if mark.notes else "")
    if not args.no_reader:
        print_reader(args.folder, truths, args.notes)


def scan_folder(folder: Path, names: list[str], fresh: bool = False) -> dict[str, dict]:
    """The scan of every photo by name, from ``folder/scans`` or made now by the command itself."""
    out = folder / "scans"
    if fresh:
        for path in out.glob("*.json"):
            path.unlink()
    have = _scans(out)
    missing = [str(folder / name) for name in names if name not in have]
    command = [sys.executable, "-c", "from scanner.cli import main; main()", "scan", "--jobs", "1",
               "--roster", str(folder / "roster.toml"), "--json", str(out)]
    for start in range(0, len(missing), 10):  # in parts, so that a long run may be broken off and taken up again
        subprocess.run([*command, *missing[start:start + 10]], check=False, stdout=subprocess.DEVNULL)
    return _scans(out)


def _scans(folder: Path) -> dict[str, dict]:
    photos = (json.loads(path.read_text("utf-8"))["photos"][0] for path in sorted(folder.glob("*.json")))
    return {Path(photo["photo"]).name: photo for photo in photos}


def print_table(truths: dict[str, dict], marks: dict[str, Mark]) -> None:
    """The figures by fault, those of all photos last."""
    counts, worst = defaultdict(Counter), defaultdict(float)
    for name, mark in marks.items():
        for fault in (truths[name]["faults"][0], "ALL"):
            counts[fault].update(mark.count)
            worst[fault] = max(worst[fault], mark.worst)
    print(f"{'fault':18s}" + "".join(f"{title:>7s}" for title, _ in _COLUMNS) + "  worst")
    for fault in [*(f for f in counts if f != "ALL"), "ALL"]:
        figures = "".join(f"{counts[fault][key]:7d}" for _, key in _COLUMNS)
        print(f"{fault:18s}{figures}{worst[fault]:7.3f}")
    c = counts["ALL"]
    print(f"crossings within 0.06 rows {c['close_crossings']} of {c['crossings']}; games lost {c['lost games']}; rows "
          f"invented {c['invented']}; hidden cells {c['hidden']}, guessed wrong in silence {c['hidden_guessed']}; "
          f"W right {c['winner_marks']} of {c['games']}; names right {c['named']} of {c['names']}")


def print_reader(folder: Path, truths: dict[str, dict], notes: bool) -> None:
    """What the reader alone does on the true grid, by kind of cell, then digits by fault, hand and pen."""
    total, parts, lines = Counter(), defaultdict(Counter), []
    for name, truth in truths.items():
        if truth["refusal"]:
            continue
        count, wrong = read_photo(folder / name, truth)
        total.update(count)
        lines += wrong
        for part in (f"fault {truth['faults'][0]}", f"hand {truth['hand']}", f"pen {truth['pen']}"):
            parts[part].update(count)
    print("reader alone, cells cut along the true rulings")
    for kind in ("digits", "struck out", "overwritten", "mark", "empty", "beside the W"):
        right, count = total[f"{kind} right"], total[kind]
        low, high = interval(right, count)
        print(f"  {kind:12s} {right:6d} of {count:6d} = {100 * right / max(1, count):6.2f} % ({100 * low:.2f} to "
              f"{100 * high:.2f}), among the three most probable {100 * total[f'{kind} top3'] / max(1, count):.2f} %")
    print(f"  read as a number: {total['empty read as number']} of the empty cells, "
          f"{total['beside the W read as number']} of the empty ones beside the W")
    for part, count in sorted(parts.items()):
        missed = count["digits"] - count["digits right"]
        if missed:
            print(f"  {part:28s} digit cells wrong {missed:4d} of {count['digits']:5d}")
    if notes:
        print(*lines, sep="\n")


if __name__ == "__main__":
    main()
