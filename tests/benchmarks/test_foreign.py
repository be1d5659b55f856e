"""Foreign sheets: one seed draws one photo, the truth lies on the drawing, and the keeper's slips are slips."""

from __future__ import annotations

import copy
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the benchmarks are no installed package

from benchmarks.foreign.faults import FAULTS
from benchmarks.foreign.hands import HANDS, SHAPES
from benchmarks.foreign.keeper import Game, Habits, keep
from benchmarks.foreign.marking import mark_photo
from benchmarks.foreign.pads import Ruling
from benchmarks.foreign.photos import make_photo, plan_photo, truth
from benchmarks.foreign.scene import photograph
from benchmarks.foreign.surface import Bend
from scanner.cli import app
from scanner.sheet.layout import built_in_layouts, load_layout

LAYOUTS = [layout.name for layout in built_in_layouts()]


def games_on(name: str, count: int, slips: float) -> list[Game]:
    rng = np.random.default_rng([LAYOUTS.index(name), count])
    return [keep(rng, load_layout(name), Habits(slips=slips, blank_totals=bool(i % 2))) for i in range(count)]


def small(seed: int, index: int, **changes):
    plan, rng = plan_photo(seed, index, "clean")
    return replace(plan, long_side=1000, **changes), rng


def test_the_same_seed_makes_the_same_files(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        make_photo(tmp_path / folder, 3, 1, "messenger")
    first, second = (sorted((tmp_path / folder).iterdir()) for folder in ("one", "two"))
    assert [p.name for p in first] == ["001-messenger.jpg", "001-messenger.json"] == [p.name for p in second]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(first, second, strict=True))


def test_the_true_crossings_lie_on_the_rulings():
    """Magenta rulings on white are found again by their colour, curl and perspective and all."""
    plan, rng = small(8, 0, bends=(Bend("lift", 95, 0, 30), Bend("wave", 20, 5, 3, 120)), pitch=18.0, turn=0.0, yaw=0.0)
    ruling = Ruling(0.5, (1.0, 0.0, 1.0), 1.0, "solid", "single", "single")
    plan = replace(plan, pad=replace(plan.pad, ruling=ruling, paper=(1, 1, 1), pattern="plain", heading_shade=0.0,
                                     heading_hidden=True))
    pixels, seen = photograph(plan, rng)
    colour = pixels.astype(int)
    lines = np.minimum(colour[..., 0], colour[..., 2]) - colour[..., 1] > 60
    for net in seen[0].nodes:
        row = np.median(np.linalg.norm(np.diff(net, axis=0), axis=-1))
        reach = int(0.3 * row)
        off = []
        for x, y in net[1:-1, 1:-1].reshape(-1, 2):
            x0, y0 = round(x), round(y)
            patch = lines[y0 - reach:y0 + reach + 1, x0 - reach:x0 + reach + 1]
            level, upright = patch[:, [0, 1, -2, -1]].sum(1), patch[[0, 1, -2, -1]].sum(0)
            at = np.arange(-reach, reach + 1)
            off.append(((at * upright).sum() / upright.sum() - (x - x0), (at * level).sum() / level.sum() - (y - y0)))
        assert np.abs(np.median(off, axis=0)).max() < 0.03 * row
        assert np.percentile(np.abs(off), 90) < 0.08 * row


def broken_rows(game: Game) -> set[int]:
    """Rows in which some sum does not hold, worked out from the texts alone."""
    before, wrong = {"we": 0, "they": 0}, set()
    for number, row in enumerate(game.rows, 1):
        totals = {s: int(t) if (t := row[f"{s}_total"]).isdigit() else before[s] for s in before}
        moved = {s: totals[s] - before[s] for s in before}
        points = {s: int(t) if (t := row.get(f"{s}_points", "")).isdigit() else 0 for s in before}
        with_points, with_checks = "we_points" in row, "hand_check" in row
        if with_points and points != moved or with_checks and (
                int(row["hand_check"]) != sum(moved.values()) or int(row["total_check"]) != sum(totals.values())):
            wrong.add(number)
        before = totals
    return wrong


@pytest.mark.parametrize("name", LAYOUTS)
def test_sums_hold_except_where_a_slip_was_made(name):
    games = games_on(name, 80, 0.15)
    assert sum(len(g.slips) for g in games) > 30
    for game in games:
        assert broken_rows(game) == {s.row for s in game.slips if s.row}
        assert all(s.written != s.expected for s in game.slips)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_check_command_finds_every_slip_and_accuses_nobody_else(name, tmp_path):
    games = games_on(name, 60, 0.15)
    typed = [{"rows": list(g.rows), "winner_mark": g.winner_mark} for g in games]
    path = tmp_path / "typed.json"
    path.write_text(json.dumps({"layout": name, "games": typed}), "utf-8")
    run = CliRunner().invoke(app, ["check", str(path), "--json", "-"])
    for game, checked in zip(games, json.loads(run.stdout)["games"], strict=True):
        found = {p["row"] for p in checked["problems"] if p["code"] != "winner-mark"}
        assert found == {s.row for s in game.slips if s.row}
        by_w = [p for p in checked["problems"] if p["code"] == "winner-mark"]
        assert bool(by_w) == any(s.code == "winner-mark" for s in game.slips)
        assert checked["winner"] == game.winner


def as_scanned(known: dict) -> dict:
    """The scan a perfect scanner makes of a photo with one sheet."""
    games = []
    for number, game in enumerate(known["games"], 1):
        nodes = np.array(known["ruling_nodes"][number - 1])
        rows = [{"row": i, "cells": {key: {"text": text, "review": False, "confidence": 1.0, "box": nodes[
            [i, i, i + 1, i + 1], [j, j + 1, j + 1, j]].tolist()} for j, (key, text) in enumerate(row.items())}}
                for i, row in enumerate(game["rows"], 1)]
        slips = [{"code": s["code"], "row": s["row"]} for s in game["slips"]]
        games.append({"grid": number, "quad": known["game_quads"][number - 1], "rows": rows, "problems": slips,
                      "winner_mark": game["winner_mark"]})
    sheet = {"layout": known["layout"], "quad": known["game_quads"][0], "games": games, "teams": {}}
    return {"error": None, "sheets": [sheet]}


def test_a_perfect_scan_has_no_fault_and_a_shifted_one_is_called_so():
    plan, rng = small(4, 2)
    pixels, seen = photograph(plan, rng)
    known = truth("photo.jpg", plan, pixels, seen)
    mark = mark_photo(known, as_scanned(known))
    assert mark.notes == [] and mark.count["right"] == mark.count["cells"] > 0 and mark.count["grids"] > 0
    moved = copy.deepcopy(known)
    moved["ruling_nodes"] = [(np.array(n) + (0, np.diff(np.array(n), axis=0)[0, 0, 1])).tolist()
                             for n in known["ruling_nodes"]]
    moved["game_quads"] = [[n[0][0], n[0][-1], n[-1][-1], n[-1][0]] for n in moved["ruling_nodes"]]
    assert mark_photo(known, as_scanned(moved)).count["off by a row"] == len(known["games"])
    silent = as_scanned(known)
    silent["sheets"][0]["games"][0]["rows"][0]["cells"].popitem()
    assert mark_photo(known, silent).count["silent"] == 1


def test_every_fault_makes_a_plan_and_every_hand_has_all_digits():
    for name in FAULTS:
        plan, _ = plan_photo(1, 0, name)
        assert plan.faults[0] == name
    assert len(HANDS) >= 10
    assert all(f"{digit} {shape}" in SHAPES for hand in HANDS for digit, shape in hand.shapes.items())
    assert all(len(hand.shapes) == 10 for hand in HANDS)
