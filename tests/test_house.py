"""The rooms of the house import only what the table in CONTRIBUTING.md allows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def table() -> dict[str, set[str] | None]:
    """Room to what it may import; None: everything."""
    rows = {}
    for line in (ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        room = re.fullmatch(r"\|? ?`(?:scanner/)?(\w+)(?:/|\.py)`", cells[0])
        if room and len(cells) == 3:
            rows[room[1]] = None if "everything" in cells[2] else set(re.findall(r"`(\w+)`", cells[2]))
    return rows


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("scanner", "analysis"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            room = parts[0] if package == "analysis" else parts[1]
            if room != "__init__":
                yield room, path


def imports(path: Path) -> set[str]:
    """Dotted names of everything a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(name: str) -> str | None:
    """The room a dotted name lies in; None if it is not of this project."""
    parts = name.split(".")
    if parts[0] == "analysis":
        return "analysis"
    if parts[0] != "scanner":
        return None
    # The package's front door hands out the reader (``scanner.read_cells``) and its own version.
    return {"read_cells": "reader", "__version__": None}.get(parts[1], parts[1]) if len(parts) > 1 else None


def test_the_table_names_every_room():
    assert set(table()) == {room for room, _ in modules()}


def test_rooms_import_only_what_the_table_allows():
    allowed = table()
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for room, path in modules()
        for name in imports(path)
        if (other := room_of(name)) not in (None, room) and allowed[room] is not None and other not in allowed[room]
    ]
    assert wrong == []


def test_the_table_itself_has_no_circle():
    """Rooms in the order of the table see only rooms above them, so the way of the data has one direction."""
    rooms = list(table())
    order = {room: i for i, room in enumerate(rooms)}
    for room, allowed in table().items():
        assert all(order[other] < order[room] for other in allowed or ()), room


@pytest.mark.parametrize("room", ["rules", "sheet", "scorekeeper"])
def test_pure_rooms_need_nothing_but_numpy(room: str):
    names = {name.split(".")[0] for other, path in modules() if other == room for name in imports(path)}
    foreign = names - set(sys.stdlib_module_names) - {"scanner", "__future__"}
    assert foreign <= {"numpy"}


@pytest.mark.parametrize(
    ("module", "rooms"),
    [
        ("cv2", {"photo", "reader", "press", "output", "workshop", "batch", "commands"}),
        ("torch", {"workshop"}),
        ("pandas", {"analysis"}),
        ("sqlite3", {"season"}),
    ],
)
def test_a_library_stays_in_its_rooms(module: str, rooms: set[str]):
    users = {room for room, path in modules() for name in imports(path) if name.split(".")[0] == module}
    assert users <= rooms


def test_every_file_that_is_no_module_is_packaged():
    """An installed copy has the networks, layouts and pages that a checkout has."""
    packaged = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    found = {
        path for name, globs in packaged.items() for g in globs for path in (ROOT / name.replace(".", "/")).glob(g)
    }
    others = {p for p in (ROOT / "scanner").rglob("*.*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert others - found == set()


def test_help_imports_no_heavy_library():
    code = (
        "import sys; from typer.testing import CliRunner; from scanner.cli import app; "
        "assert CliRunner().invoke(app, ['scan', '--help']).exit_code == 0; "
        "print(sorted({'numpy', 'pandas', 'cv2', 'onnxruntime', 'matplotlib', 'torch'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_modules_and_functions_stay_small():
    """The hard limits of the house style: no module over 400 lines, no function over 60."""
    too_long = []
    for _, path in modules():
        text = path.read_text("utf-8")
        if text.count("\n") > 400:
            too_long.append(str(path))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= 60:
                too_long.append(f"{path}:{node.name}")
    assert too_long == []
