"""What a second look at doubtful cells is worth: ``python -m scanner.workshop.second_look --work build/training``.

Reads the held-out writers' cells of a training run once and with second looks, and prints the share read exactly and
the log-loss of both.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from scanner.reader.cells import read_cells
from scanner.reader.lattice import text_log_probs
from scanner.reader.network import read_frames
from scanner.sheet.texts import INDEX, VOCABULARY, canonical
from scanner.workshop.pool import ALPHABET, Shard, load_shard
from scanner.workshop.writing import STRUCK


def live_text(shard: Shard, i: int) -> str:
    """What stands in a cell of a shard, in the vocabulary's spelling, struck digits left out."""
    letters = "".join(ALPHABET[v] for v in shard.labels[i] if v)
    return canonical("".join(c for c in letters if c not in STRUCK)) or ""


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("build/training"), help="folder of a training run")
    parser.add_argument("--cells", type=int, default=3000)
    args = parser.parse_args()
    shard = load_shard(args.work / "valid", 0)
    cells = [shard.cell(i) for i in range(args.cells)]
    places = np.array([INDEX[live_text(shard, i)] for i in range(args.cells)])
    once = np.stack([text_log_probs(frame[None])[0] for frame in read_frames(cells)])
    twice = np.stack([r.log_probs for r in read_cells(cells)])
    for name, rows in (("one look", once), ("second looks", twice)):
        exact = (rows.argmax(1) == places).mean()
        print(f"{name:13s} exact {100 * exact:.2f} %  log-loss {-rows[np.arange(len(rows)), places].mean():.4f}"
              f"  ({len(rows)} cells, {len(VOCABULARY)} texts)")


if __name__ == "__main__":
    main()
