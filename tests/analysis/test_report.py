"""The report: every file there, readable elsewhere, and nothing written on a sheet ever runs."""

from __future__ import annotations

import csv
import dataclasses
import html.parser
import random
import zipfile
from datetime import date
from importlib.util import find_spec

import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.cbook import is_math_text
from matplotlib.figure import Figure
from simulated import play, result_of, save, season, slip

import analysis
from analysis import audit, plots, stats
from analysis.auditsections import doubts
from analysis.export import export_csv, export_parquet, export_xlsx, replaced, safe_text
from analysis.report import _foot, write_report
from analysis.strength import bradley_terry
from scanner.season.decisions import PROGRAM
from scanner.season.store import open_season
from scanner.sheet.errors import InputError

NASTY = ["=HYPERLINK(\"http://evil\")", "<img src=x onerror=alert(1)>", "+1", "@SUM(A1)", "-Owls",
         "$x^2$ \\frac", "Dollar$", "\"quoted\", 'it'", "Ωμέγα", "＝1+1"]


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    rng = random.Random(3)
    games = [play(rng, NASTY[i], NASTY[(i + 1) % len(NASTY)], "2026-01-05") for i in range(len(NASTY))]
    results = [result_of(g) for g in games]
    results[0] = dataclasses.replace(results[0], problems=(dataclasses.replace(
        slip(1, 10, True), message="<script>alert(1)</script> & more"),))
    save(folder / "season.db", games, results)
    return games, write_report(folder / "season.db", folder / "out"), folder


class Tags(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def test_all_files_are_there(nasty):
    _, files, folder = nasty
    assert {f.name for f in files} == {
        "standings.csv", "games.csv", "hands.csv", "season.xlsx", "report.html", "report.pdf"}
    assert {f.name for f in (folder / "out").iterdir()} == {f.name for f in files}


def test_the_csv_files_hold_the_promised_columns_and_the_games(nasty):
    games, _, folder = nasty
    with (folder / "out" / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["game_id", "date", "we", "they", "we_total", "they_total", "winner", "hands"]
    told = [(r["date"], r["we"].lstrip("'"), *(int(r[k]) for k in ("we_total", "they_total", "hands"))) for r in rows]
    assert told == [(g.date, g.we, *g.totals, len(g.hands)) for g in games]
    with (folder / "out" / "hands.csv").open(encoding="utf-8", newline="") as file:
        hands = list(csv.DictReader(file))
    assert list(hands[0]) == [
        "game_id", "hand", "we_points", "they_points", "we_total", "they_total", "set", "maker", "meld"]
    assert [(int(h["we_points"]), h["set"], h["maker"], h["meld"]) for h in hands] == [
        (h.we, h.set or "", h.maker, "" if h.meld is None else str(h.meld)) for g in games for h in g.hands]
    with (folder / "out" / "standings.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file))[:8] == [
            "rank", "team", "played", "won", "lost", "tied", "points_for", "points_against"]


def test_no_text_of_a_sheet_is_a_formula_in_csv(nasty):
    _, _, folder = nasty
    for file in (folder / "out").glob("*.csv"):
        with file.open(encoding="utf-8", newline="") as opened:
            for row in csv.reader(opened):
                for value in row:
                    assert not value.startswith(("=", "+", "@", "\t", "\r", "＝")), value
                    assert not value.startswith("-") or value[1:].isdigit(), value


def test_no_text_of_a_sheet_is_a_formula_or_a_link_in_excel(nasty):
    _, _, folder = nasty
    with zipfile.ZipFile(folder / "out" / "season.xlsx") as book:
        sheets = [n for n in book.namelist() if n.startswith("xl/worksheets/sheet")]
        assert len(sheets) == 6
        for name in sheets:
            xml = book.read(name).decode()
            assert "<f>" not in xml and "hyperlink" not in xml
        assert "=HYPERLINK(" in book.read("xl/sharedStrings.xml").decode()


def test_excel_holds_the_table_as_numbers_and_days(nasty):
    openpyxl = pytest.importorskip("openpyxl")
    games, _, folder = nasty
    book = openpyxl.load_workbook(folder / "out" / "season.xlsx")
    rows = list(book["games"].iter_rows(values_only=True))
    first = dict(zip(rows[0], rows[1], strict=True))
    assert (first["we"], first["we_total"], first["date"].date()) == (NASTY[0], games[0].totals[0], date(2026, 1, 5))
    assert book["standings"]["A2"].value == 1


def test_the_page_runs_nothing_and_fetches_nothing(nasty):
    _, _, folder = nasty
    text = (folder / "out" / "report.html").read_text("utf-8")
    page = Tags()
    page.feed(text)
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "iframe", "object", "form", "a"}
    for tag, attributes in page.tags:
        assert not any(key.startswith("on") for key in attributes)
        if tag == "img":
            assert attributes["src"].startswith("data:image/png;base64,")
    shown = "".join(page.text)
    for name in NASTY:
        assert name in shown
    assert "<script>alert(1)</script> & more" in shown


def test_the_pdf_is_one(nasty):
    _, _, folder = nasty
    data = (folder / "out" / "report.pdf").read_bytes()
    assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
    assert 4 <= data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") <= 8


def test_the_same_season_gives_the_same_tables_and_page(nasty, tmp_path):
    _, files, folder = nasty
    for again in write_report(folder / "season.db", tmp_path):
        if again.suffix != ".pdf":  # the layout of its pages is solved to the last digit but one
            assert again.read_bytes() == (folder / "out" / again.name).read_bytes(), again.name


def test_an_empty_season_gives_a_report_that_says_so(tmp_path):
    with open_season(tmp_path / "season.db"):
        pass
    files = write_report(tmp_path / "season.db", tmp_path / "deep" / "out")
    assert len(files) == 6
    assert "0 of 0 games are counted" in (tmp_path / "deep" / "out" / "report.html").read_text("utf-8")


def test_open_questions_that_move_the_table_are_told_with_the_answer_that_would_settle_it(tmp_path):
    rng = random.Random(4)
    games = [play(rng, "Hawks", "Owls", "2026-01-05"), play(rng, "Hawks", "Bears", "2026-01-05")]
    results = [result_of(g) for g in games]
    last = results[0].rows[-1]
    doubtful = dataclasses.replace(last.cells["we_total"], review=True, choices=(("999", 0.6), ("7", 0.4)))
    row = dataclasses.replace(last, cells=last.cells | {"we_total": doubtful})
    results[0] = dataclasses.replace(results[0], rows=(*results[0].rows[:-1], row))
    save(tmp_path / "season.db", games, results)
    write_report(tmp_path / "season.db", tmp_path / "out")
    page = Tags()
    page.feed((tmp_path / "out" / "report.html").read_text("utf-8"))
    text = "".join(page.text)
    assert "Standings while questions are open" in text
    assert f"/1/1/{last.row}/we_total: an answer moves" in text
    assert "Who may still win" in text and "1 game is still to come" in text


def test_a_folder_that_cannot_be_one_is_named(tmp_path):
    with open_season(tmp_path / "season.db"):
        pass
    with pytest.raises(InputError, match="season.db: cannot be used as a folder"):
        write_report(tmp_path / "season.db", tmp_path / "season.db")
    (tmp_path / "out" / "games.csv").mkdir(parents=True)
    with pytest.raises(InputError, match="games.csv: cannot be written"):
        write_report(tmp_path / "season.db", tmp_path / "out")
    with pytest.raises(InputError, match="ranking"):
        write_report(tmp_path / "season.db", tmp_path / "out2", "luck")
    assert not (tmp_path / "out2").exists()


def test_an_old_file_stays_when_writing_the_new_one_fails(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old")
    with pytest.raises(RuntimeError), replaced(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_safe_texts_are_left_alone():
    for text in ("Owls", "92", "-", "--", "~", "", "XX", "3-7-26"):
        assert safe_text(text) == text
    for text in ("=1", " =1", "+1", "-1", "@x", "\t=1", "＋1"):
        assert safe_text(text) == "'" + text


def test_frames_are_exported_whole(tmp_path):
    save(tmp_path / "season.db", season(4, teams=3))
    frames = analysis.load(tmp_path / "season.db")
    files = export_csv(frames, tmp_path / "csv")
    assert {f.stem for f in files} >= {"standings", *vars(frames)}
    for file in files:
        with file.open(encoding="utf-8", newline="") as opened:
            rows = list(csv.reader(opened))
        if hasattr(frames, file.stem):
            assert len(rows) == 1 + len(getattr(frames, file.stem))
    assert zipfile.is_zipfile(export_xlsx(frames, tmp_path / "all.xlsx"))


def test_parquet_files_say_what_they_need(tmp_path):
    save(tmp_path / "season.db", season(4, teams=2))
    frames = analysis.load(tmp_path / "season.db")
    if find_spec("pyarrow"):
        assert pd.read_parquet(export_parquet(frames, tmp_path)[1])["we"].tolist() == frames.games["we"].tolist()
    else:
        with pytest.raises(InputError, match="pip install pyarrow"):
            export_parquet(frames, tmp_path)


@pytest.fixture(scope="module")
def drawn(nasty):
    frames = analysis.load(nasty[2] / "season.db")
    return {
        "race": (plots.race_plot, stats.race(frames.games)),
        "set rate": (plots.set_rate_plot, stats.team_table(frames.games, frames.hands)),
        "average": (plots.average_plot, stats.team_table(frames.games, frames.hands)),
        "scores": (plots.hand_scores_plot, frames.hands),
        "head to head": (plots.head_to_head_plot, stats.head_to_head(frames.games)),
        "strength": (plots.strength_plot, bradley_terry(frames.games)),
        "slips": (plots.slips_plot, audit.slips_by_kind(frames.problems, frames.hands)),
    }


# The font has no full-width signs; the report draws boxes for them on purpose.
@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
@pytest.mark.parametrize("name", ["race", "set rate", "average", "scores", "head to head", "strength", "slips"])
def test_every_figure_draws_on_the_axes_it_is_given_and_on_nothing(drawn, name, tmp_path):
    plot, table = drawn[name]
    ax = Figure().subplots()
    before = table.copy()
    assert plot(table, ax=ax) is ax
    assert table.equals(before)
    assert ax.get_title() and (ax.has_data() or ax.images)
    assert isinstance(plot(table.iloc[:0]), Axes)
    ax.figure.savefig(tmp_path / "figure.png")


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
def test_names_with_dollars_are_drawn_as_they_are(tmp_path):
    ax = Figure().subplots()
    for name in NASTY + ["$", "$$", "a$b$c", "\\alpha", "\\$", "x" * 99]:
        ax.text(0, 0, plots.plain(name))
        assert not is_math_text(plots.plain(name))
    ax.figure.savefig(tmp_path / "names.png")


def test_a_league_gives_the_report_its_name_its_forfeits_and_its_order(tmp_path):
    rng = random.Random(4)
    games = [play(rng, "Hawks", "Owls", "2026-01-05"), play(rng, "Bears", "Hawks", "2026-01-12")]
    save(tmp_path / "season.db", games)
    (tmp_path / "plan.csv").write_text("week,we,they,forfeit\n1,Hawks,Owls,\n2,Bears,Hawks,\n3,Owls,Bears,Owls\n")
    (tmp_path / "league.toml").write_text('name = "<b>Ours</b>"\nfixtures = "plan.csv"\n')
    write_report(tmp_path / "season.db", tmp_path / "out", league=tmp_path / "league.toml")
    text = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<title>Clabber season: &lt;b&gt;Ours&lt;/b&gt;</title>" in text
    with (tmp_path / "out" / "standings.csv").open(encoding="utf-8", newline="") as opened:
        rows = {row["team"]: row for row in csv.DictReader(opened)}
    assert rows["Bears"]["played"] == rows["Owls"]["played"] == "2" and int(rows["Bears"]["won"]) >= 1


def test_slips_are_told_at_the_captains_meeting(tmp_path):
    games = season(4, teams=4)
    results = [result_of(g) for g in games]
    results[0] = dataclasses.replace(results[0], problems=(slip(1, 10, True),), winner_corrected=None)
    save(tmp_path / "season.db", games, results)
    write_report(tmp_path / "season.db", tmp_path / "out")
    page = Tags()
    page.feed((tmp_path / "out" / "report.html").read_text("utf-8"))
    text = "".join(page.text)
    assert "1 slip on" in text and "1 game would have another winner" in text
    for heading in ("In short", "Scorekeeping", "Points wrongly given", "Games that slips turned", "Skill and luck"):
        assert heading in text, heading
    assert all(attributes["alt"] for tag, attributes in page.tags if tag == "img")
    assert sum(tag == "img" for tag, _ in page.tags) == 14


def test_decisions_of_the_program_are_no_decisions_of_people(nasty, tmp_path):
    drawn = analysis.load(nasty[2] / "season.db")
    for reviewers, told in (((PROGRAM, PROGRAM), "0 decisions of people"), ((PROGRAM, "Ruth"), "1 decision of people")):
        reviews = drawn.reviews.head(0).reindex(range(len(reviewers))).assign(by=list(reviewers))
        assert told in _foot(dataclasses.replace(drawn, reviews=reviews), tmp_path / "season.db")


def test_guessed_names_and_dates_are_told_where_the_doubts_are(tmp_path):
    game = play(random.Random(1), "Eagles", "Owls", "2026-01-05")
    save(tmp_path / "season.db", [game], [result_of(game)])
    told = []
    with open_season(tmp_path / "season.db") as file:
        (sheet,) = file.select("SELECT sheet_id FROM sheets")[0]
    for settled in ("", "date", "they", "we"):
        with open_season(tmp_path / "season.db") as file:
            if settled:
                file.answer(f"{sheet}/{settled}", {"date": "2026-01-05"}.get(settled, f"{settled} team"), "Ruth")
            else:
                with file._writing() as connection:
                    connection.execute("UPDATE sheets SET we_confidence = 0.3, they_confidence = 0.3, "
                                       "we_settled = NULL, they_settled = NULL, date_settled = NULL, "
                                       "date_confidence = 0.3")
            asked = len(file.head_questions())
        frames = analysis.load(tmp_path / "season.db")
        assert frames.games["heads"].tolist() == [asked]
        told.append((asked, " ".join(doubts(frames).notes)))
    assert [asked for asked, _ in told] == [3, 2, 1, 0]
    assert told[0][1].startswith("3 names or dates still to settle (clabber review)")
    assert told[2][1].startswith("1 name or date still to settle")
    assert told[3][1].startswith("None: ")
