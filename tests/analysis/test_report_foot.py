"""What a report says of where its numbers come from."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd
import pytest

from analysis.report import _foot


@pytest.mark.parametrize(("number", "says"), [
    (0, "0 sheets, 0 games, 0 cells, 0 decisions of people."), (1, "1 sheet, 1 game, 1 cell, 1 decision of people."),
    (2, "2 sheets, 2 games, 2 cells, 2 decisions of people."),
])
def test_one_of_a_thing_is_said_as_one(number, says):
    ids = [str(i) for i in range(number)]
    frames = SimpleNamespace(games=pd.DataFrame({"sheet_id": ids}), cells=pd.DataFrame({"cell_id": ids}),
                             reviews=pd.DataFrame({"by": ["Ruth"] * number}))
    assert _foot(frames, "season.db").endswith(f"season.db: {says}")
