"""Signs of life of long work: seldom enough to read, often enough not to wonder; all that takes long gives them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import analysis
from scanner.output.progress import PATIENCE, paced
from scanner.season.store import open_season
from scanner.workshop.seasons import keep_season, save_game


@given(st.lists(st.floats(0, 10), max_size=30))
def test_a_line_passes_only_after_a_silence(steps: list[float]) -> None:
    now, heard, lines = 0.0, 0.0, []
    tell = paced(lambda line: lines.append((float(line), now)), clock=lambda: now)
    for step in steps:
        now += step
        tell(str(now))
        due = now - heard >= PATIENCE
        assert not due or lines[-1] == (now, now)
        heard = now if due else heard
    times = [0.0, *(at for _, at in lines)]
    assert all(b - a >= PATIENCE for a, b in zip(times, times[1:], strict=False))


def test_a_season_and_its_report_tell_every_step(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    told: list[str] = []
    kept = keep_season(4, 2, told.append)
    assert kept == keep_season(4, 2), "who listens changes nothing"
    assert told[-1] == f"writing down: {len(kept.games)} of {len(kept.games)} games"
    assert any(line == f"playing: {len(kept.games)} of {len(kept.games)} games are over" for line in told)
    assert {(game.week, game.table) for game in kept.games} == {(w, t) for w in (1, 2, 3) for t in (1, 2)}
    with open_season(tmp_path / "s.db") as file:
        for game in kept.games:
            save_game(file, game, kept.seed)
    told.clear()
    analysis.write_report(tmp_path / "s.db", tmp_path / "out", told=told.append)
    parts, pages = ([line for line in told if line.startswith(name)] for name in ("report.html", "report.pdf"))
    assert told[0] == "the figures of 6 games are counted" and len(told) == 1 + len(parts) + len(pages)
    for lines in (parts, pages):
        assert f" {len(lines)} of {len(lines)}" in lines[-1]
    assert not recwarn
