"""The score of a scan, worked by hand, and held against another implementation where there is one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scanner.output.document import scan_document, to_json
from scanner.sheet.errors import InputError
from scanner.sheet.results import (
    CellResult,
    GameResult,
    HandScore,
    Label,
    Pair,
    PhotoResult,
    Problem,
    RowResult,
    SheetResult,
)
from scanner.workshop.evaluate import LINES, evaluate, load_truths, mistakes, report, score_photo

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
SHARED = Path(__file__).resolve().parents[2].parent / "shared"
OTHER_SCORE = next(SHARED.glob("tools/*.py"), None)
NOTHING = HandScore(Pair(None, None), Pair(None, None))


def truth(**more: object) -> dict:
    rows = [{"we_total": "92", "they_total": "70"}, {"we_total": "XXX", "they_total": "150"}]
    game = {"rows": rows, "slips": [{"row": 2}], "winner": "they", "winner_mark": None}
    return {
        "photo": "a.jpg",
        "layout": "evansville",
        "teams": {"we": "Eagles", "they": "Owls"},
        "camera": {"level": "easy"},
        "games": [game],
        **more,
    }


def result(*rows: tuple[int, dict[str, CellResult]], accused: tuple[int, ...] = (), **more: object) -> PhotoResult:
    problems = tuple(Problem("hand-total", row, "we_total", "", None, "") for row in accused)
    made = tuple(RowResult(number, cells, NOTHING, NOTHING, None, None, None) for number, cells in rows)
    game = GameResult(made, None, "they", "they", problems, 1, QUAD, 0.01)
    sheet = SheetResult("evansville", 0.9, QUAD, (game,), {"we": Label("EAGLES", 0.9), "they": Label("", 0.0)})
    return PhotoResult("x/a.jpg", "ab" * 32, 1, 1, (replace(sheet, **more),))


def cells(we: str, they: str, ask: bool = False) -> dict[str, CellResult]:
    return {"we_total": CellResult(we, 0.9, ask), "they_total": CellResult(they, 0.9)}


def part(count, *names: str) -> list[int]:
    return [count[name] for name in names]


def test_a_perfect_scan():
    count = score_photo(truth(), result((1, cells("92", "70")), (2, cells("xx", "150")), accused=(2,)))
    assert part(count, "cells", "right", "silent", "asked", "perfect") == [4, 4, 0, 0, 1]
    assert part(count, "slips", "caught", "accused", "rows", "winner", "mark") == [1, 1, 0, 2, 1, 1]
    assert part(count, "names", "named", "read", "layout") == [2, 1, 1, 1]


def test_a_wrong_cell_counts_as_asked_or_as_silent():
    asked = score_photo(truth(), result((1, cells("97", "70", ask=True)), (2, cells("XX", "150"))))
    silent = score_photo(truth(), result((1, cells("97", "70")), (2, cells("XX", "150"))))
    names = ("right", "silent", "asked", "perfect")
    assert part(asked, *names) == [3, 0, 1, 1]
    assert part(silent, *names) == [3, 1, 0, 0]


def test_a_missing_row_and_an_invented_row_are_wrong_in_every_cell():
    missing = score_photo(truth(), result((1, cells("92", "70"))))
    invented = score_photo(truth(), result((1, cells("92", "70")), (2, cells("XX", "150")), (3, cells("1", "2"))))
    assert part(missing, "cells", "right", "silent", "perfect") == [4, 2, 2, 0]
    assert part(invented, "cells", "right", "silent", "perfect") == [6, 4, 2, 0]


def test_a_false_alarm_is_no_slip_caught():
    count = score_photo(truth(), result((1, cells("92", "70")), (2, cells("XX", "150")), accused=(1,)))
    assert part(count, "caught", "accused") == [0, 1]


def test_a_photo_not_read_loses_everything():
    count = score_photo(truth(), PhotoResult("a.jpg", "", 0, 0))
    assert part(count, "photos", "read", "layout", "cells", "right", "silent", "slips", "caught") == [
        1,
        0,
        0,
        4,
        0,
        4,
        1,
        0,
    ]


def test_counts_are_kept_by_difficulty_and_shown():
    good = result((1, cells("92", "70")), (2, cells("XX", "150")), accused=(2,))
    counts = evaluate([(truth(), good), (truth(camera={"level": "hard"}), result())])
    assert list(counts) == ["all", "easy", "hard"] or list(counts) == ["all", "hard", "easy"]
    text = report(counts, {"all": 0.5})
    assert re.search(r"photos read\s+2 of 2 = 100.00 %\s+1 of 1 = 100.00 %", text)
    assert re.search(r"cells as written\s+4 of 8 = 50.00 %\s+4 of 4 = 100.00 %\s+0 of 4 = 0.00 %", text)
    assert re.search(r"seconds a photo \(median\)\s+0.50", text)


def test_mistakes_are_told_one_by_one():
    lines = mistakes(truth(), result((1, cells("97", "70")), (3, cells("1", "2")), accused=(1,)))
    assert [line.removeprefix("x/a.jpg game 1 ") for line in lines] == [
        "row 1 we_total: '92' read '97' (0.900), NOT ASKED",
        "row 2 we_total: 'XXX' missed",
        "row 2 they_total: '150' missed",
        "row 3 is not on the paper",
        "row 2: slip missed",
        "row 1: wrongly accused",
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"photo": "a.jpg", "games": 3}', '{"photo": 1, "games": []}'])
def test_a_damaged_truth_is_named(text: str, tmp_path: Path):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match=r"a\.json: not the truth"):
        load_truths(tmp_path)


def test_a_folder_without_truth_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="no truth"):
        load_truths(tmp_path)


@pytest.mark.skipif(OTHER_SCORE is None, reason="the other implementation is not on this machine")
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_another_implementation_counts_the_same(data: st.DataObject, tmp_path: Path):
    texts = st.sampled_from(["", "92", "XX", "XXX", "-", "~", "150"])
    rows = st.lists(st.fixed_dictionaries({"we_total": texts, "they_total": texts}), max_size=4)
    written = data.draw(rows)
    slips = [{"row": i} for i in range(1, len(written) + 1) if data.draw(st.booleans())]
    game = {"rows": written, "slips": slips, "winner": "they", "winner_mark": None}
    paper = truth(games=[game])
    found = [
        (i, {key: CellResult(data.draw(texts), 0.9, data.draw(st.booleans())) for key in ("we_total", "they_total")})
        for i in data.draw(st.sets(st.integers(1, 5)))
    ]
    scan = result(*found, accused=tuple(data.draw(st.sets(st.integers(1, 5)))))
    (tmp_path / "a.json").write_text(json.dumps(paper))
    document = tmp_path / "scan.txt"
    document.write_text(to_json(scan_document([scan])))
    run = subprocess.run([sys.executable, OTHER_SCORE, tmp_path, document], capture_output=True, text=True, check=True)
    theirs = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) of\s+(\d+)", run.stdout.split("-- easy")[1])]
    ours = score_photo(paper, scan)
    assert theirs == [(ours[name], ours[whole]) for _, name, whole in LINES if name != "guilty"]


def test_a_level_of_one_game_is_counted_in_figures():
    good = result((1, cells("92", "70")), (2, cells("XX", "150")), accused=(2,))
    table = report(evaluate([(truth(), good)]))
    assert "True" not in table and "False" not in table
    assert re.search(r"winners right\s+1 of 1 = 100.00 %\s+1 of 1 = 100.00 %", table)
