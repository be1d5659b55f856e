"""Opening a season file: nothing that is not ours is touched, nothing saved is lost."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from season_samples import photo, sha

from scanner.season import schema
from scanner.season.store import open_season
from scanner.sheet.errors import SeasonError


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("season") / "season.db"
    with open_season(path) as season:
        for i in range(30):
            season.add_photo(photo(f"{i}.jpg"))
    return path


@pytest.fixture
def filled(template, tmp_path) -> Path:
    return Path(shutil.copy(template, tmp_path))


def refuses(path: Path, message: str, create: bool = True) -> None:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(SeasonError, match=message) as caught, open_season(path, create=create):
        pass
    assert str(path) in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_path_that_cannot_be_looked_at_is_refused_in_words(tmp_path):
    path = tmp_path / ("a" * 300 + ".db")  # no system lets a name be so long, and root is no exception
    with pytest.raises(SeasonError, match="cannot be opened") as caught, open_season(path):
        pass
    assert str(path) in str(caught.value)


def test_what_is_no_season_file_is_named_and_left_alone(tmp_path):
    refuses(tmp_path, "this is a folder")
    refuses(tmp_path / "absent.db", "no such season file", create=False)
    refuses(tmp_path / "no" / "folder.db", "does not exist")
    text = tmp_path / "notes.txt"
    text.write_text("Eagles beat Owls\n" * 100)
    refuses(text, "damaged or no season file")
    empty = tmp_path / "empty.db"
    empty.touch()
    refuses(empty, "empty, not a season", create=False)
    foreign = tmp_path / "foreign.db"
    with contextlib.closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
        connection.commit()
    refuses(foreign, "another program's database")


def test_a_newer_file_is_left_alone(filled):
    with contextlib.closing(sqlite3.connect(filled)) as connection:
        connection.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    refuses(filled, "newer version")


@pytest.mark.parametrize("place", [0.0, 0.3, 0.6, 0.9])
def test_a_damaged_file_is_named_or_still_reads_whole(filled, place):
    data = bytearray(filled.read_bytes())
    start = int(len(data) * place)
    data[start : start + 4096] = random.Random(7).randbytes(4096)
    filled.write_bytes(data)
    refuses(filled, "damaged")


def test_a_truncated_file_is_named(filled):
    filled.write_bytes(filled.read_bytes()[:9000])
    refuses(filled, "damaged")


def test_a_locked_file_is_named_and_unharmed(filled, monkeypatch):
    monkeypatch.setattr(schema, "PATIENCE", 0.05)
    with contextlib.closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refuses(filled, "another program is using this season file")
        other.execute("ROLLBACK")
    with open_season(filled) as season, contextlib.closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SeasonError, match="Nothing was changed"):
            season.add_photo(photo("new.jpg"))
        other.execute("ROLLBACK")
        assert season.add_photo(photo("new.jpg"))


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_written_is_named(filled):
    filled.chmod(0o444)
    with open_season(filled) as season, pytest.raises(SeasonError, match="cannot be written"):
        season.add_photo(photo("new.jpg"))


def test_two_programs_take_turns(tmp_path):
    path = tmp_path / "season.db"
    with open_season(path) as one, open_season(path) as two:
        for i in range(20):
            assert (one, two)[i % 2].add_photo(photo(f"{i}.jpg"))
        assert not two.add_photo(photo("0.jpg"))
        assert len(one.select("SELECT * FROM photos")) == 20


def test_an_older_file_is_brought_forward_with_a_copy_kept(filled, monkeypatch):
    old = filled.read_bytes()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "ALTER TABLE photos ADD COLUMN place TEXT;\n"))
    with open_season(filled) as season:
        assert season.select("SELECT count(place) AS n, count(*) AS photos FROM photos")[0]["photos"] == 30
    copies = list(filled.parent.glob("season.db.version*"))
    assert [c.name for c in copies] == [f"season.db.version{len(schema.MIGRATIONS) - 1}"]
    with contextlib.closing(sqlite3.connect(copies[0])) as connection:
        copied = list(connection.iterdump())
    filled.write_bytes(old)
    with contextlib.closing(sqlite3.connect(filled)) as connection:
        assert list(connection.iterdump()) == copied


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(filled, monkeypatch):
    steps = (*schema.MIGRATIONS, "ALTER TABLE photos ADD COLUMN place TEXT;\nSELECT no_such_thing;\n")
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    refuses(filled, "could not be used")
    monkeypatch.undo()
    with open_season(filled) as season:
        assert season.has(sha("3.jpg"))


WRITER = """
    import sys
    sys.path.insert(0, sys.argv[2])
    from season_samples import photo
    from scanner.season.store import open_season
    with open_season(sys.argv[1]) as season:
        for i in range(100000):
            season.add_photo(photo(f"{i}.jpg", games=2))
            if i % 3 == 0:
                season.answer(season.questions()[-1].cell_id, "1", "Ruth")
            print(i, flush=True)
"""


def test_a_program_killed_at_any_moment_loses_nothing_it_said_was_saved(tmp_path):
    """SIGKILL between or within transactions: what was announced is there, whole, and the file opens as before."""
    rng = random.Random(1)
    for turn in range(6):
        path = tmp_path / f"{turn}.db"
        command = [sys.executable, "-c", textwrap.dedent(WRITER), str(path), str(Path(__file__).parent)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            said = [int(writer.stdout.readline())]
            time.sleep(rng.uniform(0.0, 0.05))
            writer.send_signal(signal.SIGKILL)
            said += [int(line) for line in writer.stdout if line.endswith("\n")]
        with open_season(path, create=False) as season:
            for i in said:
                assert season.photo(sha(f"{i}.jpg")) == photo(f"{i}.jpg", games=2)
            photos = season.select("SELECT photo FROM photos")
            assert len(photos) - len(said) in (0, 1)
            assert len(season.select("SELECT * FROM games")) == 2 * len(photos)
            assert len(season.select("SELECT * FROM reviews")) >= len([i for i in said if i % 3 == 0])


def test_a_crash_inside_a_transaction_leaves_the_file_before_it(filled, template):
    """Every copy of file and journal that a crash could leave behind opens as a whole season."""
    seen = set()
    with open_season(filled) as season:
        connection = season._connection
        connection.execute("PRAGMA cache_size = 1")  # pages spill to the file in the middle of the transaction
        connection.set_progress_handler(lambda: _copy(filled, seen), 120)
        season.add_photo(photo("new.jpg", games=6))
        connection.set_progress_handler(None, 0)
    assert len(seen) > 5
    spilt = [f for f in seen if (Path(f) / f"{filled.name}-journal").exists()
             and (Path(f) / filled.name).read_bytes() != template.read_bytes()]
    assert spilt, "no copy was taken while the file was half written"
    for folder in seen:
        with open_season(Path(folder) / filled.name) as season:
            assert len(season.select("SELECT * FROM photos")) in (30, 31)
            assert len(season.select("SELECT * FROM games")) in (30, 36)


def _copy(path: Path, seen: set[str]) -> int:
    folder = path.parent / f"crash{len(seen)}"
    folder.mkdir()
    for file in path.parent.glob(path.name + "*"):
        shutil.copy(file, folder)
    seen.add(str(folder))
    return 0


@pytest.mark.parametrize("verdict", [
    "*** in database main ***\nPage 35: btreeInitPage() returns error code 11", "row 3 missing from index one", ""])
def test_damage_is_told_in_plain_words_whatever_the_check_says(tmp_path, verdict):
    class Checked:
        def execute(self, sql):
            return self

        def fetchone(self):
            return (verdict,)

    with pytest.raises(SeasonError) as refused:
        schema._refuse_damage(Checked(), tmp_path / "season.db")
    told = str(refused.value)
    assert "damaged" in told and "Restore" in told and told.isprintable()
    assert not verdict or verdict.splitlines()[-1] not in told
