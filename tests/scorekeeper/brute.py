"""The model of docs/scorekeeper.md once more, as plain loops over every text of every cell: slow and independent."""

from __future__ import annotations

from itertools import product
from math import exp

from scanner.scorekeeper.prior import slip_prior
from scanner.scorekeeper.slips import Slip, chance_of_figure, chance_of_others_total, rate

SIDES = ("we", "they")


def row_ways(hand, before, keys, figures, older=None):
    """Every (chance, totals after, {cell: {text: share}}) of one hand: points, or ``XX``, for each side.

    ``older``: for each side {figure: chance that it is a total further up}.
    """
    values = [0 if h == "XX" else h for h in hand]
    right = [b + v for b, v in zip(before, values, strict=True)]
    plain = {key: cell(key, hand, values, before, right, right, keys) for key in keys}
    yield 1.0, right, plain
    for i, side in enumerate(SIDES):
        points, total, other = f"{side}_points", f"{side}_total", values[1 - i]
        mine = [key for key in (points, total) if key in keys]

        def changed(after_i, follows, i=i, **cells):
            after = [after_i, right[1 - i]] if i == 0 else [right[0], after_i]
            found = {key: cell(key, hand, values, before, right, after, keys, follows) for key in keys}
            return after, {**found, **{k: c for k, c in cells.items() if k in keys}}

        if hand[i] != "XX" and points in keys:
            for figure in figures[points]:
                text = {points: {str(figure): 1.0}}
                chance = chance_of_figure(Slip.POINTS_WE, figure)[values[i]]
                yield rate(Slip.POINTS_WE) * chance, *changed(right[i], figure + other, **text)
                moved = before[i] + figure
                text = {points: {str(figure): 1.0}, total: {str(moved): 1.0}}
                chance = chance_of_figure(Slip.COUNT_WE, figure)[values[i]]
                yield rate(Slip.COUNT_WE) * chance, *changed(moved, figure + other, **text)
        if total in keys and (points in keys or hand[i] != "XX"):
            for figure in figures[total]:
                chance = chance_of_figure(Slip.TOTAL_WE, figure)[right[i]]
                if figure == before[1 - i] + values[i] != right[i]:
                    chance += chance_of_others_total()
                if older:
                    chance += known_better(figure, values[i], right[i], older[i])
                follows = None if points in keys else max(0, figure - before[i] + other)
                yield rate(Slip.TOTAL_WE) * chance, *changed(figure, follows, **{total: {str(figure): 1.0}})
        if total in keys and hand[i] != "XX" and values[i] > 0:
            yield rate(Slip.BLANK_WE), *changed(right[i], None, **{total: {"": 1.0}})
        if hand[i] == "XX" and mine:
            stays = {str(before[i]): 0.55, "": 0.45} if points in keys else {str(before[i]): 0.6, "": 0.4}
            text = {points: {"": 0.6, "0": 0.2, "-": 0.2}, total: stays}
            yield rate(Slip.NO_MARK_WE), *changed(right[i], None, **text)
            text = {points: {str(other): 1.0}, total: {str(before[i] + other): 1.0}}
            yield rate(Slip.TIED_WE), *changed(before[i] + other, 2 * other, **text)
        if hand[i] != "XX" and values[i] > 0 and mine:
            stays = {str(before[i]): 0.55, "": 0.35, "XX": 0.1} if points in keys else {"XX": 1.0}
            yield rate(Slip.MARKED_WE) / 2, *changed(before[i], other, **{points: {"XX": 1.0}, total: stays})
            if points in keys:
                text = {points: {"XX": 1.0}, total: {str(right[i]): 1.0}}
                yield rate(Slip.MARKED_WE) / 2, *changed(right[i], other, **text)
    if {"we_points", "they_points"} <= set(keys):
        turned = (hand[1], hand[0])
        cells = {f"{s}_points": cell(f"{s}_points", turned, values[::-1], before, right, right, keys) for s in SIDES}
        yield rate(Slip.SWAPPED), right, {**plain, **cells}
    checks = (("hand_check", Slip.HAND_CHECK, sum(values)), ("total_check", Slip.TOTAL_CHECK, sum(right)))
    for key, slip, want in checks:
        for figure in figures.get(key, ()):
            yield rate(slip) * chance_of_figure(slip, figure)[want], right, {**plain, key: {str(figure): 1.0}}


def known_better(figure, value, right, older):
    """Two thirds of the misplaced sums take an older total: nine in ten one that is known, not any smaller figure."""
    ways = slip_prior().figures["total"]
    at_random = exp((figure - right) / ways.reach) / ways.reach if figure < right else 0.0
    known = older.get(figure - value, 0.0) if figure != right else 0.0
    return 0.995 * 0.9 * 2 / 3 * ways.elsewhere * (known - at_random)


def cell(key, hand, values, before, right, after, keys, follows=None):
    """{text: share} of a cell that is not itself the place of the slip."""
    if key == "hand_check":
        want = sum(values)
        if follows is None or follows == want:
            return {str(want): 0.998, "": 0.002}
        return {str(want): 0.599, str(follows): 0.399, "": 0.002}
    if key == "total_check":
        if right == after:
            return {str(sum(right)): 0.998, "": 0.002}
        if sum(right) == sum(after):
            return {str(sum(after)): 0.998, "": 0.002}
        return {str(sum(after)): 0.799, str(sum(right)): 0.199, "": 0.002}
    i = SIDES.index(key.split("_")[0])
    mark = "XX" if hand[i] == "XX" else "-" if values[i] == 0 else None
    if key.endswith("points"):
        if mark == "XX":
            return {"XX": 1.0}
        return {"-": 0.748, "0": 0.25, "": 0.002} if mark else {str(values[i]): 0.998, "": 0.002}
    if mark and f"{SIDES[i]}_points" in keys:
        return {str(before[i]): 0.55, "": 0.35, mark: 0.10}
    if mark:
        return {"XX": 1.0} if mark == "XX" else {"-": 0.5, str(before[i]): 0.5}
    return {str(right[i]): 1.0}


def remains(text):
    """{text that is left: chance} of a cell that has lost some ink: runs of its digits, a stroke, fewer digits."""
    if not text:
        return {"": 1.0}
    found = {}

    def may_be(texts, chance):
        for other in texts:
            found[other] = found.get(other, 0.0) + chance / len(texts)

    stroke = ["-", "1"]
    if text == "XX":
        may_be(stroke, 0.5)
        may_be([str(n) for n in range(100)], 0.5)
    elif text.isdigit() and len(text) > 1:
        runs = sorted({text[i : i + n] for n in range(1, len(text)) for i in range(len(text) - n + 1)})
        may_be([run for run in runs if run == "0" or not run.startswith("0")], 0.5)
        may_be(stroke, 0.25)
        may_be([str(n) for n in range(10 ** (len(text) - 1))], 0.25)
    else:
        may_be(stroke, 1.0)
    return found


def looks_washed(seen, text, unseen, partly):
    """How well a text explains a cell of a washed-out row; ``seen``: {text: likelihood}."""
    if not text:
        return seen.get("", 0.0)
    left = sum(chance * seen.get(other, 0.0) for other, chance in remains(text).items())
    return (1 - unseen - partly) * seen.get(text, 0.0) + unseen * seen.get("", 0.0) + partly * left


def game_sum(rows, hands, keys, skipped, light, older):
    """The full joint: its sum, and for each (row, cell) the weight of every text.

    Args:
        rows: for each row {cell: {text: likelihood}}.
        hands: {(we, they): prior}.
        light: for each row how often it is washed out after a clear row and after one that is, and for each cell then
            how often it looks empty whatever it holds and how often only some of its ink is left; None for these if the
            row cannot be washed out.
        older: for each row what is known of the totals further up, as :func:`row_ways` takes it.
    """
    marginals = {(r, key): {} for r in range(len(rows)) for key in keys}
    paper = (rows, hands, keys, skipped, light, older)
    return _sum_from(0, (0, 0), 1.0, 0, {}, paper, marginals), marginals


def _sum_from(r, before, weight, faded, chosen, paper, marginals):
    rows, hands, keys, skipped, light, older = paper
    if r == len(rows):
        for place, text in chosen.items():
            marginals[place][text] = marginals[place].get(text, 0.0) + weight
        return weight
    seen, (enters, stays, gone) = rows[r], light[r]
    chain = {(0, 0): 1 - enters, (0, 1): enters, (1, 0): 1 - stays, (1, 1): stays}
    figures = {key: [int(t) for t in seen[key] if t.isdigit()] for key in keys}
    ways = [(p * c, a, cells) for hand, p in hands.items()
            for c, a, cells in row_ways(hand, before, keys, figures, older[r])]  # fmt: skip
    ways.append((skipped, list(before), {key: {"": 1.0} for key in keys}))
    total = 0.0
    for (chance, after, cells), now in product(ways, (0, 1) if gone else (0,)):
        open_texts = []
        for key in keys:
            looks = {t: seen[key].get(t, 0.0) for t in cells[key]}
            if now:
                looks = {t: looks_washed(seen[key], t, *gone[key]) for t in looks}
            open_texts.append([(t, cells[key][t] * fit) for t, fit in looks.items() if fit])
        for texts in product(*open_texts):
            joint = weight * chance * chain[faded, now]
            for _, fit in texts:
                joint *= fit
            if joint > 0:
                more = {**chosen, **{(r, key): t for key, (t, _) in zip(keys, texts, strict=True)}}
                total += _sum_from(r + 1, tuple(after), joint, now, more, paper, marginals)
    return total
