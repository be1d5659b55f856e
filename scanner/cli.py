"""The command line: parse, call, exit. Each command is imported when it is called, so ``--help`` stays quick."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from scanner import __version__
from scanner.commands.examples import TYPED
from scanner.commands.status import ExitCode, guarded

app = typer.Typer(
    name="clabber",
    help="Read photographs of clabber score sheets, and tell a misread digit from a scorekeeper's slip.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

simulations = typer.Typer(help="Play games nobody played.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(simulations, name="simulate")
layouts = typer.Typer(help="Describe a pad the program does not know.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(layouts, name="layout")

LayoutOption = Annotated[str, typer.Option("--layout", help="auto, a built-in layout, or a layout file (.toml).")]
RosterOption = Annotated[str | None, typer.Option("--roster", help="The league's teams (.toml).")]
JobsOption = Annotated[int | None, typer.Option("--jobs", min=1, help="Photos read at a time; default: one a core.")]

LeagueOption = Annotated[
    Path | None, typer.Option("--league", help="The league's rules, schedule, forfeits and byes (.toml).")
]
SeasonArgument = Annotated[Path, typer.Option("--season", help="Season file.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"clabber {__version__}")
        raise typer.Exit()


VersionOption = Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")]


@app.callback()
def _root(version: VersionOption = False) -> None:
    pass


@app.command()
def scan(
    photos: Annotated[list[str], typer.Argument(help="Photos (JPEG, PNG, WebP, TIFF, HEIC), PDFs, zips, folders.")],
    layout: LayoutOption = "auto",
    season: Annotated[Path | None, typer.Option("--season", help="Season file to save what was read in.")] = None,
    roster: RosterOption = None,
    json: Annotated[str | None, typer.Option("--json", help="- for one JSON document on stdout, or a folder.")] = None,
    overlay: Annotated[Path | None, typer.Option("--overlay", help="Folder for pictures with the readings.")] = None,
    jobs: JobsOption = None,
    recursive: Annotated[bool, typer.Option("--recursive", help="Look into folders in folders too.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Read photos the season has already once more.")] = False,
    cluster: Annotated[str | None, typer.Option("--cluster", help="Dask scheduler, as tcp://10.0.0.5:8786.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=0, help="Most cells to ask about in a game.")] = None,
) -> None:
    """Read photos of score sheets. Status 0: all read; 1: some had an error; 2: nothing to read; 130: interrupted.

    A photo in a zip is named night.zip/IMG_1.jpg, a page night.pdf#page=3; either can be given by that name. With
    --season an interrupted run goes on where it stopped: clabber scan nights/ --season season.db
    """

    def call():
        from scanner.commands.scan import Wishes, scan

        return scan(photos, layout, roster, Wishes(json, overlay, season, jobs, again, cluster), recursive, budget)

    raise typer.Exit(guarded(call))


@app.command(epilog=TYPED)
def check(
    file: Annotated[str, typer.Argument(help="Typed games (.json, .csv, .xlsx); - for JSON on stdin.")],
    layout: Annotated[str | None, typer.Option("--layout", help="Instead of the layout the file names.")] = None,
    json: Annotated[str | None, typer.Option("--json", help="- for JSON on stdout, or a file to write.")] = None,
) -> None:
    """Verify typed games, no photo. Status 0: nothing wrong; 1: problems found; 2: unusable input.

    Type what is written: numbers, XX for a set side, - for a zero line. Teams and date may be left out.

    Example: clabber check night.json --json findings.json
    """

    def call():
        from scanner.commands.check import check

        return check(file, layout, json)

    raise typer.Exit(guarded(call))


@app.command("import", epilog=TYPED)
def import_(
    files: Annotated[
        list[str] | None, typer.Argument(help="Typed games with teams and date (.json, .csv, .xlsx).")
    ] = None,
    season: Annotated[Path | None, typer.Option("--season", help="Season file to save them in.")] = None,
    layout: Annotated[str | None, typer.Option("--layout", help="Instead of the layout the files name.")] = None,
    template: Annotated[Path | None, typer.Option("--template", help="Write an empty .xlsx to type into.")] = None,
) -> None:
    """Save typed games in a season file; the same sheet twice is one record. Status 2: some file was unusable.

    Examples: clabber import night.json night.csv --season season.db; clabber import --template games.xlsx

    Type what is written: numbers, XX for a set side, - for a zero line. An Excel file has the columns of a CSV file.
    """

    def call():
        from scanner.commands.season import import_typed, write_template

        return write_template(template, layout) if template else import_typed(files or [], season, layout)

    raise typer.Exit(guarded(call))


@app.command()
def schedule(
    roster: Annotated[str, typer.Option("--roster", help="The league's teams (.toml).")],
    out: Annotated[Path, typer.Option("--out", help="CSV file to write; there must be none of that name.")],
    first: Annotated[str | None, typer.Option("--first", help="Day of the first week, as 2026-01-05.")] = None,
    every: Annotated[int, typer.Option("--every", min=1, help="Days from one week's games to the next.")] = 7,
    tournament: Annotated[str, typer.Option("--tournament", help="Its name in the file.")] = "season",
) -> None:
    """Write a schedule in which every team meets every other once, for the league's file; byes are in it.

    Example: clabber schedule --roster roster.toml --first 2026-01-05 --out fixtures.csv
    """

    def call():
        from scanner.commands.schedule import schedule

        return schedule(roster, out, first, every, tournament)

    raise typer.Exit(guarded(call))


@app.command()
def export(
    season: SeasonArgument,
    csv: Annotated[Path | None, typer.Option("--csv", help="Folder for CSV files.")] = None,
    xlsx: Annotated[Path | None, typer.Option("--xlsx", help="Excel file.")] = None,
    parquet: Annotated[Path | None, typer.Option("--parquet", help="Folder for Parquet files (needs pyarrow).")] = None,
    ranking: Annotated[
        str | None, typer.Option("--ranking", help="games won first (games), or points alone (points).")
    ] = None,
    league: LeagueOption = None,
) -> None:
    """Write all of a season for other programs: games, hands, cells, problems, reviews, standings and statistics.

    Examples: clabber export --season season.db --csv tables/; clabber export --season season.db --xlsx season.xlsx
    """

    def call():
        from scanner.commands.export import Targets, export

        return export(season, Targets(csv, xlsx, parquet), ranking, league)

    raise typer.Exit(guarded(call))


@app.command()
def review(
    season: SeasonArgument,
    list_: Annotated[bool, typer.Option("--list", help="Print the questions, one a line, cell id first.")] = False,
    answer: Annotated[
        list[str] | None, typer.Option("--answer", help="CELL=TEXT settles one; may be repeated.")
    ] = None,
    by: Annotated[str | None, typer.Option("--by", help="Who answers.")] = None,
    photos: Annotated[
        list[Path] | None, typer.Option("--photos", help="Folder to look for photos in, if they were moved.")
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser, or only print its address.")] = True,
) -> None:
    """Open a page on which a person settles what a scan could not decide; or --list it, or --answer CELL=TEXT.

    Examples: clabber review --season season.db --by Ruth; clabber review --season season.db --list
    """

    def call():
        if answer or list_:
            from scanner.commands.season import answer_questions, list_questions

            code = answer_questions(season, answer, by) if answer else ExitCode.OK
            return max(code, list_questions(season)) if list_ else code
        from scanner.commands.review import open_page

        return open_page(season, photos or [], by, browser)

    raise typer.Exit(guarded(call))


@app.command()
def duplicates(
    season: SeasonArgument,
    count: Annotated[list[str] | None, typer.Option("--count", help="SHEET counts too: it is another game.")] = None,
    instead: Annotated[list[str] | None, typer.Option("--instead", help="SHEET counts, its twin does not.")] = None,
    aside: Annotated[list[str] | None, typer.Option("--aside", help="SHEET does not count.")] = None,
    by: Annotated[str | None, typer.Option("--by", help="Who decides.")] = None,
) -> None:
    """List sheets photographed more than once, and decide about them.

    Example: clabber duplicates --season season.db --count 1a2b3c4d/1 --by Ruth
    """

    def call():
        from scanner.commands.duplicates import duplicates

        return duplicates(season, count or [], instead or [], aside or [], by)

    raise typer.Exit(guarded(call))


@layouts.command("learn")
def learn(
    photo: Annotated[Path, typer.Argument(help="A photo of the pad, flat and from above.")],
    out: Annotated[str | None, typer.Option("--out", help="File to write, - for stdout; default: PHOTO.toml.")] = None,
    name: Annotated[str | None, typer.Option("--name", help="What the layout is called; default: the photo.")] = None,
) -> None:
    """Write a layout file to start from, for a pad that no known layout fits. Status 2: no ruled table in the photo.

    Example: clabber layout learn IMG_0412.jpg --out ourpad.toml; clabber scan nights/ --layout ourpad.toml
    """

    def call():
        from scanner.commands.layout import learn

        return learn(photo, out, name)

    raise typer.Exit(guarded(call))


@app.command()
def evaluate(
    truth: Annotated[str, typer.Argument(help="Folder of photos, each with its truth as JSON.")],
    layout: LayoutOption = "auto",
    roster: RosterOption = None,
    jobs: JobsOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="List every cell that is not as written.")] = False,
    plot: Annotated[str | None, typer.Option("--plot", help="Picture (.png, .svg) of said against so.")] = None,
) -> None:
    """Scan a folder of photos with truth, and count what was right, in total and by difficulty.

    Example: clabber evaluate sample_sheets/ --verbose
    """

    def call():
        from scanner.commands.evaluate import evaluate_folder

        return evaluate_folder(truth, layout, roster, jobs, verbose, plot)

    raise typer.Exit(guarded(call))


@app.command()
def report(
    season: SeasonArgument,
    out: Annotated[Path, typer.Option("--out", help="Folder to write into.")],
    ranking: Annotated[
        str | None, typer.Option("--ranking", help="games won first, or points alone; default: the league's, or games.")
    ] = None,
    league: LeagueOption = None,
) -> None:
    """Write a season's standings, games, hands, a workbook, a page and a PDF.

    Example: clabber report --season season.db --league league.toml --out report/
    """

    def call():
        from scanner.commands.report import report

        return report(season, out, ranking, league)

    raise typer.Exit(guarded(call))


@app.command()
def pads(
    out: Annotated[Path, typer.Option("--out", help="PDF to write.")],
    layout: Annotated[str, typer.Option("--layout", help="A built-in layout, or a file (.toml).")] = "evansville",
    count: Annotated[int | None, typer.Option("--count", min=1, help="How many; default: a paper full.")] = None,
    fixtures: Annotated[
        Path | None, typer.Option("--fixtures", help="Games to fill in (.csv with we, they and date).")
    ] = None,
    club: Annotated[str, typer.Option("--club", help="Printed at the head.")] = "",
    sponsor: Annotated[str, typer.Option("--sponsor", help="A line printed at the foot.")] = "",
    paper: Annotated[str, typer.Option("--paper", help="letter, a4, a5 or legal.")] = "letter",
) -> None:
    """Write pads to print, with corner marks and a code that make reading them certain.

    Example: clabber pads --layout double --club "St. Boniface Men's Club" --fixtures night.csv --out pads.pdf
    """

    def call():
        from scanner.commands.pads import pads

        return pads(out, layout, count, fixtures, (club, sponsor), paper)

    raise typer.Exit(guarded(call))


@simulations.command("hands")
def simulate_hands(
    count: Annotated[int, typer.Option("--count", min=0, help="How many deals.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same hands.")] = 0,
    players: Annotated[
        str, typer.Option("--players", help="random, beginner, sensible or counting; WE,THEY for two kinds.")
    ] = "sensible",
    rules: Annotated[Path | None, typer.Option("--rules", help="House rules (.toml).")] = None,
) -> None:
    """Print simulated hands, one JSON object a line.

    Example: clabber simulate hands --count 1000 --seed 7 --players counting,beginner
    """

    def call():
        from scanner.commands.simulate import simulate

        return simulate(count, seed, players, rules)

    raise typer.Exit(guarded(call))


@simulations.command("season")
def simulate_season(
    teams: Annotated[int, typer.Option("--teams", min=2, help="How many teams; every two of them play a game.")],
    season: Annotated[Path, typer.Option("--season", help="Season file to write; there must be none of that name.")],
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same season.")] = 0,
    photos: Annotated[Path | None, typer.Option("--photos", help="New folder for photos of the sheets.")] = None,
) -> None:
    """Write a season nobody played: what the scorekeepers wrote, slips and all, with the true games beside it.

    Example: clabber simulate season --teams 8 --seed 7 --season played.db --photos played/
    """

    def call():
        from scanner.commands.simulate import simulate_season

        return simulate_season(teams, seed, season, photos)

    raise typer.Exit(guarded(call))


@app.command()
def demo(
    samples: Annotated[Path, typer.Option("--samples", help="Folder of photos with truth.")] = Path("sample_sheets"),
    out: Annotated[Path, typer.Option("--out", help="Folder to write into.")] = Path("demo"),
    jobs: JobsOption = None,
) -> None:
    """Scan the sample sheets, show what was found, and compare it with the truth.

    Example: clabber demo --samples sample_sheets --out demo
    """

    def call():
        from scanner.commands.demo import demo

        return demo(samples, out, jobs)

    raise typer.Exit(guarded(call))


def main() -> None:
    """Entry point of the ``clabber`` command."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # a terminal without some letter must not stop a scan
    for name in ("SIGTERM", "SIGHUP"):  # ended or its terminal closed: as interrupted, what was done is kept
        ending = getattr(signal, name, None)
        if ending is not None and signal.getsignal(ending) is signal.SIG_DFL:
            signal.signal(ending, signal.default_int_handler)
    app()


if __name__ == "__main__":
    main()
