"""``clabber duplicates``: sheets photographed more than once, what a scan says of them, and a person's word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import combinations
from pathlib import Path

from scanner.commands.status import ExitCode, say
from scanner.output.plain import plain
from scanner.season.duplicates import SURE, Twin, all_twins, count_sheet, set_aside_duplicates
from scanner.season.likeness import same_sheet, writing_of
from scanner.season.store import Season, open_season
from scanner.sheet.errors import InputError
from scanner.sheet.results import PhotoResult


def duplicates(season: Path, count: Sequence[str], instead: Sequence[str], aside: Sequence[str],
               by: str | None) -> ExitCode:
    """Lists the pairs, or decides: ``count`` a sheet too, count it ``instead`` of its twin, or set it ``aside``."""
    if (count or instead or aside) and not by:
        raise InputError("say who decides, for example --by Ruth; every decision keeps its name.")
    with open_season(season, create=False) as file:
        for sheet in count:
            count_sheet(file, sheet, by)
        for sheet in instead:
            count_sheet(file, sheet, by, instead=True)
        for sheet in aside:
            file.mark(sheet, "duplicate", by)
        _list(file)
    return ExitCode.OK


def _list(file: Season) -> None:
    twins = all_twins(file)
    for twin in twins:
        print(plain(f"{twin.sheet}  {_state(twin)}  {sentence(twin)}", 1000))
    if twins:
        print(plain(f"To decide: clabber duplicates --season {file.path} --by NAME, and a sheet's id with --count "
                    "(both count), --instead (it counts, its twin does not) or --aside (it does not count).", 1000))
    else:
        print("No sheet was photographed twice.")


def _state(twin: Twin) -> str:
    if twin.aside:
        return "not counted"
    return f"counted, says {twin.decided}" if twin.decided else "counted, undecided"


def sentence(twin: Twin) -> str:
    """What is to be said of a pair."""
    how = "shows the same sheet as" if twin.probability >= SURE else "may show the same sheet as"
    return f"{twin.photo} {how} {twin.other_photo} ({twin.other}), {surely(twin.probability)}"


def surely(probability: float) -> str:
    """A probability in words: never a certainty, as two games may agree by chance.

    >>> surely(0.98765), surely(0.99996)
    ('98.77% sure', 'more than 99.99% sure')
    """
    return "more than 99.99% sure" if probability > 0.9999 else f"{probability:.2%} sure"


def tell_twins(file: Season, sha256: str) -> None:
    """Sets aside sheets that the season has from another photo or typed file, and says so."""
    for twin in set_aside_duplicates(file, sha256):
        what = "is not counted" if twin.aside else "counts until somebody decides"
        say(f"clabber: {sentence(twin)}; {twin.sheet} {what} (clabber duplicates --season {file.path}).")


def games_that_count(file: Season, photos: Collection[str]) -> int:
    """Games of these photos (SHA-256) on sheets that are not set aside."""
    rows = file.select("SELECT sha256, count(*) AS games FROM games JOIN sheets USING (sheet_id) WHERE mark IS NULL "
                       "GROUP BY sha256")
    return sum(row["games"] for row in rows if row["sha256"] in photos)


def twins_among(results: Sequence[PhotoResult]) -> list[tuple[str, str, float]]:
    """Sheets of a run that an earlier photo shows too, with its name and the probability: for a run without a season.

    Each sheet is named once, beside the first of its photos, however often it was photographed.
    """
    sheets = [(result.photo, writing_of(sheet)) for result in results for sheet in result.sheets]
    alike: dict[tuple, list[int]] = defaultdict(list)
    for number, (_, writing) in enumerate(sheets):
        for place, row in writing.rows.items():
            alike[place, row.outcome].append(number)
    pairs = {pair for numbers in alike.values() for pair in combinations(numbers, 2)}
    first: dict[int, tuple[str, str, float]] = {}
    for i, j in sorted(pairs):
        if j not in first and sheets[i][0] != sheets[j][0]:
            chance = same_sheet(sheets[i][1], sheets[j][1], len(sheets))
            if chance >= SURE:
                first[j] = (sheets[j][0], sheets[i][0], chance)
    return [first[j] for j in sorted(first)]
