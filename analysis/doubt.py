"""What open questions do to the table: unsettled totals drawn from their posterior, ranks told with a probability.

The official total of a side is the last number written in its total column.  Wherever a cell of that column still
waits for a person, its text is drawn from the choices the scan left, each game anew; everything settled or sure stays.
Cells are drawn one by one, although a sheet's sums tie neighbours together: ranks come out a little too doubtful
rather than too sure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.frames import Frames
from analysis.league import RANKINGS, TARGET, team_results

#: An answer drawn less often tells nothing but its own chance; one that moves a chance by less than so many standard
#: errors of the draws may be moving nothing (at 4, one in ten thousand useless questions is listed).
_FEWEST, _SIGMAS = 30, 4.0

#: Cell id to the text drawn for it in each of the draws.
Drawn = dict[str, np.ndarray]


@dataclass(frozen=True)
class DoubtfulTable:
    """Standings under doubt.

    Attributes:
        ranks: one row a team, best first: team, rank (the most probable), probability of that rank, open_games.
        answers: one row an open question that may move the table: cell_id, moves (greatest change of anybody's chance
            of being first, over the answers), settles (chance that this answer alone leaves no rank in doubt), said
            (what each likely answer would mean, in words); most telling first.
    """

    ranks: pd.DataFrame
    answers: pd.DataFrame


def doubtful_standings(frames: Frames, ranking: str = "games", draws: int = 2000, seed: int = 0) -> DoubtfulTable:
    """Ranks with their probability while questions are open, and the answers that would settle most.

    The table goes by the first two criteria of the ranking.  Games that no table counts whatever the answers (without
    names, entered twice, not in the league's schedule) are left out here too.
    """
    games = frames.games[frames.games["we"].notna() & frames.games["they"].notna()]
    if "set_aside" in games:
        games = games[games["set_aside"].isna()]
    cells = frames.cells[frames.cells["cell"].isin(["we_total", "they_total"])]
    asked = cells["review"] & cells["settled"].isna()
    open_ids = set(cells.loc[asked, "game_id"]) & set(games.loc[games["official"] == "written", "game_id"])
    teams = sorted(set(games["we"]) | set(games["they"]))
    place = {team: i for i, team in enumerate(teams)}
    won, points = _sure(games[~games["game_id"].isin(open_ids)], place, draws)
    drawn: Drawn = {}
    rng = np.random.default_rng(seed)
    open_games = games[games["game_id"].isin(open_ids)]
    by_game = {key: rows for key, rows in cells[cells["game_id"].isin(open_ids)].groupby("game_id")}
    for game in open_games.itertuples():
        totals = [_totals(by_game[game.game_id], side, draws, rng, drawn) for side in ("we", "they")]
        _add(won, points, totals, [place[game.we], place[game.they]])
    key = points + (won * 1e6 if RANKINGS[ranking][0] == "won" else 0)
    ranks = 1 + (key[:, None, :] > key[:, :, None]).sum(axis=2)
    waiting = pd.concat([open_games["we"], open_games["they"]]).value_counts()
    return DoubtfulTable(_told(ranks, teams, waiting), _answers(ranks, teams, drawn))


def in_words(ranks: pd.DataFrame) -> list[str]:
    """Each team's place as a sentence: ``"Owls: second (82 %)"``, without the chance where it is certain."""
    return [f"{row.team}: {ordinal(row.rank)}{_chance(row.probability)}" for row in ranks.itertuples()]


def ordinal(rank: int) -> str:
    """A rank in words.

    >>> ordinal(2), ordinal(12), ordinal(23)
    ('second', '12th', '23rd')
    """
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
    if rank <= len(words):
        return words[rank - 1]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th") if rank % 100 not in (11, 12, 13) else "th"
    return f"{rank}{ending}"


def _chance(probability: float) -> str:
    if probability >= 1:
        return ""
    # Nothing that is drawn is rounded to certain or to impossible.
    return f" ({min(max(round(100 * probability), 1), 99)} %)"


def _sure(games: pd.DataFrame, place: dict[str, int], draws: int) -> tuple[np.ndarray, np.ndarray]:
    """Games won and points of the games without doubt, the same in every draw, shape (draws, teams)."""
    won, points = np.zeros(len(place)), np.zeros(len(place))
    results = team_results(games)
    index = results["team"].map(place).to_numpy(dtype=int)
    np.add.at(won, index, results["won"].to_numpy(dtype=float))
    np.add.at(points, index, results["points"].to_numpy(dtype=float))
    return np.tile(won, (draws, 1)), np.tile(points, (draws, 1))


def _totals(cells: pd.DataFrame, side: str, draws: int, rng: np.random.Generator, drawn: Drawn) -> np.ndarray:
    """A side's final total in each draw, nan where the column holds no number, shape (draws,)."""
    total = np.full(draws, np.nan)
    for cell in cells[cells["cell"] == f"{side}_total"].sort_values("row").itertuples():
        choices = json.loads(cell.choices) if cell.review and pd.isna(cell.settled) else []
        texts = np.full(draws, cell.text, dtype=object)
        if len(choices) > 1:
            chances = np.array([p for _, p in choices])
            texts = np.array([t for t, _ in choices], dtype=object)[
                rng.choice(len(choices), size=draws, p=chances / chances.sum())]
            drawn[cell.cell_id] = texts
        numbers = np.array([float(t) if t.isdigit() else np.nan for t in texts])
        total = np.where(np.isnan(numbers), total, numbers)
    return total


def _add(won: np.ndarray, points: np.ndarray, totals: list[np.ndarray], places: list[int]) -> None:
    """Adds one doubtful game to the draws in which it is over."""
    we, they = totals
    over = np.fmax(we, they) >= TARGET
    for own, other, place in ((we, they, places[0]), (they, we, places[1])):
        won[:, place] += over & (own > other)
        points[:, place] += np.where(over, np.nan_to_num(own), 0)


def _told(ranks: np.ndarray, teams: list[str], waiting: pd.Series) -> pd.DataFrame:
    rows = []
    for i, team in enumerate(teams):
        values, counts = np.unique(ranks[:, i], return_counts=True)
        best = int(np.argmax(counts))
        rows.append((team, int(values[best]), counts[best] / len(ranks), int(waiting.get(team, 0)), ranks[:, i].mean()))
    table = pd.DataFrame(rows, columns=["team", "rank", "probability", "open_games", "mean"])
    return table.sort_values(["mean", "team"], ignore_index=True).drop(columns="mean")


def _answers(ranks: np.ndarray, teams: list[str], drawn: Drawn) -> pd.DataFrame:
    before = (ranks == 1).mean(axis=0)
    rows = []
    for cell_id, texts in drawn.items():
        shares = {text: texts == text for text in dict.fromkeys(texts.tolist())}
        shares = {text: share for text, share in shares.items() if share.sum() >= _FEWEST}
        if _moves_a_rank(ranks, list(shares.values())):
            moves = max(np.abs((ranks[share] == 1).mean(axis=0) - before).max() for share in shares.values())
            settled = sum(share.mean() for share in shares.values() if (ranks[share] == ranks[share][0]).all())
            rows.append((cell_id, float(moves), float(settled), _said(ranks, teams, shares)))
    table = pd.DataFrame(rows, columns=["cell_id", "moves", "settles", "said"])
    return table.sort_values(["settles", "moves", "cell_id"], ascending=[False, False, True], ignore_index=True)


def _moves_a_rank(ranks: np.ndarray, shares: list[np.ndarray]) -> bool:
    """Whether some answer makes some team's mean rank differ from what it was by more than drawing can."""
    mean, spread = ranks.mean(axis=0), ranks.std(axis=0)
    return any((np.abs(ranks[share].mean(axis=0) - mean) > _SIGMAS * spread / np.sqrt(share.sum())).any()
               for share in shares)


def _said(ranks: np.ndarray, teams: list[str], shares: Mapping[str, np.ndarray]) -> str:
    """What the likeliest answers mean for those whose place they move most, at most three of each."""
    doubtful = np.argsort(-ranks.std(axis=0), kind="stable")[:3]
    parts = []
    for text, share in sorted(shares.items(), key=lambda item: -item[1].sum())[:3]:
        told = []
        for team in doubtful[ranks[:, doubtful].std(axis=0) > 0]:
            values, counts = np.unique(ranks[share, team], return_counts=True)
            best = int(np.argmax(counts))
            told.append(f"{teams[team]} {ordinal(int(values[best]))}{_chance(counts[best] / share.sum())}")
        parts.append(f"{text or 'empty'}: {', '.join(told)}")
    return "; ".join(parts)
