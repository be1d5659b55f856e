"""The remaining commands from the outside: help, version, report, simulate, evaluate."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from scanner import __version__
from scanner.cli import app

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_version():
    assert run("--version").stdout == f"clabber {__version__}\n"


def test_the_help_names_every_command_and_the_readme_every_command_of_the_help():
    listed = {line.split()[0] for line in run("--help").stdout.split("Commands:")[1].splitlines() if line.strip()}
    named = {command.name or command.callback.__name__ for command in app.registered_commands} | {"simulate"}
    assert named <= listed
    readme = (ROOT / "README.md").read_text("utf-8")
    assert all(f"clabber {name}" in readme or f"make {name}" in readme for name in named)


def commands(group: typer.Typer, *before: str) -> Iterator[list[str]]:
    yield from ([*before, command.name or command.callback.__name__] for command in group.registered_commands)
    for some in group.registered_groups:
        for words in commands(some.typer_instance, *before, some.name):
            yield [*words[:-1], words[-1].removeprefix(f"{some.name}_").removeprefix("simulate_")]


@pytest.mark.parametrize("words", list(commands(app)), ids=" ".join)
def test_every_commands_help_shows_how_it_is_called(words: list[str]):
    """In words that the command takes: every option of the example is one of its own."""
    shown = run(*words, "--help")
    text = " ".join(shown.stdout.split())
    assert shown.exit_code == 0 and f": clabber {' '.join(words)} " in text
    example = text.split(f": clabber {' '.join(words)} ")[1].split(";")[0].split("Options:")[0]
    assert set(re.findall(r" (--[a-z]+)", f" {example}")) <= set(re.findall(r"--[a-z]+", text.split("Options:")[1]))


@pytest.mark.parametrize("words", [["pads", "--out"], ["import", "--template"],
                                   ["export", "--season", "s.db", "--xlsx"]], ids="-".join)
def test_a_file_whose_name_would_mislead_is_not_written(words: list[str], tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name, said in ((".", "folder"), ("folder", "folder"), ("x.txt", "name it x."), ("x", "name it x.")):
        answer = run(*words, name)
        assert answer.exit_code == 2 and said in answer.stderr and "disk" not in answer.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_simulated_hands_are_json_lines_and_the_seed_tells_which():
    once, twice, other = (run("simulate", "hands", "--count", 3, "--seed", seed).stdout for seed in (1, 1, 2))
    assert once == twice != other
    hands = [json.loads(line) for line in once.splitlines()]
    assert len(hands) == 3
    assert all(sum(hand["trick_points"].values()) == 162 for hand in hands if not hand["all_pass"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "hands", "--players", "nobody"], "nobody"),
        (["simulate", "hands", "--count", "-1"], "--count"),
        (["evaluate", "nowhere"], "nowhere"),
        (["demo", "--samples", "nowhere"], "nowhere"),
        (["report", "--season", "nowhere.db", "--out", "x"], "nowhere.db"),
    ],
)
def test_wrong_usage_is_status_2_with_the_reason(arguments: list[str], message: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = run(*arguments)
    assert answer.exit_code == 2 and message in answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_report_has_all_its_files(tmp_path: Path):
    typed = {
        "layout": "evansville",
        "teams": {"we": "Eagles", "they": "Owls"},
        "date": "2026-03-07",
        "games": [
            {"rows": [{"we_total": "XX", "they_total": str(162 * n)} for n in range(1, 5)], "winner_mark": "they"}
        ],
    }
    (tmp_path / "typed.json").write_text(json.dumps(typed))
    assert run("import", tmp_path / "typed.json", "--season", tmp_path / "s.db").exit_code == 0
    answer = run("report", "--season", tmp_path / "s.db", "--out", tmp_path / "out")
    assert answer.exit_code == 0, answer.stderr
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"standings.csv", "games.csv", "hands.csv", "season.xlsx", "report.html", "report.pdf"}
    assert "1,Owls,1,1,0," in (tmp_path / "out" / "standings.csv").read_text()


def test_output_into_a_closed_pipe_is_no_traceback():
    command = [sys.executable, "-m", "scanner.cli", "simulate", "hands", "--count", "4000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=60) == 1


def test_a_terminal_without_some_letters_gets_them_spelled_out():
    import os

    command = [sys.executable, "-m", "scanner.cli", "check", "é.json"]
    run = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert run.returncode == 2 and b"\\xe9.json" in run.stderr and b"Traceback" not in run.stderr
