"""Whether "80 %" means eight in ten: probabilities held against the truth, for cells and for problems.

Only cells below :data:`BELOW` are looked at: a reader that is right in 99 of 100 cells seems calibrated on all of them
whatever it says. Beside the scan stands a constant, the share of these cells that are right: it is calibrated too, but
its log-loss shows that it tells nothing apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scanner.sheet.errors import InputError
from scanner.sheet.results import GameResult
from scanner.workshop.evaluate import ACCUSE_NOBODY, same_text

#: Cells at least this sure are left out.
BELOW = 0.99
_EDGES = (0.0, 0.3, 0.5, 0.7, 0.85, 0.95, 1.0)
#: A probability said is kept this far from 0 and 1, or one mistake would make the log-loss endless.
_CLIP = 1e-6
#: Draws from which the error that luck alone makes is told, to about a twentieth of a percent.
_DRAWS = 2_000
_PICTURES = (".png", ".svg", ".pdf")


@dataclass(frozen=True, eq=False)
class Said:
    """Probabilities that were said, shape (N,), and whether what they were said of was so, shape (N,)."""

    chances: np.ndarray
    true: np.ndarray

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, bool]]) -> Said:
        """From (probability, whether it was so) pairs."""
        pairs = list(pairs)
        return cls(np.array([p for p, _ in pairs], dtype=float), np.array([t for _, t in pairs], dtype=bool))

    def constant(self) -> Said:
        """The same saying of everything what is right on average."""
        return Said(np.full(self.true.size, self.true.mean() if self.true.size else 0.0), self.true)

    @property
    def log_loss(self) -> float:
        """Mean surprise in nats; 0 is a prophet's."""
        chances = np.clip(self.chances, _CLIP, 1 - _CLIP)
        return float(-np.log(np.where(self.true, chances, 1 - chances)).mean()) if self.true.size else 0.0

    def bins(self) -> list[tuple[int, float, float]]:
        """(count, mean said, share that was so) of every bin that is not empty."""
        place = np.digitize(self.chances, _EDGES[1:-1])
        return [(int(here.sum()), float(self.chances[here].mean()), float(self.true[here].mean()))
                for here in (place == b for b in range(len(_EDGES) - 1)) if here.any()]  # fmt: skip

    @property
    def calibration_error(self) -> float:
        """Expected calibration error: how far said and true are apart, averaged over the bins by their counts."""
        return sum(n * abs(said - true) for n, said, true in self.bins()) / max(1, self.true.size)

    def error_by_luck(self) -> tuple[float, float]:
        """The calibration error somebody who is right exactly as often as said would show on so few: mean, and 95 %
        quantile (Brocker and Smith 2007, "Increasing the reliability of reliability diagrams", draw likewise)."""
        if not self.true.size:
            return 0.0, 0.0
        so = np.random.default_rng(1).random((_DRAWS, self.true.size)) < self.chances
        errors = [Said(self.chances, row).calibration_error for row in so]
        return float(np.mean(errors)), float(np.quantile(errors, 0.95))


def cells_said(truth: Mapping[str, Any], game: GameResult | None) -> list[tuple[float, bool]]:
    """(confidence, whether the text is right) of the doubtful cells of a game that are on the paper."""
    rows = {row.row: row.cells for row in game.rows} if game else {}
    found = []
    for number, written in enumerate(truth["rows"], 1):
        for key, text in written.items():
            cell = rows.get(number, {}).get(key)
            if cell is not None and cell.confidence < BELOW:
                found.append((cell.confidence, same_text(text, cell.text)))
    return found


def problems_said(truth: Mapping[str, Any], game: GameResult | None) -> list[tuple[float, bool]]:
    """(probability, whether the row holds a slip) of the problems that accuse a row."""
    slips = {slip["row"] for slip in truth.get("slips", ())}
    accusing = [p for p in game.problems if p.code not in ACCUSE_NOBODY] if game else []
    return [(p.probability, p.row in slips) for p in accusing]


def table(kind: str, said: Said) -> str:
    """Lines of text: log-loss and calibration error beside those of a constant, and what was so in every bin."""
    if not said.true.size:
        return f"{kind}: none"
    flat, (luck, most) = said.constant(), said.error_by_luck()
    lines = [f"{kind}: {said.true.size}, {100 * said.true.mean():.1f} % so; log-loss {said.log_loss:.3f}"
             f" (constant {flat.log_loss:.3f}), calibration error {100 * said.calibration_error:.1f} %"
             f" (by luck alone {100 * luck:.1f} %, up to {100 * most:.1f} %)"]  # fmt: skip
    lines += [f"  said {100 * s:5.1f} %, so {100 * t:5.1f} % of {n}" for n, s, t in said.bins()]
    return "\n".join(lines)


def picture_file(path: str) -> Path:
    """Where a diagram goes.

    Raises:
        InputError: the name does not end as a picture's does, or its folder does not exist.
    """
    file = Path(path)
    if file.suffix.lower() not in _PICTURES or not file.parent.is_dir():
        ends = ", ".join(_PICTURES)
        raise InputError(f"{path}: no place for a picture; its folder must exist and its name end in {ends}.")
    return file


def draw(parts: Mapping[str, Said], path: Path) -> None:
    """The reliability diagram: said against so, one line a kind, bars of how many below; a constant as a cross."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, height_ratios=(3, 1), sharex=True)
    upper.plot((0, 1), (0, 1), color="0.7", linewidth=1)
    for (kind, said), colour in zip(parts.items(), ("C0", "C3", "C2"), strict=False):
        if said.true.size:
            _draw_one(upper, lower, kind, said, colour)
    upper.set(ylabel="so", xlim=(0, 1), ylim=(0, 1), title="Said against so")
    lower.set(xlabel="probability said", ylabel="how many", yscale="symlog")
    upper.legend(loc="lower right", fontsize="small")
    figure.savefig(path, dpi=110)


def _draw_one(upper: Any, lower: Any, kind: str, said: Said, colour: str) -> None:
    counts, chances, true = (np.array(column) for column in zip(*said.bins(), strict=True))
    spread = 1.96 * np.sqrt(np.maximum(true * (1 - true), 0.25 / counts) / counts)
    name = f"{kind}, {said.true.size} (log-loss {said.log_loss:.2f}, constant {said.constant().log_loss:.2f})"
    upper.errorbar(chances, true, spread, fmt="-o", color=colour, capsize=2, label=name)
    upper.plot([said.true.mean()], [said.true.mean()], "x", color=colour)
    lower.bar(chances, counts, width=0.03, color=colour, alpha=0.6)


def both(pairs: Sequence[tuple[Mapping[str, Any], GameResult | None]]) -> dict[str, Said]:
    """Cells and problems of many games, by the name they have in tables."""
    return {
        f"cells below {BELOW}": Said.of(x for truth, game in pairs for x in cells_said(truth, game)),
        "problems": Said.of(x for truth, game in pairs for x in problems_said(truth, game)),
    }
