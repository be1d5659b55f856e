"""What worker processes do in the tests of batch: fine, crash, hang, fail. Apart, so that workers can import it."""

from __future__ import annotations

import os
import time
from pathlib import Path

from scanner.pipeline import Scan, Settings
from scanner.sheet.results import PhotoResult


def scan(path: Path, name: str, settings: Settings) -> Scan:
    """Does what the file's name says."""
    if "crash" in name:
        os.abort()
    if "hang" in name:
        time.sleep(600)
    while "beat" in name:  # shows for as long as it lives that it does
        path.write_text(str(time.time()), "utf-8")
        time.sleep(0.1)
    if "fail" in name:
        raise ZeroDivisionError("a defect")
    return Scan(PhotoResult(name, "ab" * 32, 1, 1))
