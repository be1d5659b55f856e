"""Workbooks: what a league types into Excel is read as it is meant, or refused in words that name the line."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import date, datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.season.typed import read_typed, read_typed_sheets
from scanner.season.typed_template import write_workbook
from scanner.sheet.errors import ClabberError, InputError
from scanner.sheet.layout import load_layout

HEADING = ["layout", "date", "we", "they", "game", "we_total", "they_total", "hand_check", "total_check", "winner_mark"]
LINES = [
    ["evansville", datetime(2026, 3, 7), "Night Eagles", "Owls", 1, 92, 70, 162, 162, None],
    [None, None, None, None, None, "XX", 232.0, None, None, None],
    [],
    [None, None, None, None, 2, "162", "-", 162, 162, "we"],
]
GAMES = [
    {"rows": [{"we_total": "92", "they_total": "70", "hand_check": "162", "total_check": "162"},
              {"we_total": "XX", "they_total": "232"}], "winner_mark": None},
    {"rows": [{"we_total": "162", "they_total": "-", "hand_check": "162", "total_check": "162"}],
     "winner_mark": "we"}]


def workbook(path: Path, lines: list[list], heading: list[str] = HEADING) -> Path:
    book = openpyxl.Workbook()
    for line in (heading, *lines):
        book.active.append(line)
    book.save(path)
    return path


def changed(line: int, column: str, value: object) -> list[list]:
    lines = [[*row, *[None] * (len(HEADING) - len(row))] for row in LINES]
    lines[line][HEADING.index(column)] = value
    return lines


def test_a_workbook_says_the_same_as_json(tmp_path):
    sheet = read_typed(workbook(tmp_path / "typed.xlsx", LINES), head=True)
    document = {"layout": "evansville", "date": "2026-03-07", "teams": {"we": "Night Eagles", "they": "Owls"},
                "games": GAMES}
    (tmp_path / "typed.json").write_text(json.dumps(document))
    same = read_typed(tmp_path / "typed.json", head=True)
    assert (sheet.layout, sheet.games, sheet.teams, sheet.date) == (same.layout, same.games, same.teams, same.date)


def heads(path: Path) -> list[tuple]:
    return [(s.teams["we"], s.teams["they"], s.date, sum(len(g.rows) for g in s.games))
            for s in read_typed_sheets(path, head=True)]


def row(day: object, we: str | None, they: str | None, total: int = 5) -> list:
    return ["evansville" if we or day else None, day, we, they, None, total]


@pytest.mark.parametrize("everywhere", [True, False])
def test_a_new_day_or_team_begins_a_new_sheet(tmp_path, everywhere):
    papers = [("2026-03-07", "A", "B"), ("2026-03-07", "C", "B"), ("2026-03-14", "C", "B"), ("2026-03-14", "B", "C")]
    lines = []
    for paper in papers:
        lines += [row(*paper), row(*(paper if everywhere else (None, None, None)))]
    path = workbook(tmp_path / "typed.xlsx", lines)
    assert heads(path) == [(we, they, day, 2) for day, we, they in papers]


def test_the_same_teams_twice_a_day_are_two_sheets_where_their_names_are_written_again(tmp_path):
    head = row(date(2026, 3, 7), "A", "B")
    path = workbook(tmp_path / "typed.xlsx", [head, row(None, None, None), head, row(None, None, None)])
    assert heads(path) == [("A", "B", "2026-03-07", 2)] * 2


def test_one_name_alone_does_not_take_the_other_from_above(tmp_path):
    path = workbook(tmp_path / "typed.xlsx", [row("2026-03-07", "A", "B"), row("2026-03-14", "C", None)])
    with pytest.raises(InputError, match="from line 3, teams, they: must be a team's name"):
        read_typed_sheets(path, head=True)
    with pytest.raises(InputError, match="2 sheets of paper"):
        read_typed(workbook(tmp_path / "two.xlsx", [row("2026-03-07", "A", "B"), row("2026-03-14", "C", "B")]))


def test_saving_again_or_typing_on_below_changes_no_sheet(tmp_path):
    one = read_typed_sheets(workbook(tmp_path / "one.xlsx", LINES))
    two = read_typed_sheets(workbook(tmp_path / "two.xlsx", [*LINES, row("2026-03-14", "Hawks", "Owls")]))
    assert [s.sha256 for s in two][:1] == [s.sha256 for s in one] and len({s.sha256 for s in two}) == 2


@pytest.mark.parametrize(("lines", "heading", "message"), [
    ([], [], "first worksheet is empty"),
    (LINES, ["we_totl" if h == "we_total" else h for h in HEADING], "Did you mean 'we_total'"),
    (LINES, ["we_total" if h == "hand_check" else h for h in HEADING], "two columns"),
    ([[*LINES[0], None, "stray"]], HEADING, "line 2: a value stands under no heading"),
    (changed(0, "we_total", 92.5), HEADING, "line 2, column 6: '92.5' is no whole number"),
    (changed(0, "we_total", True), HEADING, "line 2, column 6: says True"),
    (changed(1, "they_total", "=F2+140"), HEADING, "line 3, column 7: a formula that was never calculated"),
    (changed(0, "date", "3/7/26"), HEADING, "must be a day"),
    (changed(0, "they", "NIGHT eagles"), HEADING, "cannot play itself"),
    (changed(0, "layout", None), HEADING, "layout is missing"),
    (changed(3, "winner_mark", "us"), HEADING, "winner_mark"),
])
def test_an_unusable_workbook_is_refused_with_the_line(tmp_path, lines, heading, message):
    with pytest.raises(InputError, match=message) as caught:
        read_typed_sheets(workbook(tmp_path / "typed.xlsx", lines, heading), head=True)
    assert str(tmp_path / "typed.xlsx") in str(caught.value)


def test_other_spreadsheets_are_refused_with_what_to_do(tmp_path):
    for name in ("old.xls", "open.ods"):
        (tmp_path / name).write_bytes(b"\xd0\xcf\x11\xe0" * 50)
        with pytest.raises(InputError, match=f"{name}: no Excel workbook; save the spreadsheet as .xlsx"):
            read_typed_sheets(tmp_path / name)


def test_what_is_no_workbook_is_refused(tmp_path):
    path = workbook(tmp_path / "typed.xlsx", LINES)
    whole = path.read_bytes()
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 70_000_000)
    foreign = io.BytesIO()
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("readme.txt", "no workbook")
    cases = [(b"", "no Excel workbook"), (b"PK\3\4" + b"x" * 50, "no Excel workbook"), (whole[:-200], "Excel workbook"),
             (bomb.getvalue(), "more than 60 MB"), (foreign.getvalue(), "damaged or no Excel workbook")]
    for data, message in cases:
        path.write_bytes(data)
        with pytest.raises(InputError, match=message):
            read_typed_sheets(path)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 5000), st.binary(min_size=1, max_size=4), st.integers(0, 5000))
def test_a_workbook_with_damaged_bytes_is_read_or_refused_in_words(tmp_path_factory, place, bytes_, cut):
    path = tmp_path_factory.getbasetemp() / "damaged.xlsx"
    data = bytearray(workbook(path, LINES).read_bytes())
    place %= len(data)
    data[place : place + len(bytes_)] = bytes_
    path.write_bytes(data if cut % 2 else data[: -(cut % len(data)) - 1])
    try:
        read_typed_sheets(path)
    except ClabberError as error:
        assert len(str(error)) < 1000


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.none() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.sampled_from(
    ["we", "A", "=1", "2026-03-07", "XX", "evansville", "9" * 60, "\U0001f600"]), max_size=12), max_size=6))
def test_any_cells_are_read_or_refused_in_words(tmp_path_factory, lines):
    path = workbook(tmp_path_factory.getbasetemp() / "any.xlsx", lines)
    try:
        read_typed_sheets(path)
    except ClabberError as error:
        assert len(str(error)) < 1000


@pytest.mark.parametrize("name", ["evansville", "beside", "double"])
def test_the_template_filled_in_is_read(tmp_path, name):
    layout, path = load_layout(name), tmp_path / "template.xlsx"
    write_workbook(path, layout)
    with pytest.raises(InputError, match="no hand is typed below the heading") as refused:
        read_typed_sheets(path, head=True)
    assert "{" not in str(refused.value)
    book = openpyxl.load_workbook(path)
    heading = [cell.value for cell in book["Games"][1]]
    for key, value in {"date": date(2026, 3, 7), "we": "Eagles", "they": "Owls", layout.arithmetic_keys[0]: 92,
                       "winner_mark": "we"}.items():
        book["Games"].cell(2, heading.index(key) + 1).value = value
    book.save(path)
    (sheet,) = read_typed_sheets(path, head=True)
    assert (sheet.layout.name, sheet.date, sheet.teams["they"]) == (name, "2026-03-07", "Owls")
    assert sheet.games[0].rows[0][layout.arithmetic_keys[0]] == "92" and sheet.games[0].winner_mark == "we"


def test_a_template_never_takes_the_place_of_anything(tmp_path):
    (tmp_path / "there.xlsx").write_text("mine")
    for name, message in (("there.xlsx", "exists already"), ("t.csv", "ends in .xlsx"), ("no/t.xlsx", "cannot be")):
        with pytest.raises(InputError, match=message):
            write_workbook(tmp_path / name, load_layout("evansville"))
    assert (tmp_path / "there.xlsx").read_text() == "mine"
