"""The sample season: a small league's sheets as its members photographed them, with the truth beside each.

    python -m scanner.workshop.sample_season --out sample_sheets/season --seed 20

Every team meets every other once. Beside the photographs lie ``league.toml`` with ``roster.toml`` (the names, also for
reading them) and ``fixtures.csv`` (who was to play whom, and when), and ``strengths.csv`` (how well each team really
plays, which no league knows).
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2

from scanner.sheet.layout import load_layout
from scanner.workshop.seasons import KeptSeason, keep_season, photograph_game, roster_text
from scanner.workshop.tour import Sheet

#: The season that is shipped. The seed was chosen by hand among 39 for what there is to see: four teams share the most
#: games won, and two games that slips ended.
TEAMS, SEED = 8, 20
#: Members who mean their photographs to be read: the sheet fills the frame, no cup or lamp hides a row.
_LEVELS = ("easy", "easy", "medium")
_FILL = 0.95
#: The longer side in pixels and the JPEG quality keep the folder under 6 MB; a messenger sends about as much.
_SIDE, _QUALITY = 1600, 70
_LEAGUE = '''name = "The sample league"
ranking = "games"
roster = "roster.toml"
fixtures = "fixtures.csv"
'''


def make_sample_season(out: Path, teams: int = TEAMS, seed: int = SEED) -> list[Path]:
    """Plays, writes and photographs a season; the same arguments give the same files.

    Returns:
        The photos, ``weekWW-tableTT.jpg``, in the order of play.
    """
    out.mkdir(parents=True, exist_ok=True)
    season = keep_season(teams, seed)
    photos = [photograph_game(season, game, out, _LEVELS, _small) for game in season.games]
    (out / "roster.toml").write_text(roster_text(season.teams), "utf-8")
    (out / "fixtures.csv").write_text(fixtures_text(season), "utf-8")
    (out / "league.toml").write_text(_LEAGUE, "utf-8")
    strengths = sorted(season.teams, key=lambda team: -team.strength)
    (out / "strengths.csv").write_text(_csv(("team", "strength"), ((t.name, t.strength) for t in strengths)), "utf-8")
    return photos


def fixtures_text(season: KeptSeason) -> str:
    """The fixtures as CSV: week (from 1), ISO date, and the teams by side."""
    rows = ((g.week, g.day.isoformat(), g.teams["we"], g.teams["they"]) for g in season.games)
    return _csv(("week", "date", "we", "they"), rows)


def _small(plan: Sheet) -> Sheet:
    """A plan as the members' phones send it: small, held the way the sheet lies, never a copy of a copy."""
    wide = load_layout(plan.layout).games > 1
    size = (_SIDE, _SIDE * 3 // 4) if wide else (_SIDE * 3 // 4, _SIDE)
    return replace(plan, size=size, quality=_QUALITY, copy=0, scanner=False, fill=_FILL)


def _csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([heads, *rows])
    return text.getvalue()


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line: see the module's text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--teams", type=int, default=TEAMS)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    print(f"{len(make_sample_season(given.out, given.teams, given.seed))} sheets in {given.out}")


if __name__ == "__main__":
    main()
