"""Trains the reader of written lines (names and dates): one command, seeded, resumable, with progress.

    python -m scanner.workshop.train_lines --handwriting ../handwriting --work build/lines --out scanner/reader/model

A second process writes the pool of lines while training runs; which shards a step may draw from is fixed by the step's
number, so the result does not depend on how fast either side is.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from scanner.reader.lines import ALPHABET, HEIGHT, to_line_input
from scanner.workshop.export import export
from scanner.workshop.letters import load_letter_hands
from scanner.workshop.lines import compose_line
from scanner.workshop.network import Network
from scanner.workshop.train import loss_of

SHARD, _LONGEST, _VALID_SEED = 1000, 40, 99
#: Widest batch, in pixels of width over all lines: keeps a step's memory and time even.
_BATCH_WIDTH = 64 * 224


def line_network() -> Network:
    """The network for written lines, 40 px high: the cells' one, narrower, with letters for classes.

    Its last convolutions see 25 frames, about eight letters, so the shape of a word helps to read its letters.
    """
    return Network((16, 24, 48, 72, 112, 128), classes=len(ALPHABET), reach=3)


@dataclass(frozen=True)
class Plan:
    """One training run. ``first`` shards must exist before step 0; one more joins every ``every`` steps."""

    steps: int = 6000
    rate: float = 2.5e-3
    shards: int = 45
    first: int = 4
    every: int = 60
    seed: int = 1


@dataclass(frozen=True)
class Lines:
    """A shard of lines by input width: uint8 images (N, 40, w, 3) and labels (N, 40), padded with zeros."""

    images: dict[int, np.ndarray]
    labels: dict[int, np.ndarray]


def fill(folder: Path, handwriting: Path, seed: int, shards: int, held_out: bool = False) -> None:
    """Makes the shards that are not there yet; safe to interrupt and to call again."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    missing = [n for n in range(shards) if not _path(folder, n).exists()]
    hands = load_letter_hands(handwriting, held_out) if missing else ()
    for number in missing:
        rng = np.random.default_rng([seed, number, 5])
        by_width: dict[int, list] = {}
        for _ in range(SHARD):
            image, label = compose_line(hands, rng)
            places = [ALPHABET.index(c) for c in label][:_LONGEST]
            image = to_line_input(image)
            by_width.setdefault(image.shape[1], []).append((image, places + [0] * (_LONGEST - len(places))))
        arrays = {f"x{w}": np.stack([i for i, _ in some]) for w, some in by_width.items()}
        arrays |= {f"y{w}": np.array([p for _, p in some], np.uint8) for w, some in by_width.items()}
        np.savez(folder / "part.npz", **arrays)
        (folder / "part.npz").replace(_path(folder, number))


def _path(folder: Path, number: int) -> Path:
    return folder / f"lines-{number:04d}.npz"


def load(folder: Path, number: int) -> Lines:
    """A shard, waited for if it is still being made."""
    while not _path(folder, number).exists():
        time.sleep(1)
    with np.load(_path(folder, number)) as z:
        widths = sorted(int(name[1:]) for name in z.files if name[0] == "x")
        return Lines({w: z[f"x{w}"] for w in widths}, {w: z[f"y{w}"] for w in widths})


def batches(folder: Path, plan: Plan, start: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Batches of one input width from ``start`` on: images, labels end to end, label lengths."""
    shards: list[Lines] = []
    for step in range(start, plan.steps):
        rng = np.random.default_rng([plan.seed, 8, step])
        count = min(plan.shards, plan.first + step // plan.every)
        shards += [load(folder, n) for n in range(len(shards), count)]
        newest = rng.random() < 0.5
        some = [shards[-1 - int(rng.integers(min(6, count)))] if newest else shards[int(rng.integers(count))]
                for _ in range(3)]
        sizes = {w: sum(len(s.images.get(w, ())) for s in some) for s in some for w in s.images}
        widths, lines = np.array(list(sizes)), np.array(list(sizes.values()), float)
        width = int(rng.choice(widths, p=lines * widths / (lines @ widths)))
        images = np.concatenate([s.images[width] for s in some if width in s.images])
        labels = np.concatenate([s.labels[width] for s in some if width in s.labels])
        picks = rng.permutation(len(images))[:max(8, min(96, _BATCH_WIDTH // width))]
        chosen = labels[picks].astype(np.int64)
        yield _varied(images[picks], rng), torch.from_numpy(chosen[chosen > 0]), torch.from_numpy((chosen > 0).sum(1))


def _varied(images: np.ndarray, rng: np.random.Generator) -> Tensor:
    """Cheap variety on top of the pool: grey copies, tone, a shift of up to three pixels, noise."""
    x = torch.from_numpy(np.ascontiguousarray(images.transpose(0, 3, 1, 2))).float()
    grey = torch.from_numpy(rng.random(len(x)) < 0.15)
    x[grey] = x[grey].mean(1, keepdim=True)
    if rng.random() < 0.25:
        x = x[:, torch.from_numpy(rng.permutation(3))]
    x = x * torch.from_numpy(np.exp(rng.normal(0, 0.12, (len(x), 3, 1, 1)))).float()
    dy, dx = (int(v) for v in rng.integers(-3, 4, 2))
    x = nn.functional.pad(x, (3, 3, 3, 3), mode="replicate")[:, :, 3 + dy:43 + dy, 3 + dx:x.shape[3] + 3 + dx]
    noise = rng.standard_normal(x.shape, np.float32) * np.float32(abs(rng.normal(0, 5)))
    return (x + torch.from_numpy(noise)).contiguous(memory_format=torch.channels_last)


@torch.no_grad()
def letter_errors(network: nn.Module, lines: Lines) -> dict[str, float]:
    """Wrong letters a hundred and lines read exactly, best path, on held-out hands."""
    network.eval()
    wrong = letters = exact = count = 0
    for width, images in lines.images.items():
        x = torch.from_numpy(images.transpose(0, 3, 1, 2).copy()).float()
        for path, label in zip(network(x).argmax(2).numpy(), lines.labels[width], strict=True):
            read = [int(v) for i, v in enumerate(path) if v and (i == 0 or v != path[i - 1])]
            truth = [int(v) for v in label if v]
            errors = edits(read, truth)
            wrong, letters, exact, count = wrong + errors, letters + len(truth), exact + (errors == 0), count + 1
    network.train()
    return {"letters": wrong / letters, "exact": exact / count}


def edits(a: list[int], b: list[int]) -> int:
    """Levenshtein's distance between two sequences."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def train(plan: Plan, work: Path, minutes: float) -> nn.Module:
    """Runs (or resumes) a plan, at most ``minutes`` of it; returns the averaged weights."""
    torch.manual_seed(plan.seed)
    network = line_network().to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.995), use_buffers=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=0.02)
    parts = {"network": network, "average": average, "optimiser": optimiser}
    start, curve, valid = 0, [], load(work / "valid", 0)
    if (work / "checkpoint.pt").exists():
        state = torch.load(work / "checkpoint.pt", weights_only=True)
        start, curve = state["step"], state["curve"]
        for name, part in parts.items():
            part.load_state_dict(state[name])
    begun, running = time.monotonic(), 3.0
    for step, batch in enumerate(batches(work / "pool", plan, start), start + 1):
        spent = (time.monotonic() - begun) / 60
        optimiser.param_groups[0]["lr"] = plan.rate * pace(step, max(step / plan.steps, spent / minutes))
        loss = loss_of(network, batch)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(network)
        running = 0.98 * running + 0.02 * loss.item()
        if step % 250 == 0 or step == plan.steps or spent > minutes:
            curve.append({"step": step, "loss": running, **letter_errors(average.module, valid)})
            left = spent / (step - start) * (plan.steps - step)
            print(f"step {step}/{plan.steps}  loss {running:.3f}  held-out letters wrong {curve[-1]['letters']:.3f}  "
                  f"lines exact {curve[-1]['exact']:.3f}  {left:.0f} min left", file=sys.stderr, flush=True)
            torch.save({n: p.state_dict() for n, p in parts.items()} | {"step": step, "curve": curve},
                       work / "checkpoint.part")
            (work / "checkpoint.part").replace(work / "checkpoint.pt")
            (work / "curve.json").write_text(json.dumps(curve))
        if spent > minutes:
            break
    return average.module


def pace(step: int, progress: float) -> float:
    """Share of the full learning rate: up over 200 steps, then down along a cosine as the run goes from 0 to 1."""
    return min(1.0, step / 200) * (0.5 + 0.5 * math.cos(math.pi * min(1.0, progress)))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--handwriting", type=Path, required=True, help="folder with the handwriting collections")
    parser.add_argument("--work", type=Path, default=Path("build/lines"), help="pool, checkpoint, curve")
    parser.add_argument("--out", type=Path, default=Path("scanner/reader/model"), help="where the ONNX file goes")
    parser.add_argument("--steps", type=int, default=Plan.steps)
    parser.add_argument("--shards", type=int, default=Plan.shards)
    parser.add_argument("--minutes", type=float, default=1e6, help="stop training after so long")
    args = parser.parse_args()
    plan = Plan(steps=args.steps, shards=args.shards, first=min(Plan.first, args.shards))
    torch.set_num_threads(1)
    fill(args.work / "valid", args.handwriting, _VALID_SEED, 1, held_out=True)
    maker = multiprocessing.get_context("spawn").Process(
        target=fill, args=(args.work / "pool", args.handwriting, plan.seed, plan.shards), daemon=True)
    maker.start()
    network = train(plan, args.work, args.minutes)
    maker.terminate()
    args.out.mkdir(parents=True, exist_ok=True)
    digest = export(network, args.out / "lines.onnx", ALPHABET, height=HEIGHT)
    print(f"{args.out / 'lines.onnx'}  sha256 {digest}", file=sys.stderr)


if __name__ == "__main__":
    main()
