"""A season for people without Python: ``report.html``, ``report.pdf``, ``season.xlsx`` and three CSV files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from analysis import page, stats
from analysis.export import GAMES_CSV, HANDS_CSV, make_folder, replaced, write_csv, write_xlsx
from analysis.frames import Frames, load
from analysis.league import standings
from analysis.leaguefile import League, load_league
from analysis.parts import Section, several
from analysis.printed import figure_to_save, write_pdf
from analysis.sections import sections
from scanner import __version__
from scanner.season.decisions import PROGRAM

#: Inches of a picture in the page, 7.5 wide at 110 dots an inch.
_PICTURE = (7.5, 4.5)


def write_report(season_path: str | Path, out_dir: str | Path, ranking: str | None = None,
                 league: League | str | Path | None = None,
                 told: Callable[[str], None] | None = None) -> list[Path]:
    """Writes the report of a season file into a folder, which is made if need be.

    Args:
        ranking: see :func:`analysis.league.standings`.
        league: the league, or its file, for names, schedule, forfeits and tie breaks.
        told: gets a line after each step, for people who wait.

    Returns:
        The files written: standings.csv, games.csv, hands.csv, season.xlsx, report.html, report.pdf.

    Raises:
        SeasonError: the season file cannot be used.
        InputError: the folder or a file in it cannot be written, the ranking is unknown, or the league's file is unfit.
    """
    told = told or (lambda line: None)
    league = load_league(league) if isinstance(league, str | Path) else league
    frames = load(season_path, league)
    table = standings(frames.games, ranking, league)
    name = league.name if league and league.name else Path(season_path).stem
    title, foot = f"Clabber season: {name}", _foot(frames, season_path)
    parts = sections(frames, ranking, league)
    folder = make_folder(out_dir)
    told(f"the figures of {len(frames.games)} games are counted")
    return [
        write_csv(table, folder / "standings.csv"),
        write_csv(frames.games[GAMES_CSV], folder / "games.csv"),
        write_csv(frames.hands[HANDS_CSV], folder / "hands.csv"),
        write_xlsx({"standings": table, "teams": stats.team_table(frames.games, frames.hands), "games": frames.games,
                    "hands": frames.hands, "problems": frames.problems, "reviews": frames.reviews},
                   folder / "season.xlsx"),
        _write_html(title, parts, folder / "report.html", foot, told),
        write_pdf(title, parts, folder / "report.pdf", foot, told),
    ]


def _foot(frames: Frames, season_path: str | Path) -> str:
    """Where the numbers come from."""
    sheets, people = frames.games["sheet_id"].nunique(), int((frames.reviews["by"] != PROGRAM).sum())
    held = f"{several(sheets, 'sheet')}, {several(len(frames.games), 'game')}, {several(len(frames.cells), 'cell')}"
    return (f"Made by Clabber Sheets {__version__} from {Path(season_path).name}: {held}, "
            f"{several(people, 'decision')} of people.")


def _write_html(title: str, parts: list[Section], path: Path, foot: str, told: Callable[[str], None]) -> Path:
    html: list[str] = []
    for number, part in enumerate(parts, 1):
        told(f"{path.name}: part {number} of {len(parts)}, {part.title}")
        html += [page.heading(part.title), *map(page.paragraph, part.notes)]
        table = [page.table(part.frame, part.titles)] if part.frame is not None and len(part.frame) else []
        if len(part.pictures) == 1:
            html.append(page.gallery([*table, *_drawn(part)]))
        else:
            html += table + ([page.gallery(_drawn(part))] if part.pictures else [])
    with replaced(path) as temporary:
        temporary.write_text(page.page(title, html, foot), encoding="utf-8", errors="replace")
    return path


def _drawn(part: Section) -> list[str]:
    made = []
    for picture in part.pictures:
        with figure_to_save(_PICTURE) as figure:
            picture.draw(figure.subplots())
            made.append(page.picture(figure, part.title, picture.caption))
    return made
