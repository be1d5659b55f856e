"""The JSON document has the keys and the types of the output contract, whatever the values are."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from output_samples import sample_result

from scanner.output.document import check_document, photo_object, scan_document, to_json
from scanner.sheet.results import CellResult, Fault, GameResult, HandScore, Pair, PhotoError, PhotoResult, RowResult


def test_a_photo_has_exactly_the_keys_of_the_contract():
    document = json.loads(to_json(scan_document([sample_result()])))
    assert set(document) == {"schema", "photos"} and document["schema"] == 1
    photo = document["photos"][0]
    assert set(photo) == {"photo", "sha256", "width", "height", "error", "sheets"}
    sheet = photo["sheets"][0]
    assert set(sheet) == {"layout", "layout_confidence", "quad", "teams", "date", "games"}
    assert sheet["teams"]["we"] == {"text": "Eagles", "confidence": 0.98}
    assert sheet["date"] == {"text": "3-7-26", "iso": "2026-03-07", "confidence": 0.9}
    game = sheet["games"][0]
    judged = {"rows", "winner_mark", "winner", "winner_corrected", "problems"}
    assert set(game) == {"grid", "quad", "fit_error", *judged}
    row = game["rows"][0]
    assert set(row) == {"row", "cells", "written", "corrected", "set", "maker", "meld"}
    assert row["written"] == {"points": {"we": 92, "they": 70}, "totals": {"we": 92, "they": 70}}
    assert row["cells"]["they_total"] == {
        "text": "70",
        "confidence": 0.999,
        "review": False,
        "struck": "90",
        "box": [[250.0, 300.0], [400.0, 300.0], [400.0, 400.0], [250.0, 400.0]],
    }


def test_a_problem_has_exactly_the_keys_of_the_contract():
    problem = scan_document([sample_result()])["photos"][0]["sheets"][0]["games"][0]["problems"][0]
    assert problem == {
        "code": "running-total",
        "row": 2,
        "cell": "we_total",
        "written": "184",
        "expected": "174",
        "candidates": [{"cell": "we_total", "expected": "174", "probability": 0.9}],
        "message": "Hand 2: We had 92 and made 82, that is 174; the sheet says 184.",
        "probability": 0.97,
        "consequence": {"winner_changes": False, "points_moved": 10},
    }


def test_a_photo_that_failed_has_its_error_and_no_sheets():
    result = PhotoResult("x.jpg", "", 0, 0, error=PhotoError("no-sheet", "x.jpg: no sheet"))
    photo = scan_document([result])["photos"][0]
    assert photo["error"] == {"code": "no-sheet", "message": "x.jpg: no sheet"} and photo["sheets"] == []


def test_unread_names_are_empty_texts_and_not_missing():
    result = sample_result()
    sheet = result.sheets[0].__class__("beside", 1.0, result.sheets[0].quad, ())
    document = scan_document([PhotoResult("x", "", 1, 1, (sheet,))])
    assert document["photos"][0]["sheets"][0]["teams"]["they"] == {"text": "", "confidence": 0.0}


@given(st.text(), st.floats(-1e-9, 1 + 1e-9), st.one_of(st.none(), st.integers(0, 999)))
def test_any_text_survives_the_round_trip_and_probabilities_stay_within_bounds(text, confidence, points):
    nothing = HandScore(Pair(points, None), Pair(None, None))
    row = RowResult(1, {"we_total": CellResult(text, confidence)}, nothing, nothing, None, None, None)
    game = GameResult((row,), None, None, None, ())
    back = json.loads(to_json(check_document([game])))["games"][0]["rows"][0]
    cell = back["cells"]["we_total"]
    assert cell["text"] == text and 0 <= cell["confidence"] <= 1 and cell["box"] is None
    assert back["written"]["points"] == {"we": points, "they": None}


def test_faults_of_the_picture_stand_under_quality_and_a_good_picture_has_no_such_key():
    result = sample_result()
    fault = Fault("glare", "Glare on rows 7 and 8.", "Tilt the sheet.", 1, (7, 8))
    spoilt = replace(result, sheets=(replace(result.sheets[0], faults=(fault,)),))
    (sheet,) = photo_object(spoilt)["sheets"]
    assert sheet["quality"] == [{"code": "glare", "grid": 1, "rows": [7, 8], "message": "Glare on rows 7 and 8.",
                                 "advice": "Tilt the sheet."}]
    assert "quality" not in photo_object(result)["sheets"][0]
