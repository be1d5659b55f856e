"""The decoder's sums against brute force over the full joint, to nine digits."""

from __future__ import annotations

import numpy as np
import pytest
from brute import game_sum

from scanner.scorekeeper.hands import HandTable
from scanner.scorekeeper.lattice import KEEP_STATE, MOST_STATES, best_path, posteriors, run_forward
from scanner.scorekeeper.posterior import cell_posterior
from scanner.scorekeeper.rowmodel import KEEP, SKIPPED, RowModel
from scanner.scorekeeper.washed import (
    ENTERS,
    LIT_ENTERS,
    LIT_STAYS,
    LIT_UNSEEN,
    PARTLY,
    STAYS,
    UNSEEN,
    chain_of,
    washed_likelihoods,
)
from scanner.sheet.reading import certain
from scanner.sheet.texts import EMPTY, INDEX, NUMBERS, VOCABULARY

HANDS = {(92, 70): 0.3, (82, 80): 0.2, (70, 92): 0.2, ("XX", 91): 0.1, (0, 162): 0.1, (101, "XX"): 0.06,
         (102, 80): 0.04}  # fmt: skip
CODE = 200
# For each layout two rows of texts that some hand, some slip and some misreading can all lay claim to.
ROWS = {
    ("we_points", "they_points", "we_total", "they_total"): [
        ({"92", "82", "XX"}, {"70", "91", ""}, {"92", "82", "0", ""}, {"70", "80", "91"}),
        ({"82", "-", "XX", "92", "0"}, {"80", "162", "91"}, {"174", "92", "", "164", "152"}, {"150", "160", "232"}),
    ],
    ("we_total", "they_total", "hand_check", "total_check"): [
        ({"92", "82", "XX", "0"}, {"70", "80", "91"}, {"162", "91", "172"}, {"162", "172", ""}),
        ({"174", "XX", "92", "164", ""}, {"150", "140", "232"}, {"162", "", "152"}, {"324", "314", "244"}),
    ],
    ("we_points", "they_points"): [
        ({"92", "XX", "82"}, {"70", "91"}),
        ({"82", "92", "0", ""}, {"80", "70", "XX", "162"}),
    ],
}


def table() -> HandTable:
    codes = np.array([[CODE if h == "XX" else h for h in hand] for hand in HANDS]).T
    return HandTable(codes, np.array(list(HANDS.values())), CODE)


@pytest.mark.parametrize("lit", [False, True], ids=["", "blown out"])
@pytest.mark.parametrize("keys", list(ROWS), ids="+".join)
def test_sums_and_marginals_equal_brute_force(keys, lit):
    rng = np.random.default_rng(5)
    rows = [{k: {t: float(rng.uniform(0.05, 1)) for t in sorted(ts)} for k, ts in zip(keys, row, strict=True)}
            for row in ROWS[keys]]  # fmt: skip
    seen = [{key: np.zeros(len(VOCABULARY)) for key in keys} for _ in rows]
    for likelihoods, row in zip(seen, rows, strict=True):
        for key, texts in row.items():
            likelihoods[key][[INDEX[t] for t in texts]] = list(texts.values())
    said = [_said(row, lit) for row in rows]
    washed = [washed_likelihoods(readings, likelihoods) for readings, likelihoods in zip(said, seen, strict=True)]
    older = [None, [{82: 0.5, 10: 0.2, 0: 0.3}, {0: 0.6, 70: 0.4}]]
    models = [RowModel(s, keys, table(), keep=0.0, washed=w, older=_as_array(o), chain=chain_of(readings))
              for s, w, o, readings in zip(seen, washed, older, said, strict=True)]  # fmt: skip
    steps = run_forward(models, lambda states: np.ones(len(states)), most_states=10**9, keep_state=0.0)
    total, marginals = game_sum(rows, HANDS, keys, SKIPPED, [_light(row, lit) for row in rows], older)
    assert total > 0 and washed[1] is not None
    assert np.exp(steps[-1].log_scale) == pytest.approx(total, rel=1e-9)
    shares = posteriors(steps, np.ones(len(steps[-1].states)))
    for (r, key), texts in marginals.items():
        found = cell_posterior(steps[r], shares[r], key, models[r])
        assert found.sum() == pytest.approx(1, rel=1e-9)
        for text, weight in texts.items():
            assert found[INDEX[text]] == pytest.approx(weight / total, rel=1e-9)
    path = best_path(steps, np.ones(len(steps[-1].states)))
    assert len(path) == len(rows) and steps[1].rows.state[path[1]] == steps[0].to[path[0]]


def _as_array(older):
    return older and np.array([[side.get(figure, 0.0) for figure in range(NUMBERS)] for side in older])


def _said(row, lit):
    """Readings of a row whose cells look empty where they may be; nothing is seen of these at all if it is ``lit``."""
    return {key: certain(EMPTY if EMPTY in texts else "1", 0.9 if lit else 0.1) for key, texts in row.items()}


def _light(row, lit):
    """What ``brute.game_sum`` wants to know of the light on a row."""
    bare = [key for key, texts in row.items() if EMPTY in texts]
    chain = (LIT_ENTERS, LIT_STAYS) if lit and bare else (ENTERS, STAYS)
    gone = {key: (LIT_UNSEEN, 0.0) if lit and key in bare else (UNSEEN, PARTLY) for key in row}
    return *chain, gone if bare else None


def test_pruning_changes_nothing_that_matters():
    keys = next(iter(ROWS))
    rng = np.random.default_rng(6)
    seen = {key: rng.uniform(1e-7, 1e-6, len(VOCABULARY)) for key in keys}
    for key, text in zip(keys, ("92", "70", "92", "80"), strict=True):
        seen[key][INDEX[text]] = 1.0
    exact, pruned = (RowModel(seen, keys, table(), keep=keep) for keep in (0.0, 1e-6))
    sums = [model.explanations(np.zeros((1, 2), dtype=np.int64))[1].sum() for model in (exact, pruned)]
    assert sums[1] <= sums[0] and sums[1] == pytest.approx(sums[0], rel=1e-2)


@pytest.mark.parametrize("keys", list(ROWS), ids="+".join)
def test_what_is_dropped_from_unlikely_states_changes_nothing_that_matters(keys):
    """The same games searched with the program's own bounds: sums and marginals stay within a thousandth."""
    rng = np.random.default_rng(7)
    seen = []
    for row in ROWS[keys]:
        seen.append({key: rng.uniform(1e-7, 1e-6, len(VOCABULARY)) for key in keys})
        for key, texts in zip(keys, row, strict=True):
            seen[-1][key][[INDEX[t] for t in sorted(texts)]] = 10 ** rng.uniform(-4, 0, len(texts))
    models = [RowModel(s, keys, table()) for s in seen]
    exact, pruned = (run_forward([RowModel(m.seen, keys, m.table, keep=keep) for m in models],
                                 lambda states: np.ones(len(states)), most_states=most, keep_state=share)
                     for keep, most, share in ((0.0, 10**9, 0.0), (KEEP, MOST_STATES, KEEP_STATE)))  # fmt: skip
    assert sum(step.rows.hand.size for step in pruned) < sum(step.rows.hand.size for step in exact)
    assert np.exp(pruned[-1].log_scale - exact[-1].log_scale) == pytest.approx(1, abs=1e-3)
    shares = [posteriors(steps, np.ones(len(steps[-1].states))) for steps in (exact, pruned)]
    for r, model in enumerate(models):
        for key in keys:
            one, two = (cell_posterior(steps[r], share[r], key, model)
                        for steps, share in zip((exact, pruned), shares, strict=True))  # fmt: skip
            assert np.abs(one - two).max() < 1e-3
