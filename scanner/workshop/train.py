"""Trains the cell reader: one command, seeded, resumable, with progress and a curve.

    python -m scanner.workshop.train --handwriting ../handwriting --work build/training --out scanner/reader/model

The pool of cells (shards of 5,000) grows while training runs; which shards a step may draw from is fixed by the
step's number, so the result does not depend on how fast either side is.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import nn

from scanner.reader.network import networks_of
from scanner.workshop.cells import PRACTICE
from scanner.workshop.export import export
from scanner.workshop.feed import Batch, Pool, batches
from scanner.workshop.hands import load_writers
from scanner.workshop.held_out import best_temperature, held_out, report
from scanner.workshop.network import Network, grow
from scanner.workshop.pool import ALPHABET, SHARD, Shard, fill_pool, load_shard
from scanner.workshop.schedule import Cycle, Plan, rate_at
from scanner.workshop.validation import draw_curve, exact_share

_VALID_SEED = 99


def loss_of(network: nn.Module, batch: Batch) -> torch.Tensor:
    """CTC loss of a batch, per cell."""
    cells, labels, lengths = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):
        frames = network(cells)
    times = torch.full((len(cells),), frames.shape[1], dtype=torch.long)
    return nn.functional.ctc_loss(frames.float().permute(1, 0, 2), labels, times, lengths, zero_infinity=True)


def calibration_batches(shard: Shard, most: int = 64) -> list[np.ndarray]:
    """Cells of the five commonest widths of a shard, uint8, (N, 48, w, 3) each, for the ranges of the 8-bit network."""
    widths, counts = np.unique(shard.widths, return_counts=True)
    common = widths[np.argsort(-counts, kind="stable")[:5]]
    return [np.stack([shard.cell(i) for i in np.nonzero(shard.widths == w)[0][:most]]) for w in common]


def train(plan: Plan, pool: Pool, valid: Shard, work: Path) -> Network:
    """Runs (or resumes) a plan; returns the averaged weights; leaves ``curve.json`` and checkpoints in ``work``."""
    torch.manual_seed(plan.seed)
    curve: list[dict[str, float]] = []
    run = partial(_run, plan, pool, valid, curve)
    small = run(Network(), work / "checkpoint.pt", 0, plan.grows_at)
    if plan.grows_at == plan.steps:
        return small
    torch.manual_seed(plan.seed)
    return blended(plan, work, run(grow(small), work / "grown.pt", plan.grows_at, plan.steps))


def blended(plan: Plan, work: Path, network: Network) -> Network:
    """The network with the mean of the weights at the ends of the plan's last grown cycles."""
    ends = [end for end in plan.ends if end > plan.grows_at][-len(plan.blend):]
    shares = np.array(plan.blend[-len(ends):]) / sum(plan.blend[-len(ends):])
    parts = [torch.load(work / f"end-{end}.pt", weights_only=True) for end in ends]
    mean = {name: sum(float(share) * part[name] for share, part in zip(shares, parts, strict=True))
            if value.is_floating_point() else value for name, value in parts[-1].items()}
    network.load_state_dict(mean)
    return network


def _run(plan: Plan, pool: Pool, valid: Shard, curve: list[dict[str, float]], network: Network, checkpoint: Path,
         start: int, stop: int) -> Network:
    """The plan's steps from ``start`` (or where the checkpoint left off) to ``stop``; returns the averaged weights."""
    network = network.to(memory_format=torch.channels_last)
    decay = torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)
    average = torch.optim.swa_utils.AveragedModel(network, multi_avg_fn=decay, use_buffers=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.cycles[0].rate, weight_decay=0.02)
    parts = {"network": network, "average": average, "optimiser": optimiser}
    start = _resume(checkpoint, parts, start, curve)
    begun, running = time.monotonic(), 0.0
    for step, batch in enumerate(batches(pool, plan, start, stop), start + 1):
        # What is dropped out depends on the step alone, so that a resumed run goes on as it would have.
        torch.manual_seed(plan.seed * 1_000_003 + step)
        loss = _step(network, optimiser, rate_at(plan, step - 1), batch)
        average.update_parameters(network)
        running = 0.98 * running + 0.02 * loss
        if step in plan.ends:
            torch.save(average.module.state_dict(), checkpoint.parent / f"end-{step}.pt")
        if step % 500 == 0 or step == stop:
            curve.append({"step": step, "loss": running, **exact_share(average.module, valid)})
            _report(plan, curve[-1], (time.monotonic() - begun) / (step - start))
            _save(checkpoint, parts, step, curve)
            (checkpoint.parent / "curve.json").write_text(json.dumps(curve))
    return average.module


def _step(network: nn.Module, optimiser: torch.optim.Optimizer, rate: float, batch: Batch) -> float:
    for group in optimiser.param_groups:
        group["lr"] = rate
    loss = loss_of(network, batch)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 2.0)
    optimiser.step()
    return float(loss.detach())


def _report(plan: Plan, point: dict[str, float], seconds: float) -> None:
    left = seconds * (plan.steps - point["step"]) / 60
    print(f"step {point['step']}/{plan.steps}  loss {point['loss']:.3f}  held-out exact {point['exact']:.4f}  "
          f"struck {point['struck']:.3f}  {left:.0f} min left", file=sys.stderr, flush=True)


def _save(path: Path, parts: dict, step: int, curve: list) -> None:
    state = {name: part.state_dict() for name, part in parts.items()} | {"step": step, "curve": curve}
    torch.save(state, path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def _resume(path: Path, parts: dict, start: int, curve: list) -> int:
    """Takes up a checkpoint if there is one, its curve too; returns the steps done."""
    if not path.exists():
        return start
    state = torch.load(path, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(state[name])
    curve[:] = state["curve"]
    return state["step"]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--handwriting", type=Path, required=True, help="folder with the handwriting collections")
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="pool, checkpoints, curve")
    parser.add_argument("--out", type=Path, default=Path("scanner/reader/model"), help="where the ONNX file goes")
    parser.add_argument("--quick", action="store_true", help="five minutes, to see that all works; reads badly")
    parser.add_argument("--fill-only", action="store_true", help="make the pool, do not train")
    args = parser.parse_args()
    if not args.handwriting.is_dir():
        parser.error(f"{args.handwriting}: no such folder; it holds unipen_train, pendigits-orig, mnist, "
                     "optdigits-orig and semeion")
    args.out.mkdir(parents=True, exist_ok=True)
    plan = Plan(cycles=(Cycle(300, 2e-3, 2),), first=2) if args.quick else Plan()
    args.work.mkdir(parents=True, exist_ok=True)
    fill_pool(args.work / "valid", args.handwriting, _VALID_SEED, 1, held_out=True)
    if args.fill_only:
        fill_pool(args.work / "pool", args.handwriting, plan.seed, plan.shards)
        return
    fill_pool(args.work / "pool", args.handwriting, plan.seed, plan.first)
    # One core trains, the other goes on making cells; a second training thread would only wait for the first.
    torch.set_num_threads(1)
    filler = (args.work / "pool", args.handwriting, plan.seed, plan.shards)
    multiprocessing.get_context("spawn").Process(target=fill_pool, args=filler, kwargs={"jobs": 1}, daemon=True).start()
    network = train(plan, Pool(args.work / "pool"), load_shard(args.work / "valid", 0), args.work)
    draw_curve(json.loads((args.work / "curve.json").read_text()), args.out / "curve.png")
    finish(network, plan, args)


def finish(network: Network, plan: Plan, args: argparse.Namespace) -> None:
    """Writes the ONNX file, its temperature and ranges from cells of its own kind, and prints the evaluation table."""
    writers = load_writers(args.handwriting, held_out=True)
    count = 100 if args.quick else 1_500
    temperature = best_temperature(network, held_out(writers, PRACTICE[0].mixture, "calm", count))
    ranges = calibration_batches(load_shard(args.work / "pool", plan.shards - 1))
    digest = export(network, args.out / "cells.onnx", ALPHABET, temperature, calibration=ranges)
    print(f"{args.out / 'cells.onnx'}  sha256 {digest}  temperature {temperature}  ({plan.shards * SHARD:,} cells)",
          file=sys.stderr)
    with networks_of(args.out):
        report(writers, "calm", count // 3)


if __name__ == "__main__":
    main()
