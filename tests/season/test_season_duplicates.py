"""The same sheet photographed again is counted once, another game is never taken for it, and a person decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from season_samples import QUAD, sha

from scanner.commands.duplicates import games_that_count, surely
from scanner.rules.priors import hand_prior
from scanner.season.decisions import PROGRAM
from scanner.season.duplicates import SURE, all_twins, count_sheet, set_aside_duplicates
from scanner.season.likeness import same_sheet, writing_of
from scanner.season.schema import MARKS
from scanner.season.store import Season, open_season
from scanner.sheet.errors import InputError
from scanner.sheet.results import CellResult, GameResult, HandScore, Label, Pair, PhotoResult, RowResult, SheetResult

Hand = tuple[int, int, str | None]
GAME: tuple[Hand, ...] = ((92, 70, None), (0, 162, "we"), (131, 51, None), (104, 58, None), (77, 105, None),
                          (112, 50, None))


def cell(text: str, sure: float = 0.99) -> CellResult:
    return CellResult(text, sure, sure < 0.9, None, QUAD, ((text, sure), ("1" + text, 1 - sure)))


def sheet(hands: Sequence[Hand], teams: tuple[str, str] = ("Eagles", "Owls"), date: str = "2026-03-07",
          doubtful: dict[int, str] | None = None, start: int = 1) -> SheetResult:
    """A sheet of hands; ``doubtful`` maps a row to what is read of we's total there with a probability of a half."""
    totals, rows = [0, 0], []
    for number, (we, they, side) in enumerate(hands, start):
        totals = [totals[0] + we, totals[1] + they]
        texts = ["XX" if side == name else str(total) for name, total in zip(("we", "they"), totals, strict=True)]
        cells = dict(zip(("we_total", "they_total"), map(cell, texts), strict=True))
        if number in (doubtful or {}):
            cells["we_total"] = CellResult(doubtful[number], 0.5, True, None, QUAD,
                                           ((doubtful[number], 0.5), (texts[0], 0.4)))
        score = HandScore(Pair(we, they), Pair(*totals))
        rows.append(RowResult(number, cells, score, score, side, None, 0))
    game = GameResult(tuple(rows), None, None, None, (), 1, QUAD, 0.01)
    heads = {"we": Label(teams[0], 0.97), "they": Label(teams[1], 0.97)}
    return SheetResult("evansville", 0.99, QUAD, (game,), heads, Label(date, 0.9, date))


def probability(a: SheetResult, b: SheetResult, others: int = 100) -> float:
    forth, back = (same_sheet(writing_of(x), writing_of(y), others) for x, y in ((a, b), (b, a)))
    assert forth == pytest.approx(back)
    return forth


def test_the_same_sheet_is_recognised_read_well_or_badly_finished_or_not() -> None:
    whole = sheet(GAME)
    assert probability(whole, sheet(GAME)) > SURE
    assert probability(whole, sheet(GAME, doubtful={2: "7", 5: "404"})) > SURE
    assert probability(whole, sheet(GAME[:4])) > SURE, "photographed before the game was over"
    assert probability(whole, sheet(GAME, ("Eagels", "0wls"))) > SURE, "names are misread more easily than all sums"
    assert probability(whole, sheet(GAME, doubtful={3: "228"})) > SURE, "one total misread, all the others equal"


def test_known_names_that_differ_are_a_question_whatever_the_hands_say() -> None:
    a, b = (replace(sheet(GAME), teams={"we": Label(name, 1.0), "they": Label("Owls", 1.0)}) for name in "AB")
    assert 0.5 < probability(a, b) < SURE
    assert probability(a, a) > SURE


@pytest.mark.parametrize("shared", [0, 1, 2, 3, 4])
def test_equal_first_rows_do_not_make_two_games_one(shared: int) -> None:
    other = (*GAME[:shared], (83, 79, None), (120, 42, None), (66, 96, None))
    assert probability(sheet(GAME), sheet(other)) < 0.1
    assert probability(sheet(GAME), sheet(other, date="2026-04-04")) < 0.1


def test_a_sheet_that_differs_in_its_last_row_only_is_asked_about_or_left() -> None:
    other = (*GAME[:-1], (150, 12, None))
    assert probability(sheet(GAME), sheet(other)) < SURE


def test_one_or_two_equal_rows_alone_are_never_sure() -> None:
    unknown = ("", "")
    for rows in (1, 2):
        a, b = (sheet(GAME[:rows], unknown, date) for date in ("2026-03-07", "2026-03-14"))
        assert probability(a, b) < SURE


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_games_drawn_at_random_are_never_one(seed: int) -> None:
    import numpy as np

    rng = np.random.default_rng(seed)
    outcomes = list(hand_prior().outcomes.items())
    weights = np.array([p for _, p in outcomes])
    draw = [[outcomes[i][0] for i in rng.choice(len(outcomes), 6, p=weights / weights.sum())] for _ in range(2)]
    assert probability(sheet(draw[0]), sheet(draw[1]), 1) < 0.5


def add(season: Season, name: str, one: SheetResult):
    season.add_photo(PhotoResult(name, sha(name), 10, 10, (one,)))
    return set_aside_duplicates(season, sha(name))


def counted(season: Season) -> set[str]:
    return {row["photo"] for row in season.select(
        "SELECT photo FROM sheets JOIN photos USING (sha256) WHERE mark IS NULL")}


@pytest.fixture
def season(tmp_path: Path):
    with open_season(tmp_path / "season.db") as file:
        yield file


def test_a_second_photo_is_set_aside_and_nothing_is_lost(season: Season) -> None:
    assert add(season, "a.jpg", sheet(GAME)) == []
    (twin,) = add(season, "b.jpg", sheet(GAME))
    assert (twin.photo, twin.other_photo, twin.aside, twin.decided) == ("b.jpg", "a.jpg", True, PROGRAM)
    assert counted(season) == {"a.jpg"}
    kept = [row.cells["we_total"].text for row in season.photo(sha("b.jpg")).sheets[0].games[0].rows]
    assert kept == [row.cells["we_total"].text for row in sheet(GAME).games[0].rows]
    assert set_aside_duplicates(season, sha("b.jpg")) == set_aside_duplicates(season, sha("a.jpg")) == []
    (review,) = season.select("SELECT * FROM reviews")
    assert review["by"] == PROGRAM and "a.jpg" in review["note"]


def test_of_two_photos_of_one_game_the_one_with_more_hands_counts_whatever_the_order(season: Season) -> None:
    add(season, "early.jpg", sheet(GAME[:4]))
    (twin,) = add(season, "late.jpg", sheet(GAME))
    assert twin.photo == "early.jpg" and counted(season) == {"late.jpg"}
    (third,) = add(season, "middle.jpg", sheet(GAME[:5]))
    assert third.photo == "middle.jpg" and counted(season) == {"late.jpg"}


def test_other_games_stay_and_a_doubtful_pair_is_named_but_counted(season: Season) -> None:
    add(season, "a.jpg", sheet(GAME))
    assert add(season, "b.jpg", sheet((*GAME[:2], (100, 62, None), (81, 101, None)))) == []
    last = sheet((*GAME[:-1], (150, 12, None)))
    assert all(not twin.aside and twin.decided is None for twin in add(season, "c.jpg", last))
    assert counted(season) == {"a.jpg", "b.jpg", "c.jpg"}


def test_a_person_has_the_last_word(season: Season) -> None:
    add(season, "a.jpg", sheet(GAME))
    (twin,) = add(season, "b.jpg", sheet(GAME))
    count_sheet(season, twin.sheet, "Ruth")
    assert counted(season) == {"a.jpg", "b.jpg"}
    assert all(not t.aside for t in set_aside_duplicates(season, sha("b.jpg")))
    season.add_photo(PhotoResult("b.jpg", sha("b.jpg"), 10, 10, (sheet(GAME),)), rescan=True)
    set_aside_duplicates(season, sha("b.jpg"))
    assert counted(season) == {"a.jpg", "b.jpg"}, "reading it again does not overrule her"
    (known,) = all_twins(season)
    assert known.decided == "Ruth"


def test_the_twin_can_count_instead(season: Season) -> None:
    add(season, "a.jpg", sheet(GAME))
    (twin,) = add(season, "b.jpg", sheet(GAME))
    count_sheet(season, twin.sheet, "Ruth", instead=True)
    assert counted(season) == {"b.jpg"}
    with pytest.raises(InputError, match="no other sheet"):
        count_sheet(season, twin.sheet, "Ruth", instead=True)


@pytest.mark.parametrize("name", [PROGRAM, f"  {PROGRAM.upper()} ", PROGRAM.replace(" ", "  ")])
def test_nobody_signs_as_the_program_and_nobody_undoes_what_it_did(season: Season, name: str) -> None:
    add(season, "a.jpg", sheet(GAME))
    (twin,) = add(season, "b.jpg", sheet(GAME))
    refused = (lambda: season.last_decision(name), lambda: season.mark(twin.sheet, None, name),
               lambda: season.answer(f"{twin.sheet}/we", "Larks", name),
               lambda: season.rule(f"{twin.sheet}/1", "written", name),
               lambda: season.take_back(f"{twin.sheet}/we", name), lambda: count_sheet(season, twin.sheet, name))
    for decision in refused:
        with pytest.raises(InputError, match="a person's name"):
            decision()
    assert counted(season) == {"a.jpg"} and season.last_decision("Ruth") is None
    assert [row["by"] for row in season.select("SELECT by FROM reviews")] == [PROGRAM]


def asked(season: Season) -> set[str]:
    return {question.cell_id for question in (*season.questions(), *season.head_questions())}


@pytest.mark.parametrize("mark", MARKS)
def test_nothing_is_asked_of_a_sheet_set_aside_until_it_counts_again(season: Season, mark: str) -> None:
    add(season, "a.jpg", sheet(GAME, ("", "Owls"), "", {2: "7"}))
    before = asked(season)
    assert {place.rsplit("/", 1)[-1] for place in before} == {"we", "date", "we_total"}
    (owner,) = season.select("SELECT sheet_id FROM sheets")[0]
    season.mark(owner, mark, "Ruth")
    assert asked(season) == set()
    season.mark(owner, None, "Ruth")
    assert asked(season) == before


@pytest.mark.parametrize("read", ["", "E"])
def test_no_name_or_date_is_asked_of_a_sheet_without_a_hand(season: Season, read: str) -> None:
    used, head = sheet(GAME, ("", "Owls"), ""), {side: Label(read, 0.3) for side in ("we", "they")}
    blank = GameResult((), None, None, None, (), 1, QUAD, 0.01)
    unused = [SheetResult("evansville", 0.99, QUAD, games, head, Label(read, 0.3)) for games in ((), (blank,))]
    season.add_photo(PhotoResult("a.jpg", sha("a.jpg"), 10, 10, (used, *unused)))
    assert {question.cell_id.split("/", 1)[1] for question in season.head_questions()} == {"1/we", "1/date"}


def test_games_that_count_are_those_of_the_photos_named_that_nobody_set_aside(season: Season) -> None:
    add(season, "a.jpg", sheet(GAME))
    add(season, "b.jpg", sheet(GAME))
    add(season, "c.jpg", sheet(GAME[::-1]))
    assert games_that_count(season, {sha("a.jpg"), sha("b.jpg")}) == 1
    assert games_that_count(season, {sha("b.jpg")}) == 0
    assert games_that_count(season, {sha("a.jpg"), sha("b.jpg"), sha("c.jpg"), "elsewhere"}) == 2


@given(st.floats(0.0, 1.0))
def test_nothing_is_a_hundred_per_cent_sure(chance: float) -> None:
    assert "100" not in surely(chance) and surely(chance).endswith("% sure")
