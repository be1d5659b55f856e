"""A season for people without Python: ``report.html``, ``report.pdf``, ``season.xlsx`` and three CSV files."""

from __future__ import annotations

from pathlib import Path

from analysis import page, stats
from analysis.export import GAMES_CSV, HANDS_CSV, make_folder, replaced, write_csv, write_xlsx
from analysis.frames import load
from analysis.league import standings
from analysis.printed import figure_to_save, write_pdf
from analysis.sections import Section, sections

#: Inches of a picture in the page, 7.5 wide at 110 dots an inch.
_PICTURE = (7.5, 4.5)


def write_report(season_path: str | Path, out_dir: str | Path, ranking: str = "games") -> list[Path]:
    """Writes the report of a season file into a folder, which is made if need be.

    Args:
        ranking: see :func:`analysis.league.standings`.

    Returns:
        The files written: standings.csv, games.csv, hands.csv, season.xlsx, report.html, report.pdf.

    Raises:
        SeasonError: the season file cannot be used.
        InputError: the folder or a file in it cannot be written, or the ranking is unknown.
    """
    frames = load(season_path)
    table = standings(frames.games, ranking)
    title = f"Clabber season: {Path(season_path).stem}"
    parts = sections(frames, ranking)
    folder = make_folder(out_dir)
    return [
        write_csv(table, folder / "standings.csv"),
        write_csv(frames.games[GAMES_CSV], folder / "games.csv"),
        write_csv(frames.hands[HANDS_CSV], folder / "hands.csv"),
        write_xlsx({"standings": table, "teams": stats.team_table(frames.games, frames.hands), "games": frames.games,
                    "hands": frames.hands, "problems": frames.problems, "reviews": frames.reviews},
                   folder / "season.xlsx"),
        _write_html(title, parts, folder / "report.html"),
        write_pdf(title, parts, folder / "report.pdf"),
    ]


def _write_html(title: str, parts: list[Section], path: Path) -> Path:
    html: list[str] = []
    for part in parts:
        html += [page.heading(part.title), *map(page.paragraph, part.notes)]
        if part.draw:
            with figure_to_save(_PICTURE) as figure:
                part.draw(figure.subplots())
                html.append(page.picture(figure, part.title))
        if part.frame is not None and len(part.frame):
            html.append(page.table(part.frame, part.titles))
    with replaced(path) as temporary:
        temporary.write_text(page.page(title, html), encoding="utf-8", errors="replace")
    return path
