"""How the reader does on cells of held-out writers, kind by kind, and the temperature that makes it say how sure it is.

    python -m scanner.workshop.held_out --handwriting ../handwriting [--cells 500] [--camera usual]

Prints for each kind of cell how many are read exactly, how many have the right text among the three most probable, the
log-loss, and what one look alone would give.  ``usual`` is the camera of the first training stages, which leaves many
cells beyond reading; ``calm`` is nearer to what a league secretary's phone makes of a sheet.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from scanner.reader.cells import read_cells
from scanner.reader.lattice import text_log_probs
from scanner.reader.network import read_frames, to_input
from scanner.sheet.texts import INDEX, canonical
from scanner.workshop.cells import PRACTICE, compose
from scanner.workshop.hands import Writers, load_writers
from scanner.workshop.network import Network
from scanner.workshop.reader_report import wilson
from scanner.workshop.writing import STRUCK

#: What a cell may hold, in the order of ``Practice.mixture``.
KINDS = ("number", "struck-out", "overwritten", "set mark", "zero line", "W", "empty")
CAMERAS = {"calm": 1.0, "usual": 0.0}
_SEED = 4_711
#: Temperatures tried: from twice as sure to half as sure.
_TEMPERATURES = np.round(np.arange(0.6, 1.31, 0.05), 2)


@dataclass(frozen=True)
class HeldOut:
    """Cells nobody trained on: crops in the network's size, and the place of each one's text in the vocabulary."""

    cells: list[np.ndarray]
    places: np.ndarray


def live_text(label: str) -> str:
    """A training label's text in the vocabulary's spelling, struck digits left out."""
    return canonical("".join(c for c in label if c not in STRUCK)) or ""


def held_out(writers: Writers, mixture: tuple[float, ...], camera: str, count: int) -> HeldOut:
    """``count`` cells of these writers; the same arguments give the same cells."""
    practice = replace(PRACTICE[0], mixture=mixture, calm=CAMERAS[camera])
    rng = np.random.default_rng([_SEED, *(int(1000 * share) for share in mixture)])
    made = [compose(writers, rng, practice) for _ in range(count)]
    return HeldOut([to_input(crop) for crop, _ in made], np.array([INDEX[live_text(label)] for _, label in made]))


def losses(rows: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Minus the log-probability each row gives to the right text."""
    return -rows[np.arange(len(rows)), places]


@torch.no_grad()
def best_temperature(network: Network, sample: HeldOut) -> float:
    """The temperature whose text probabilities have the least log-loss on a sample (Guo et al. 2017)."""
    network.eval()
    logits = [network(torch.from_numpy(cell.transpose(2, 0, 1)[None].copy()).float()) for cell in sample.cells]

    def loss(temperature: float) -> float:
        frames = [(row / temperature).softmax(2).numpy() for row in logits]
        return float(losses(np.concatenate([text_log_probs(f) for f in frames]), sample.places).mean())

    return float(min(_TEMPERATURES, key=loss))


def report(writers: Writers, camera: str, count: int) -> None:
    """Prints the table."""
    print(f"{'kind':12s} {'cells':>5s} {'exact':>7s}  {'95 %':>13s} {'top 3':>7s} {'log-loss':>8s} {'one look':>8s}")
    for i, kind in enumerate(KINDS):
        sample = held_out(writers, tuple(float(i == j) for j in range(len(KINDS))), camera, count)
        rows = np.stack([r.log_probs for r in read_cells(sample.cells)])
        once = np.stack([text_log_probs(f[None])[0] for f in read_frames(sample.cells)])
        right = int((rows.argmax(1) == sample.places).sum())
        low, high = wilson(right, count)
        third = (np.argsort(rows, axis=1)[:, -3:] == sample.places[:, None]).any(1).mean()
        print(f"{kind:12s} {count:5d} {100 * right / count:6.2f} %  {low:5.1f} to {high:5.1f} {100 * third:6.2f} % "
              f"{losses(rows, sample.places).mean():8.4f} {100 * (once.argmax(1) == sample.places).mean():6.2f} %")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--handwriting", type=Path, required=True, help="folder with the handwriting collections")
    parser.add_argument("--camera", choices=sorted(CAMERAS), default="calm")
    parser.add_argument("--cells", type=int, default=500, help="cells of each kind")
    args = parser.parse_args()
    if not args.handwriting.is_dir():
        sys.exit(f"{args.handwriting}: no such folder; give the one with the handwriting collections")
    report(load_writers(args.handwriting, held_out=True), args.camera, args.cells)


if __name__ == "__main__":
    main()
