"""``clabber layout learn``: the file it writes is one that scan reads, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from scanner.cli import app
from scanner.sheet.layout import load_layout


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of 5 columns and 14 rows under a heading, ruled with a pixel's precision."""
    pixels = np.full((1000, 800, 3), 235, np.uint8)
    for y in range(100, 100 + 16 * 50, 50):
        pixels[y:y + 3, 90:703] = 40
    for x in (90, 200, 350, 500, 600, 700):
        pixels[100:853, x:x + 3] = 40
    path = tmp_path / "our pad.png"
    Image.fromarray(pixels).save(path)
    return path


def run(*words: object):
    return CliRunner().invoke(app, ["layout", "learn", *map(str, words)])


def test_a_start_is_written_that_scan_can_use(table: Path, tmp_path: Path):
    out = tmp_path / "ours.toml"
    answer = run(table, "--out", out, "--name", "Ours")
    assert answer.exit_code == 0, answer.output
    layout = load_layout(str(out))
    assert (layout.name, layout.rows, len(layout.columns), layout.games) == ("ours", 14, 5, 1)
    np.testing.assert_allclose([c.width / 9.0 for c in layout.columns], [2.2, 3.0, 3.0, 2.0, 2.0], atol=0.08)
    assert "5 columns and 14 rows" in out.read_text() and "5 columns and 14 rows" in answer.stderr
    scan = CliRunner().invoke(app, ["scan", str(table), "--layout", str(out), "--json", "-"])
    assert scan.exit_code == 0 and '"layout": "ours"' in scan.stdout


def test_on_stdout_stands_nothing_but_the_file(table: Path):
    answer = run(table, "--out", "-")
    assert answer.exit_code == 0
    assert answer.stdout.startswith("# A start, learnt from our pad.png: 5 columns and 14 rows")
    assert 'name = "our-pad"' in answer.stdout


def test_nothing_is_written_over(table: Path, tmp_path: Path):
    out = tmp_path / "ours.toml"
    out.write_text("mine")
    answer = run(table, "--out", out)
    assert answer.exit_code == 2 and out.read_text() == "mine" and "--out" in answer.stderr


@pytest.mark.parametrize("kind", ["blank", "missing", "text"])
def test_what_shows_no_table_is_refused_with_the_cure(kind: str, tmp_path: Path):
    path = tmp_path / "x.png"
    if kind == "blank":
        Image.fromarray(np.full((400, 300, 3), 235, np.uint8)).save(path)
    elif kind == "text":
        path.write_text("no picture")
    answer = run(path)
    assert answer.exit_code == 2 and "x.png" in answer.stderr and "Traceback" not in answer.stderr
