"""What is not installed along with the program: pinned like the rest, and every message says how to get it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODE = [path for room in ("scanner", "analysis") for path in sorted((ROOT / room).rglob("*.py"))]


def pins(lock: str) -> set[str]:
    return set(re.findall(r"^[\w.-]+==[^ ;\\]+", (ROOT / "requirements" / lock).read_text("utf-8"), re.MULTILINE))


def test_the_extras_are_pinned_as_the_tests_have_them():
    extras = pins("extras.lock")
    assert {name for name in ("pyarrow", "pillow-heif", "distributed")} <= {pin.split("==")[0] for pin in extras}
    assert extras <= pins("test.lock")


def test_every_message_about_a_missing_package_names_a_make_target():
    """The environment made by the Makefile has no pip of its own, so a bare ``pip install`` cannot be followed."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    told = [re.sub(r'"\s*"', "", path.read_text("utf-8")) for path in CODE]
    extras = [text for text in told if re.search(r"pip install (pyarrow|'clabber-sheets\[)", text)]
    assert len(extras) == 3
    for text in extras:
        assert set(re.findall(r"run make (\w+)", text)) <= targets and "run make extras" in text


@pytest.mark.parametrize("page", [page for page in sorted((ROOT / "docs").glob("*.md"))
                                  if page.name != "data-dictionary.md"  # about columns
                                  and re.search(r"^`*clabber |`clabber ", page.read_text("utf-8"), re.MULTILINE)],
                         ids=lambda page: page.name)
def test_a_page_with_commands_says_first_how_they_are_started(page: Path):
    before = re.split(r"^```|`clabber [a-z]", page.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    assert ".venv/bin/clabber" in before
