"""Sample sheets: photographs of made-up games with their truth, for the demo and for measuring.

    python -m scanner.workshop.samples --out sample_sheets --count 18 --seed 7
    python -m scanner.workshop.samples --out /tmp/hard --count 200 --seed 1 --level brutal

The first writes the chosen tour of pads, hands and troubles; with ``--level`` every sheet is drawn at random.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from scanner.sheet.layout import Layout, built_in_layouts, load_layout
from scanner.workshop.camera import Shot, photograph, scan, shrunk
from scanner.workshop.develop import save_turned
from scanner.workshop.games import WrittenGame, random_keeper, write_game
from scanner.workshop.glyphs import own_hand
from scanner.workshop.pads import Page, print_pad
from scanner.workshop.sheets import Scribe, random_scribe, write_page
from scanner.workshop.slips import KINDS
from scanner.workshop.tour import TEAMS, TOUR, Sheet, random_date

Rng = np.random.Generator

#: How much goes wrong at a level, 0 to 1; ``brutal`` is the workshop at its hardest.
TROUBLE = {"easy": 0.12, "medium": 0.45, "hard": 0.78, "brutal": 1.0}
LEVELS = (*TROUBLE, "mixed")


@dataclass(frozen=True, eq=False)
class Sample:
    """One photographed sheet: the shot, its truth as a JSON object (``photo`` left out), how to store it."""

    shot: Shot
    truth: dict
    quality: int
    turned: int


def make_sheets(
    out_dir: Path | str, count: int, seed: int, level: str = "brutal", layouts: Sequence[Layout] | None = None
) -> list[Path]:
    """Photographs of random sheets, each with its truth beside it as JSON, for evaluation.

    Args:
        level: one of :data:`LEVELS`; ``mixed`` draws from the others in equal shares.
        layouts: pads to draw from, the built-in ones when left out.

    Returns:
        The photos written, ``sheet0000.jpg`` and on. A sheet depends on seed, level and its number only.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, got {level!r}")
    out, layouts = Path(out_dir), tuple(layouts or built_in_layouts())
    out.mkdir(parents=True, exist_ok=True)
    paths = []
    for i in range(count):
        rng = np.random.default_rng([seed, i, LEVELS.index(level)])
        plan = random_sheet(rng, level, layouts)
        paths.append(write_sample(make_sample(plan, load(plan.layout, layouts), rng), out, f"sheet{i:04d}")[0])
    return paths


def random_sheet(rng: Rng, level: str, layouts: Sequence[Layout]) -> Sheet:
    """What one random evaluation sheet is to show."""
    if level == "mixed":
        level = str(rng.choice(list(TROUBLE)))
    trouble = TROUBLE[level]
    size = ((3024, 4032), (2250, 3000), (1500, 2000), (1200, 1600))[int(rng.choice(4, p=[0.15, 0.25, 0.35, 0.25]))]
    layout = layouts[int(rng.integers(len(layouts)))]
    return Sheet(
        layout.name, level, size if rng.random() < 0.75 else size[::-1],
        slips=(str(rng.choice((*KINDS, "past-the-end"))),) if rng.random() < 0.3 else (),
        copy=int(rng.choice([900, 1200, 1600])) if rng.random() < 0.05 + 0.3 * trouble else 0,
        scanner=bool(rng.random() < 0.1), hands=2 if rng.random() < 0.12 else 1,
        empty=bool(layout.games > 1 and rng.random() < 0.2), unfinished=bool(rng.random() < 0.06),
        turned=int(rng.choice([0, 90, 180, 270], p=[0.5, 0.25, 0.05, 0.2])),
        quality=int(rng.integers(92 - int(50 * trouble), 94)), fill=1.15 if rng.random() < 0.12 else None)


def make_sample(plan: Sheet, layout: Layout, rng: Rng) -> Sample:
    """One sheet from its plan: games played, written on a pad, photographed."""
    trouble = TROUBLE[plan.level]
    scribes = _scribes(plan, trouble, rng)
    page = fresh_page(plan, layout, scribes, rng)
    games = _games(plan, layout, trouble, rng)
    teams = rng.choice(len(TEAMS), 2, replace=False)
    heading = {"we": TEAMS[teams[0]], "they": TEAMS[teams[1]], "date": random_date(rng),
               "table": str(rng.integers(1, 13)), "game": str(rng.integers(1, 4)), "round": str(rng.integers(1, 15))}
    return written_sample(plan, page, games, scribes, heading, rng)


def fresh_page(plan: Sheet, layout: Layout, scribes: Sequence[Scribe], rng: Rng) -> Page:
    """An empty page of a random pad, fine enough for the plan's photograph."""
    return print_pad(layout, rng, ppm=_density(plan.size, layout), trouble=TROUBLE[plan.level],
                     ink=scribes[0].pen.colour)


def written_sample(plan: Sheet, page: Page, games: list[WrittenGame], scribes: list[Scribe], heading: dict[str, str],
                   rng: Rng) -> Sample:
    """Games written on a page and photographed.

    Args:
        heading: texts of the head; ``we``, ``they`` and ``date`` are part of the truth.
    """
    page = write_page(page, games, scribes, heading, rng)
    shot = take_shot(plan, page, games, TROUBLE[plan.level], rng)
    names = {side: heading[side] for side in ("we", "they")}
    truth = _truth(plan, page.layout, games, names, heading["date"], scribes, shot)
    return Sample(shot, truth, plan.quality, plan.turned)


def load(name: str, layouts: Sequence[Layout] = ()) -> Layout:
    """A layout by name, from those given or the built-in ones."""
    return next((layout for layout in layouts if layout.name == name), None) or load_layout(name)


def _density(size: tuple[int, int], layout: Layout) -> float:
    """Pixels to the millimetre that a page needs to be a little finer than its photograph."""
    page_mm = max(1.15 * layout.y_lines[-1] + 75, layout.games * (1.1 * layout.x_lines[-1] + 12))
    return float(np.clip(max(size) / page_mm * 0.95, 4.0, 20.0))


def _scribes(plan: Sheet, trouble: float, rng: Rng) -> list[Scribe]:
    first = random_scribe(own_hand(int(rng.integers(2**31))), rng, trouble)
    if plan.hands == 1:
        return [first]
    pen = first.pen if rng.random() < 0.3 else None
    return [first, random_scribe(own_hand(int(rng.integers(2**31))), rng, trouble, pen)]


def _games(plan: Sheet, layout: Layout, trouble: float, rng: Rng) -> list[WrittenGame]:
    """One game for each grid that is used; the planned slips go to the games in turn."""
    used = layout.games - 1 if plan.empty else layout.games
    keeper = random_keeper(rng, plan.care if plan.care is not None else trouble)
    return [write_game(layout, keeper, rng, planned=plan.slips[g] if g < len(plan.slips) else None,
                       unfinished=plan.unfinished and g == used - 1) for g in range(used)]


def take_shot(plan: Sheet, page: Page, games: list[WrittenGame], trouble: float, rng: Rng) -> Shot:
    """The written page photographed or scanned as the plan has it."""
    if plan.scanner:
        shot = scan(page, rng, size=plan.size, trouble=trouble)
    else:
        keep = _written_parts(page, games, trouble)
        shot = photograph(page, rng, size=plan.size, trouble=trouble, keep=keep, background=plan.background,
                          fill=plan.fill)
    return shrunk(shot, plan.copy, rng) if plan.copy else shot


def _written_parts(page: Page, games: list[WrittenGame], trouble: float) -> list[np.ndarray]:
    """Where nothing may lie: the lines of the head, and the grids; on hard sheets only down to the W."""
    parts = [np.array([[f.x0, f.y - f.height], [f.x1, f.y - f.height], [f.x1, f.y + f.height / 3],
                       [f.x0, f.y + f.height / 3]]) for f in page.fields.values()]
    for number, nodes in enumerate(page.nodes):
        end = len(nodes) - 1
        if trouble > 0.7:
            rows = len(games[number].rows) if number < len(games) else 0
            end = min(end, page.layout.heading_rows + rows + 2)
        parts.append(np.array([nodes[0, 0], nodes[0, -1], nodes[end, -1], nodes[end, 0]]))
    return parts


def _truth(plan: Sheet, layout: Layout, games: list[WrittenGame], names: dict[str, str], date: str,
           scribes: list[Scribe], shot: Shot) -> dict:
    """The truth file's object: what is written, the slips in it, and where the rulings are in the picture."""
    height, width = shot.pixels.shape[:2]
    return {
        "schema": 1, "layout": layout.name, "teams": names, "date": date, "pen": scribes[0].pen.kind,
        "camera": {"background": shot.background, "size": [width, height], "level": plan.level, "exif": plan.turned,
                   "quality": plan.quality},
        "game_quads": [_rounded([n[0, 0], n[0, -1], n[-1, -1], n[-1, 0]]) for n in shot.nodes],
        "ruling_nodes": [_rounded(n) for n in shot.nodes],
        "games": [_game_truth(game) for game in games],
    }


def _game_truth(game: WrittenGame) -> dict:
    struck = [{"row": i, "cell": key, "old": entry.struck} for i, row in enumerate(game.rows, 1)
              for key, entry in row.items() if entry.struck is not None]
    return {"rows": [{key: entry.text for key, entry in row.items()} for row in game.rows], "winner": game.winner,
            "winner_mark": game.winner_mark, "slips": [slip.as_json() for slip in game.slips], "struck": struck}


def _rounded(points) -> list:
    return np.round(np.asarray(points, float), 2).tolist()


def write_sample(sample: Sample, out: Path, name: str) -> tuple[Path, dict]:
    """The photo and its JSON; returns the photo's path and the truth as written."""
    path = out / f"{name}.jpg"
    save_turned(sample.shot.pixels, path, sample.quality, sample.turned)
    truth = {"schema": 1, "photo": path.name, **sample.truth}
    path.with_suffix(".json").write_text(json.dumps(truth), "utf-8")
    return path, truth


def make_tour(out_dir: Path | str, count: int, seed: int) -> list[Path]:
    """The project's own samples: the first ``count`` sheets of the tour, their truth, and a README with a table."""
    out = Path(out_dir)
    out.mkdir(parents=True, exist_ok=True)
    rows, paths = [], []
    for i in range(count):
        plan = TOUR[i % len(TOUR)]
        sample = make_sample(plan, load(plan.layout), np.random.default_rng([seed, i]))
        path, truth = write_sample(sample, out, f"sheet{i + 1:02d}")
        rows.append(f"| `{path.name}` | {truth['layout']} | {plan.level} | {plan.shows}; {_described(truth)} |")
        paths.append(path)
    (out / "README.md").write_text(_README.format(count=count, seed=seed, rows="\n".join(rows)), "utf-8")
    return paths


def _described(truth: dict) -> str:
    """What the truth holds, in a few words for the README."""
    games = truth["games"]
    slips = [f"{s['code']} in row {s['row']}" for g in games for s in g["slips"]]
    struck = sum(len(g["struck"]) for g in games)
    words = [f"{sum(len(g['rows']) for g in games)} rows", f"{truth['pen']}", f"on {truth['camera']['background']}"]
    words += [f"slip: {', '.join(slips)}"] if slips else []
    words += [f"{struck} struck out"] if struck else []
    words += ["W missing or misplaced"] if any(g["winner"] != g["winner_mark"] for g in games) else []
    return ", ".join(words)


_README = """# Sample sheets

{count} photographs of clabber sheets made by the project's workshop: its own handwriting, pads, pens and camera; nobody
played these games. `sheetNN.json` holds the truth of `sheetNN.jpg`: what is written in every cell, the slips among it,
numbers struck out, the column of the W (`winner_mark`, null when there is none), the winner by the written totals, and
`ruling_nodes`, the place of every crossing of the rulings in the picture as a viewer shows it. Texts are classes: `XX`
stands for `XXX` too, `-` for `--` and `~`. A page may have a grid nobody used: it has rulings but no game.

Made by `python -m scanner.workshop.samples --out sample_sheets --count {count} --seed {seed}`.

`season/` is a league's season of 28 more, photographed small: see [its own page](season/README.md).

| photo | layout | level | shows |
|---|---|---|---|
{rows}
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line: see the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--count", type=int, default=len(TOUR))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--level", choices=LEVELS, help="draw random sheets of this difficulty instead of the tour")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    make = make_tour if given.level is None else make_sheets
    more = {} if given.level is None else {"level": given.level}
    print(f"{len(make(given.out, given.count, given.seed, **more))} sheets in {given.out}")


if __name__ == "__main__":
    main()
