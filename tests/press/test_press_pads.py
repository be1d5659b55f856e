"""Pads printed, written on, photographed and read: the layout certain, the grid in its place, the names known."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pad_pages import GAME, WORDS, pad_page
from typer.testing import CliRunner

from scanner.cli import app
from scanner.commands.pads import read_fixtures
from scanner.intake.pdfs import count_pages, render
from scanner.photo import marked
from scanner.photo.load import Photo
from scanner.photo.marked import find_marked
from scanner.photo.rulings import line_map
from scanner.photo.sheets import find_sheets
from scanner.press.printing import PAPERS, impose, pads_pdf
from scanner.reader.fixture import with_fixture
from scanner.reader.head import Head
from scanner.sheet import plan
from scanner.sheet.errors import InputError
from scanner.sheet.layout import built_in_layouts, parse_layout
from scanner.sheet.plan import Fixture
from scanner.sheet.results import Label, PhotoError
from scanner.sheet.roster import Roster, Team
from scanner.workshop.camera import photograph, shrunk
from scanner.workshop.games import random_keeper, write_game
from scanner.workshop.glyphs import own_hand
from scanner.workshop.sheets import random_scribe, write_page

LAYOUTS = built_in_layouts()
#: A pad with the ruling of a built-in one whose columns mean something else: nothing but its code tells them apart.
TURNED = parse_layout("""
name = "turned"
rows = 12
row_height = 9.0
columns = [{key = "they_total", titles = ["THEY"], width = 24}, {key = "we_total", titles = ["WE"], width = 24},
           {key = "total_check", titles = ["CHECK"], width = 18}, {key = "hand_check", titles = ["CHECK"], width = 18}]
""", "turned.toml")


def written(layout, seed: int, trouble: float, fixture: Fixture = GAME):
    """A pad with games on it in the workshop's hand."""
    rng = np.random.default_rng(seed)
    page = pad_page(layout, fixture)
    games = [write_game(layout, random_keeper(rng, trouble), rng) for _ in range(layout.games)]
    return write_page(page, games, [random_scribe(own_hand(seed), rng, trouble)], {}, rng), rng


def miss(sheet, nodes) -> float:
    """Largest distance of a crossing from the truth, in row heights."""
    found = [grid.nodes for grid in sheet.grids]
    assert len(found) == len(nodes)
    rows = [np.linalg.norm(np.diff(n, axis=0), axis=-1).mean() for n in nodes]
    return max(np.linalg.norm(f - n, axis=-1).max() / row for f, n, row in zip(found, nodes, rows, strict=True))


@pytest.mark.parametrize(("layout", "turns"), [*zip([*LAYOUTS, TURNED], (0, 1, 2, 3), strict=True)],
                         ids=lambda value: getattr(value, "name", value))
def test_print_write_photograph_read(layout, turns: int) -> None:
    page, rng = written(layout, 11 + turns, 0.5)
    shot = photograph(page, rng, size=(1200, 1600), trouble=0.4)
    pixels = np.ascontiguousarray(np.rot90(shot.pixels, -turns))
    high, wide = shot.pixels.shape[:2]
    nodes = shot.nodes
    for k in range(turns):  # a quarter turn clockwise: (x, y) goes to (height - 1 - y, x)
        height = high if k % 2 == 0 else wide
        nodes = [np.stack([height - 1 - n[..., 1], n[..., 0]], -1) for n in nodes]
    found = find_sheets(Photo("x.jpg", "", pixels), [*LAYOUTS, TURNED])
    assert not isinstance(found, PhotoError), found
    (sheet,) = found
    assert (sheet.layout.name, sheet.layout_confidence, sheet.turn) == (layout.name, 1.0, turns)
    assert sheet.fixture == GAME
    assert miss(sheet, nodes) < 0.06


def test_a_messengers_copy_is_still_certain() -> None:
    page, rng = written(LAYOUTS[0], 5, 0.3)
    shot = shrunk(photograph(page, rng, size=(1200, 1600), trouble=0.3), 900, rng)
    found = find_marked(line_map(shot.pixels), shot.pixels, LAYOUTS)
    assert [page.layout.name for page in found.pages] == ["evansville"]


def test_two_pads_on_one_paper_and_a_mark_under_a_thumb() -> None:
    pixels = render(pads_pdf(LAYOUTS[0], [GAME, Fixture("Kings", "Aces", "2026-03-14", 8)], WORDS), 1)
    pixels = cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    found = find_marked(line_map(pixels), pixels, LAYOUTS)
    assert sorted(page.fixture.we for page in found.pages) == ["Eagles", "Kings"]
    page, rng = written(LAYOUTS[0], 8, 0.3)
    top = page.nodes[0][0, 0, 1]
    page.pixels[round(top - 1.5 * page.pitch):round(top) - 5, :400] = (0.8, 0.6, 0.5)
    shot = photograph(page, rng, size=(1200, 1600), trouble=0.3)
    (found,) = find_marked(line_map(shot.pixels), shot.pixels, LAYOUTS).pages
    assert found.layout.name == "evansville"


def test_a_pad_of_an_unknown_layout_is_not_read_as_a_known_one() -> None:
    page, rng = written(TURNED, 3, 0.2)
    shot = photograph(page, rng, size=(1200, 1600), trouble=0.2)
    found = find_sheets(Photo("x.jpg", "", shot.pixels), LAYOUTS)
    assert isinstance(found, PhotoError) and found.code == "unknown-layout" and "--layout" in found.message


def test_where_the_marks_alone_do_not_do_they_still_say_which_layout_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marked, "LEAST_SCORE", 2.0)
    page, rng = written(TURNED, 4, 0.2)
    shot = photograph(page, rng, size=(1200, 1600), trouble=0.2)
    found = find_sheets(Photo("x.jpg", "", shot.pixels), [*LAYOUTS, TURNED])
    assert not isinstance(found, PhotoError) and [sheet.layout.name for sheet in found] == ["turned"]


def test_a_grid_that_slips_between_its_marks_is_not_believed() -> None:
    """One row half as high again and the others shrunk: what a slip by a row looks like when the corners hold."""
    y = np.array(LAYOUTS[0].y_lines)
    even = np.stack(np.meshgrid(LAYOUTS[0].x_lines, y + 4 * np.sin(y / y[-1] * np.pi)), -1)
    assert marked._unevenness(even, LAYOUTS[0]) < marked.EVEN, "smooth curl by half a row"
    slipped = even.copy()
    slipped[1:-1, :, 1] += 4.5
    assert marked._unevenness(slipped, LAYOUTS[0]) > marked.EVEN


def test_every_known_layout_has_a_code_of_its_own() -> None:
    assert len({plan.layout_code(layout) for layout in [*LAYOUTS, TURNED]}) == 4


names = st.text(max_size=60)


@given(names, names, st.dates().map(str) | st.just(""), st.integers(0, 9_999_999))
def test_what_a_code_says_is_what_was_printed(we: str, they: str, day: str, number: int) -> None:
    name, fixture = plan.read_code(plan.code_text(LAYOUTS[0], Fixture(we, they, day, number)))
    assert name == "evansville" and (fixture.date, fixture.number) == (day, number)
    for said, meant in ((fixture.we, we), (fixture.they, they)):
        assert len(said) <= plan.LONGEST_NAME and said.isprintable() and set(said) <= set(meant) | {" "}
    assert plan.read_code(plan.code_text(LAYOUTS[0], fixture)) == (name, fixture)


@given(st.text(max_size=120))
def test_codes_of_others_say_nothing(text: str) -> None:
    assert plan.read_code(text) is None or text.startswith("CLABBER1|")


@pytest.mark.parametrize("text", [
    "CLABBER1|x|a|b|2026-13-01|1", "CLABBER1|x|a|b|2026-03-01|-1", "CLABBER1|x|a\x1b[2J|b||1", "https://example.org",
    "CLABBER1|x|" + "a" * 99 + "|b||1", "CLABBER1|x|a|b||1|", "CLABBER1|x|a|b|20260301|1",
])
def test_forged_codes_are_not_believed(text: str) -> None:
    assert plan.read_code(text) is None


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_pads_lie_within_the_paper(layout, paper: str) -> None:
    from scanner.press.drawing import draw_pad
    from scanner.press.printing import EDGE

    way = impose(layout, paper)
    pad = draw_pad(layout, GAME, WORDS, way.scale)
    assert way.columns * pad.width <= way.paper[0] - 2 * EDGE + 1e-6
    assert way.rows * pad.height <= way.paper[1] - 2 * EDGE + 1e-6
    for x0, y0, x1, y1 in [*pad.boxes, *(line[:4] for line in pad.lines)]:
        assert 0 <= min(x0, x1) and max(x0, x1) <= pad.width and 0 <= min(y0, y1) and max(y0, y1) <= pad.height


def test_a_pad_too_wide_to_write_on_is_refused() -> None:
    wide = replace(LAYOUTS[0], games=4)
    with pytest.raises(InputError, match="mm on a5"):
        impose(wide, "a5")


def run(*arguments: object):
    return CliRunner().invoke(app, ["pads", *(str(argument) for argument in arguments)])


def test_the_command_writes_a_page_for_every_two_fixtures(tmp_path: Path) -> None:
    games = 'we,they,date\n"Owls, ""Old""",$Kings$ Żółć Волки Ωμέγα,2026-03-07\nA,B,\nC,D,2026-03-14\n'
    (tmp_path / "night.csv").write_text(games, "utf-8")
    answer = run("--fixtures", tmp_path / "night.csv", "--club", "St. $5 & <b>", "--out", tmp_path / "pads.pdf")
    assert answer.exit_code == 0, answer.stderr
    assert "3 pads" in answer.stdout and "2 sheets" in answer.stdout
    assert count_pages((tmp_path / "pads.pdf").read_bytes()) == 2


@pytest.mark.parametrize(("content", "words"), [
    ("we,they\nA,B\n", "column date"), ("we,they,date\n", "no games"), ("we,they,date\nA,,2026-03-07\n", "line 2"),
    ("we,they,date\nEagles,eagles ,\n", "line 2: 'Eagles' cannot play itself"),
    ("we,they,date\n\n\nA;B,,\n", "line 4"), ("week,we,they,date\n1,A,,\n", "nothing but byes"),
    ("we,they,date\nSaint Boniface Mens Club A,Saint Boniface Mens Club B,\n", "begin alike"),
    ("we,they,date\nSaint Boniface Mens Club A,X,\nY,Saint Boniface Mens Club,\n", "begin alike"),
    ("we,they,date\nA,B,7.3.26\n", "7.3.26"), ("\xff\xfe", "cannot be read"),
])
def test_unusable_fixtures_are_refused_in_words(tmp_path: Path, content: str, words: str) -> None:
    (tmp_path / "night.csv").write_bytes(content.encode("latin-1"))
    answer = run("--fixtures", tmp_path / "night.csv", "--out", tmp_path / "pads.pdf")
    assert answer.exit_code == 2 and words in answer.stderr and not (tmp_path / "pads.pdf").exists()


@pytest.mark.parametrize(("name", "words"), [
    ("Owls 日本", "'日' (U+65E5"), ("Owls \U0001f989", "U+1F989 OWL"), ("אריות", "from the right"),
    ("W" * 200, "is too long to print"), ("Волки " * 40, "is too long to print"), ("a\x07b", "U+0007"),
])
def test_words_that_cannot_be_printed_readably_are_refused(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "night.csv").write_text(f"we,they,date\nOwls,{name},\n", "utf-8")
    for way in (["--fixtures", tmp_path / "night.csv"], ["--club", name], ["--sponsor", name]):
        answer = run(*way, "--out", tmp_path / "pads.pdf")
        assert answer.exit_code == 2 and words in answer.stderr and not (tmp_path / "pads.pdf").exists()


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("name", ["i" * 30, "W" * 16, "Волки с Волги"])
def test_every_word_stays_in_its_place(layout, name: str) -> None:
    """What is drawn, measured by the font at the size it is printed in, is never wider than its place."""
    from matplotlib.textpath import TextPath

    from scanner.press.drawing import Words, draw_pad
    from scanner.press.lettering import LEAST, face, fitted

    for paper in ("letter", "a4"):
        pad = draw_pad(layout, Fixture(name, name[:-1]), Words(name, name), impose(layout, paper).scale)
        for text in pad.texts:
            size = fitted(text)
            box = TextPath((0, 0), text.text, size=size, prop=face(text.bold)).get_extents()
            assert box.x1 <= text.widest + 1e-6 and size >= min(LEAST, text.size)
            assert text.x + (box.x1 if text.anchor == "l" else box.x1 / 2) <= pad.width


def test_a_schedule_as_the_program_or_a_spreadsheet_writes_it(tmp_path: Path) -> None:
    """Byes get no pad, semicolons are commas, and an apostrophe against formulas is no part of a name."""
    text = "tournament,week,date,we,they,forfeit\ns,1,2026-03-07,'=A,B,\ns,1,2026-03-07,C,,\ns,2,,A,C,\n"
    for mark in ",;":
        (tmp_path / "night.csv").write_text(text.replace(",", mark))
        assert read_fixtures(tmp_path / "night.csv") == [Fixture("=A", "B", "2026-03-07", 1), Fixture("A", "C", "", 2)]


@given(st.lists(st.text("abAB ", max_size=3).map(lambda end: "Saint Boniface Mens C" + end), min_size=2, max_size=6))
def test_names_that_are_printed_are_never_one_in_the_code(teams: list[str]) -> None:
    """Whatever passes the printing comes back as different names, whatever does not begins alike."""
    games = [Fixture(name, "Owls") for name in teams]
    said = {plan.one_name(plan.read_code(plan.code_text(LAYOUTS[0], game))[1].we) for game in games}
    assert (plan.same_in_code(games) is None) == (len(said) == len(set(map(plan.one_name, teams))))


ROSTER = Roster((Team("Saint Boniface Mens Club A"), Team("Saint Boniface Mens Club B"), Team("Owls", ("Old Owls",))))


@pytest.mark.parametrize(("we", "they", "roster", "names"), [
    ("Eagles", "EAGLES", None, ("Jays", "Kings")), ("Owls", "Old Owls", ROSTER, ("Jays", "Kings")),
    ("Saint Boniface Mens Club", "Owls", ROSTER, ("Jays", "Owls")), ("Eagles", "Owls", None, ("Eagles", "Owls")),
])
def test_a_code_is_not_believed_where_it_names_one_team_twice_or_none_for_sure(we, they, roster, names) -> None:
    head = Head({"we": Label("Jays", 0.7), "they": Label("Kings", 0.7)})
    found = with_fixture(head, Fixture(we, they, "2026-03-07"), roster)
    assert tuple(found.teams[side].text for side in ("we", "they")) == names and found.date.iso == "2026-03-07"


def test_one_team_on_both_lines_is_asked_about() -> None:
    found = with_fixture(Head({"we": Label("Jays", 0.97), "they": Label("jays ", 0.98)}), None)
    assert max(label.confidence for label in found.teams.values()) <= 0.5


def test_wrong_wishes_are_refused(tmp_path: Path) -> None:
    out = ["--out", tmp_path / "pads.pdf"]
    assert "letter" in run("--paper", "napkin", *out).stderr
    assert "Did you mean 'double'" in run("--layout", "duble", *out).stderr
    for count in (2001, 999_999_999_999):  # a list of so many would not fit into any memory
        assert "2000" in run("--count", count, *out).stderr
    (tmp_path / "night.csv").write_text("we,they,date\nA,B,\n")
    assert run("--count", 2, "--fixtures", tmp_path / "night.csv", *out).exit_code == 2


def test_a_photo_of_a_pad_gives_names_and_date_that_were_printed(tmp_path: Path) -> None:
    from PIL import Image

    page, rng = written(LAYOUTS[1], 21, 0.1)
    shot = photograph(page, rng, size=(1200, 1600), trouble=0.1)
    Image.fromarray(shot.pixels).save(tmp_path / "x.jpg", quality=92)
    answer = CliRunner().invoke(app, ["scan", str(tmp_path / "x.jpg"), "--json", "-"])
    (sheet,) = json.loads(answer.stdout)["photos"][0]["sheets"]
    assert (sheet["teams"]["we"]["text"], sheet["teams"]["they"]["text"]) == ("Eagles", "Owls")
    assert sheet["date"]["iso"] == "2026-03-07" and sheet["layout_confidence"] == 1.0 and sheet["games"]
