"""The faults by name: each turns an everyday plan into one with that fault, of a strength drawn by chance.

Strengths end where a careful person still reads every cell that is not marked as hidden; the last ones of the table go
beyond on purpose, and say which refusals are then true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.foreign.pads import EXTRAS, INKS, TINTS, Ruling, faint
from benchmarks.foreign.paper import PENS
from benchmarks.foreign.plan import Plan
from benchmarks.foreign.surface import Bend

Fault = Callable[[np.random.Generator, Plan], Plan]
#: The faults that photos go through in turn, in this order.
FAULTS: dict[str, Fault] = {}
#: Others, made only when asked for by name.
HARDER: dict[str, Fault] = {}
#: Codes that are true of a photo of which a part of the grid is missing.
PARTIAL = ("partial-sheet",)


def fault(name: str, among: dict[str, Fault] = FAULTS) -> Callable[[Fault], Fault]:
    """Registers a fault under its name."""
    def keep(make: Fault) -> Fault:
        among[name] = make
        return make
    return keep


def _sign(rng: np.random.Generator) -> float:
    return float(rng.choice([-1, 1]))


@fault("clean")
def _clean(rng: np.random.Generator, plan: Plan) -> Plan:
    return plan


@fault("perspective")
def _perspective(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, pitch=rng.uniform(12, 35), yaw=_sign(rng) * rng.uniform(5, 22), focal=rng.uniform(0.7, 0.85))


@fault("turn")
def _turn(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, turn=_sign(rng) * rng.uniform(15, 35))


@fault("curl")
def _curl(rng: np.random.Generator, plan: Plan) -> Plan:
    edge = Bend("lift", float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 12), rng.uniform(-20, 25),
                rng.uniform(18, 45))
    swell = Bend("wave", rng.uniform(0, 180), rng.uniform(-40, 40), rng.uniform(2, 6), rng.uniform(90, 160))
    return replace(plan, bends=(edge, swell), pitch=plan.pitch + rng.uniform(4, 18))


@fault("crease")
def _crease(rng: np.random.Generator, plan: Plan) -> Plan:
    count = int(rng.integers(1, 4))
    bends = tuple(Bend("crease", rng.uniform(0, 180), rng.uniform(-30, 30), _sign(rng) * rng.uniform(0.05, 0.12), 1.2)
                  for _ in range(count))
    return replace(plan, bends=bends, pitch=rng.uniform(3, 15))


@fault("fold")
def _fold(rng: np.random.Generator, plan: Plan) -> Plan:
    bends = [Bend("crease", 90 + rng.normal(0, 1.5), rng.normal(0, 4), rng.uniform(0.08, 0.2), 0.8)]
    if rng.random() < 0.5:
        bends.append(Bend("crease", rng.normal(0, 1.5), rng.normal(0, 3), -rng.uniform(0.06, 0.15), 0.8))
    return replace(plan, bends=tuple(bends), pitch=rng.uniform(3, 15))


@fault("torn")
def _torn(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, torn=rng.uniform(12, 26))


@fault("shadow")
def _shadow(rng: np.random.Generator, plan: Plan) -> Plan:
    light = replace(plan.light, shadow=rng.uniform(0.35, 0.62), shadow_soft=rng.uniform(0.002, 0.02))
    return replace(plan, light=light)


@fault("glare")
def _glare(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, light=replace(plan.light, glare=rng.uniform(0.5, 0.95), glare_size=rng.uniform(0.04, 0.13)))


@fault("flash")
def _flash(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, light=replace(plan.light, flash=rng.uniform(0.5, 1.0), level=rng.uniform(0.55, 0.8)),
                   lens=replace(plan.lens, noise=rng.uniform(0.012, 0.025)))


@fault("defocus")
def _defocus(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, lens=replace(plan.lens, defocus=rng.uniform(0.045, 0.085)))


@fault("motion")
def _motion(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, lens=replace(plan.lens, motion=rng.uniform(0.05, 0.10)))


@fault("low light")
def _low_light(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, light=replace(plan.light, level=rng.uniform(0.16, 0.34), slope=rng.uniform(0.2, 0.45)),
                   lens=replace(plan.lens, noise=rng.uniform(0.02, 0.04), sharpen=0.1))


@fault("white balance")
def _white_balance(rng: np.random.Generator, plan: Plan) -> Plan:
    warm = rng.uniform(0.25, 0.55) * _sign(rng)
    return replace(plan, light=replace(plan.light, tint=(1.0, 1 - abs(warm) * 0.3, 1 - warm) if warm > 0 else
                                       (1 + warm, 1 + warm * 0.25, 1.0)))


@fault("messenger")
def _messenger(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, fill=rng.uniform(0.86, 0.96),
                   lens=replace(plan.lens, sent=900, quality=int(rng.integers(62, 80))))


@fault("jpeg")
def _jpeg(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, long_side=2000, lens=replace(plan.lens, quality=int(rng.integers(22, 40))))


@fault("scan")
def _scan(rng: np.random.Generator, plan: Plan) -> Plan:
    light = replace(plan.light, level=rng.uniform(0.93, 1.0), tint=(1.0, 1.0, 1.0), slope=0.0)
    dpi = int(rng.choice([150, 200, 300, 400, 600], p=[0.3, 0.2, 0.3, 0.1, 0.1]))
    return replace(plan, dpi=dpi, turn=rng.normal(0, 1.8), light=light,
                   lens=replace(plan.lens, defocus=0.008, noise=0.003, quality=85))


@fault("photocopy")
def _photocopy(rng: np.random.Generator, plan: Plan) -> Plan:
    plan = replace(plan, copied=True, pens=(PENS[int(rng.integers(2))], plan.pens[1]))
    plan = replace(plan, pad=replace(plan.pad, paper=(0.97, 0.97, 0.96), pattern="plain"))
    return _scan(rng, plan) if rng.random() < 0.5 else plan


@fault("thumb")
def _thumb(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, things=("thumb",))


@fault("pencil on it")
def _pencil(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, things=("pencil",))


@fault("two sheets")
def _two(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, things=("second",), upright=False, long_side=max(plan.long_side, 2600), fill=0.93)


@fault("half covered")
def _covered(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, things=("covered",), fill=rng.uniform(0.7, 0.8))


@fault("fills frame")
def _fills(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, fill=rng.uniform(1.02, 1.05), shift=(0.0, 0.0), turn=rng.normal(0, 0.8),
                   pitch=rng.normal(0, 1.5), yaw=rng.normal(0, 1.5), bends=(),
                   upright=plan.pad.size[1] > plan.pad.size[0])


@fault("white on white")
def _white(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, table="white", pad=replace(plan.pad, paper=(0.96, 0.96, 0.95)))


@fault("cloth")
def _cloth(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, table=str(rng.choice(["cloth", "checked", "flowers"])))


@fault("wood grain")
def _wood(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, table=str(rng.choice(["dark wood", "light wood"])), turn=rng.normal(0, 2),
                   fill=rng.uniform(0.6, 0.8))


@fault("newsprint")
def _newsprint(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, table="newsprint", fill=rng.uniform(0.65, 0.85))


@fault("other ruled paper")
def _ruled(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, things=("ruled",), fill=rng.uniform(0.65, 0.8))


@fault("heading hidden")
def _heading(rng: np.random.Generator, plan: Plan) -> Plan:
    if rng.random() < 0.35:
        return replace(plan, pad=replace(plan.pad, heading_hidden=True))
    return replace(plan, clip=True)


@fault("pale rulings")
def _pale(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, pad=faint(rng, plan.pad, "pale"))


@fault("dotted rulings")
def _dotted(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, pad=faint(rng, plan.pad, "dotted"))


@fault("broken rulings")
def _broken(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, pad=faint(rng, plan.pad, "broken"))


@fault("double rulings")
def _double(rng: np.random.Generator, plan: Plan) -> Plan:
    ruling = Ruling(rng.uniform(0.2, 0.4), INKS[int(rng.integers(len(INKS)))], 0.85, "solid", "double", "double")
    return replace(plan, pad=replace(plan.pad, ruling=ruling))


@fault("stains and tint")
def _stains(rng: np.random.Generator, plan: Plan) -> Plan:
    tint = TINTS[int(rng.integers(len(TINTS)))]
    pad = replace(plan.pad, paper=tint, pattern=str(rng.choice(["weave", "dots", "wash"])))
    return replace(plan, pad=pad, stained=True)


@fault("no exif, turned")
def _untagged(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, turned=int(rng.integers(1, 4)))


@fault("exif")
def _exif(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, exif=int(rng.integers(2, 9)))


@fault("pale pen")
def _pale_pen(rng: np.random.Generator, plan: Plan) -> Plan:
    pens = {p.name: p for p in PENS}
    pen = pens[str(rng.choice(["hard pencil", "pencil", "worn ball", "red ball"]))]
    return replace(plan, pens=(pen, plan.pens[1]))


@fault("thick pen")
def _thick_pen(rng: np.random.Generator, plan: Plan) -> Plan:
    pens = {p.name: p for p in PENS}
    return replace(plan, pens=(pens[str(rng.choice(["felt", "blue felt"]))], plan.pens[1]))


@fault("corrections")
def _corrections(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, habits=replace(plan.habits, corrections=0.16, overwrites=0.06))


@fault("slips")
def _slips(rng: np.random.Generator, plan: Plan) -> Plan:
    return replace(plan, habits=replace(plan.habits, slips=0.3))


#: Faults that are mixed, two or three at a time; those that change the same thing may meet, the later one wins.
_MIXED = ("perspective", "turn", "curl", "crease", "shadow", "glare", "defocus", "white balance", "messenger", "cloth",
          "wood grain", "pale rulings", "dotted rulings", "stains and tint", "exif", "pale pen", "thick pen",
          "corrections", "thumb", "heading hidden", "newsprint")


@fault("mixed")
def _mix(rng: np.random.Generator, plan: Plan) -> Plan:
    names = [str(n) for n in rng.choice(_MIXED, int(rng.integers(2, 4)), replace=False)]
    for name in names:
        plan = FAULTS[name](rng, plan)
    return replace(plan, faults=tuple(names))


@fault("cut off")
def _cut(rng: np.random.Generator, plan: Plan) -> Plan:
    """A good part of the grid lies outside the photo."""
    kind = int(rng.integers(4))
    # The head takes the upper quarter, so from above more must go before rows are missing.
    off = {0: (1.3, 0.0), 1: (-1.3, 0.0), 2: (0.0, 1.3), 3: (0.0, -1.55)}[kind]
    shift = (off[0] * rng.uniform(1, 1.12), off[1] * rng.uniform(1, 1.08))
    return replace(plan, fill=rng.uniform(0.85, 0.95), shift=shift, turn=rng.normal(0, 2), refusal=PARTIAL)


@fault("hopeless blur")
def _hopeless(rng: np.random.Generator, plan: Plan) -> Plan:
    lens = replace(plan.lens, defocus=rng.uniform(0.45, 0.7), noise=0.01)
    return replace(plan, lens=lens, refusal=("too-poor", "no-sheet"))


@fault("no sheet")
def _no_sheet(rng: np.random.Generator, plan: Plan) -> Plan:
    """A table, with other ruled paper on it or without."""
    return replace(plan, sheetless=True, things=("ruled",) if rng.random() < 0.5 else (),
                   table=str(rng.choice(["checked", "newsprint", "flowers", "light wood"])),
                   refusal=("no-sheet", "unknown-layout"))


@fault("busy pad", HARDER)
def _busy(rng: np.random.Generator, plan: Plan) -> Plan:
    """The page has more print on it: frames, numbered rows, holes, a row of little boxes."""
    some = tuple(str(n) for n in rng.choice(EXTRAS, int(rng.integers(2, 5)), replace=False))
    return replace(plan, pad=replace(plan.pad, extras=some))


@fault("hard mix", HARDER)
def _hard_mix(rng: np.random.Generator, plan: Plan) -> Plan:
    """Four to six faults at a time, on a busy pad every other time."""
    among = (*_MIXED, "no exif, turned", "fold", "jpeg", "motion", "torn")
    names = [str(n) for n in rng.choice(among, int(rng.integers(4, 7)), replace=False)]
    for name in names:
        plan = FAULTS[name](rng, plan)
    if rng.random() < 0.5:
        plan = _busy(rng, plan)
    return replace(plan, faults=tuple(names))
