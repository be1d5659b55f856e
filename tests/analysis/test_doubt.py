"""Standings under doubt against every case enumerated: each reading of each open cell, with its probability."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
from simulated import Game, Hand, result_of

import analysis
from analysis.doubt import doubtful_standings, in_words, ordinal
from scanner.season.store import open_season
from scanner.sheet.results import CellResult, Label, PhotoResult, SheetResult

Choices = dict[tuple[int, str], list[tuple[str, float]]]


@dataclasses.dataclass(frozen=True)
class Paper:
    """A game of three hands: running totals of both sides, and what open cells (row from 0, side) may hold."""

    we: str
    they: str
    totals: tuple[tuple[int, int], ...]
    open: Choices = dataclasses.field(default_factory=dict)


PAPERS = [
    Paper("A", "B", ((150, 100), (300, 250), (510, 490)), {(2, "we"): [("510", 0.6), ("310", 0.3), ("710", 0.1)],
                                                          (2, "they"): [("490", 0.7), ("499", 0.2), ("520", 0.1)]}),
    Paper("B", "C", ((100, 162), (400, 262), (560, 420)), {(2, "we"): [("560", 0.8), ("", 0.2)],
                                                          (1, "we"): [("400", 0.5), ("500", 0.5)]}),
    Paper("C", "A", ((120, 80), (300, 300), (505, 440)), {(2, "they"): [("440", 0.55), ("640", 0.4), ("XX", 0.05)]}),
    Paper("D", "A", ((200, 100), (380, 200), (500, 300))),
    Paper("D", "B", ((120, 100), (300, 200), (480, 500)), {(0, "we"): [("120", 0.5), ("170", 0.5)]}),
]


def photo(number: int, paper: Paper) -> PhotoResult:
    hands = tuple(Hand(1, 1, we, they, None, "we", 0) for we, they in paper.totals)
    game = result_of(Game(paper.we, paper.they, None, hands))
    rows = list(game.rows)
    for (row, side), choices in paper.open.items():
        cell = CellResult(*choices[0], True, choices=tuple(choices))
        rows[row] = dataclasses.replace(rows[row], cells=rows[row].cells | {f"{side}_total": cell})
    sheet = SheetResult("evansville", 1.0, ((0.0, 0.0),) * 4, (dataclasses.replace(game, rows=tuple(rows)),),
                        {"we": Label(paper.we, 1.0), "they": Label(paper.they, 1.0)})
    return PhotoResult(f"{number}.jpg", str(number) * 64, 1, 1, (sheet,))


def final(paper: Paper, side: str, texts: dict) -> int | None:
    """The last number of a column, with the open cells as given."""
    last = None
    for row, totals in enumerate(paper.totals):
        text = texts.get((row, side), str(totals[side == "they"]))
        last = int(text) if text.isdigit() else last
    return last


def cases(papers: list[Paper]):
    """Every way the open cells may be, as (probability, ranks, {(paper, row, side): text})."""
    places = [(i, *place) for i, p in enumerate(papers) for place in p.open]
    options = [papers[i].open[row, side] for i, row, side in places]
    for combination in product(*options):
        texts = {place: text for place, (text, _) in zip(places, combination, strict=True)}
        won, points = Counter(), Counter()
        for i, paper in enumerate(papers):
            own = {(row, side): text for (j, row, side), text in texts.items() if j == i}
            we, they = final(paper, "we", own), final(paper, "they", own)
            if max(we or 0, they or 0) >= 500:
                points[paper.we] += we or 0
                points[paper.they] += they or 0
                won[paper.we] += (we or 0) > (they or 0)
                won[paper.they] += (they or 0) > (we or 0)
        merit = {team: (won[team], points[team]) for team in "ABCD"}
        ranks = {team: 1 + sum(merit[other] > merit[team] for other in merit) for team in merit}
        yield float(np.prod([p for _, p in combination])), ranks, texts


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    path = tmp_path_factory.mktemp("doubt") / "season.db"
    with open_season(path) as season:
        for number, paper in enumerate(PAPERS, 1):
            season.add_photo(photo(number, paper))
    return analysis.load(path)


def test_ranks_have_the_probability_of_all_cases_together(frames):
    exact: dict[str, Counter] = {team: Counter() for team in "ABCD"}
    for probability, ranks, _ in cases(PAPERS):
        for team, rank in ranks.items():
            exact[team][rank] += probability
    table = doubtful_standings(frames, draws=20000).ranks.set_index("team")
    for team, chances in exact.items():
        rank, probability = chances.most_common(1)[0]
        assert table.loc[team, "probability"] == pytest.approx(probability, abs=0.015)
        assert table.loc[team, "rank"] == rank
    assert table["open_games"].to_dict() == {"A": 2, "B": 3, "C": 2, "D": 1}


def test_the_answers_that_move_the_table_are_those_of_all_cases(frames):
    """What an answer moves and settles, by fixing it and going through all other cases."""
    known = list(cases(PAPERS))
    first = {team: sum(p for p, ranks, _ in known if ranks[team] == 1) for team in "ABCD"}
    exact = {}
    for place in known[0][2]:
        moves, settles = 0.0, 0.0
        for text in {texts[place] for _, _, texts in known}:
            share = [(p, ranks) for p, ranks, texts in known if texts[place] == text]
            weight = sum(p for p, _ in share)
            moves = max(moves, *(abs(sum(p for p, r in share if r[t] == 1) / weight - first[t]) for t in "ABCD"))
            settles += weight * (len({tuple(r.items()) for _, r in share}) == 1)
        exact[place] = (moves, settles)
    answers = doubtful_standings(frames, draws=40000).answers
    told = {}
    for row in answers.itertuples():
        number, _, _, line, column = row.cell_id.split("/")
        told[int(number[0]) - 1, int(line) - 1, column.removesuffix("_total")] = (row.moves, row.settles)
    moving = {place for place, (moves, _) in exact.items() if moves > 1e-9}
    assert moving <= set(told), "every answer that moves the first place is listed"
    for place, values in told.items():
        assert values == pytest.approx(exact[place], abs=0.03)


def test_one_answer_that_settles_all_says_so_in_words(tmp_path):
    paper = Paper("A", "B", ((200, 250), (350, 300), (510, 505)), {(2, "we"): [("510", 0.82), ("310", 0.18)]})
    with open_season(tmp_path / "season.db") as season:
        season.add_photo(photo(1, paper))
    table = doubtful_standings(analysis.load(tmp_path / "season.db"), draws=10000)
    words = in_words(table.ranks)
    assert [re.sub(r"8[0-4] %", "82 %", text) for text in words] == ["A: first (82 %)", "B: second (82 %)"]
    answer = table.answers.iloc[0]
    assert answer["settles"] == 1 and answer["said"] == "510: A first, B second; 310: A second, B first"
    with open_season(tmp_path / "season.db") as season:
        season.answer(answer["cell_id"], "510", "Ruth")
    table = doubtful_standings(analysis.load(tmp_path / "season.db"))
    assert in_words(table.ranks) == ["A: first", "B: second"] and table.answers.empty


def test_ranks_in_words():
    assert [ordinal(n) for n in (1, 8, 9, 11, 12, 13, 21, 22, 103, 111)] == [
        "first", "eighth", "9th", "11th", "12th", "13th", "21st", "22nd", "103rd", "111th"]
