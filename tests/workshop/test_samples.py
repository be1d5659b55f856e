"""Samples come with a complete truth, the same each time; the folder that is shipped keeps its promises."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from scanner.sheet.layout import load_layout
from scanner.sheet.texts import canonical
from scanner.workshop import samples
from scanner.workshop.tour import Sheet

SHIPPED = Path(__file__).resolve().parents[2] / "sample_sheets"
SMALL = Sheet("double", "medium", (520, 400), slips=("adding",), empty=True, turned=90, care=1.0)


def _checked(photo: Path) -> dict:
    """The truth of a photo, after checking that it hangs together with the picture."""
    truth = json.loads(photo.with_suffix(".json").read_text("utf-8"))
    layout = load_layout(truth["layout"])
    assert truth["photo"] == photo.name
    with Image.open(photo) as picture:
        # Orientations 5 to 8 turn a picture on its side; only the header is read, the photos are large.
        size = list(picture.size)
        assert (size[::-1] if picture.getexif()[0x0112] >= 5 else size) == truth["camera"]["size"]
    nodes = np.array(truth["ruling_nodes"])
    assert nodes.shape == (layout.games, len(layout.y_lines), len(layout.x_lines), 2)
    assert (nodes > 0).all() and (nodes < truth["camera"]["size"]).all()
    for grid, quad in zip(nodes, truth["game_quads"], strict=True):
        assert [grid[0, 0].tolist(), grid[0, -1].tolist(), grid[-1, -1].tolist(), grid[-1, 0].tolist()] == quad
    for game in truth["games"]:
        assert all(canonical(text) == text for row in game["rows"] for text in row.values())
        assert all(set(row) == set(layout.keys) for row in game["rows"])
        assert {slip["row"] for slip in game["slips"]} <= set(range(1, len(game["rows"]) + 1))
        assert all(game["rows"][s["row"] - 1][s["cell"]] != s["old"] for s in game["struck"])
    return truth


def test_a_sample_has_its_truth_and_comes_out_the_same_again(tmp_path):
    made = [samples.make_sample(SMALL, load_layout("double"), np.random.default_rng(9)) for _ in range(2)]
    assert made[0].truth == made[1].truth and np.array_equal(made[0].shot.pixels, made[1].shot.pixels)
    path, _ = samples.write_sample(made[0], tmp_path, "one")
    truth = _checked(path)
    assert len(truth["games"]) == 1 and len(truth["game_quads"]) == 2, "one grid stays empty"
    assert any(slip["code"] == "running-total" for slip in truth["games"][0]["slips"])


def test_ink_is_where_the_truth_says_numbers_are():
    """Cells with a number are darker than empty ones, by the truth's own corners: nothing is off by a row."""
    plan = replace(SMALL, size=(1000, 800), level="easy", slips=(), empty=False, care=0.0, background="white table")
    sample = samples.make_sample(plan, load_layout("double"), np.random.default_rng(4))
    grey = sample.shot.pixels.min(axis=2).astype(float)
    keys = load_layout("double").keys
    spread = {True: [], False: []}
    for nodes, game in zip(sample.shot.nodes, sample.truth["games"], strict=True):
        for i in range(1, len(nodes) - 1):
            for j, key in enumerate(keys):
                low, high = nodes[i, j], nodes[i + 1, j + 1]
                inner = low + 0.2 * (high - low), high - 0.2 * (high - low)
                (x0, y0), (x1, y1) = (np.round(v).astype(int) for v in inner)
                row = game["rows"][i - 1] if i <= len(game["rows"]) else {}
                if i <= len(game["rows"]) or i > len(game["rows"]) + 3:
                    spread[row.get(key, "").isdigit()].append(float(grey[y0:y1, x0:x1].std()))
    assert np.median(spread[True]) > 2.5 * np.median(spread[False])


def test_sets_for_evaluation_do_not_depend_on_their_size(tmp_path, monkeypatch):
    tiny = replace(SMALL, size=(360, 320), slips=())
    plan = lambda rng, level, layouts: replace(tiny, unfinished=rng.random() < 0.5)  # noqa: E731
    monkeypatch.setattr(samples, "random_sheet", plan)
    one = samples.make_sheets(tmp_path / "a", 1, 5, "mixed")
    two = samples.make_sheets(tmp_path / "b", 2, 5, "mixed")
    assert [p.name for p in two] == ["sheet0000.jpg", "sheet0001.jpg"]
    assert one[0].read_bytes() == two[0].read_bytes() != two[1].read_bytes()
    with pytest.raises(ValueError, match="brutal"):
        samples.make_sheets(tmp_path, 1, 1, "worst")


def test_random_plans_cover_what_they_promise():
    layouts = tuple(load_layout(name) for name in ("evansville", "beside", "double"))
    plans = [samples.random_sheet(np.random.default_rng(s), "brutal", layouts) for s in range(200)]
    assert {p.layout for p in plans} == {"evansville", "beside", "double"} and {p.level for p in plans} == {"brutal"}
    assert any(p.copy for p in plans) and any(p.scanner for p in plans) and any(p.empty for p in plans)
    assert all(p.layout == "double" for p in plans if p.empty)


def test_the_shipped_samples():
    photos = sorted(SHIPPED.glob("*.jpg"))
    truths = [_checked(photo) for photo in photos]
    assert len(photos) >= 16 and sum(p.stat().st_size for p in photos) < 25e6
    assert {t["layout"] for t in truths} == {"evansville", "beside", "double"}
    games = [g for t in truths for g in t["games"]]
    assert sum(bool(g["slips"]) for g in games) >= 5 and sum(bool(g["struck"]) for g in games) >= 3
    assert any(len(t["games"]) < len(t["game_quads"]) for t in truths)
    readme = (SHIPPED / "README.md").read_text("utf-8")
    assert all(f"`{photo.name}`" in readme for photo in photos)
