"""Makes photos with their truth: numbered JPEG files and JSON beside them, the same for the same seed."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from benchmarks.foreign.faults import FAULTS, HARDER
from benchmarks.foreign.keeper import Game
from benchmarks.foreign.plan import Plan, everyday
from benchmarks.foreign.scene import Seen, photograph
from benchmarks.foreign.sheet import TEAMS

#: EXIF orientation to the PIL operation that undoes what a viewer does for it.
_STORED = {2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
           5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
           8: Image.Transpose.ROTATE_270}


def plan_photo(seed: int, index: int, fault: str | None = None) -> tuple[Plan, np.random.Generator]:
    """The plan of photo ``index`` (from 0) of a seed, and the chance that goes on to draw it."""
    rng = np.random.default_rng([seed, index])
    cv2.setRNGSeed(0)
    names = list(FAULTS)
    name = fault or names[index % len(names)]
    plan = (FAULTS | HARDER)[name](rng, everyday(rng))
    return replace_faults(plan, name), rng


def replace_faults(plan: Plan, name: str) -> Plan:
    """The plan with its fault's name in front of those it gave itself."""
    return replace(plan, faults=(name, *(f for f in plan.faults if f != name)))


def make_roster(folder: Path) -> None:
    """Makes the folder, with a roster of all teams in it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "roster.toml").write_text("".join(f'[[teams]]\nname = "{t}"\naliases = []\n' for t in TEAMS), "utf-8")


def make_photo(folder: Path, seed: int, index: int, fault: str | None = None) -> Path:
    """One photo and its truth, ``NNN-fault.jpg`` and ``.json``."""
    plan, rng = plan_photo(seed, index, fault)
    pixels, seen = photograph(plan, rng)
    pixels, seen = _turned(pixels, seen, plan.turned)
    path = folder / f"{index:03d}-{plan.faults[0]}.jpg"
    _save(path, pixels, plan)
    path.with_suffix(".json").write_text(json.dumps(truth(path.name, plan, pixels, seen), indent=1), "utf-8")
    return path


def _turned(pixels: np.ndarray, seen: tuple[Seen, ...], quarters: int) -> tuple[np.ndarray, tuple[Seen, ...]]:
    """The photo turned clockwise by quarters, and the crossings with it."""
    for _ in range(quarters % 4):
        height = pixels.shape[0]
        pixels = np.ascontiguousarray(np.rot90(pixels, -1))
        seen = tuple(replace(s, nodes=tuple(np.stack([height - 1 - n[..., 1], n[..., 0]], -1) for n in s.nodes))
                     for s in seen)
    return pixels, seen


def _save(path: Path, pixels: np.ndarray, plan: Plan) -> None:
    picture = Image.fromarray(pixels)
    exif = Image.Exif()
    if plan.exif in _STORED:
        picture = picture.transpose(_STORED[plan.exif])
        exif[274] = plan.exif
    picture.save(path, quality=plan.lens.quality, exif=exif)


def truth(name: str, plan: Plan, pixels: np.ndarray, seen: tuple[Seen, ...]) -> dict:
    """The JSON truth of a photo: its first sheet at the top, the others under ``more_sheets``."""
    level = "easy" if plan.faults[0] == "clean" else "hard" if plan.faults[0] == "mixed" else "medium"
    return {
        "photo": name, "width": pixels.shape[1], "height": pixels.shape[0], "faults": list(plan.faults),
        "refusal": list(plan.refusal),
        **(_sheet(seen[0]) if seen else {"layout": None, "teams": {}, "games": []}),
        "more_sheets": [_sheet(s) for s in seen[1:]],
        "camera": {"level": level, "pitch": plan.pitch, "yaw": plan.yaw, "turn": plan.turn, "dpi": plan.dpi,
                   "exif": plan.exif, "turned": plan.turned * 90},
        "hand": plan.hand.name, "pen": plan.pens[0].name, "ruling": plan.pad.ruling.pattern, "table": plan.table,
    }


def _sheet(seen: Seen) -> dict:
    written = seen.written
    return {
        "layout": written.pad.layout.name, "optional": seen.optional,
        "teams": written.teams, "date": {"text": written.date[0], "iso": written.date[1]},
        "games": [_game(g) for g in written.games if g is not None],
        "game_quads": [_rounded(n[[0, 0, -1, -1], [0, -1, -1, 0]]) for n in seen.nodes],
        "ruling_nodes": [_rounded(n) for n in seen.nodes],
        "hidden": [list(h) for h in seen.hidden],
    }


def _rounded(points: np.ndarray) -> list:
    return np.round(points, 2).tolist()


def _game(game: Game) -> dict:
    return {
        "rows": list(game.rows), "slips": [asdict(s) for s in game.slips if s.row],
        "winner_slip": any(not s.row for s in game.slips),
        "struck": [{"row": s.row, "cell": s.cell, "text": s.text} for s in game.struck if s.beside],
        "overwritten": [{"row": s.row, "cell": s.cell, "text": s.text} for s in game.struck if not s.beside],
        "winner_mark": game.winner_mark, "winner": game.winner,
    }
