"""Typed files: read as they are meant, or refused in words that name the place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from season_samples import game

from scanner.season.store import open_season
from scanner.season.typed import read_typed
from scanner.sheet.errors import ClabberError, InputError, LayoutError
from scanner.sheet.layout import parse_layout

GOOD = {"layout": "evansville", "teams": {"we": " Night  Eagles", "they": "Owls"}, "date": "2026-03-07",
        "games": [{"rows": [{"we_total": "92", "they_total": 70}, {"we_total": "XX", "hand_check": None}],
                   "winner_mark": "we"}]}


def write(tmp_path, document) -> str:
    path = tmp_path / "typed.json"
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode())
    return path


def test_a_good_file_is_read_with_every_cell_of_the_layout(tmp_path):
    sheet = read_typed(write(tmp_path, GOOD), head=True)
    assert sheet.teams == {"we": "Night Eagles", "they": "Owls"} and sheet.date == "2026-03-07"
    assert sheet.games[0].rows == (
        {"we_total": "92", "they_total": "70", "hand_check": "", "total_check": ""},
        {"we_total": "XX", "they_total": "", "hand_check": "", "total_check": ""})
    assert sheet.games[0].winner_mark == "we"


def test_texts_that_are_no_number_are_left_to_the_check(tmp_path):
    sheet = read_typed(write(tmp_path, {"layout": "beside", "games": [{"rows": [{"we_points": "9a"}]}]}))
    assert sheet.games[0].rows[0]["we_points"] == "9a"
    assert sheet.games[0].winner_mark is None and sheet.teams == {} and sheet.date is None


def test_a_layout_given_takes_the_place_of_the_one_named(tmp_path):
    own = parse_layout('name="own"\nrows=4\nrow_height=9\n[[columns]]\nkey="we_total"\nwidth=20', "own.toml")
    sheet = read_typed(write(tmp_path, {"games": [{"rows": [{"we_total": "5"}]}]}), own)
    assert sheet.layout is own and sheet.games[0].rows == ({"we_total": "5"},)


@pytest.mark.parametrize(("change", "message"), [
    ({"games": None}, '"games" must be a list'),
    ({"games": [3]}, "game 1: must be an object"),
    ({"games": [{"rows": 1}]}, '"rows" must be a list'),
    ({"games": [{"rows": ["92"]}]}, "row 1: must be an object"),
    ({"games": [{"rows": [{}, {"we_totl": "9"}]}]}, r"row 2: unknown cell key 'we_totl'. Did you mean 'we_total'"),
    ({"games": [{"rows": [{"we_total": 9.5}]}]}, "we_total: a cell holds a short text"),
    ({"games": [{"rows": [{"we_total": True}]}]}, "we_total: a cell holds a short text"),
    ({"games": [{"rows": [{"we_total": "1" * 99}]}]}, "we_total: a cell holds a short text"),
    ({"games": [{"rows": [{"we_total": "\ud800"}]}]}, "we_total: a cell holds a short text"),
    ({"games": [{"rows": [], "winner_mark": "us"}]}, "winner_mark"),
    ({"games": [{"rows": []}] * 1001}, "at most 1000"),
    ({"layout": None}, "the layout is missing"),
    ({"layout": 3}, "the layout is missing"),
    ({"teams": {"we": "Eagles"}}, "must name both sides"),
    ({"teams": ["Eagles", "Owls"]}, "must name both sides"),
    ({"teams": {"we": "Owls", "they": " OWLS "}}, "cannot play itself"),
    ({"teams": {"we": "", "they": "Owls"}}, "must be a team's name"),
    ({"teams": {"we": "a\u0000b", "they": "Owls"}}, "must be a team's name"),
    ({"teams": {"we": "a" * 81, "they": "Owls"}}, "longer than 80"),
    ({"teams": None}, "the teams are missing"),
    ({"date": "2026-02-30"}, "must be a day"),
    ({"date": "20260307"}, "must be a day"),
    ({"date": "0026-03-07"}, "between 1900 and 2100"),
    ({"date": "2206-03-07"}, "between 1900 and 2100"),
    ({"date": 20260307}, "must be a day"),
])
def test_an_unusable_file_is_refused_with_the_place(tmp_path, change, message):
    path = write(tmp_path, GOOD | change)
    with pytest.raises(InputError, match=message) as caught:
        read_typed(path, head=True)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(("data", "message"), [
    (b"", "not JSON"), (b"{", "not JSON"), (b"[]", "one JSON object"), (b"\xff\xfe", "UTF-8"),
    (b"[" * 200_000, "nested"),
    (b'{"games": [], "games": []}', "'games' stands twice"), (b" " * 5_000_001, "larger than 5 MB"),
    (b"1" * 5000, "not JSON|object"),
])
def test_what_is_no_json_is_refused(tmp_path, data, message):
    with pytest.raises(InputError, match=message):
        read_typed(write(tmp_path, data))


def test_absent_files_and_unknown_layouts_are_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_typed(tmp_path / "absent.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_typed(tmp_path)
    with pytest.raises(LayoutError, match="Did you mean 'evansville'"):
        read_typed(write(tmp_path, GOOD | {"layout": "evansvile"}))


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
                        st.sampled_from(["layout", "games", "rows", "we_total", "teams", "we", "they", "date"]), inner,
                        max_size=4), max_leaves=12)


@settings(deadline=None)  # the first call reads the layouts
@given(document=JSON, key=st.sampled_from(["layout", "games", "teams", "date", None]))
def test_any_json_is_read_or_refused_in_words(tmp_path_factory, document, key):
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(document if key is None else GOOD | {key: document}))
    try:
        read_typed(path)
    except ClabberError as error:
        assert len(str(error)) < 1000


def test_the_same_file_twice_is_one_record(tmp_path):
    sheet = read_typed(write(tmp_path, GOOD))
    with open_season(tmp_path / "season.db") as season:
        assert season.add_typed(sheet, [game()])
        assert not season.add_typed(sheet, [game()])
        assert len(season.select("SELECT * FROM games")) == 1
        stored = season.photo(sheet.sha256).sheets[0]
        assert stored.teams["we"].text == "Night Eagles" and stored.date.iso == "2026-03-07"
        with pytest.raises(ValueError, match="1 typed games but 2"):
            season.add_typed(sheet, [game(), game()])


CSV = """layout,date,we,they,game,we_total,they_total,hand_check,total_check,winner_mark
evansville,2026-03-07,Night Eagles,Owls,1,92,70,162,162,
,,,,1,XX,232,,,
,,,,2,162,-,162,162,we

"""


def write_csv(tmp_path, text: str):
    path = tmp_path / "typed.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [CSV, CSV.replace(",", ";"), "\ufeff" + CSV.replace("\n", "\r\n")])
def test_a_spreadsheet_says_the_same_as_json(tmp_path, text):
    sheet = read_typed(write_csv(tmp_path, text), head=True)
    teams = {"we": "Night Eagles", "they": "Owls"}
    document = {"layout": "evansville", "date": "2026-03-07", "teams": teams, "games": [
        {"rows": [{"we_total": "92", "they_total": "70", "hand_check": "162", "total_check": "162"},
                  {"we_total": "XX", "they_total": "232"}], "winner_mark": None},
        {"rows": [{"we_total": "162", "they_total": "-", "hand_check": "162", "total_check": "162"}],
         "winner_mark": "we"}]}
    same = read_typed(write(tmp_path, document), head=True)
    assert (sheet.layout, sheet.games, sheet.teams, sheet.date) == (same.layout, same.games, same.teams, same.date)


@pytest.mark.parametrize(("text", "message"), [
    ("", "is empty"), (CSV.replace("we_total", "we_totl"), "Did you mean 'we_total'"),
    (CSV.replace("hand_check", "we_total"), "two columns"), (CSV.replace("92,70", "92,70,1,2,3"), "line 2: 13 values"),
    (CSV.replace(",,,,1", ",2026-03-08,,,1"), "one file is one sheet"), (CSV.replace("evansville", ""), "layout"),
    (CSV.replace("Night Eagles", ""), "teams"), (CSV.replace("game", "we_points"), "unknown cell key 'we_points'"),
    ('a,"b', "not a CSV|unknown column"), (CSV.replace(",we\n", ",us\n"), "winner_mark"), (CSV + "\0", "says both"),
])
def test_an_unusable_spreadsheet_is_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_typed(write_csv(tmp_path, text), head=True)


@settings(deadline=None)
@given(st.text(alphabet='we_total,;"\n\r92X-\0 ', max_size=60), st.booleans())
def test_any_text_is_a_spreadsheet_or_refused_in_words(tmp_path_factory, text, headed):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    text = "layout,we_total,they_total\nevansville,1,2\n" * headed + text
    path.write_text(text, encoding="utf-8", newline="")
    try:
        read_typed(path)
    except ClabberError as error:
        assert len(str(error)) < 1000


HEADING = CSV.splitlines()[0] + "\n"


@pytest.mark.parametrize(("data", "message"), [
    (HEADING, "no hand is typed below the heading"), (HEADING + ",,,,1,,,,,we\n", "no hand is typed"),
    (CSV.replace("evansville,", ","), 'in a column "layout"'),
    (CSV.replace("Night Eagles,Owls", ","), '"we" and "they"'),
    (CSV.replace("Owls", ""), 'teams, they: .*is empty; write it in the column "they"'),
    (CSV.replace("Night Eagles", " "), 'teams, we: .*is empty; write it in the column "we"'),
    (CSV.replace("Owls", "H\u00e9rons").encode("latin-1"), 'save it as "CSV UTF-8"'),
])
def test_what_a_spreadsheet_lacks_is_said_in_lines_and_columns(tmp_path, data, message):
    path = tmp_path / "typed.csv"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(InputError, match=message) as refused:
        read_typed(path, head=True)
    assert "{" not in str(refused.value) and "JSON" not in str(refused.value)


@pytest.mark.parametrize("date", ["June 3", "", 7, "2026-02-30"])
def test_a_date_that_is_none_is_refused_only_where_a_season_needs_it(tmp_path, date):
    path = write(tmp_path, GOOD | {"date": date})
    assert read_typed(path).date is None
    with pytest.raises(InputError, match='"date" must be a day'):
        read_typed(path, head=True)


@pytest.mark.parametrize("digits", ["9" * 41, "-" + "9" * 5000, "1" + "0" * 5000])
def test_a_number_nobody_writes_is_a_cell_to_look_at(tmp_path, digits):
    data = '{"layout": "evansville", "games": [{"rows": [{"we_total": ' + digits + "}]}]}"
    assert read_typed(write(tmp_path, data.encode())).games[0].rows[0]["we_total"] == "?"
