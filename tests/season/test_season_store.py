"""What a season keeps, and what it never loses."""

from __future__ import annotations

import dataclasses
import sqlite3

import numpy as np
import pytest
from season_samples import failed, game, photo, readings, row, sha

from scanner.season.store import open_season
from scanner.sheet.errors import InputError, SeasonError
from scanner.sheet.layout import Column, Layout
from scanner.sheet.results import CellResult, GameResult


@pytest.fixture
def season(tmp_path):
    with open_season(tmp_path / "season.db", clock=lambda: "2026-03-08T10:00:00+00:00") as opened:
        yield opened


def cell_id(number: int = 2, key: str = "they_total", name: str = "a.jpg", grid: int = 1) -> str:
    return f"{sha(name)[:8]}/1/{grid}/{number}/{key}"


def dump(season) -> list[str]:
    with sqlite3.connect(season.path) as connection:
        lines = list(connection.iterdump())
    connection.close()
    return lines


def test_a_photo_comes_back_as_it_went_in(season):
    result = photo(games=2)
    assert season.add_photo(result, readings(result))
    assert season.photo(result.sha256) == result
    assert season.photo(sha("b.jpg")) is None


def test_the_same_photo_twice_changes_nothing(season):
    season.add_photo(photo())
    before = dump(season)
    assert not season.add_photo(dataclasses.replace(photo(asks=False), photo="copy.jpg"))
    assert dump(season) == before


def test_a_photo_that_failed_is_taken_when_it_succeeds_and_not_the_other_way_round(season):
    assert season.add_photo(failed())
    assert not season.has(sha("a.jpg"))
    assert season.photo(sha("a.jpg")).error.code == "no-sheet"
    assert not season.add_photo(failed())
    assert season.add_photo(photo())
    assert season.has(sha("a.jpg"))
    assert not season.add_photo(failed(), rescan=True)
    assert season.photo(sha("a.jpg")) == photo()


def test_the_queue_asks_only_what_is_open_in_the_order_of_the_sheets(season):
    season.add_photo(photo("b.jpg", games=2))
    season.add_photo(photo("a.jpg"))
    season.add_photo(photo("c.jpg", asks=False))
    asked = [cell_id(name="b.jpg"), cell_id(name="b.jpg", grid=2), cell_id(name="a.jpg")]
    assert [q.cell_id for q in season.questions()] == asked
    first = season.questions()[0]
    assert (first.text, first.choices[1], first.message) == ("124", ("7", 0.125), "Hand 2: 124 or 7?")
    assert first.line.startswith(cell_id(name="b.jpg") + " ")
    season.answer(asked[1], "124", "Ruth")
    assert [q.cell_id for q in season.questions()] == [asked[0], asked[2]]


def test_a_question_stays_on_one_line_whatever_the_photo_is_called(season):
    season.add_photo(photo("bad\nname\u2028.jpg"))
    assert len(season.questions()[0].line.splitlines()) == 1


def test_an_answer_is_kept_with_who_and_when_and_what_was_read(season):
    season.add_photo(photo())
    season.answer(cell_id(), " 0126 ", " Ruth ")
    found = season.select("SELECT text, settled, settled_by, settled_at FROM cells WHERE cell_id = ?", cell_id())
    assert tuple(found[0]) == ("124", "126", "Ruth", "2026-03-08T10:00:00+00:00")
    assert [tuple(r)[2:5] for r in season.select("SELECT * FROM reviews")] == [("124", "126", "Ruth")]


def test_a_second_answer_counts_and_the_first_stays_in_the_history(season):
    season.add_photo(photo())
    for text in ("126", "124"):
        season.answer(cell_id(), text, "Ruth")
    history = [(r["before"], r["text"]) for r in season.select("SELECT * FROM reviews")]
    assert history == [("124", "126"), ("126", "124")]
    season.take_back(cell_id(), "Ann")
    assert [q.cell_id for q in season.questions()] == [cell_id()]
    assert len(season.select("SELECT * FROM reviews")) == 3


@pytest.mark.parametrize("statement", ["DELETE FROM reviews", "UPDATE reviews SET text = '1'"])
def test_the_history_cannot_be_changed(season, statement):
    season.add_photo(photo())
    season.answer(cell_id(), "126", "Ruth")
    with pytest.raises(SeasonError, match="reviews are never"):
        season.select(statement)
    assert season.select("SELECT text FROM reviews")[0]["text"] == "126"


@pytest.mark.parametrize(("place", "text", "by", "message"), [
    ("{id}", "12x", "Ruth", "a cell holds a number"),
    ("{id}", "126", "  ", "say who decides"),
    ("{id}x", "126", "Ruth", "Did you mean {id}?"),
    ("nonsense", "126", "Ruth", "there is no such cell"),
    ("{photo}/1/2/date", "126", "Ruth", "there is no such cell"),
    ("{photo}/1/date", "7 March", "Ruth", "year-month-day"),
    ("{photo}/1/we", "   ", "Ruth", "cannot be empty"),
    ("{photo}/1/we", "x" * 81, "Ruth", "at most 80 letters"),
    ("{photo}/1/we", "a\u202eb", "Ruth", "all of them visible"),
    ("{photo}/1/ours", "Eagles", "Ruth", "there is no such cell"),
    ("", "1", "Ruth", "there is no such cell"),
])
def test_an_impossible_answer_is_refused_and_changes_nothing(season, place, text, by, message):
    season.add_photo(photo())
    before = dump(season)
    names = {"id": cell_id(), "photo": sha("a.jpg")[:8]}
    with pytest.raises(InputError) as caught:
        season.answer(place.format(**names), text, by)
    assert message.format(**names) in str(caught.value)
    assert dump(season) == before


def test_a_rescan_replaces_readings_and_puts_every_answer_back(season):
    season.add_photo(photo())
    season.answer(cell_id(), "126", "Ruth")
    season.answer(f"{sha('a.jpg')[:8]}/1/we", "  Night   Owls ", "Ruth")
    season.rule(f"{sha('a.jpg')[:8]}/1/1", "corrected", "Ruth")
    reviews = [tuple(r) for r in season.select("SELECT * FROM reviews")]
    again = dataclasses.replace(photo(), width=11)
    assert season.add_photo(again, rescan=True)
    assert season.photo(sha("a.jpg")).width == 11
    assert season.questions() == []
    assert season.select("SELECT settled FROM cells WHERE cell_id = ?", cell_id())[0]["settled"] == "126"
    assert season.photo(sha("a.jpg")).sheets[0].teams["we"].text == "Night Owls"
    assert season.select("SELECT official FROM games")[0]["official"] == "corrected"
    assert season.stale() == [f"{sha('a.jpg')[:8]}/1/1"]
    assert [tuple(r) for r in season.select("SELECT * FROM reviews")] == reviews


def test_answers_to_a_row_that_a_rescan_loses_are_kept_and_return_with_it(season):
    season.add_photo(photo())
    season.answer(cell_id(), "126", "Ruth")
    short = photo()
    sheet = dataclasses.replace(short.sheets[0], games=(GameResult((row(1, "100", "62"),), None, None, None, ()),))
    season.add_photo(dataclasses.replace(short, sheets=(sheet,)), rescan=True)
    assert season.select("SELECT text FROM reviews")[0]["text"] == "126"
    season.add_photo(photo(), rescan=True)
    assert season.select("SELECT settled FROM cells WHERE cell_id = ?", cell_id())[0]["settled"] == "126"


def test_a_game_is_decoded_again_from_what_the_reader_said_and_people_answered(season):
    result = photo()
    season.add_photo(result, readings(result))
    game_id = cell_id().rsplit("/", 2)[0]
    season.answer(cell_id(), "126", "Ruth")
    stored = season.readings(game_id)
    assert set(stored) == {(r, k) for r in (1, 2, 3) for k in ("we_total", "they_total")}
    assert stored[2, "they_total"].text == "126" and stored[2, "they_total"].confidence > 0.999999
    for key, given in readings(result).items():
        if key[2:] != (2, "they_total"):
            np.testing.assert_allclose(stored[key[2:]].log_probs, given.log_probs, atol=1e-4)
    assert season.stale() == [game_id]
    season.update_game(game_id, game(asks=False))
    assert season.stale() == []


def test_without_readings_a_game_is_decoded_from_the_choices(season):
    season.add_photo(photo())
    stored = season.readings(cell_id().rsplit("/", 2)[0])
    assert stored[2, "they_total"].top(2) == [("124", pytest.approx(0.75)), ("7", pytest.approx(0.125))]
    assert np.exp(stored[1, "we_total"].log_probs).sum() == pytest.approx(1)


def test_decoding_again_keeps_what_was_read_of_answered_cells_and_where_they_are(season):
    season.add_photo(photo())
    season.answer(cell_id(), "126", "Ruth")
    new = GameResult(tuple(dataclasses.replace(r, cells={k: CellResult("9", 1.0) for k in r.cells})
                           for r in game().rows), "they", "they", "they", ())
    season.update_game(cell_id().rsplit("/", 2)[0], new)
    found = {(r["row"], r["cell"]): r for r in season.select("SELECT * FROM cells")}
    assert found[2, "they_total"]["text"] == "124" and found[2, "they_total"]["settled"] == "126"
    assert found[2, "we_total"]["text"] == "9"
    assert all(r["box"] for r in found.values())
    assert season.game(cell_id().rsplit("/", 2)[0]).winner == "they"
    assert season.game(cell_id().rsplit("/", 2)[0]).quad == game().quad


def test_an_answer_survives_a_decoding_in_which_its_row_is_no_hand(season):
    season.add_photo(photo())
    season.answer(cell_id(), "", "Ruth")
    season.update_game(cell_id().rsplit("/", 2)[0], GameResult((row(1, "100", "62"),), None, None, None, ()))
    assert [r["settled"] for r in season.select("SELECT * FROM cells WHERE row = 2")] == [""]
    assert season.game(cell_id().rsplit("/", 2)[0]).rows == (row(1, "100", "62"),)


def test_a_person_can_fill_a_cell_in_whose_row_no_hand_was_found(season):
    result = photo()
    season.add_photo(result, readings(result))
    season.answer(cell_id(3), "200", "Ruth")
    game_id = cell_id().rsplit("/", 2)[0]
    assert season.readings(game_id)[3, "they_total"].text == "200"
    season.update_game(game_id, dataclasses.replace(game(), rows=(*game().rows, row(3, "300", "200"))))
    assert season.select("SELECT settled FROM cells WHERE cell_id = ?", cell_id(3))[0]["settled"] == "200"
    with pytest.raises(InputError):
        season.answer(cell_id(4), "200", "Ruth")


def test_heads_nobody_could_read_are_asked_and_answered(season):
    result = photo()
    sheet = dataclasses.replace(result.sheets[0], teams={}, date=dataclasses.replace(result.sheets[0].date, iso=None))
    season.add_photo(dataclasses.replace(result, sheets=(sheet,)))
    place = f"{result.sha256[:8]}/1"
    assert [q.cell_id for q in season.head_questions()] == [f"{place}/we", f"{place}/they", f"{place}/date"]
    for what, text in (("we", "Hawks"), ("they", "Owls"), ("date", "2026-03-07")):
        season.answer(f"{place}/{what}", text, "Ruth")
    assert season.head_questions() == []
    assert season.photo(result.sha256).sheets[0].date.iso == "2026-03-07"
    assert season.stale() == []


def test_photos_whose_hashes_begin_alike_get_ids_of_their_own(season):
    twins = [dataclasses.replace(photo(), sha256="12345678" + c * 56) for c in "ab"]
    for twin in twins:
        assert season.add_photo(twin)
    assert {q.cell_id.split("/")[0] for q in season.questions()} == {"12345678", "12345678b"}
    season.add_photo(twins[0], rescan=True)
    assert {q.cell_id.split("/")[0] for q in season.questions()} == {"12345678", "12345678b"}


def test_a_users_own_layout_is_kept_with_its_sheet(season):
    own = Layout("evansville", (Column("we_total", ("US",), 20.0), Column("extra", (), 9.0, True)), (9.0, 8.0), 0.0, 2)
    season.add_photo(photo(), layouts=(own,))
    season.add_photo(photo("b.jpg"))
    game_id = cell_id().rsplit("/", 2)[0]
    assert season.ruling(game_id) == own
    assert season.ruling(f"{sha('b.jpg')[:8]}/1/1").columns[0].key == "we_total"
    assert season.layout(game_id) == "evansville"


@pytest.mark.parametrize("call", [
    lambda s: s.game("x/1/1"), lambda s: s.readings("x/1/1"), lambda s: s.layout("x/1/1"), lambda s: s.ruling("x/1/1")])
def test_an_unknown_game_is_named(season, call):
    with pytest.raises(InputError, match="x/1/1: there is no such game"):
        call(season)


def test_a_ruling_must_be_one_of_two(season):
    season.add_photo(photo())
    with pytest.raises(InputError, match="written"):
        season.rule(cell_id().rsplit("/", 2)[0], "best", "Ruth")


def test_a_photo_whose_name_is_no_text_is_saved_all_the_same(season):
    assert season.add_photo(dataclasses.replace(photo(), photo="IMG_\udcff.jpg"))
    assert season.questions()[0].photo == "IMG_\\udcff.jpg"


def test_numpy_numbers_are_stored_as_numbers(season):
    result = photo()
    rows = tuple(dataclasses.replace(r, meld=np.int64(20)) for r in game().rows)
    sheet = dataclasses.replace(result.sheets[0], games=(dataclasses.replace(game(), rows=rows),))
    season.add_photo(dataclasses.replace(result, sheets=(sheet,)))
    assert season.select("SELECT sum(meld) AS meld FROM hands")[0]["meld"] == 40
