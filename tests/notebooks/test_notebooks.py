"""Every notebook runs from its first cell to its last, ends with a finding, and is stored without outputs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from scanner.commands.sample_season import SAMPLES, sample_season

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


def test_they_are_numbered_one_by_one_and_listed():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"{i:02}" for i in range(1, len(NOTEBOOKS) + 1)]
    listed = re.findall(r"^\| \[\w+\]\((\w+\.ipynb)\)", (ROOT / "notebooks" / "README.md").read_text("utf-8"), re.M)
    assert listed == [path.name for path in NOTEBOOKS] and len(listed) >= 7


@pytest.fixture(scope="session", autouse=True)
def _the_season_is_scanned():
    """Once, before the notebooks, so that none of them waits for it or says so."""
    if SAMPLES.is_dir():
        sample_season()


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request):
    return request.param


def test_it_is_stored_without_outputs_or_traces_of_a_run(notebook):
    book = nbformat.read(notebook, as_version=4)
    for cell in book.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None
    assert set(book.metadata) <= {"kernelspec", "language_info"}


def test_it_asks_one_question_and_ends_with_a_finding_and_its_limits(notebook):
    texts = [cell.source for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "markdown"]
    assert texts[0].startswith("# ") and texts[0].splitlines()[0].endswith("?")
    assert any(text.startswith("## Finding") for text in texts[-2:])
    assert "limits" in texts[-1] or "does not show" in texts[-1]


def test_its_functions_are_a_few_lines_long(notebook):
    for cell in nbformat.read(notebook, as_version=4).cells:
        if cell.cell_type == "code":
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.FunctionDef):
                    assert node.end_lineno - node.lineno < 8, node.name


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # from the kernel's own packages
def test_it_runs_and_shows_pictures_and_a_finding(notebook, monkeypatch):
    if not list((ROOT / "sample_sheets").glob("*.jpg")) or not SAMPLES.is_dir():
        pytest.skip("sample_sheets/ holds no photographs here")
    monkeypatch.setenv("PYTHONWARNINGS", "error::UserWarning,error::FutureWarning")
    book = nbformat.read(notebook, as_version=4)
    place = {"metadata": {"path": str(notebook.parent)}}
    NotebookClient(book, timeout=600, kernel_name="python3", resources=place).execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [o for o in outputs if o.output_type == "stream" and o.name == "stderr"]
    assert sum("image/png" in o.get("data", {}) for o in outputs) >= 2
    told = [o.text for o in outputs if o.output_type == "stream"]
    assert len(told[-1]) > 40
