"""``clabber import`` of workbooks from the outside: an empty one to fill, one that grows, one with a fault in it."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import openpyxl
from typer.testing import CliRunner

import analysis
from scanner.cli import app

GAME = [(300, 100), (520, 180)]


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def fill(path: Path, day: date, we: str, they: str | None, totals: list[tuple[int, int]] = GAME) -> None:
    """A game typed below what stands in the workbook already."""
    book = openpyxl.load_workbook(path)
    sheet = book["Games"]
    place = {cell.value: cell.column for cell in sheet[1]}
    last = max((c.row for row in sheet.iter_rows(min_row=2) for c in row if c.value and c.column == place["we_total"]),
               default=1)
    for row, pair in enumerate(totals, last + 1):
        sheet.cell(row, place["we_total"]).value, sheet.cell(row, place["they_total"]).value = pair
    for key, value in {"date": day, "we": we, "they": they, "winner_mark": "we"}.items():
        sheet.cell(last + 1, place[key]).value = value
    book.save(path)


def test_a_workbook_is_made_filled_imported_and_grows(tmp_path):
    path, season = tmp_path / "games.xlsx", tmp_path / "season.db"
    made = run("import", "--template", path)
    assert made.exit_code == 0 and path.is_file(), made.stderr
    fill(path, date(2026, 3, 7), "Eagles", "Owls")
    assert "1 game saved" in run("import", path, "--season", season).stdout
    fill(path, date(2026, 3, 14), "Hawks", "Owls", [(100, 300), (180, 560)])
    assert "1 game saved, 1 game known already" in run("import", path, "--season", season).stdout
    before = season.read_bytes()
    assert "2 games known already, nothing changed" in run("import", path, "--season", season).stdout
    assert season.read_bytes() == before
    games = analysis.load(season).games
    assert games[["we", "we_total", "winner"]].to_numpy().tolist() == [
        ["Eagles", 520, "Eagles"], ["Hawks", 180, "Owls"]]
    assert games["date"].dt.strftime("%Y-%m-%d").tolist() == ["2026-03-07", "2026-03-14"]


def test_of_a_workbook_with_a_fault_nothing_is_saved_and_its_line_is_named(tmp_path):
    path, season = tmp_path / "games.xlsx", tmp_path / "season.db"
    run("import", "--template", path)
    fill(path, date(2026, 3, 7), "Eagles", "Owls")
    fill(path, date(2026, 3, 7), "Hawks", None)
    answer = run("import", path, "--season", season)
    assert answer.exit_code == 2 and "from line 4, teams, they" in answer.stderr
    assert len(analysis.load(season).games) == 0


def test_a_call_without_files_or_season_and_a_template_over_something_are_status_2(tmp_path):
    for arguments in ([], ["x.json"], ["--season", tmp_path / "season.db"]):
        answer = run("import", *arguments)
        assert answer.exit_code == 2 and "import takes files and --season FILE" in answer.stderr
    (tmp_path / "mine.xlsx").write_text("mine")
    answer = run("import", "--template", tmp_path / "mine.xlsx")
    assert answer.exit_code == 2 and "exists already" in answer.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["mine.xlsx"]


def test_an_import_says_what_it_found_wrong_in_what_it_saved(tmp_path):
    heading, season = "layout,date,we,they,we_total,they_total,winner_mark\n", tmp_path / "season.db"
    for rows, found in (
        ("evansville,2026-03-07,A,B,92,70,\n", "1 game saved: 0 slips, 0 cells to check"),
        ("evansville,2026-03-07,A,C,92,70,\n,,,,174,151,\n", "1 game saved: 1 slip, 0 cells to check"),
        ("evansville,2026-03-07,B,C,92,abc,\n", "1 game saved: 0 slips, 1 cell to check"),
    ):
        (tmp_path / "typed.csv").write_text(heading + rows)
        assert found in run("import", tmp_path / "typed.csv", "--season", season).stdout
    assert "1 game known already, nothing changed\n" in run("import", tmp_path / "typed.csv", "--season", season).stdout


def test_check_of_a_file_without_a_game_says_so(tmp_path):
    (tmp_path / "none.json").write_text('{"layout": "evansville", "games": []}')
    answer = run("check", tmp_path / "none.json")
    assert answer.exit_code == 0 and "There is no game in the file" in answer.stdout
