"""``clabber demo`` and ``clabber evaluate`` on one sample sheet: everything promised is there and says the same."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scanner.cli import app

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sheets"


@pytest.fixture
def one_sample(tmp_path: Path) -> Path:
    photo = min(SAMPLES.glob("*.jpg"), key=lambda path: path.stat().st_size)
    (tmp_path / "samples").mkdir()
    for path in (photo, photo.with_suffix(".json"), SAMPLES / "roster.toml"):
        shutil.copy(path, tmp_path / "samples")
    return tmp_path / "samples"


def test_the_demo_writes_what_it_names_and_compares_with_the_truth(one_sample: Path, tmp_path: Path):
    answer = CliRunner().invoke(app, ["demo", "--samples", str(one_sample), "--out", str(tmp_path / "out")])
    assert answer.exit_code == 0, answer.stderr
    truth = json.loads(next(one_sample.glob("*.json")).read_text())
    cells = sum(len(row) for game in truth["games"] for row in game["rows"])
    assert re.search(rf"cells as written\s+\d+ of {cells} ", answer.stdout)
    for line in answer.stdout.split("Look at:")[1].splitlines():
        assert not line.strip() or Path(line.split()[0]).exists(), line
    assert len(list((tmp_path / "out" / "overlays").iterdir())) == 1
    scan = json.loads((tmp_path / "out" / "scan.json").read_text())
    assert [Path(photo["photo"]).name for photo in scan["photos"]] == [truth["photo"]]


def test_evaluate_prints_every_line_in_total_and_by_difficulty(one_sample: Path):
    answer = CliRunner().invoke(app, ["evaluate", str(one_sample)])
    assert answer.exit_code == 0, answer.stderr
    truth = json.loads(next(one_sample.glob("*.json")).read_text())
    assert answer.stdout.split("\n")[0].split() == ["all", truth["camera"]["level"]]
    assert re.search(r"photos read\s+1 of 1 = 100.00 %\s+1 of 1 = 100.00 %", answer.stdout)
    assert re.search(r"seconds a photo \(median\)\s+\d+\.\d\d", answer.stdout)
