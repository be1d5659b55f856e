"""How a network in training does on held-out writers' cells, and the curve of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from scanner.workshop.network import Network
from scanner.workshop.pool import Shard


@torch.no_grad()
def exact_share(network: Network, shard: Shard, most: int = 3000) -> dict[str, float]:
    """Share of held-out cells whose live text the best path reads exactly, in all and where a number is struck."""
    network.eval()
    right, struck = [], []
    for width in np.unique(shard.widths[:most]):
        picks = np.nonzero(shard.widths[:most] == width)[0]
        cells = torch.from_numpy(np.stack([shard.cell(i) for i in picks]).transpose(0, 3, 1, 2).copy()).float()
        for path, label in zip(network(cells).argmax(2).numpy(), shard.labels[picks], strict=True):
            right.append(_live(_collapse(path)) == _live([v for v in label if v]))
            struck.append(any(11 <= v <= 20 for v in label))
    network.train()
    right, struck = np.array(right), np.array(struck)
    return {"exact": float(right.mean()), "struck": float(right[struck].mean()) if struck.any() else float("nan")}


def _collapse(path: np.ndarray) -> list[int]:
    return [int(v) for i, v in enumerate(path) if v and (i == 0 or v != path[i - 1])]


def _live(label: list[int]) -> list[int]:
    return [int(v) for v in label if not 11 <= v <= 20]


def draw_curve(curve: list[dict[str, float]], path: Path) -> None:
    """The validation curve: share of held-out writers' cells read exactly, all and struck-out ones, by step."""
    from matplotlib.figure import Figure

    axes = (figure := Figure(figsize=(6, 3.5), layout="constrained")).add_subplot()
    steps = [p["step"] for p in curve]
    axes.plot(steps, [100 * p["exact"] for p in curve], "-o", label="all cells")
    axes.plot(steps, [100 * p["struck"] for p in curve], "--s", label="with a number struck out")
    axes.set(xlabel="training steps", ylabel="read exactly, %", ylim=(0, 100), title="Held-out writers")
    axes.legend()
    figure.savefig(path, dpi=110)
