"""``clabber scan`` on what comes by mail and off a scanner, on one sheet twice, and on a run that was cut short."""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from scanner import pipeline
from scanner.cli import app
from scanner.commands.duplicates import twins_among
from scanner.intake.places import fingerprint
from scanner.output.document import scan_document
from scanner.season.store import open_season
from scanner.sheet.results import CellResult, GameResult, HandScore, Label, Pair, PhotoResult, RowResult, SheetResult

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sheets"
#: The smallest sample, for speed.
SAMPLE = min(SAMPLES.glob("*.jpg"), key=lambda path: path.stat().st_size)
QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def scan(*arguments: object) -> tuple[list[dict], str, int]:
    answer = run("scan", *arguments, "--json", "-")
    return json.loads(answer.stdout)["photos"] if answer.stdout else [], answer.stderr, answer.exit_code


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """A zip with a photo, a copy of it, a PDF with the same sheet again on its second page, a broken PDF: scanned."""
    folder = tmp_path_factory.mktemp("mail")
    with zipfile.ZipFile(folder / "night.zip", "w") as file:
        file.write(SAMPLE, "IMG_1.jpg")
        file.writestr("__MACOSX/._IMG_1.jpg", b"\0\5\x16\7")
    shutil.copy(SAMPLE, folder / "copy.jpg")
    with Image.open(SAMPLE) as image:
        turned = image.convert("RGB").rotate(0.6, Image.Resampling.BICUBIC, fillcolor=(120, 110, 100))
        blank = Image.new("RGB", (400, 600), "white")
        blank.save(folder / "scan.pdf", save_all=True, append_images=[turned], resolution=150)
    (folder / "torn.pdf").write_bytes((folder / "scan.pdf").read_bytes()[:2000])
    photos, said, status = scan(folder, "--season", folder / "season.db")
    return {"folder": folder, "photos": photos, "said": said, "status": status, "season": folder / "season.db"}


def texts(photo: dict) -> list:
    return [{key: cell["text"] for key, cell in row["cells"].items()}
            for sheet in photo["sheets"] for game in sheet["games"] for row in game["rows"]]


def test_a_folder_with_a_zip_and_pdfs(mail: dict) -> None:
    names = ["copy.jpg", "night.zip/IMG_1.jpg", "scan.pdf#page=1", "scan.pdf#page=2", "torn.pdf"]
    assert [photo["photo"] for photo in mail["photos"]] == [f"{mail['folder']}/{name}" for name in names]
    codes = [photo["error"] and photo["error"]["code"] for photo in mail["photos"]]
    assert codes == [None, None, "no-sheet", None, "truncated"]
    assert texts(mail["photos"][0]) == texts(mail["photos"][3]) != []
    assert mail["status"] == 1 and "1 hidden file" in mail["said"]
    failures = mail["said"].partition("Not read, 2 of 5 photos:")[2]
    assert "scan.pdf#page=1: " in failures and "torn.pdf: " in failures and "copy.jpg" not in failures


def test_the_same_bytes_and_the_same_sheet_count_once(mail: dict) -> None:
    assert " the same photo as " in mail["said"] and " shows the same sheet as " in mail["said"]
    with open_season(mail["season"]) as season:
        assert season.select("SELECT count(*) AS n FROM sheets")[0]["n"] == 2
        assert season.select("SELECT count(*) AS n FROM sheets WHERE mark IS NULL")[0]["n"] == 1


def test_a_person_decides(mail: dict) -> None:
    season = mail["season"]
    listed = run("duplicates", "--season", season)
    sheet = listed.stdout.split()[0]
    assert listed.exit_code == 0 and "not counted" in listed.stdout
    assert run("duplicates", "--season", season, "--count", sheet).exit_code == 2, "nobody named"
    assert run("duplicates", "--season", season, "--count", "nowhere/1", "--by", "Ruth").exit_code == 2
    both = run("duplicates", "--season", season, "--count", sheet, "--by", "Ruth")
    assert "counted, says Ruth" in both.stdout
    swapped = run("duplicates", "--season", season, "--instead", sheet, "--by", "Ruth")
    assert "not counted" in swapped.stdout and swapped.stdout.split()[0] != sheet
    back = run("duplicates", "--season", season, "--instead", swapped.stdout.split()[0], "--by", "Ruth")
    assert back.stdout.split()[0] == sheet


def sheet_of(points: list[tuple[int, int]]) -> SheetResult:
    totals, rows = (0, 0), []
    for number, (we, they) in enumerate(points, 1):
        totals = (totals[0] + we, totals[1] + they)
        cells = {f"{side}_total": CellResult(str(total), 0.99, choices=((str(total), 0.99),))
                 for side, total in zip(("we", "they"), totals, strict=True)}
        score = HandScore(Pair(we, they), Pair(*totals))
        rows.append(RowResult(number, cells, score, score, None, None, 0))
    return SheetResult("evansville", 0.99, QUAD, (GameResult(tuple(rows), None, None, None, (), 1, QUAD, 0.01),),
                       {"we": Label("Owls", 0.9)}, Label("", 0.0))


def test_without_a_season_the_same_sheet_is_named_too() -> None:
    games = ([(92, 70), (120, 42), (66, 96), (81, 101)], [(92, 70), (77, 85), (66, 96), (131, 31)])
    results = [PhotoResult(f"{i}.jpg", "", 9, 9, (sheet_of(games[i % 2]),)) for i in range(5)]
    pairs = [(a, b) for a, b, _ in twins_among(results)]
    assert pairs == [("2.jpg", "0.jpg"), ("3.jpg", "1.jpg"), ("4.jpg", "0.jpg")], "each once, beside its first"


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def reads(path: Path, name: str, settings: pipeline.Settings) -> pipeline.Scan:
        read.append(name)
        return pipeline.Scan(PhotoResult(name, fingerprint(path), 9, 9, (sheet_of([(92, 70), (120, 42)]),)))

    monkeypatch.setattr(pipeline, "scan_photo", reads)
    season, photo = tmp_path / "season.db", tmp_path / "a.jpg"
    shutil.copy(SAMPLE, photo)
    first, _, _ = scan(photo, "--season", season)
    second, said, status = scan(photo, "--season", season)
    assert (status, read) == (0, [str(photo)]) and "1 of 1 photo in" in said and "--again" in said
    assert second == first == json.loads(json.dumps(scan_document([reads(photo, str(photo), None).result])))["photos"]
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff other bytes")
    scan(tmp_path / "b.jpg", "--season", season)
    scan(photo, "--season", season, "--again")
    scan(photo, "--season", season, "--overlay", tmp_path / "out")
    assert read[-3:] == [f"{tmp_path}/b.jpg", str(photo), str(photo)], "a wanted picture that is not there is drawn"


def test_what_failed_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "night.jpg").write_bytes(b"no photo")
    for _ in range(2):
        _, said, status = scan(tmp_path / "night.jpg", "--season", tmp_path / "season.db")
        assert status == 1 and "not read again" not in said


@pytest.mark.parametrize("turn", [2, 4, 5, 7])
def test_a_mirror_image_is_told_and_never_read_as_if_it_were_right(tmp_path: Path, turn: int) -> None:
    """A wrong EXIF note of a mirrored picture; also what a camera for selfies gives."""
    exif = Image.Exif()
    exif[0x0112] = turn
    with Image.open(SAMPLE) as image:
        image.convert("RGB").save(tmp_path / "selfie.jpg", exif=exif, quality=90)
    (photo,), _, status = scan(tmp_path / "selfie.jpg")
    assert status == 1 and photo["sheets"] == [] and photo["error"]["code"] == "unsupported"
    assert "mirror image" in photo["error"]["message"]


def test_an_animation_is_read_and_that_is_said(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (200, 200), c) for c in ("red", "blue")]
    frames[0].save(tmp_path / "x.gif", save_all=True, append_images=frames[1:])
    photos, said, _ = scan(tmp_path / "x.gif")
    assert "only its first frame" in said and photos[0]["error"]["code"] == "no-sheet"


def test_a_cluster_that_is_not_there_is_status_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(SAMPLE, tmp_path / "a.jpg")
    monkeypatch.setitem(sys.modules, "distributed", None)
    missing = run("scan", tmp_path / "a.jpg", "--cluster", "tcp://127.0.0.1:9")
    assert missing.exit_code == 2 and "clabber-sheets[cluster]" in missing.stderr


def test_a_typed_copy_of_a_photographed_sheet_counts_once(tmp_path: Path) -> None:
    season = tmp_path / "season.db"
    points = [(92, 70), (120, 42), (66, 96), (81, 101)]
    with open_season(season) as file:
        file.add_photo(PhotoResult("a.jpg", "ab" * 32, 9, 9, (sheet_of(points),)))
    totals = [(sum(w for w, _ in points[:n]), sum(t for _, t in points[:n])) for n in range(1, 5)]
    rows = [{"we_total": str(we), "they_total": str(they)} for we, they in totals]
    typed = {"layout": "evansville", "teams": {"we": "Owls", "they": "Elks"}, "date": "2026-03-07",
             "games": [{"rows": rows, "winner_mark": None}]}
    (tmp_path / "typed.json").write_text(json.dumps(typed))
    answer = run("import", tmp_path / "typed.json", "--season", season)
    assert answer.exit_code == 0 and "typed.json shows the same sheet as a.jpg" in answer.stderr
    with open_season(season) as file:
        assert file.select("SELECT count(*) AS n FROM sheets WHERE mark IS NULL")[0]["n"] == 1
