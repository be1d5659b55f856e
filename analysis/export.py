"""Frames as CSV and Excel files. Text from a sheet stays text: no spreadsheet will run it as a formula."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from analysis.frames import Frames
from analysis.leaguefile import League
from analysis.tables import all_tables
from analysis.workbook import write_workbook
from scanner.sheet.errors import InputError

#: A text that begins so is taken for a formula by Excel, LibreOffice or Google Sheets (their full-width twins too).
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
#: Cell texts that begin so and are no formula.
_MARKS = {"-", "--"}

GAMES_CSV = ["game_id", "date", "we", "they", "we_total", "they_total", "winner", "hands"]
HANDS_CSV = ["game_id", "hand", "we_points", "they_points", "we_total", "they_total", "set", "maker", "meld"]


def export_csv(frames: Frames, folder: str | Path, ranking: str | None = None,
               league: League | None = None) -> list[Path]:
    """All tables of a season, one CSV file each, into ``folder`` (made if need be). Returns the files."""
    tables, folder = all_tables(frames, ranking, league), make_folder(folder)
    return [write_csv(frame, folder / f"{name}.csv") for name, frame in tables.items()]


def export_xlsx(frames: Frames, path: str | Path, ranking: str | None = None, league: League | None = None) -> Path:
    """All tables of a season as the sheets of one Excel file."""
    return write_xlsx(all_tables(frames, ranking, league), path)


def export_parquet(frames: Frames, folder: str | Path, ranking: str | None = None,
                   league: League | None = None) -> list[Path]:
    """All tables of a season, one Parquet file each. Needs pyarrow, which is not installed along with us."""
    refuse_parquet()
    tables, folder = all_tables(frames, ranking, league), make_folder(folder)
    files = []
    for name, frame in tables.items():
        with replaced(folder / f"{name}.parquet") as temporary:
            frame.to_parquet(temporary, index=False)
        files.append(folder / f"{name}.parquet")
    return files


def refuse_parquet() -> None:
    """Raises InputError where Parquet files cannot be written."""
    if find_spec("pyarrow") is None:
        raise InputError("Parquet files need pyarrow: run make extras in the project's folder, or pip install pyarrow "
                         "(or export CSV or Excel files instead).")


def write_csv(frame: pd.DataFrame, path: str | Path) -> Path:
    """A frame as CSV: UTF-8, ISO dates, nothing for null, text that looks like a formula behind an apostrophe."""
    safe = frame.copy(deep=False)
    for key in safe.columns:
        if pd.api.types.is_datetime64_any_dtype(safe[key]):
            safe[key] = safe[key].map(_iso, na_action="ignore")
        elif not pd.api.types.is_numeric_dtype(safe[key]):
            safe[key] = _harmless(safe[key])
    with replaced(path) as temporary:
        safe.to_csv(temporary, index=False, encoding="utf-8", errors="replace", lineterminator="\n")
    return Path(path)


def write_xlsx(sheets: Mapping[str, pd.DataFrame], path: str | Path) -> Path:
    """Frames as the sheets of an Excel file; every text is written as text, never as a formula, link or number."""
    with replaced(path) as temporary:
        write_workbook(sheets, temporary)
    return Path(path)


def safe_text(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> safe_text("=1+1"), safe_text("Owls"), safe_text("-")
    ("'=1+1", 'Owls', '-')
    """
    return "'" + text if text.lstrip(" ").startswith(_FORMULA) and text not in _MARKS else text


def _harmless(column: pd.Series) -> pd.Series:
    """The column with its texts made safe; one of objects may hold texts among other things."""
    texts = {value: safe_text(value) for value in column.dropna().unique() if isinstance(value, str)}
    changed = {text: safe for text, safe in texts.items() if safe != text}
    return column.map(lambda value: changed.get(value, value), na_action="ignore") if changed else column


def make_folder(folder: str | Path) -> Path:
    """The folder, made if need be. Raises InputError if it cannot be."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be used as a folder ({error.strerror or error}).") from error
    return folder


@contextmanager
def replaced(path: str | Path) -> Iterator[Path]:
    """A file to write beside ``path``, put in its place at the end; after an error the old file is still there."""
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=".", suffix=path.suffix, dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}).") from error
    temporary = Path(name)
    try:
        yield temporary
        # mkstemp makes files only their owner may read; a report is for the whole league.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}).") from error
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _iso(moment: pd.Timestamp) -> str:
    return moment.date().isoformat() if moment.tzinfo is None else moment.isoformat()
