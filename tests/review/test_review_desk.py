"""The desk without a page: which questions, in which order and why; answers, undoing, two windows, rulings."""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from review_tools import BESIDE as LAYOUT
from review_tools import PLAIN, QUAD, TOTALS, add_sheet, doubt, make_season, readings
from typer.testing import CliRunner

from scanner.cli import app
from scanner.review.desk import Desk, Tools
from scanner.review.queue import _offered_dates, _offered_names, dated
from scanner.review.why import meanings, sentence
from scanner.scorekeeper.check import check_game
from scanner.season.decisions import PROGRAM
from scanner.season.store import open_season
from scanner.sheet.errors import InputError

#: What is written in the two doubtful cells.
TRUE = {"we_total": "600", "they_total": "210"}


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    return make_season(tmp_path_factory.mktemp("review"))


@pytest.fixture
def season(template, tmp_path) -> Path:
    for path in template.parent.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path / "season.db"


@pytest.fixture
def desk(season):
    with Desk(season) as desk:
        yield desk


def walk(desk: Desk, by: str = "Ruth", **texts: str) -> list[str]:
    """Answer everything: the guess, or a text given by the last part of the place; the places in order."""
    state, places = desk.act("next", {}), []
    while state["item"]:
        item = state["item"]
        places.append(item["place"])
        text = texts.get(item["place"].rsplit("/", 1)[-1]) or item["guess"]
        state = desk.act("answer", {"place": item["place"], "text": text, "by": by, "seen": item["seen"]})
        assert "error" not in state
    return places


def rows(season: Path, sql: str, *values) -> list[tuple]:
    with open_season(season) as file:
        return [tuple(row) for row in file.select(sql, *values)]


def test_what_each_text_would_mean_is_said_in_plain_words():
    game = check_game([dict(zip(("we_points", "we_total", "they_total", "they_points"), row, strict=True)) for row in (
        ("92", "92", "70", "70"), ("82", "174", "150", "80"))], None, LAYOUT)
    meant = meanings(game, LAYOUT, 2, "we_total", ["174", "124", "184"])
    assert meant == ["the hand adds up", "the scorekeeper lost 50", "the scorekeeper gained 10"]
    assert sentence(["174", "124"], meant[:2]) == "As 174 the hand adds up; as 124 the scorekeeper lost 50."


def test_texts_that_mean_the_same_are_said_to_look_alike():
    assert sentence(["174", "194"], ["the hand adds up"] * 2) == (
        "174 and 194 look alike here, and with either the hand adds up.")
    assert sentence(["", "-"], ["the hand adds up"] * 2).startswith("An empty cell and a zero line look alike")
    assert sentence([], []) == "Nothing could be read here."


def test_doubtful_totals_come_before_rulings_and_rulings_before_names(desk):
    kinds = []
    state = desk.act("next", {})
    while state["item"]:
        kinds.append((state["item"]["kind"], state["item"]["photo"]))
        state = desk.act("next", {"skipped": [*skipped(desk, state)]})
    assert [k for k, _ in kinds][-1] == "head"
    assert kinds.index(("ruling", "slipped.jpg")) < kinds.index(("head", "named.jpg"))
    assert {photo for kind, photo in kinds if kind == "cell"} == {"doubtful.jpg"}


def skipped(desk: Desk, state: dict, seen: dict = {}) -> list[str]:  # noqa: B006 - grows over one walk
    seen.setdefault(id(desk), []).append(state["item"]["place"])
    return seen[id(desk)]


def test_an_answer_settles_decodes_again_and_drops_needless_questions(desk, season):
    first = desk.act("next", {})
    cells = [q for q in rows(season, "SELECT cell_id FROM cells WHERE review = 1")]
    place = first["item"]["place"]
    after = desk.act("answer", {"place": place, "text": TRUE[place.rsplit("/", 1)[-1]],
                                "by": "Ruth", "seen": first["item"]["seen"]})
    assert after["item"]["place"] != place
    assert after["questions"] <= first["questions"] - 1 and len(cells) >= 1
    settled = rows(season, "SELECT settled_by, stale FROM cells JOIN games USING (game_id) WHERE cell_id = ?", place)
    assert settled == [("Ruth", 0)]


def test_everything_can_be_answered_and_taken_back_step_by_step(desk, season):
    before = rows(season, "SELECT cell_id, text, settled, review FROM cells ORDER BY cell_id")
    queue = open_places(desk)
    places = walk(desk, they="Falcons")
    assert set(queue) >= set(places) and places
    assert desk.act("next", {})["questions"] == 0
    undone = [desk.act("undo", {"by": "Ruth"})["undone"] for _ in places]
    assert undone == places[::-1]
    assert desk.act("undo", {"by": "Ruth"})["undone"] is None
    assert open_places(desk) == queue
    assert rows(season, "SELECT cell_id, text, settled, review FROM cells ORDER BY cell_id") == before
    assert len(rows(season, "SELECT 1 FROM reviews")) == 2 * len(places), "the history keeps both"


def open_places(desk: Desk) -> list[str]:
    found, state = [], desk.act("next", {})
    while state["item"]:
        found.append(state["item"]["place"])
        state = desk.act("next", {"skipped": found})
    return sorted(found)


def test_undo_gives_the_question_back_and_passes_over_anothers_word(desk):
    item = desk.act("next", {})["item"]
    desk.act("answer", {"place": item["place"], "text": item["guess"], "by": "Ruth"})
    desk.act("answer", {"place": item["place"], "text": "1", "by": "Otto"})
    assert desk.act("undo", {"by": "Ruth"})["undone"] is None
    again = desk.act("undo", {"by": "Otto"})
    assert again["undone"] == item["place"]
    assert desk.act("undo", {"by": "Ruth"})["undone"] is None, "Otto's step back is his, Ruth's answer stands under it"


def test_two_people_at_once_neither_is_overwritten_unseen(desk, season):
    item = desk.act("next", {})["item"]
    first = {"place": item["place"], "text": "600", "by": "Ruth", "seen": item["seen"]}
    assert "item" in desk.act("answer", first)
    late = desk.act("answer", first | {"text": "620", "by": "Otto"})
    assert (late["overtaken"]["by"], late["overtaken"]["text"]) == ("Ruth", "600")
    assert len(rows(season, "SELECT 1 FROM reviews")) == 1
    second = desk.act("answer", first | {"text": "620", "by": "Otto", "seen": late["overtaken"]["seen"]})
    assert "item" in second
    (found,) = desk.act("sheets", {})["disagreements"]
    where = found.pop("where")
    assert where.endswith(f"{item['photo']}: Hand {item['row']}, {item['name']}"), "said in words, not as an id"
    assert found == {"cell_id": item["place"], "text": "620", "by": "Otto", "other_text": "600", "other": "Ruth"}
    desk.act("answer", first | {"text": "620", "seen": None})
    assert desk.act("sheets", {})["disagreements"] == [], "Ruth has come round"


def test_every_kind_of_disagreement_is_said_in_words(desk):
    sheet = desk.act("next", {})["item"]["sheet"]
    for place, words in ((f"{sheet}/we", ("Kites", "Kits")), (f"{sheet}/1/official", ("written", "captains"))):
        for by, text in zip(("Ruth", "Otto"), words, strict=True):
            desk.act("answer", {"place": place, "text": text, "by": by})
    for by, mark in (("Ruth", "again"), ("Otto", "duplicate")):
        desk.act("mark", {"sheet": sheet, "mark": mark, "by": by})
    said = [found["where"].split(": ")[1] for found in desk.act("sheets", {})["disagreements"]]
    assert said == ["name of the team called We", "the paper is wrong", "what this sheet is"]


def test_two_programs_on_one_season_see_each_other(season):
    with Desk(season) as one, Desk(season) as two:
        item, before = one.act("next", {})["item"], two.act("version", {})
        same = two.act("next", {})["item"]
        one.act("answer", {"place": item["place"], "text": "600", "by": "Ruth", "seen": item["seen"]})
        assert two.act("version", {}) != before
        assert "overtaken" in two.act("answer", {"place": same["place"], "text": "620", "by": "Otto", "seen": 0})


@pytest.mark.parametrize(("ruling", "total"), [("written", 590), ("corrected", 600), ("captains", 590)])
def test_the_paper_is_wrong_is_asked_and_decides_what_counts(desk, season, ruling, total):
    item = next(i for i in all_items(desk) if i["kind"] == "ruling")
    assert item["scores"]["written"]["we"] == 590 and item["scores"]["corrected"]["we"] == 600
    assert "174" in item["problems"][0]["message"] and item["problems"][0]["consequence"] == "10 points are moved."
    desk.act("answer", {"place": item["place"], "text": ruling, "by": "Ruth", "note": "both agreed"})
    official = rows(season, "SELECT official FROM games WHERE game_id = ?", item["place"].rsplit("/", 1)[0])
    assert official == [("corrected" if ruling == "corrected" else "written",)]
    assert rows(season, "SELECT text, by, note FROM reviews") == [(ruling, "Ruth", "both agreed")]
    assert item["place"] not in open_places(desk)
    kept = rows(season, "SELECT written_we_total, corrected_we_total FROM hands WHERE game_id = ? AND row = 5",
                item["place"].rsplit("/", 1)[0])
    assert kept == [(590, 600)], "both stay on file"
    if ruling == "captains":
        assert desk.act("summary", {})["captains"][0]["note"] == "both agreed"
    assert total in (590, 600)


def test_a_ruling_is_asked_again_once_a_cell_of_its_game_changes(desk):
    item = next(i for i in all_items(desk) if i["kind"] == "ruling")
    game = item["place"].rsplit("/", 1)[0]
    desk.act("answer", {"place": item["place"], "text": "written", "by": "Ruth"})
    desk.act("answer", {"place": f"{game}/1/we_points", "text": "92", "by": "Ruth"})
    assert item["place"] not in open_places(desk), "an answer that confirms changes nothing"
    desk.act("answer", {"place": f"{game}/5/we_total", "text": "580", "by": "Ruth"})
    assert item["place"] in open_places(desk)


def all_items(desk: Desk) -> list[dict]:
    found, state = [], desk.act("next", {})
    while state["item"]:
        found.append(state["item"])
        state = desk.act("next", {"skipped": [item["place"] for item in found]})
    return found


def test_a_sheet_set_aside_is_not_asked_about_and_not_counted(desk, season):
    from analysis.frames import load

    sheet = next(i["sheet"] for i in all_items(desk) if i["kind"] == "cell")
    before = len(load(season).games)
    desk.act("mark", {"sheet": sheet, "mark": "duplicate", "by": "Ruth"})
    assert not [i for i in all_items(desk) if i["sheet"] == sheet]
    assert len(load(season).games) == before - 1
    assert desk.act("undo", {"by": "Ruth"})["undone"] == f"{sheet}/mark"
    assert len(load(season).games) == before
    assert "error" in desk.act("mark", {"sheet": sheet, "mark": "eaten", "by": "Ruth"})


def test_pictures_show_the_cell_its_row_and_the_head(desk):
    items = {item["kind"]: item["place"] for item in all_items(desk)}
    cell = desk.act("picture", {"place": items["cell"]})
    assert cell["cell"]["image"].startswith("data:image/jpeg;base64,") and cell["rows"]["box"]
    left, _, right, _ = (x for x, _ in cell["rows"]["box"])
    assert 0 < left < right < cell["rows"]["width"]
    assert set(desk.act("picture", {"place": items["head"]})) == {"head"}
    assert set(desk.act("picture", {"place": items["ruling"]})) == {"rows"}


def test_a_photo_that_moved_is_asked_for_and_a_changed_one_never_shown(desk, season, tmp_path):
    place = next(i["place"] for i in all_items(desk) if i["kind"] == "cell")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.move(season.parent / "doubtful.jpg", elsewhere)
    shutil.copy(season.parent / "slipped.jpg", season.parent / "doubtful.jpg")
    assert desk.act("picture", {"place": place}) == {"missing": {"photo": "doubtful.jpg"}}
    assert "error" in desk.act("folder", {"path": str(tmp_path / "nowhere")})
    desk.act("folder", {"path": str(elsewhere)})
    assert "cell" in desk.act("picture", {"place": place})


def test_a_moved_grid_is_read_again_at_its_new_place_and_answers_stay(season):
    place = rows(season, "SELECT cell_id FROM cells WHERE review = 1")[0][0]
    game = "/".join(place.split("/")[:3])
    moved = [[x + 5, y + 3] for x, y in QUAD]
    read = list(readings(PLAIN, TOTALS).values())
    with Desk(season, tools=Tools(read_cells=lambda images: read)) as desk:
        desk.act("answer", {"place": place, "text": TRUE[place.rsplit("/", 1)[-1]], "by": "Ruth"})
        assert "version" in desk.act("move", {"game": game, "quad": moved, "by": "Ruth"})
        crossed = desk.act("move", {"game": game, "quad": [moved[1], moved[0], *moved[2:]], "by": "Ruth"})
        assert "top left" in crossed["error"]
        for far in ([[x + 5000, y] for x, y in QUAD], [[x / 100, y / 100] for x, y in QUAD]):
            assert "on the grid" in desk.act("move", {"game": game, "quad": far, "by": "Ruth"})["error"]
    (quad,), = rows(season, "SELECT quad FROM games WHERE game_id = ?", game)
    assert quad == str([[float(x), float(y)] for x, y in moved])
    assert rows(season, "SELECT settled_by FROM cells WHERE cell_id = ?", place) == [("Ruth",)]
    assert [r[0] for r in rows(season, "SELECT written_we_total FROM hands WHERE game_id = ?", game)][-1] == 600


def test_a_moved_grid_is_taken_back_and_put_back_after_a_rescan(season):
    (game,) = rows(season, "SELECT game_id FROM games JOIN sheets USING (sheet_id) JOIN photos USING (sha256) "
                           "WHERE photo = 'named.jpg'")[0]
    moved = [[x + 5, y + 3] for x, y in QUAD]
    tools = Tools(read_cells=lambda images: list(readings(PLAIN, TOTALS).values()))
    with Desk(season, tools=tools) as desk:
        desk.act("move", {"game": game, "quad": moved, "by": "Ruth"})
        assert desk.act("undo", {"by": "Ruth"})["undone"] == f"{game}/quad"
        assert corners(season, game) == [list(p) for p in QUAD]
        assert desk.act("undo", {"by": "Ruth"})["undone"] is None
        desk.act("move", {"game": game, "quad": moved, "by": "Ruth"})
    with open_season(season) as file:
        sha = file.select("SELECT sha256 FROM photos WHERE photo = 'named.jpg'")[0]["sha256"]
        was = file.photo(sha)
        sheet = was.sheets[0]
        result = replace(was, sheets=(replace(sheet, games=(replace(sheet.games[0], quad=QUAD),)),))
        file.add_photo(result, {(1, 1, *k): r for k, r in readings(PLAIN, TOTALS).items()}, True, [PLAIN])
    assert corners(season, game) == [list(p) for p in QUAD]
    with Desk(season, tools=tools):
        for _ in range(200):
            if corners(season, game) == moved:
                break
            time.sleep(0.05)
        assert corners(season, game) == moved


def corners(season: Path, game: str) -> list[list[float]]:
    return json.loads(rows(season, "SELECT quad FROM games WHERE game_id = ?", game)[0][0])


def test_another_layout_reads_the_sheet_again(season):
    sheet = rows(season, "SELECT sheet_id FROM sheets JOIN photos USING (sha256) WHERE photo = 'slipped.jpg'")[0][0]
    with Desk(season, tools=Tools(read_cells=lambda images: [doubt(("", 0.99))] * len(images))) as desk:
        assert "version" in desk.act("layout", {"sheet": sheet, "layout": "evansville", "by": "Ruth"})
        assert desk.act("sheet", {"sheet": sheet})["games"][0]["keys"][-1] == "total_check"
        assert "error" in desk.act("layout", {"sheet": sheet, "layout": "nonesuch", "by": "Ruth"})


def test_look_alikes_are_the_cells_that_hold_the_digit(desk):
    found = desk.act("alike", {"what": "7"})
    assert found["cells"] and all("7" in cell["text"] for cell in found["cells"])
    crops = desk.act("crops", {"places": [cell["place"] for cell in found["cells"]]})["crops"]
    assert set(crops) == {cell["place"] for cell in found["cells"]}
    assert "error" in desk.act("alike", {"what": "%"})


def test_the_summary_tells_what_changed_in_the_table(season):
    from scanner.commands.review import league_table

    with Desk(season, tools=Tools(standings=league_table)) as desk:
        walk(desk, they="Falcons")
        told = desk.act("summary", {})
    assert told["questions"] == 0 and told["done"] == 3 and told["answers"]["Ruth"] >= 3
    assert "Falcons" not in [row["team"] for row in told["before"]]
    assert "Falcons" in [row["team"] for row in told["after"]]


def test_the_terminal_lists_the_same_questions_and_answers_any_of_them(desk, season):
    run = CliRunner()
    listed = run.invoke(app, ["review", "--season", str(season), "--list"]).stdout.splitlines()
    assert sorted(line.split()[0] for line in listed) == open_places(desk)
    ruling = next(line.split()[0] for line in listed if "/official" in line)
    answer = ["--answer", f"{ruling}=corrected", "--by", "Ruth"]
    assert run.invoke(app, ["review", "--season", str(season), *answer]).exit_code == 0
    assert ruling not in open_places(desk)


def test_requests_that_are_none_are_refused(desk):
    with pytest.raises(InputError, match="no such request"):
        desk.act("close", {})
    with pytest.raises(InputError, match="next"):
        desk.act("next", {"nonsense": 1})
    for odd in ({"place": 3}, {"place": "x" * 300}, {"place": "a\0"}, {"text": "\ud800"}, {"seen": "1"}, {"seen": 1e3}):
        with pytest.raises(InputError, match="not as expected"):
            desk.act("answer", {"place": "a", "text": "1", "by": "Ruth"} | odd)
    for quad in ([], [[0, 0]] * 3, [[0, 0, 0]] * 4, "quad", [["0", 0]] * 4, [[float("inf"), 0]] * 4):
        with pytest.raises(InputError, match="not as expected"):
            desk.act("move", {"game": "a", "quad": quad, "by": "Ruth"})
    assert "error" in desk.act("picture", {"place": "../../etc/passwd"})
    assert "error" in desk.act("answer", {"place": "a/b/c/d/e", "text": "1", "by": "Ruth"})
    assert "error" in desk.act("answer", {"place": all_items(desk)[0]["place"], "text": "1", "by": " "})


def test_a_known_name_like_the_one_read_is_offered_first(season):
    from scanner.season.questions import HeadQuestion

    head = HeadQuestion("a/1/we", "a.jpg", "a", "we", "Eogles", 0.2)
    known = Counter({"Owls": 5, "Eagles": 2, "Falcons": 1})
    assert _offered_names(head, known)[:3] == (("Eagles", None), ("Eogles", 0.2), ("Owls", None))
    assert _offered_names(replace(head, text="Zz"), known)[0] == ("Zz", 0.2)
    assert _offered_names(replace(head, text=None), known)[0] == ("Owls", None)


@pytest.mark.parametrize(("text", "day"), [
    ("Apr 3", "2026-04-03"), ("3 April", "2026-04-03"), ("Aug. 15", "2026-08-15"), ("4/3", "2026-04-03"),
    ("Feb 30", None), ("13-1", None), ("7", None), ("", None), ("Owls 3", None), ("Mar 1 2", None), ("9" * 5000, None)])
def test_a_day_without_a_year_takes_the_year_of_the_other_sheets(text, day):
    from scanner.season.questions import HeadQuestion

    assert dated(text, 2026) == day
    known = Counter({"2026-03-07": 3, "2025-12-06": 1})
    offered = [text for text, _ in _offered_dates(HeadQuestion("a/1/date", "a", "a", "date", text, 0.9), known)]
    assert offered[0] == (day or "2026-03-07") and "2026-03-07" in offered


def test_a_team_does_not_play_itself(desk):
    sheet = next(i["sheet"] for i in all_items(desk) if i["photo"] == "doubtful.jpg")
    reply = desk.act("answer", {"place": f"{sheet}/they", "text": " eagles", "by": "Ruth"})
    assert "cannot play itself" in reply["error"]


def test_answers_to_a_typed_sheet_have_no_picture(season, tmp_path):
    from scanner.commands.season import import_typed

    typed = tmp_path / "typed.json"
    typed.write_text('{"layout": "plain", "teams": {"we": "A", "they": "B"}, "games": []}'.replace("plain", "beside"))
    import_typed([str(typed)], season, None)
    with Desk(season) as desk:
        sheet = desk.act("sheets", {})["sheets"][-1]
        assert sheet["typed"] and desk.act("sheet", {"sheet": sheet["sheet"]})["games"] == []


def test_a_sheet_added_while_the_page_is_open_is_asked_too(desk, season):
    before = desk.act("version", {})
    add_sheet(season, "late.jpg", PLAIN, TOTALS, they=None)
    assert desk.act("version", {}) != before
    assert "late.jpg" in [item["photo"] for item in all_items(desk)]


def test_the_page_takes_nobody_for_the_program_and_undoes_nothing_of_it(season):
    with open_season(season) as file:
        (sheet,) = file.select("SELECT sheet_id FROM sheets LIMIT 1")[0]
        file.set_aside(sheet, "the same sheet as another")
    with Desk(season) as desk:
        assert desk.act("hello", {})["by"] == ""
        assert "error" in desk.act("undo", {"by": PROGRAM})
        assert desk.act("undo", {"by": "Ruth"})["undone"] is None
        desk.act("mark", {"sheet": sheet, "mark": "duplicate", "by": "Ruth"})
        assert desk.act("hello", {})["by"] == "Ruth"
    assert rows(season, "SELECT mark FROM sheets WHERE sheet_id = ?", sheet) == [("duplicate",)]
