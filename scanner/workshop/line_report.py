"""How well written lines are read: names against rosters and dates, on lines by hands kept out of training.

    python -m scanner.workshop.line_report --handwriting ../handwriting --lines 600 [--fit]

Half of the names are on their roster of six to thirty teams.  ``--fit`` searches the constants of
:mod:`scanner.reader.names` that make these lines likeliest, and prints what they would be.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from scanner.reader import names
from scanner.reader.dates import date_on, parse_date
from scanner.reader.lines import Line, fold, read_lines
from scanner.sheet.roster import Roster, Team
from scanner.workshop.letters import load_letter_hands
from scanner.workshop.lines import compose_line
from scanner.workshop.phrases import cased, random_date, random_name

_SEED = 4242


@dataclass(frozen=True)
class Trial:
    """A line, what it says, and a roster on which that stands at ``place`` (the number of teams: it does not)."""

    line: Line
    text: str
    roster: Roster
    place: int


def trials(hands: tuple, count: int, rng: np.random.Generator) -> list[Trial]:
    """``count`` names written by the hands, each with a roster of its own."""
    out = []
    while len(out) < count:
        teams = list({fold(random_name(rng)): None for _ in range(int(rng.integers(6, 31)))})
        teams = [t for t in teams if len(t) > 1]
        text, place = teams[0], len(teams) - 1
        roster = teams[1:]
        if rng.random() < 0.5:
            place = int(rng.integers(len(roster) + 1))
            roster.insert(place, text)
        image, label = compose_line(hands, rng, cased(text, rng))
        out.append(Trial(read_lines([image])[0], label, Roster(tuple(Team(t) for t in roster)), place))
    return out


def report_names(some: list[Trial]) -> str:
    """Right, wrong and none among names on the roster, and strangers taken for a team."""
    right = wrong = sure = strangers = taken = exact = 0
    for trial in some:
        label = names.name_on(trial.line, trial.roster)
        known = trial.place < len(trial.roster.teams)
        hit = known and label.text == trial.roster.names[trial.place]
        right, wrong = right + hit, wrong + (known and bool(label.text) and not hit)
        sure += bool(label.text) and not hit and label.confidence >= 0.9
        strangers, taken = strangers + (not known), taken + (not known and bool(label.text))
        exact += names.spelled(trial.line)[0] == trial.text
    known = len(some) - strangers
    return (f"{known} names on their roster: {right} right, {wrong} wrong, {known - right - wrong} none; "
            f"{strangers} strangers: {taken} taken for a team; wrong with 0.9 or more: {sure}; "
            f"spelled exactly without a roster: {exact} of {len(some)}")


def report_dates(hands: tuple, count: int, rng: np.random.Generator) -> str:
    """Dates read right, wrong and not at all, of possible ones in all spellings."""
    right = wrong = none = 0
    while right + wrong + none < count:
        text = random_date(rng)
        day = parse_date(text)
        if day is None:
            continue
        image, _ = compose_line(hands, rng, text)
        label = date_on(read_lines([image])[0])
        read = parse_date(label.text)
        right, none, wrong = right + (read == day), none + (read is None), wrong + (read not in (None, day))
    return f"{count} dates: {right} right, {wrong} wrong, {none} none"


def fit(some: list[Trial]) -> tuple[float, float, float, float]:
    """LETTER_NATS, NONE_NATS and TRUST with the least mean log-loss of the true answer, and that loss."""
    scored = []
    for trial in some:
        texts = [fold(n) for n in trial.roster.names]
        lengths = np.array([len(t) for t in texts])
        scored.append((names.mixed(trial.line.log_probs(texts)), lengths, trial.place))
    best = (np.inf,) * 4
    trusts = (0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
    for letter, none, trust in product(np.arange(1.0, 4.01, 0.25), np.arange(-4, 8.1, 1.0), trusts):
        loss = 0.0
        for nats, lengths, place in scored:
            scores = trust * np.append(nats + letter * lengths, none)
            scores[-1] += np.log(len(nats))
            loss += np.logaddexp.reduce(scores) - max(scores[place], -50.0)
        best = min(best, (loss / len(scored), float(letter), float(none), trust))
    return best[1], best[2], best[3], best[0]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--handwriting", type=Path, required=True, help="folder with the handwriting collections")
    parser.add_argument("--lines", type=int, default=600)
    parser.add_argument("--fit", action="store_true")
    args = parser.parse_args()
    hands, rng = load_letter_hands(args.handwriting, held_out=True), np.random.default_rng(_SEED)
    some = trials(hands, args.lines, rng)
    if args.fit:
        letter, none, trust, loss = fit(some)
        print(f"LETTER_NATS = {letter}, NONE_NATS = {none}, TRUST = {trust}  (log-loss {loss:.3f})")
    print(report_names(some))
    print(report_dates(hands, args.lines // 3, rng))


if __name__ == "__main__":
    main()
