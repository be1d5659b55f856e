"""Pads have their rulings where they say, words where people write, and room for everything."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.sheet.layout import built_in_layouts, parse_layout
from scanner.workshop.pads import print_pad
from scanner.workshop.rulings import Ruling, RulingStyle, rule_grid

LAYOUTS = {layout.name: layout for layout in built_in_layouts()}
THIN = Ruling("solid", 0.03, 1.0)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_ruled_line_is_darker_than_the_cells_beside_it(name):
    """Halfway between two crossings there is ink on the line and bare paper a quarter of a cell away."""
    layout = LAYOUTS[name]
    for seed in range(2):
        page = print_pad(layout, np.random.default_rng(seed), ppm=6.0, trouble=0.0)
        assert len(page.nodes) == layout.games
        grey = page.pixels.mean(axis=2)
        for nodes in page.nodes:
            assert nodes.shape == (len(layout.y_lines), len(layout.x_lines), 2)
            for line in nodes[1:-1]:
                x, y = ((line[0] + line[1]) / 2).round().astype(int)
                assert grey[y - 4 : y + 5, x].min() < 0.93 * grey[y + int(page.pitch / 4), x], f"seed {seed}"


def test_cells_lie_between_their_rulings():
    page = print_pad(LAYOUTS["double"], np.random.default_rng(1), ppm=5.0, trouble=0.0)
    left, right = page.cell(0, 3, "they_total"), page.cell(1, 3, "we_points")
    assert np.array_equal(left[0], page.nodes[0][3, 3]) and np.array_equal(left[2], page.nodes[0][4, 4])
    assert right[0][0] > left[1][0], "the second grid is to the right of the first"


@pytest.mark.parametrize("seed", range(6))
def test_there_is_a_line_for_each_team_and_the_date_above_the_grid(seed):
    page = print_pad(LAYOUTS["beside"], np.random.default_rng(seed), ppm=4.0, trouble=1.0)
    top = min(n[..., 1].min() for n in page.nodes)
    assert {"we", "they", "date"} <= set(page.fields)
    for field in page.fields.values():
        assert 0 < field.x0 < field.x1 <= page.pixels.shape[1] and 0 < field.y < top


def test_a_layout_without_heading_and_with_many_columns_can_be_printed():
    columns = "".join(f'[[columns]]\nkey = "c{i}"\nwidth = {9 + i}.0\nfree = true\n' for i in range(9))
    head = 'name = "wide"\nrows = 5\nrow_height = 7.0\nheading_height = 0\ngames = 3\n'
    layout = parse_layout(head + columns, "wide")
    page = print_pad(layout, np.random.default_rng(0), ppm=4.0)
    assert [n.shape for n in page.nodes] == [(6, 10, 2)] * 3
    assert all(n[..., 0].max() < page.pixels.shape[1] and n[..., 1].max() < page.pixels.shape[0] for n in page.nodes)


def test_the_same_seed_prints_the_same_pad():
    one, two = (print_pad(LAYOUTS["beside"], np.random.default_rng(4), ppm=4.0) for _ in range(2))
    assert np.array_equal(one.pixels, two.pixels) and one.fields == two.fields


def _ruled(kind, worn=0.0):
    ruling = Ruling(kind, 0.03, 1.0)
    mask = np.zeros((420, 420), np.uint8)
    nodes = np.stack(np.meshgrid(np.linspace(10, 410, 5), np.linspace(10, 410, 9)), axis=-1)
    style = RulingStyle(ruling, ruling, THIN, ruling, ruling, worn)
    rule_grid(mask, nodes, style, 50.0, 1, None, np.random.default_rng(0))
    return mask


@pytest.mark.parametrize(
    ("kind", "least", "most"), [("solid", 0.95, 1.0), ("dashed", 0.4, 0.85), ("dotted", 0.2, 0.8)]
)
def test_kinds_of_ruling_cover_their_share_of_a_line(kind, least, most):
    line = _ruled(kind)[108:113, 20:400].max(axis=0)
    assert least <= (line > 100).mean() <= most


def test_double_rulings_leave_the_middle_free_and_worn_ones_have_gaps():
    line = _ruled("double")[100:121, 60]
    assert line[10] < 60 and line[:10].max() > 100 and line[11:].max() > 100
    whole, worn = _ruled("solid"), _ruled("solid", worn=0.2)
    assert 0.6 < (worn > 100).sum() / (whole > 100).sum() < 0.95
