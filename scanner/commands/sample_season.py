"""The sample season as a season file: its photographs scanned, and what its secretary would have put right.

The notebooks begin with :func:`sample_season`; ``clabber demo`` scans the same photographs before everybody's eyes.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import scanner
from scanner.batch import Task, Way, scan_many
from scanner.commands.scan import default_jobs, read_settings
from scanner.season.store import Season, open_season
from scanner.sheet.errors import InputError
from scanner.workshop.evaluate import load_truths

#: A checkout's own copy, and where what is made of it is kept; `make clean` removes it.
HOME = Path(__file__).resolve().parents[2]
SAMPLES = HOME / "sample_sheets" / "season"
CACHE = HOME / ".cache"
#: Rooms a season file of photographs depends on, besides the order of the stages.
_ROOMS = ("rules", "sheet", "photo", "reader", "scorekeeper", "season")
SECRETARY = "the secretary"


def sample_season(samples: Path = SAMPLES, cache: Path = CACHE) -> Path:
    """The season file of the sample season. The first call scans the photographs, later ones find the file.

    A change of the photographs, of the networks or of the program makes a new file; do not write into it: copy it.

    Raises:
        InputError: there are no sample sheets here, as in an installed copy of the program.
    """
    if not samples.is_dir():
        raise InputError(f"{samples}: no such folder; the sample season comes with the project's folder, not with an "
                         "installed copy.")
    path = cache / f"season-{_fingerprint(samples)}.db"
    if not path.is_file():
        try:
            cache.mkdir(exist_ok=True)
            _make(samples, path)
        except OSError:  # a folder nobody may write to: made anew each time
            path = Path(tempfile.mkdtemp(prefix="clabber-")) / path.name
            _make(samples, path)
    return path


def settle_heads(season: Season, truths: Iterable[Mapping[str, Any]]) -> Counter:
    """Names and dates put right, as a league's secretary would who has the list of fixtures.

    Returns:
        Counts: heads, right (as read), asked (wrong or unread, and asked about), silent (wrong, and nobody asked).
    """
    questions = {question.cell_id for question in season.head_questions()}
    sheets = {Path(row["photo"]).name: dict(row) for row in season.select(
        "SELECT photo, sheet_id, we, they, date FROM sheets JOIN photos USING (sha256) WHERE number = 1")}
    count: Counter = Counter()
    for truth in truths:
        sheet = sheets.get(truth["photo"])
        for what, right in {**truth["teams"], "date": truth.get("iso_date")}.items() if sheet else ():
            place = f"{sheet['sheet_id']}/{what}"
            known = sheet[what] == right and place not in questions
            count.update(heads=1, right=known, asked=place in questions, silent=not known and place not in questions)
            if not known and right is not None:
                season.answer(place, right, SECRETARY)
    return count


def _fingerprint(samples: Path) -> str:
    """Of everything a season file of these photographs depends on."""
    package = Path(scanner.__file__).parent
    files = [*samples.iterdir(), package / "pipeline.py", *(p for room in _ROOMS for p in (package / room).rglob("*"))]
    digest = hashlib.sha256()
    for path in sorted(path for path in files if path.is_file() and path.suffix != ".pyc"):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def _make(samples: Path, path: Path) -> None:
    truths = load_truths(samples)
    tasks = [Task(samples / truth["photo"], truth["photo"]) for truth in truths]
    print(f"Scanning the sample season, {len(tasks)} photographs; this is done once and takes some seconds.")
    roster = samples / "roster.toml"
    settings = read_settings("auto", str(roster) if roster.is_file() else None)
    outcomes = sorted(scan_many(tasks, Way(settings), default_jobs(len(tasks))), key=lambda outcome: outcome.index)
    with tempfile.TemporaryDirectory(prefix=".part-", dir=path.parent) as folder:
        part = Path(folder) / path.name
        # Always the same time, so that the same photographs give the same file.
        with open_season(part, clock=lambda: "2025-10-15T20:00:00+00:00") as season:
            for outcome in outcomes:
                season.add_photo(outcome.result, outcome.readings, layouts=settings.layouts)
            settle_heads(season, truths)
        for old in path.parent.glob("season-*.db"):
            old.unlink()
        part.rename(path)
