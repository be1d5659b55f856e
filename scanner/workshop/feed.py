"""Batches for a training run: cells of one width drawn from the pool, and cheap variety on top of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn

from scanner.workshop.pool import Shard, load_shard
from scanner.workshop.schedule import Plan

#: Cells (N, 3, 48, W), their labels end to end, the labels' lengths.
Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class Pool:
    """Shards in memory, waiting for those that are still being made."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shards = folder, []

    def upto(self, count: int) -> list[Shard]:
        """The first ``count`` shards."""
        while len(self.shards) < count:
            while not (self.folder / f"shard-{len(self.shards):04d}.npz").exists():
                time.sleep(2)
            self.shards.append(load_shard(self.folder, len(self.shards)))
        return self.shards[:count]


def batches(pool: Pool, plan: Plan, start: int, stop: int) -> Iterator[Batch]:
    """Batches of one input width, for steps ``start`` to ``stop``."""
    for step in range(start, stop):
        rng = np.random.default_rng([plan.seed, 7, step])
        shards = pool.upto(plan.open_shards(step))
        newest = rng.random() < 0.5
        chosen = shards[-1 - rng.integers(min(8, len(shards)))] if newest else shards[rng.integers(len(shards))]
        anchor = int(chosen.widths[rng.integers(len(chosen.widths))])
        same = np.nonzero(chosen.widths == anchor)[0]
        count = max(16, min(plan.batch, plan.batch * 112 // anchor, len(same)))
        picks = rng.choice(same, min(count, len(same)), replace=False)
        cells = np.stack([chosen.cell(i) for i in picks])
        yield (varied(cells, rng), *targets(chosen.labels[picks]))


def targets(labels: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Labels end to end, and their lengths, from rows of places padded with zeros."""
    return torch.from_numpy(labels[labels > 0].astype(np.int64)), torch.from_numpy((labels > 0).sum(1))


def varied(cells: np.ndarray, rng: np.random.Generator) -> torch.Tensor:
    """Cheap variety on top of the pool: grey copies, swapped colours, tone, a shift of up to two pixels, noise."""
    x = torch.from_numpy(np.ascontiguousarray(cells.transpose(0, 3, 1, 2))).float()
    count = len(x)
    grey = torch.from_numpy(rng.random(count) < 0.12)
    x[grey] = x[grey].mean(1, keepdim=True)
    if rng.random() < 0.25:
        x = x[:, torch.from_numpy(rng.permutation(3))]
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.12, (count, 3, 1, 1)))).float()
    x = x * gain + torch.from_numpy(rng.normal(0, 6, (count, 1, 1, 1))).float()
    dy, dx = (int(v) for v in rng.integers(-2, 3, 2))
    x = nn.functional.pad(x, (2, 2, 2, 2), mode="replicate")[:, :, 2 + dy:50 + dy, 2 + dx:x.shape[3] + 2 + dx]
    noise = torch.from_numpy(rng.standard_normal(x.shape, np.float32) * np.float32(abs(rng.normal(0, 4))))
    return (x + noise).contiguous(memory_format=torch.channels_last)
