"""The examples of typed files in the documents are read as they stand, and say the same in JSON and CSV."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scanner.cli import app
from scanner.season.typed import read_typed

TEXT = (Path(__file__).parents[2] / "docs" / "season-file.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("kind", "games"), [("json", 1), ("csv", 2)])
def test_the_examples_of_typed_files_can_be_imported(tmp_path, kind, games):
    (example,) = re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)
    path = tmp_path / f"typed.{kind}"
    path.write_text(example, encoding="utf-8")
    sheet = read_typed(path, head=True)
    assert (sheet.layout.name, sheet.date, dict(sheet.teams)) == (
        "evansville", "2026-03-07", {"we": "Eagles", "they": "Owls"})
    assert [game.winner_mark for game in sheet.games] == ["we", None][:games]
    assert [row["we_total"] for row in sheet.games[0].rows] == ["262", "524"]


@pytest.mark.parametrize("command", ["check", "import"])
def test_the_help_shows_one_sheet_as_json_and_as_csv(tmp_path, command):
    told = CliRunner().invoke(app, [command, "--help"]).stdout
    example = {"json": re.search(r"^ *\{\"layout\".*?\]\}$", told, re.DOTALL | re.MULTILINE)[0],
               "csv": re.search(r"^ *layout,date.*?,we$", told, re.DOTALL | re.MULTILINE)[0]}
    read = []
    for kind, text in example.items():
        path = tmp_path / f"typed.{kind}"
        path.write_text("\n".join(line.strip() for line in text.splitlines()), encoding="utf-8")
        read.append(read_typed(path, head=True))
    assert read[0].games == read[1].games and len(read[0].games[0].rows) == 2
    assert (read[0].layout, read[0].teams, read[0].date) == (read[1].layout, read[1].teams, read[1].date)
