"""What people read in the terminal: everything found, and nothing a hostile name could make the terminal do."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from output_samples import sample_result

from scanner.output.caption import _outcome
from scanner.output.plain import plain
from scanner.output.progress import Progress
from scanner.output.table import print_problems, print_scan, summary
from scanner.sheet.results import Fault, Label, PhotoError, PhotoResult, SheetResult


def printed(*results: PhotoResult) -> str:
    file = io.StringIO()
    print_scan(results, file)
    return file.getvalue()


def test_the_table_shows_readings_doubts_slips_and_sentences():
    text = printed(sample_result())
    assert "Eagles – Owls" in text and "2026-03-07" in text and "evansville" in text
    assert "184!" in text and "150?" in text and "(90) 70" in text
    assert "We had 92 and made 82, that is 174; the sheet says 184. (97% sure)" in text
    assert text.endswith("1 photo read: 1 game, 2 hands, 1 slip, 1 cell to check.\n")


def test_a_failed_photo_is_named_with_its_reason_and_counted():
    failed = PhotoResult("b.jpg", "", 0, 0, error=PhotoError("truncated", "b.jpg: the file is incomplete."))
    text = printed(sample_result(), failed)
    assert "not read (truncated): b.jpg: the file is incomplete." in text
    assert summary([sample_result(), failed]).startswith("1 photo read, 1 not read: ")


def test_a_sheet_with_nothing_on_it_says_so():
    result = sample_result()
    blank = replace(result, sheets=(replace(result.sheets[0], games=()),))
    assert "Nothing is written on it." in printed(blank) and "Nothing is written" not in printed(result)


def test_faults_of_the_picture_are_shown_with_advice_and_the_game_they_are_about():
    result = sample_result()
    faults = (Fault("glare", "Glare on rows 7 to 9.", "Tilt the sheet.", 2, (7, 8, 9)),
              Fault("another-sheet", "Another sheet is there.", "Photograph it by itself."))
    one = replace(result.sheets[0], faults=faults)
    two = replace(one, games=(*one.games, replace(one.games[0], grid=2)))
    assert "  Glare on rows 7 to 9. Tilt the sheet." in printed(replace(result, sheets=(one,)))
    text = printed(replace(result, sheets=(two,)))
    assert "  Game 2: Glare on rows 7 to 9." in text and "  Another sheet is there." in text


def test_problems_alone_leave_out_photos_without_any():
    file = io.StringIO()
    print_problems([sample_result(), PhotoResult("fine.jpg", "", 1, 1)], file)
    assert "IMG_0412" in file.getvalue() and "fine.jpg" not in file.getvalue()


def test_names_are_neither_markup_nor_escape_sequences():
    text = printed(sample_result(photo="[red]\x1b[2Jx.jpg", we="[link=http://x]E\u202eagles"))
    assert "[red]?[2Jx.jpg" in text and "[link=http://x]E?agles" in text
    assert "\x1b" not in text and "\u202e" not in text


@given(st.text(st.characters(exclude_categories=[])))
def test_plain_text_is_one_printable_line_that_utf8_can_write(text: str):
    shown = plain(text)
    assert len(shown) <= 300 and "\n" not in shown and "\x1b" not in shown
    shown.encode("utf-8")


def test_progress_says_how_far_it_is_and_what_was_found():
    file = io.StringIO()
    with Progress(2, file) as progress:
        progress.step(sample_result())
        progress.step(PhotoResult("b.jpg", "", 0, 0, error=PhotoError("no-sheet", "b.jpg: nothing there")))
    first, second = file.getvalue().splitlines()
    assert first.startswith("[1/2] nights/IMG_0412.jpg: 2 hands, 1 slip")
    assert second == "[2/2] b.jpg: no-sheet, nothing there"


def with_heads(we: Label, they: Label, date: Label) -> SheetResult:
    return replace(sample_result().sheets[0], teams={"we": we, "they": they}, date=date)


@pytest.mark.parametrize(("sure", "marks"), [
    ((0.9, 0.9, 0.9), ("Eagles –", "Owls,", "2026-03-07,")),
    ((0.4, 0.9, 0.9), ("Eagles? –", "Owls,", "2026-03-07,")),
    ((0.4, 0.1, 0.9), ("Eagles? –", "Owls?,", "2026-03-07,")),
    ((0.4, 0.1, 0.49), ("Eagles? –", "Owls?,", "2026-03-07?,")),
])
def test_names_and_dates_that_are_guesses_are_marked_and_counted(sure, marks):
    we, they, date = sure
    sheet = with_heads(Label("Eagles", we), Label("Owls", they), Label("3-7-26", date, "2026-03-07"))
    result = replace(sample_result(), sheets=(sheet,))
    text, head = printed(result), _outcome(sheet)[0]
    assert all(mark in text for mark in marks)
    guesses = sum(number < 0.5 for number in sure)
    assert head.count("?") == guesses
    assert ("still to settle" in text) == (guesses > 0)
    assert not guesses or f"{guesses} name{'s or dates' if guesses > 1 else ' or date'} still to settle" in text


def test_a_day_without_a_year_is_a_question_and_a_sheet_without_a_hand_is_none():
    sheet = with_heads(Label("Eagles", 0.9), Label("Owls", 0.9), Label("Apr 3", 0.9))
    assert "Apr 3?" in printed(replace(sample_result(), sheets=(sheet,))) and "Apr 3?" in _outcome(sheet)[0]
    empty = replace(with_heads(Label("E", 0.1), Label("", 0.0), Label("E", 0.1)), games=())
    assert "?" not in printed(replace(sample_result(), sheets=(empty,)))
