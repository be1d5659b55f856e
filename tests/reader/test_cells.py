"""The reader's public face: what it takes, what it refuses, what its answers promise. Cells are drawn, not recorded."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

import scanner
from scanner.reader import cells, network
from scanner.sheet.errors import ClabberError
from scanner.sheet.texts import INDEX, VOCABULARY


def typed_cell(text: str, height: int = 60, width: int = 130) -> np.ndarray:
    """A ruled white cell with a text in a plain drawn font."""
    cell = np.full((height, width, 3), 245, np.uint8)
    edge = height // 10
    cv2.rectangle(cell, (edge, edge), (width - edge - 1, height - edge - 1), (120, 90, 60), 1)
    cv2.putText(cell, text, (22, height - 18), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (30, 30, 90), 2, cv2.LINE_AA)
    return cell


@pytest.mark.parametrize("text", ["92", "162", "305", "1046", "7", "680"])
def test_a_plainly_drawn_number_is_read_surely(text: str) -> None:
    reading = scanner.read_cells([typed_cell(text)])[0]
    assert reading.text == text and reading.confidence > 0.8


def test_an_empty_ruled_cell_is_empty_in_any_size_and_colour() -> None:
    for height in (14, 60, 200):
        cell = typed_cell("", height, 2 * height)
        assert [r.text for r in scanner.read_cells([cell, cell[:, :, 0], 255 - cell // 8])] == ["", "", ""]


def test_log_probs_cover_the_vocabulary_and_sum_to_one() -> None:
    reading = scanner.read_cells([typed_cell("148")])[0]
    assert reading.log_probs.shape == (len(VOCABULARY),)
    assert np.exp(reading.log_probs).sum() == pytest.approx(1.0)
    assert reading.probability("148") == pytest.approx(np.exp(reading.log_probs[INDEX["148"]]))
    assert reading.top(2)[0][0] == "148"


def test_grey_and_colour_of_a_grey_picture_read_alike() -> None:
    grey = cv2.cvtColor(typed_cell("274"), cv2.COLOR_RGB2GRAY)
    one, three = scanner.read_cells([grey, np.repeat(grey[:, :, None], 3, axis=2)])
    assert one.log_probs == pytest.approx(three.log_probs)


def test_a_smaller_vocabulary_shares_the_probability_among_its_texts() -> None:
    words = ["148", "149", "XXX", ""]
    reading = scanner.read_cells([typed_cell("148")], vocabulary=words)[0]
    assert reading.text == "148" and np.exp(reading.log_probs).sum() == pytest.approx(1.0)
    assert reading.probability("7") == 0.0


def test_a_batch_of_mixed_sizes_keeps_its_order() -> None:
    texts = ["15", "1046", "300", "8"]
    cells = [typed_cell(t, 40 + 10 * i, 90 + 30 * i) for i, t in enumerate(texts)]
    together = scanner.read_cells(cells)
    alone = [scanner.read_cells([c])[0] for c in cells]
    for a, b in zip(together, alone, strict=True):
        assert a.log_probs == pytest.approx(b.log_probs, abs=1e-3)


def test_no_cells_no_readings() -> None:
    assert scanner.read_cells([]) == []


@pytest.mark.parametrize("bad", [np.zeros((0, 5, 3), np.uint8), np.zeros((5, 5, 4), np.uint8), np.zeros((5, 5)), "x"])
def test_what_is_no_picture_is_refused_with_a_remedy(bad: object) -> None:
    with pytest.raises(ClabberError, match="uint8"):
        scanner.read_cells([bad])


def test_a_text_no_cell_may_hold_is_refused_by_name() -> None:
    with pytest.raises(ClabberError, match="'4711'"):
        scanner.read_cells([typed_cell("1")], vocabulary=["1", "4711"])


def test_a_damaged_network_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "cells.onnx").write_bytes(b"not the network")
    (tmp_path / "model" / "cells.json").write_text('{"sha256": "00"}')
    monkeypatch.setattr(network.resources, "files", lambda package: tmp_path)
    network.open_network.cache_clear()
    with pytest.raises(network.ModelError, match="install"):
        network.session()
    network.open_network.cache_clear()


def test_a_closer_look_is_larger_about_the_middle_and_loses_the_edge() -> None:
    cell = np.full((48, 96, 3), 240, np.uint8)
    cell[22:26, 66:70] = 0  # 20 px right of the middle
    cell[:, 1:3] = 0  # a neighbour's stroke at the edge
    seen = network.closer(cell)[..., 0] < 120
    assert seen.shape == cell.shape[:2] and not seen[:, :20].any()
    assert np.argwhere(seen).mean(axis=0) == pytest.approx((24.0, 48 + 1.2 * 20), abs=0.8)


def test_three_looks_at_one_opinion_are_surer_than_one_by_their_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look says the same: 60 to 40 becomes 0.6 to the power 1.2 against 0.4 to it."""
    opinion = np.full(len(VOCABULARY), -30.0)
    opinion[INDEX["92"]], opinion[INDEX["42"]] = np.log(0.6), np.log(0.4)
    monkeypatch.setattr(cells, "_text_log_probs", lambda frames: [opinion.copy() for _ in frames])
    (reading,) = cells.read_cells([np.full((60, 120, 3), 245, np.uint8)])
    expected = 0.6 ** 1.2 / (0.6 ** 1.2 + 0.4 ** 1.2)
    assert reading.text == "92" and reading.confidence == pytest.approx(expected, abs=1e-6)
