"""Reviewing measured: keys and seconds a sheet for a scripted person who answers right, and the page's own speed.

usage: python benchmarks/review.py SEASON TRUTH_DIR     a scanned season, and NAME.json for each of its photos
       python benchmarks/review.py --sheets 200         the page on a drawn season of so many sheets

Keys are what the page asks for: Enter for a right guess, arrows to an offered answer if they are fewer than its
digits, else the digits, or a name's letters until it is offered, and Enter; a wrong paper is kept as written. Typing
the sheet is one key a character and one to go to the next cell. Seconds of a person follow the keystroke-level model of
Card, Moran and Newell (1980): 0.28 s a key for an average typist and 1.35 s to look and decide, once a question;
whoever types a sheet looks at every cell. The page's seconds are the clock's and, beside them, this process's processor
time, because the clock counts whatever else the machine does.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from datetime import date
from pathlib import Path

from scanner.review.desk import Desk
from scanner.review.queue import dated
from scanner.sheet.texts import canonical

KEY, LOOK = 0.28, 1.35


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("season", nargs="?", type=Path)
    parser.add_argument("truth", nargs="?", type=Path)
    parser.add_argument("--sheets", type=int)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if args.sheets:
            measure_page(_drawn_season(Path(folder), args.sheets))
        else:
            measure_person(Path(shutil.copy(args.season, folder)), args.truth)


def measure_person(season: Path, truths: Path) -> None:
    """Answer every question as the truth has it, and count."""
    keys, questions, typed = defaultdict(int), defaultdict(int), {}
    kinds: dict[str, int] = defaultdict(int)
    clock, wrong = [], 0
    with Desk(season) as desk:
        for sheet in desk.act("sheets", {})["sheets"]:
            truth = _truth(truths, sheet["photo"])
            typed[sheet["photo"]] = _typing(truth)
        state = desk.act("next", {})
        while state["item"]:
            item = state["item"]
            text = _right(item, _truth(truths, item["photo"]))
            keys[item["photo"]] += _keys(item, text)
            questions[item["photo"]] += 1
            kinds[item["kind"]] += 1
            wrong += item["guess"] != text
            start, spent = time.perf_counter(), time.process_time()
            state = desk.act("answer", {"place": item["place"], "text": text, "by": "script", "seen": item["seen"]})
            if item["kind"] == "cell":
                clock.append((time.perf_counter() - start, time.process_time() - spent))
            assert "error" not in state, state
        left = sum(_still_wrong(desk, sheet["sheet"], _truth(truths, sheet["photo"]))
                   for sheet in desk.act("sheets", {})["sheets"])
    total, cells = sum(keys.values()), sum(len(list(_cells(_truth(truths, p)))) for p in typed)
    sheets = len(typed)
    asked = sum(questions.values())
    print(f"{sheets} sheets: {asked} questions ({dict(kinds)}), {wrong} where the guess was not right")
    print(f"review  {total / sheets:6.1f} keys a sheet  {(total * KEY + asked * LOOK) / sheets:6.1f} s a sheet")
    for part in ("cell", "ruling", "head"):
        print(f"        of that {part}s: {kinds[part] / sheets:.2f} questions a sheet")
    print(f"typing  {sum(typed.values()) / sheets:6.1f} keys a sheet  "
          f"{(sum(typed.values()) * KEY + cells * LOOK) / sheets:6.1f} s a sheet")
    print(f"left wrong, because not asked: {left} of {cells} cells")
    if clock:
        seconds, cpu = (statistics.median(column) * 1000 for column in zip(*clock, strict=True))
        print(f"cell answered to next question: median {seconds:.0f} ms, processor {cpu:.0f} ms, of {len(clock)}")


def measure_page(season: Path) -> None:
    """Seconds until the first question, and from each answer to the next, on a large season."""
    start, spent = time.perf_counter(), time.process_time()
    with Desk(season) as desk:
        state = desk.act("next", {})
        desk.act("picture", {"place": state["item"]["place"]})
        print(f"{len(desk.act('sheets', {})['sheets'])} sheets, {state['questions']} questions")
        print(f"first question and picture after {_since(start, spent)}")
        start, spent = time.perf_counter(), time.process_time()
        desk.act("sheets", {})
        print(f"list of sheets {_since(start, spent)}")
        clock, cpu = [], []
        for _ in range(40):
            item = state["item"]
            start, spent = time.perf_counter(), time.process_time()
            state = desk.act("answer", {"place": item["place"], "text": item["guess"] or "Owls", "by": "script"})
            clock.append(time.perf_counter() - start)
            cpu.append(time.process_time() - spent)
        print(f"answer to next question: median {statistics.median(clock) * 1000:.0f} ms, worst "
              f"{max(clock) * 1000:.0f} ms, processor {statistics.median(cpu) * 1000:.0f} ms")


def _since(start: float, spent: float) -> str:
    return f"{time.perf_counter() - start:.2f} s (processor {time.process_time() - spent:.2f} s)"


def _truth(folder: Path, photo: str) -> dict:
    return json.loads((folder / Path(photo).with_suffix(".json").name).read_text("utf-8"))


def _cells(truth: dict):
    return (text for game in truth["games"] for row in game["rows"] for text in row.values())


def _typing(truth: dict) -> int:
    heads = [truth["teams"]["we"], truth["teams"]["they"], truth["date"]]
    return sum(len(text) + 1 for text in (*_cells(truth), *heads))


def _right(item: dict, truth: dict) -> str:
    if item["kind"] == "ruling":
        return "written"
    if item["kind"] == "head":
        what = item["place"].rsplit("/", 1)[-1]
        return truth["teams"][what] if what != "date" else _day(truth["date"], item["guess"])
    _, _, grid, row, key = item["place"].split("/")
    rows = truth["games"][int(grid) - 1]["rows"] if int(grid) <= len(truth["games"]) else []
    return canonical(rows[int(row) - 1].get(key, "")) if int(row) <= len(rows) else ""


def _still_wrong(desk: Desk, sheet: str, truth: dict) -> int:
    """Cells of a settled sheet that do not hold what is written in them."""
    wrong = 0
    for game in desk.act("sheet", {"sheet": sheet})["games"]:
        number = int(game["game"].rsplit("/", 1)[-1])
        rows = truth["games"][number - 1]["rows"] if number <= len(truth["games"]) else []
        for line, row in zip(game["rows"], rows, strict=False):
            wrong += sum(line["cells"][key]["text"] != canonical(text) for key, text in row.items())
    return wrong


def _day(written: str, guess: str) -> str:
    """The ISO date of month-day-year; of a day without a year, the guess's year is as good as any."""
    figures = [int(figure) for figure in re.findall(r"\d+", written)]
    if len(figures) == 3:
        return date(figures[2] % 100 + 2000, figures[0], figures[1]).isoformat()
    return dated(written, int(guess[:4] or 2026)) or guess or "2026-01-01"


def _keys(item: dict, text: str) -> int:
    if text == item["guess"]:
        return 1
    offered = [choice["text"] for choice in item["choices"]]
    chosen = offered.index(item["guess"]) if item["guess"] in offered else -1
    arrows = abs(offered.index(text) - chosen) if text in offered else 99
    return min(arrows, _letters(item, text), len(text) or 99) + 1


def _letters(item: dict, text: str) -> int:
    """Letters and arrows until a known name is chosen from those that begin so."""
    for letters in range(1, len(text)):
        begin = [name for name in item.get("known", []) if name.lower().startswith(text[:letters].lower())][:5]
        if text in begin:
            return letters + begin.index(text) + 1
    return 99


def _drawn_season(folder: Path, sheets: int) -> Path:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "review"))
    from review_tools import PLAIN, TOTALS, add_sheet, doubt

    doubts = {(5, "we_total"): doubt(("600", 0.4), ("620", 0.59))}
    for number in range(sheets):
        they = None if number % 4 else "Owls"
        add_sheet(folder / "season.db", f"sheet{number}.jpg", PLAIN, TOTALS, doubts, they=they)
    return folder / "season.db"


if __name__ == "__main__":
    main()
