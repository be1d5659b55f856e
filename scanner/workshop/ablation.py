"""What each ingredient of the training cells and of the network is worth: short trainings that lack one at a time.

    python -m scanner.workshop.ablation --handwriting ../handwriting --work build/ablation [--sheets FOLDER ...]

Every variant trains a network of half the width on cells of its own kind, for as many steps as the others, and is then
measured on the same held-out writers' cells with every ingredient in, and on the digit cells of photographed sheets.
Seeded; a variant done before is taken from ``results.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch

from scanner.reader.lattice import text_log_probs
from scanner.reader.network import HEIGHT, to_input
from scanner.sheet.texts import INDEX
from scanner.workshop.cells import PRACTICE, Practice
from scanner.workshop.feed import targets, varied
from scanner.workshop.hands import Writers, load_writers
from scanner.workshop.held_out import held_out
from scanner.workshop.network import Network
from scanner.workshop.pens import Glyph, Hand, Rng
from scanner.workshop.pool import Shard, make_shard
from scanner.workshop.reader_report import true_cells
from scanner.workshop.schedule import Cycle, Plan, rate_at
from scanner.workshop.train import loss_of

#: Half the shipped network's width: a quarter of its cost.
_WIDTHS = (12, 16, 32, 56, 88, 96)
_FULL = replace(PRACTICE[0], calm=0.5)


@dataclass(frozen=True)
class Variant:
    """One training: its cells, whether a number's digits come from many writers, whether the network sees grey only.

    ``height`` is that of the network's input in pixels; crops of 48 are shrunk to it in both directions.
    """

    practice: Practice = _FULL
    mixed_writers: bool = False
    grey: bool = False
    narrow: bool = False
    height: int = HEIGHT


VARIANTS = {
    "all ingredients": Variant(),
    "no ruling drawn": Variant(replace(_FULL, ruled=False)),
    "no neighbours' ink": Variant(replace(_FULL, neighbours=False)),
    "scanned digits only": Variant(replace(_FULL, scans=1.0)),
    "strokes only": Variant(replace(_FULL, scans=0.0)),
    "digits of mixed writers": Variant(mixed_writers=True),
    "grey instead of colour": Variant(grey=True),
    "no calm cells": Variant(replace(_FULL, calm=0.0)),
    "half the width again": Variant(narrow=True),
    "32 px high": Variant(height=32),
}


@dataclass(frozen=True)
class _Mixed:
    """A hand whose every character is somebody else's."""

    writers: tuple[Hand, ...]

    def glyph(self, char: str, rng: Rng) -> Glyph:
        """One character of one of the writers."""
        return self.writers[rng.integers(len(self.writers))].glyph(char, rng)


def trained(variant: Variant, writers: Writers, steps: int, shards: int) -> Network:
    """The variant's network after ``steps`` steps on ``shards`` times 2,000 cells."""
    torch.manual_seed(1)
    if variant.mixed_writers:
        writers = Writers((_Mixed(writers.strokes),), writers.rasters)
    pool = [make_shard(writers, 31, n, 2_000, variant.practice) for n in range(shards)]
    widths = tuple(w // 2 for w in _WIDTHS) if variant.narrow else _WIDTHS
    network = Network(widths, height=variant.height).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=0.02)
    plan = Plan(cycles=(Cycle(steps, 3e-3, shards),))
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = rate_at(plan, step)
        loss = loss_of(network, _batch(pool, variant, np.random.default_rng([31, 7, step])))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
    return network.eval()


def _batch(pool: Sequence[Shard], variant: Variant, rng: Rng) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    shard = pool[rng.integers(len(pool))]
    same = np.nonzero(shard.widths == shard.widths[rng.integers(len(shard.widths))])[0]
    picks = rng.choice(same, min(96, len(same)), replace=False)
    cells = varied(np.stack([shard.cell(i) for i in picks]), rng)
    return (_seen(cells, variant), *targets(shard.labels[picks]))


def _seen(cells: torch.Tensor, variant: Variant) -> torch.Tensor:
    """What the variant's network is shown of cells, shape (N, 3, 48, w)."""
    if variant.height != HEIGHT:
        size = variant.height, cells.shape[3] * variant.height // HEIGHT
        cells = torch.nn.functional.interpolate(cells, size, mode="area")
    return _grey(cells) if variant.grey else cells


def _grey(cells: torch.Tensor) -> torch.Tensor:
    return cells.mean(1, keepdim=True).expand(-1, 3, -1, -1)


@torch.no_grad()
def share(network: Network, variant: Variant, cells: Sequence[np.ndarray], places: np.ndarray) -> float:
    """Share of cells whose most probable text is right, one look each, in percent."""
    best = []
    for cell in cells:
        x = torch.from_numpy(cell.transpose(2, 0, 1)[None].copy()).float()
        frames = network(_seen(x, variant)).softmax(2).numpy()
        best.append(int(text_log_probs(frames)[0].argmax()))
    return 100 * float(np.mean(np.array(best) == places))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--handwriting", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("build/ablation"))
    parser.add_argument("--sheets", type=Path, nargs="*", default=[], help="folders of photographed sheets with truth")
    parser.add_argument("--steps", type=int, default=1_200)
    parser.add_argument("--shards", type=int, default=8)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    args.work.mkdir(parents=True, exist_ok=True)
    writers = load_writers(args.handwriting, held_out=False)
    sample = held_out(load_writers(args.handwriting, held_out=True), _FULL.mixture, "calm", 1_000)
    tests = {"held-out writers": (sample.cells, sample.places)}
    for folder in args.sheets:
        digits = [c for c in true_cells(folder) if c.text.isdigit()]
        tests[folder.name] = ([to_input(c.image) for c in digits], np.array([INDEX[c.text] for c in digits]))
    path = args.work / "results.json"
    done = json.loads(path.read_text()) if path.exists() else {}
    for name, variant in VARIANTS.items():
        if name not in done:
            network = trained(variant, writers, args.steps, args.shards)
            done[name] = {test: share(network, variant, *cells) for test, cells in tests.items()}
            path.write_text(json.dumps(done, indent=1))
        print(f"{name:26s}" + "".join(f"{test} {value:6.2f} %   " for test, value in done[name].items()), flush=True)
    print(f"{args.steps} steps on {2_000 * args.shards} cells each", file=sys.stderr)


if __name__ == "__main__":
    main()
