"""Team names: which team of the league stands on a written line, or what it says where there is no roster."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scanner.reader.lines import Line, fold, read_lines
from scanner.sheet.results import Label
from scanner.sheet.roster import Roster

#: What one more letter of a name is worth, nats. The network's probability of a text falls with each letter of it, as
#: does the chance that a text chosen blindly is that one: 1 in 26 for even letters, so ln 26 would be right for a
#: network that is never surer than it should be.  Fitted with the two below on composed lines of held-out writers, half
#: of them with a name that is not on the roster.
LETTER_NATS = 3.0
#: Nats in favour of "none of these", and how much of the evidence to believe.
NONE_NATS = -3.0
TRUST = 0.6
#: A team less probable than this is not reported: a wrong team is worse than a blank that a person fills in.
LEAST_NAME = 0.5
#: Log-odds of a figure in a name: one team in twenty is a post or a lodge with a number.
FIGURES = -3.0
#: Share of empty lines whose writing the network may still see as nothing; below it a line counts as written on.
EMPTY = 0.5


def read_name(strip: np.ndarray, roster: Roster | None = None) -> Label:
    """The team named on a strip. See :func:`name_on`; raises ClabberError if it is no 8-bit picture."""
    return name_on(read_lines([strip])[0], roster)


def read_names(strips: Mapping[str, np.ndarray], roster: Roster | None = None) -> dict[str, Label]:
    """The teams named on the strips of the two sides, by the same keys; nobody plays against himself."""
    lines = dict(zip(strips, read_lines(list(strips.values())), strict=True))
    labels = {key: name_on(line, roster) for key, line in lines.items()}
    if roster is None or len(labels) < 2:
        return labels
    (one, a), (two, b) = ((key, team_probabilities(line, roster)) for key, line in lines.items())
    if labels[one].text and labels[one].text == labels[two].text:
        return {one: _label(roster, a * _others(b)), two: _label(roster, b * _others(a))}
    return labels


def name_on(line: Line, roster: Roster | None = None) -> Label:
    """The team named on a line, with its probability.

    Without a roster: what the line says, words with capitals.  With one: the team's name as the roster spells it,
    whichever alias was written, or ``""`` where nobody on the roster is more likely than not; a half-read name would
    only become a team that does not exist.  An empty line is ``""`` with the probability that it is empty.
    """
    empty = blankness(line)
    if empty > EMPTY:
        return Label("", empty)
    if roster is None:
        text, probability = spelled(line)
        return Label(text.title().replace("'S", "'s"), probability) if may_be_name(text) else Label("", 0.0)
    return _label(roster, team_probabilities(line, roster))


def may_be_name(text: str) -> bool:
    """Whether a free reading can be a team's name: more letters than anything else, and two at least.

    A date or a game number read where a name was looked for would become a team that does not exist.

    >>> may_be_name("mules"), may_be_name("lodge 1201"), may_be_name("7-14-25"), may_be_name("4")
    (True, True, False, False)
    """
    letters = sum(c.isalpha() for c in text)
    return letters >= 2 and 2 * letters > len(text.replace(" ", ""))


def _label(roster: Roster, shares: np.ndarray) -> Label:
    """The likeliest team, if it is likely enough; ``shares`` need not sum to one."""
    shares = shares / shares.sum()
    best = int(np.argmax(shares[:-1]))
    return Label(roster.names[best], float(shares[best])) if shares[best] >= LEAST_NAME else Label("", 0.0)


def _others(shares: np.ndarray) -> np.ndarray:
    """For each team the probability that the other side is another one; "none of these" excludes nobody."""
    free = 1 - shares
    free[-1] = 1.0
    return free


def blankness(line: Line) -> float:
    """Probability that nothing is written on the line."""
    return float(np.exp(line.log_probs([""])).mean())


def spelled(line: Line, figures: float = FIGURES) -> tuple[str, float]:
    """The text of the line, lower case, and its probability; ``figures`` is the log-odds of a figure in it."""
    texts = line.best_paths()
    nats = mixed(line.log_probs(texts))
    best = int(np.argmax(nats + [figures * any(c.isdigit() for c in text) for text in texts]))
    return texts[best], float(np.exp(nats[best]))


def team_probabilities(line: Line, roster: Roster) -> np.ndarray:
    """Probability of each team in the roster's order, and as the last that of "none of these"."""
    spellings = [(i, fold(s)) for i, team in enumerate(roster.teams) for s in team.spellings]
    spellings = [(i, s) for i, s in spellings if s]
    texts = [s for _, s in spellings]
    nats = mixed(line.log_probs(texts)) + LETTER_NATS * np.array([len(s) for s in texts])
    scores = np.full(len(roster.teams) + 1, -np.inf)
    for (i, _), n in zip(spellings, nats, strict=True):
        scores[i] = max(scores[i], TRUST * float(n))
    scores[-1] = TRUST * NONE_NATS + np.log(len(roster.teams))
    weights = np.exp(scores - scores.max())
    return weights / weights.sum()


def mixed(log_probs: np.ndarray) -> np.ndarray:
    """Log of the mean probability over the looks, shape (looks, texts) to (texts,): one good look is enough."""
    return np.logaddexp.reduce(log_probs, axis=0) - np.log(len(log_probs))
