"""``clabber check``: exit statuses and the document, from the outside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scanner.cli import app

CLEAN = {
    "layout": "evansville",
    "games": [
        {
            "rows": [
                {"we_total": "92", "they_total": "70", "hand_check": "162", "total_check": "162"},
                {"we_total": "XX", "they_total": "252", "hand_check": "182", "total_check": "344"},
            ],
            "winner_mark": None,
        }
    ],
}


def run(tmp_path: Path, content: object, *options: str):
    path = tmp_path / "typed.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return CliRunner().invoke(app, ["check", str(path), *options])


def game(*rows: dict, layout: str = "evansville", mark: str | None = None) -> dict:
    return {"layout": layout, "games": [{"rows": list(rows), "winner_mark": mark}]}


def test_nothing_wrong_is_status_0_with_the_meaning_of_every_row(tmp_path: Path):
    answer = run(tmp_path, CLEAN, "--json", "-")
    assert answer.exit_code == 0
    document = json.loads(answer.stdout)
    assert set(document) == {"games"}
    first, second = document["games"][0]["rows"]
    assert first["written"] == {"points": {"we": 92, "they": 70}, "totals": {"we": 92, "they": 70}}
    assert (first["maker"], first["meld"], first["set"]) == ("we", 0, None)
    assert (second["set"], second["maker"], second["meld"]) == ("we", "we", None)
    assert second["written"]["totals"] == {"we": 92, "they": 252}
    assert document["games"][0]["problems"] == [] and document["games"][0]["winner"] is None


def test_a_slip_is_status_1_and_one_problem_on_its_row(tmp_path: Path):
    answer = run(
        tmp_path, game({"we_total": "92", "they_total": "70"}, {"we_total": "184", "they_total": "150"}), "--json", "-"
    )
    assert answer.exit_code == 1
    problems = json.loads(answer.stdout)["games"][0]["problems"]
    assert {problem["row"] for problem in problems if problem["code"] != "unreadable"} == {2}


def test_the_table_names_the_game_and_tells_the_problem(tmp_path: Path):
    answer = run(tmp_path, game({"we_total": "91", "they_total": "70"}))
    assert answer.exit_code == 1
    assert "Game 1" in answer.stdout and "! " in answer.stdout


def test_a_text_that_is_no_number_and_no_mark_is_unreadable(tmp_path: Path):
    answer = run(tmp_path, game({"we_total": "9z", "they_total": "70"}), "--json", "-")
    assert answer.exit_code == 1
    assert "unreadable" in {problem["code"] for problem in json.loads(answer.stdout)["games"][0]["problems"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "object"),
        ("[" * 100_000, "nested too deeply"),
        ({"games": []}, "layout"),
        ({"layout": "evansvile", "games": []}, "Did you mean 'evansville'"),
        ({"layout": "evansville"}, '"games"'),
        (game({"we_totl": "92"}), "Did you mean 'we_total'"),
        (game({"we_points": "92"}), "we_points"),
        (game({"we_total": ["92"]}), "row 1, we_total"),
        (game(mark="us"), "winner_mark"),
        ({"layout": "evansville", "games": [{"rows": [], "winer_mark": "we"}]}, "Did you mean 'winner_mark'"),
        ({"layout": "EVANSVILLE", "games": []}, "Did you mean 'evansville'"),
    ],
)
def test_unusable_input_is_status_2_with_the_place_and_the_cure(tmp_path: Path, content: object, message: str):
    answer = run(tmp_path, content, "--json", "-")
    assert answer.exit_code == 2 and answer.stdout == ""
    assert "typed.json" in answer.stderr or "evansville" in answer.stderr
    assert message in answer.stderr


def test_a_hyphen_is_stdin(tmp_path: Path):
    piped = CliRunner().invoke(app, ["check", "-", "--json", "-"], input=json.dumps(CLEAN))
    assert piped.exit_code == 0 and piped.stdout == run(tmp_path, CLEAN, "--json", "-").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_told_in_words(tmp_path: Path):
    (tmp_path / "typed.json").write_text(json.dumps(CLEAN))
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "scanner.cli", "check", str(tmp_path / "typed.json"), "--json", "-"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("clabber: the output could not be written") and done.stderr.count("\n") == 1


def test_keys_of_other_programs_are_passed_over(tmp_path: Path):
    foreign = {**CLEAN, "difficulty": "easy", "games": [{**CLEAN["games"][0], "winner": None, "slips": []}]}
    assert run(tmp_path, foreign).exit_code == 0


def test_a_missing_file_is_status_2(tmp_path: Path):
    answer = CliRunner().invoke(app, ["check", str(tmp_path / "nowhere.json")])
    assert answer.exit_code == 2 and "nowhere.json" in answer.stderr


def test_a_layout_file_of_ones_own_takes_the_place_of_the_named_one(tmp_path: Path):
    layout = tmp_path / "own.toml"
    columns = "".join(f'[[columns]]\nkey = "{key}"\nwidth = 20.0\n' for key in ("we_points", "they_points"))
    layout.write_text(f'name = "own"\nrows = 5\nrow_height = 9.0\n{columns}')
    points = game({"we_points": "92", "they_points": "70"}, layout="not known here")
    assert run(tmp_path, points, "--layout", str(layout)).exit_code == 0
    assert run(tmp_path, points).exit_code == 2
