"""The page in a real browser, as a person uses it: by keyboard, reloaded, in two windows, enlarged, with hostile names.

Needs Debian's chromium and the package playwright; without them these tests are skipped, or fail if the environment
variable CLABBER_BROWSER_TESTS is ``required`` (as on the build machine).
"""

from __future__ import annotations

import csv
import os
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from review_tools import HOSTILE, make_season

from scanner.commands.review import league_table
from scanner.review.desk import Desk, Tools
from scanner.review.server import ReviewServer
from scanner.season.store import open_season

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]
TABLET, LAPTOP, DOUBLED = (820, 1180), (1280, 800), (640, 400)


@pytest.fixture(scope="module")
def browser():
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if not chromium or sync_playwright is None:
        if os.environ.get("CLABBER_BROWSER_TESTS") == "required":
            pytest.fail("chromium or playwright is missing, and CLABBER_BROWSER_TESTS says they must be there")
        pytest.skip("chromium or playwright is not installed")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory) -> Path:
    return make_season(tmp_path_factory.mktemp("browsed"))


@pytest.fixture
def season(template, tmp_path) -> Path:
    for path in template.parent.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path / "season.db"


@contextmanager
def served(season: Path, by: str | None = "Ruth"):
    with Desk(season, tools=Tools(standings=league_table, by=by)) as desk, ReviewServer(desk) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def server(season):
    with served(season) as server:
        yield server


@contextmanager
def window(browser, url: str, size: tuple[int, int] = LAPTOP, touch: bool = False):
    """A page of its own, as another person's browser would have; errors in it fail the test."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=touch)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("dialog", lambda dialog: errors.append(f"dialog: {dialog.message}"))
    page.goto(url)
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def page(browser, server):
    with window(browser, server.url) as page:
        page.wait_for_selector("ol.choices")
        yield page


def left(page) -> int:
    return int(page.inner_text(".progress strong").split()[0])


def press(page, *keys: str) -> None:
    """Press keys; the last is one that asks the server, so wait until it has answered."""
    for key in keys:
        page.keyboard.press(key)
    page.wait_for_selector(".clabber-review:not([aria-busy])")


def wait_left(page, count: int) -> None:
    page.wait_for_selector(f".progress strong:text-matches('^{count} question')")


def reviews(season: Path) -> list[tuple]:
    with open_season(season) as file:
        return [tuple(r) for r in file.select("SELECT cell_id, text, by FROM reviews ORDER BY review_id")]


def test_the_address_bar_holds_no_token_and_the_question_has_its_pictures(page, server):
    assert server.token not in page.url
    page.wait_for_selector("figure.cell img")
    assert page.locator("figure.rows .frame").count() == 1
    assert "adds up" in page.inner_text("p.why")
    assert page.locator("#clabber-answer").evaluate("node => node === document.activeElement")


def test_keys_choose_type_mark_skip_and_accept(page, season):
    first = page.inner_text("h1")
    press(page, "ArrowDown")
    assert page.get_attribute("ol.choices button >> nth=1", "aria-pressed") == "true"
    press(page, "x")
    assert page.input_value("#clabber-answer") == "XX"
    press(page, "Escape", "-")
    assert page.input_value("#clabber-answer") == "-"
    press(page, "Escape", "q")
    assert page.input_value("#clabber-answer") == "", "letters that mean nothing do nothing"
    press(page, "?")
    assert page.is_visible("dialog")
    press(page, "Escape")
    assert not page.is_visible("dialog")
    count = left(page)
    press(page, "Tab")
    page.wait_for_selector("button:has-text('Show 1 skipped')")
    assert page.inner_text("h1") != first and left(page) == count and reviews(season) == []
    page.click("button:has-text('Show 1 skipped')")
    page.wait_for_selector(f"h1:has-text('{first}')")
    press(page, "6", "0", "0", "Enter")
    page.wait_for_selector(".said:has-text('Saved: 600')")
    assert reviews(season)[0][1:] == ("600", "Ruth")


def test_undo_reload_and_undo_again(page, season):
    count = left(page)
    place = page.inner_text("h1")
    press(page, "Enter")
    page.wait_for_selector(".said:has-text('Saved')")
    page.reload()
    page.wait_for_selector("ol.choices")
    assert left(page) < count, "the answer is there after a reload"
    press(page, "u")
    page.wait_for_selector(".said:has-text('Taken back')")
    assert page.inner_text("h1") == place and left(page) == count
    press(page, "u")
    page.wait_for_selector(".said:has-text('nothing of yours')")
    assert [text for _, text, _ in reviews(season)][-1] is None


def test_two_windows_end_in_one_consistent_season(browser, server, season):
    with window(browser, server.url) as ruth, window(browser, server.url) as otto:
        for page in (ruth, otto):
            page.wait_for_selector("ol.choices")
        otto.click("button:has-text('Somebody else')")
        otto.fill("#clabber-name", "Otto")
        otto.keyboard.press("Enter")
        otto.wait_for_selector("ol.choices")
        otto.keyboard.type("62")  # typing keeps Otto's question from being changed under his fingers
        press(ruth, "6", "0", "0", "Enter")
        ruth.wait_for_selector(".said:has-text('Saved')")
        press(otto, "0", "Enter")
        otto.wait_for_selector(".alert:has-text('Ruth has answered')")
        assert [by for _, _, by in reviews(season)] == ["Ruth"]
        otto.click(".alert button:has-text('second opinion')")
        otto.wait_for_selector(".said:has-text('Saved: 620')")
        otto.click("button[data-view=sheets]")
        otto.wait_for_selector("h2:has-text('Two people disagree')")
        assert "total: Otto says 620" in otto.inner_text("section ul")
    assert [(text, by) for _, text, by in reviews(season)] == [("600", "Ruth"), ("620", "Otto")]


def test_a_window_left_open_follows_the_other(browser, server):
    with window(browser, server.url) as one, window(browser, server.url) as two:
        for page in (one, two):
            page.wait_for_selector("ol.choices")
        press(one, "Enter")
        one.wait_for_selector(".said:has-text('Saved')")
        wait_left(two, left(one))


def test_a_hostile_name_is_text(page):
    page.click("button[data-view=sheets]")
    page.wait_for_selector("td:has-text('onerror')")
    assert HOSTILE in page.inner_text("table")
    page.click("tr:has-text('onerror') button:has-text('Open')")
    page.wait_for_selector(f"h1:has-text('{'<img src=x'}')")
    assert page.locator("img[src=x], script:not([src])").count() == 0
    assert page.title() == "Clabber review"


def test_known_names_are_offered_while_typing(page, season):
    while "Name of the team" not in page.inner_text("h1"):
        place = page.get_attribute(".asks", "data-asks")
        press(page, "Tab")
        page.wait_for_selector(f".asks:not([data-asks='{place}'])")
    before = reviews(season)
    press(page, "Enter")
    page.wait_for_selector(".alert:has-text('Type an answer')")
    assert reviews(season) == before, "a name nobody read is not guessed"
    page.keyboard.type("ha")
    assert page.locator("ol.choices .text").all_inner_texts() == ["Hawks"]
    press(page, "ArrowDown", "Enter")
    page.wait_for_selector(".said:has-text('Saved: Hawks')")
    assert reviews(season)[-1][1] == "Hawks"


def test_the_paper_is_wrong_is_decided_with_a_note(page, season):
    while "The paper is wrong" not in page.inner_text("h1"):
        press(page, "Tab")
        page.wait_for_timeout(100)
    press(page, "c", "n")
    page.keyboard.type("counted again, know it")
    press(page, "Enter")
    page.wait_for_selector(".said:has-text('Correct it')")
    with open_season(season) as file:
        assert file.select("SELECT official FROM games WHERE official = 'corrected'")
        assert file.select("SELECT note FROM reviews")[0]["note"] == "counted again, know it"


def test_the_sheet_view_corrects_a_cell_names_and_sets_aside(page, season):
    page.click("button:has-text('Whole sheet')")
    page.wait_for_selector(".stage img")
    assert page.locator(".stage polygon.open").count() == page.locator("td.cell button.open").count() > 0
    page.locator(".stage polygon.open").first.click()
    page.wait_for_selector(".editor figure.cell img")
    page.fill("#clabber-edit", "600")
    page.keyboard.press("Enter")
    page.wait_for_selector("td.cell button.settled:has-text('✓')")
    page.fill("#clabber-we", "Kestrels")
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('Kestrels')")
    page.select_option("select[aria-label='This sheet is']", "again")
    page.wait_for_selector(".said:has-text('photographed again')")
    page.click(".bar button:has-text('Turn')")
    page.click("button[aria-label='Larger']")
    assert {by for _, _, by in reviews(season)} == {"Ruth"}
    assert [text for _, text, _ in reviews(season)] == ["600", "Kestrels", "again"]


def test_the_corners_of_a_grid_move_by_keys(page):
    page.click("button:has-text('Whole sheet')")
    page.wait_for_selector(".stage img")
    page.click("button:has-text('Move the grid')")
    corner = page.locator("circle[aria-label='Corner top left']")
    before = float(corner.get_attribute("cx"))
    corner.focus()
    page.keyboard.press("ArrowRight")
    assert float(corner.get_attribute("cx")) > before
    page.click("button:has-text('Read here')")
    page.wait_for_selector(".alert:has-text('without a reader')")


def test_a_finger_drags_a_corner_and_what_to_do_next_is_in_sight(browser, server):
    with window(browser, server.url, TABLET, touch=True) as page:
        page.click("button:has-text('Whole sheet')")
        page.wait_for_selector(".stage img")
        page.click("button:has-text('Move the grid')")
        corner = page.locator("circle[aria-label='Corner bottom right']")
        corner.scroll_into_view_if_needed()
        box = corner.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touch = page.context.new_cdp_session(page)
        for kind, step in (("touchStart", 0), *(("touchMove", 5 * n) for n in range(1, 17))):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x - step, "y": y - step}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(100)
        after = corner.bounding_box()
        assert (box["x"] - after["x"], box["y"] - after["y"]) == pytest.approx((80, 80), abs=2)
        assert page.locator(".stage button").count() == 0, "the stage scrolls; Read here does not scroll away with it"


def test_what_nobody_decided_is_not_shown_as_decided(page):
    while page.inner_text(".asks h1") != "The paper is wrong":
        place = page.get_attribute(".asks", "data-asks")
        page.keyboard.press("Tab")
        page.wait_for_selector(f".asks:not([data-asks='{place}'])")
    page.click("button:has-text('Whole sheet')")
    page.wait_for_selector("[aria-label='What counts']")
    assert page.inner_text(".said") == "", "an old message does not stay"
    assert page.locator("[aria-label='What counts'] button[aria-pressed=true]").count() == 0
    page.click("[aria-label='What counts'] button:has-text('Keep as written')")
    page.wait_for_selector("[aria-label='What counts'] button[aria-pressed=true]:has-text('Keep as written')")


def test_look_alikes_are_shown_together_and_one_is_corrected(page, season):
    page.click("button[data-view=alikes]")
    page.click(".bar button:text-is('7')")
    page.wait_for_selector("h1:has-text('with 7')")
    page.wait_for_selector(".alikes img[src^=data]")
    assert all("7" in text for text in page.locator(".alikes strong").all_inner_texts())
    page.locator(".alikes button").first.click()
    page.fill("#clabber-edit", "1")
    page.keyboard.press("Enter")
    page.wait_for_selector(".alikes strong:has-text('✓ 1')")
    assert reviews(season)[0][1] == "1"


@pytest.mark.parametrize("size", [TABLET, DOUBLED], ids=["tablet", "200 % zoom"])
def test_nothing_is_cut_off_on_small_screens(browser, server, size):
    with window(browser, server.url, size) as page:
        for view in ("questions", "sheets", "alikes", "summary"):
            page.click(f"button[data-view={view}]")
            page.wait_for_selector(f"button[data-view={view}][aria-current]")
            wide = page.locator("html").evaluate("node => node.scrollWidth - node.clientWidth")
            assert wide <= 0, view


def test_every_control_has_a_name_and_every_picture_a_text(page):
    for view in ("questions", "sheets", "alikes", "summary"):
        page.click(f"button[data-view={view}]")
        page.wait_for_selector(f"button[data-view={view}][aria-current]")
        for control in page.locator("button, input, select").all():
            if control.is_visible():
                name = control.evaluate("n => n.innerText || n.getAttribute('aria-label') || n.labels?.[0]?.innerText")
                assert name, control.evaluate("n => n.outerHTML")
        assert page.locator("img:not([alt])").count() == 0


def test_a_moved_photo_is_asked_for(browser, season, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for photo in tmp_path.glob("*.jpg"):
        shutil.move(photo, elsewhere)
    with served(season) as server, window(browser, server.url) as page:
        page.wait_for_selector("p:has-text('is not where it was')")
        page.fill("#clabber-folder", str(elsewhere))
        page.click("button:has-text('Look there')")
        page.wait_for_selector("figure img")


def test_the_first_thing_asked_is_who_answers(browser, season):
    with served(season, by=None) as server, window(browser, server.url) as page:
        page.wait_for_selector("#clabber-name")
        page.keyboard.type("Ruth")
        page.keyboard.press("Enter")
        page.wait_for_selector("ol.choices")
        assert "You are Ruth" in page.inner_text(".who")


def test_when_the_program_is_gone_the_page_says_so(browser, season):
    with served(season) as server:
        context = window(browser, server.url)
        page = context.__enter__()
        page.wait_for_selector("ol.choices")
    page.wait_for_selector(".alert:has-text('everything you have answered so far is saved')")
    context.__exit__(None, None, None)


def test_from_photos_to_a_settled_season_by_keyboard_only(browser, tmp_path):
    """Two sample sheets, one with a slip, scanned and settled; the season, the CSV and the report show the answers."""
    from scanner.commands.report import report
    from scanner.commands.scan import Wishes, scan

    for name in ("sheet02", "sheet05"):
        shutil.copy(ROOT / "sample_sheets" / f"{name}.jpg", tmp_path)
    season = tmp_path / "season.db"
    scan([str(tmp_path / "sheet02.jpg"), str(tmp_path / "sheet05.jpg")], "auto", None, Wishes(season=season, jobs=1))
    names = iter(["Eagles", "Owls", "Hawks", "Falcons"] * 4)
    with served(season) as server, window(browser, server.url) as page:
        page.wait_for_selector(".progress")
        while page.locator("ol.choices").count():
            answer_as_a_person(page, names)
        page.keyboard.press("Enter")  # the button that is focused at the end
        page.wait_for_selector("table.standings")
        assert "No question is left" in page.inner_text(".body")
    report(season, tmp_path / "out", "games")
    with (tmp_path / "out" / "standings.csv").open(newline="", encoding="utf-8") as file:
        teams = {row["team"] for row in csv.DictReader(file)}
    with open_season(season) as file:
        settled = {row["text"] for row in file.select("SELECT text FROM reviews WHERE cell_id LIKE '%/we'")}
    assert teams and settled <= teams
    assert all(team in (tmp_path / "out" / "report.html").read_text("utf-8") for team in teams)


def answer_as_a_person(page, names) -> None:
    heading, place = page.inner_text("h1"), page.get_attribute(".asks", "data-asks")
    if "Name of the team" in heading:
        page.keyboard.type(next(names))
    elif heading == "Date":
        page.keyboard.type("2026-03-07")
    elif "paper is wrong" in heading:
        page.keyboard.press("c")
    press(page, "Enter")
    page.wait_for_selector(f".body:not(:has(.asks[data-asks='{place}']))")
