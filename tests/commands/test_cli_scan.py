"""``clabber scan`` from the outside: what goes in by mistake, what comes out, and the exit status."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from scanner.cli import app

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sheets"


def run(*arguments: object):
    return CliRunner().invoke(app, ["scan", *(str(argument) for argument in arguments)])


def picture(kind: str = "JPEG", size: tuple[int, int] = (320, 240)) -> bytes:
    noise = np.random.default_rng(7).integers(90, 160, (size[1], size[0], 3), dtype=np.uint8)
    file = io.BytesIO()
    Image.fromarray(noise).save(file, kind)
    return file.getvalue()


def bomb() -> bytes:
    file = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(file, "PNG")
    return file.getvalue()


BAD = {
    "empty.jpg": (b"", {"not-an-image"}),
    "text.jpg": (b"This is a shopping list.\n", {"not-an-image"}),
    "cut.jpg": (picture()[:-2000], {"truncated"}),
    "header.png": (picture("PNG")[:20], {"truncated", "not-an-image"}),
    "bomb.png": (bomb(), {"too-large"}),
    "clip.gif": (picture("GIF"), {"no-sheet", "too-poor"}),
    "moving.mov": (b"\0\0\0\x14ftypqt  " + bytes(50), {"unsupported"}),
    "noise.jpg": (picture(), {"no-sheet", "too-poor"}),
    "noise.webp": (picture("WEBP"), {"no-sheet", "too-poor"}),
}


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    folder = tmp_path / "night"
    folder.mkdir()
    for name, (content, _) in BAD.items():
        (folder / name).write_bytes(content)
    return folder


def test_every_bad_photo_is_named_with_its_reason_and_the_run_goes_on(bad: Path):
    answer = run(*(bad / name for name in BAD), "--json", "-", "--jobs", "2")
    assert answer.exit_code == 1
    photos = json.loads(answer.stdout)["photos"]
    assert [photo["photo"] for photo in photos] == [str(bad / name) for name in BAD]
    for photo, (name, (_, codes)) in zip(photos, BAD.items(), strict=True):
        assert photo["error"]["code"] in codes, name
        assert name in photo["error"]["message"] and len(photo["error"]["message"]) > len(str(bad / name)) + 20
        assert photo["sheets"] == [] and f"{name}: " in answer.stderr


def test_a_folder_gives_its_photos_by_name_and_passes_over_other_files(bad: Path):
    (bad / "notes.txt").write_text("not a photo")
    answer = run(bad, "--json", "-")
    names = [photo["photo"] for photo in json.loads(answer.stdout)["photos"]]
    assert names == [f"{bad}/{name}" for name in sorted(BAD) if not name.endswith(".mov")]


def test_a_missing_photo_is_an_error_among_others_and_nothing_to_read_alone(bad: Path, tmp_path: Path):
    both = run(bad / "noise.jpg", tmp_path / "gone.jpg", "--json", "-")
    assert both.exit_code == 1
    assert "gone.jpg" in json.loads(both.stdout)["photos"][1]["error"]["message"]
    alone = run(tmp_path / "gone.jpg", "--json", "-")
    assert alone.exit_code == 2 and "gone.jpg" in alone.stderr and alone.stdout == ""


def test_an_empty_folder_is_nothing_to_read(tmp_path: Path):
    answer = run(tmp_path)
    assert answer.exit_code == 2 and str(tmp_path) in answer.stderr and "nothing to read" in answer.stderr


def test_a_folder_that_cannot_be_read_is_named_and_costs_status_1(
    bad: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    locked = tmp_path / "locked"
    locked.mkdir()
    look = Path.iterdir

    def iterdir(folder: Path):
        if folder == locked:
            raise PermissionError(13, "Permission denied")
        return look(folder)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    alone = run(locked)
    assert alone.exit_code == 2 and f"{locked}: this folder cannot be read" in alone.stderr
    among = run(locked, sample()[0], "--json", "-")
    assert among.exit_code == 1 and f"{locked}: this folder cannot be read" in among.stderr
    assert [photo["error"] for photo in json.loads(among.stdout)["photos"]] == [None]


def test_a_path_that_cannot_be_looked_at_is_an_error_of_that_photo(tmp_path: Path):
    long = tmp_path / ("a" * 300 + ".jpg")  # no system lets a name be so long, and root is no exception
    answer = run(long, "--json", "-")
    assert answer.exit_code == 1
    (photo,) = json.loads(answer.stdout)["photos"]
    assert photo["error"]["code"] == "not-an-image" and "cannot be opened" in photo["error"]["message"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--layout", "evansvile"], "Did you mean 'evansville'"),
        (["--layout", "nowhere.toml"], "nowhere.toml"),
        (["--roster", "nowhere.toml"], "nowhere.toml"),
        (["--jobs", "0"], "--jobs"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_wrong_usage_is_status_2_before_anything_is_read(bad: Path, options: list[str], message: str):
    answer = run(bad, *options)
    assert answer.exit_code == 2 and message in answer.stderr and answer.stdout == ""


@pytest.mark.parametrize("option", ["--json", "--overlay"])
def test_a_file_where_a_folder_must_be_is_status_2(bad: Path, tmp_path: Path, option: str):
    (tmp_path / "taken").write_text("mine")
    answer = run(bad, option, tmp_path / "taken")
    assert answer.exit_code == 2 and "taken" in answer.stderr
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_damaged_season_file_is_refused_before_the_work_and_left_as_it_is(bad: Path, tmp_path: Path):
    season = tmp_path / "season.db"
    season.write_bytes(b"no season" * 1000)
    answer = run(bad, "--season", season)
    assert answer.exit_code == 2 and "season.db" in answer.stderr
    assert season.read_bytes() == b"no season" * 1000


def test_a_json_folder_gets_one_document_a_photo_named_by_photo_and_hash(bad: Path, tmp_path: Path):
    answer = run(bad, "--json", tmp_path / "out")
    documents = {path.name: json.loads(path.read_text()) for path in (tmp_path / "out").iterdir()}
    assert len(documents) == len(BAD) - 1
    for name, document in documents.items():
        (photo,) = document["photos"]
        assert name == f"{Path(photo['photo']).name}-{photo['sha256'][:8]}.json"
    assert "not read" in answer.stdout


def test_without_tesseract_the_scan_goes_on_and_says_so(monkeypatch: pytest.MonkeyPatch):
    from scanner.photo import printed

    monkeypatch.setattr("scanner.commands.scan.find_tesseract", lambda: None)
    monkeypatch.setattr(printed, "find_tesseract", lambda: None)
    answer = run(sample()[0], "--json", "-")
    assert answer.exit_code == 0 and answer.stderr.startswith("clabber: no Tesseract here")
    assert json.loads(answer.stdout)["photos"][0]["sheets"][0]["games"]


def sample() -> tuple[Path, dict]:
    """The first sample sheet and its truth."""
    truth = json.loads(min(SAMPLES.glob("*.json")).read_text())
    return SAMPLES / truth["photo"], truth


def test_a_sample_sheet_goes_all_the_way(tmp_path: Path):
    photo, truth = sample()
    where = ["--season", tmp_path / "season.db", "--overlay", tmp_path / "overlays"]
    answer = run(photo, "--json", "-", *where)
    assert answer.exit_code == 0, answer.stderr
    (read,) = json.loads(answer.stdout)["photos"]
    assert read["photo"] == str(photo) and read["error"] is None
    (sheet,) = read["sheets"]
    assert sheet["layout"] == truth["layout"]
    assert [len(game["rows"]) for game in sheet["games"]] == [len(game["rows"]) for game in truth["games"]]
    (overlay,) = (tmp_path / "overlays").iterdir()
    with Image.open(overlay) as drawn:
        assert drawn.format == "JPEG"


def test_the_same_photo_twice_changes_nothing_in_the_season(tmp_path: Path):
    photo, _ = sample()
    assert run(photo, "--season", tmp_path / "season.db").exit_code == 0
    before = (tmp_path / "season.db").read_bytes()
    assert run(photo, "--season", tmp_path / "season.db").exit_code == 0
    assert (tmp_path / "season.db").read_bytes() == before


def test_all_sizes_of_a_batch_say_the_same(tmp_path: Path):
    photos = sorted(SAMPLES.glob("*.jpg"), key=lambda path: path.stat().st_size)[:2]
    one, two = (run(*photos, "--json", "-", "--jobs", jobs).stdout for jobs in ("1", "2"))
    assert one == two and len(json.loads(one)["photos"]) == 2


@pytest.mark.skipif(os.name != "posix", reason="sends a POSIX signal")
def test_interrupted_is_status_130_with_what_was_done(tmp_path: Path):
    many = tmp_path / "many"
    many.mkdir()
    photo, _ = sample()
    for i in range(40):
        (many / f"{i:02}.jpg").write_bytes(photo.read_bytes())
    command = [sys.executable, "-m", "scanner.cli", "scan", str(many), "--json", "-", "--jobs", "1"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    first = process.stderr.readline()
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert first.startswith("[1/40]")
    assert process.returncode == 130
    assert 1 <= len(json.loads(stdout)["photos"]) < 40
    assert "interrupted" in stderr and "Traceback" not in stderr


def test_a_pad_of_ones_own_is_kept_in_the_season_with_its_games(tmp_path: Path):
    from scanner.season.store import open_season
    from scanner.sheet.layout import built_in_layouts

    photo, truth = sample()
    layout = next(known for known in built_in_layouts() if known.name == truth["layout"])
    columns = "".join(f'[[columns]]\nkey = "{c.key}"\ntitles = {json.dumps(c.titles)}\nwidth = {c.width}\n'
                      for c in layout.columns)
    own = f'name = "our-pad"\nrows = {layout.rows}\nrow_height = {layout.row_heights[0]}\ngames = {layout.games}\n'
    (tmp_path / "own.toml").write_text(own + columns)
    answer = run(photo, "--layout", tmp_path / "own.toml", "--season", tmp_path / "season.db")
    assert answer.exit_code == 0, answer.stderr
    with open_season(tmp_path / "season.db") as season:
        game = season.select("SELECT game_id FROM games")[0]["game_id"]
        assert season.ruling(game).name == "our-pad" and season.ruling(game).keys == layout.keys


GOES_ON = "the same command goes on"


@pytest.mark.parametrize("content", [b"no season at all\n" * 100, b"SQLite format 3\0" + b"\1" * 5000])
def test_a_season_that_cannot_be_used_promises_nothing(bad: Path, tmp_path: Path, content: bytes):
    (tmp_path / "season.db").write_bytes(content)
    answer = run(bad, "--season", tmp_path / "season.db")
    assert answer.exit_code == 2 and "season.db" in answer.stderr and GOES_ON not in answer.stderr
    assert (tmp_path / "season.db").read_bytes() == content


@pytest.mark.parametrize(("usable", "promised"), [(True, True), (False, False)])
def test_an_interrupted_run_goes_on_only_from_a_season_that_took_its_photos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, usable: bool, promised: bool
):
    from scanner.batch import Outcome
    from scanner.season.store import Season
    from scanner.sheet.errors import SeasonError
    from scanner.sheet.results import PhotoError, PhotoResult

    def interrupted(tasks, way, jobs):
        yield Outcome(0, PhotoResult("a.jpg", "ab" * 32, 8, 8), 0.1)
        yield Outcome(1, PhotoResult("b.jpg", "cd" * 32, 8, 8, error=PhotoError("no-sheet", "b.jpg: none.")), 0.1)
        raise KeyboardInterrupt

    def full(*_):
        raise SeasonError("the disk is full")

    monkeypatch.setattr("scanner.commands.scan.scan_many", interrupted)
    if not usable:
        monkeypatch.setattr(Season, "add_photo", full)
    photos = [tmp_path / f"{name}.jpg" for name in "abc"]
    for photo in photos:
        photo.write_bytes(picture())
    answer = run(*photos, "--season", tmp_path / "season.db")
    assert answer.exit_code == 130 and (GOES_ON in answer.stderr) == promised
    assert not promised or "1 of 3 photos are read" in answer.stderr, "one that failed is tried again"


def test_a_season_of_no_bytes_is_begun_anew_and_said_by_all_that_write_and_refused_by_all_that_read(tmp_path: Path):
    typed = {"layout": "evansville", "teams": {"we": "Owls", "they": "Elks"}, "date": "2026-03-07",
             "games": [{"rows": [{"we_total": "92", "they_total": "70"}], "winner_mark": None}]}
    (tmp_path / "typed.json").write_text(json.dumps(typed))
    (tmp_path / "noise.jpg").write_bytes(picture())
    season = tmp_path / "season.db"
    for command, source in (("scan", "noise.jpg"), ("import", "typed.json")):
        season.write_bytes(b"")
        for reading in (["review", "--list"], ["duplicates"], ["export", "--csv", tmp_path / "out"]):
            answer = CliRunner().invoke(app, [reading[0], "--season", str(season), *map(str, reading[1:])])
            assert answer.exit_code == 2 and "the file is empty" in answer.stderr and "clabber scan" in answer.stderr
            assert season.read_bytes() == b""
        told = "was empty (0 bytes), so a new season is begun"
        written = CliRunner().invoke(app, [command, str(tmp_path / source), "--season", str(season)])
        assert told in written.stderr and season.stat().st_size > 0
        again = CliRunner().invoke(app, [command, str(tmp_path / source), "--season", str(season)])
        assert told not in again.stderr


def test_every_missing_file_is_named_and_of_very_many_the_first(tmp_path: Path):
    few = run(tmp_path / "a.jpg", f"{tmp_path / 'b'}/", tmp_path / "c.zip")
    assert few.exit_code == 2 and all(str(tmp_path / name) in few.stderr for name in ("a.jpg", "b", "c.zip"))
    many = run(*(tmp_path / f"{number}.jpg" for number in range(9)))
    assert many.exit_code == 2 and "4.jpg and 4 more." in many.stderr and "5.jpg" not in many.stderr


def test_the_summary_says_how_many_of_the_games_the_season_counts(tmp_path: Path):
    photo, truth = sample()
    games = len(truth["games"])
    (tmp_path / "copy.jpg").write_bytes(Path(photo).read_bytes())
    once = run(photo, "--season", tmp_path / "season.db")
    assert "photographed twice" not in once.stdout
    twice = run(photo, tmp_path / "copy.jpg", "--season", tmp_path / "season.db")
    asked = CliRunner().invoke(app, ["review", "--season", str(tmp_path / "season.db"), "--list"]).stdout
    heads = sum(line.split()[0].endswith(("/we", "/they", "/date")) for line in asked.splitlines())
    told = re.search(r"(\d+) names? or dates? still", twice.stdout)
    assert int(told[1]) == heads > 0 if told else heads == 0
    assert f"{games} of the {2 * games} games read count{'s' if games == 1 else ''} in" in twice.stdout
