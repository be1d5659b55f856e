"""What people write in the head of a sheet: team names, words that are none, and dates in all their spellings."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from importlib import resources

from scanner.workshop.pens import Rng

_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")
#: The workshop's own lists: words of team names, and names of people.
_WORDS, _FAMILIES = (part.split() for part in
                     (resources.files("scanner.workshop") / "data" / "words.txt").read_text("utf-8").split("\n\n")[1:])
_DAYS = ("sun", "mon", "tue", "tues", "wed", "thu", "thurs", "fri", "sat")


def random_phrase(rng: Rng) -> str:
    """A text to write on a line of the head, in the case its writer gives it; sometimes nothing."""
    kind = rng.random()
    if kind < 0.04:
        return ""
    if kind < 0.34:
        return random_date(rng)
    if kind < 0.39:
        return str(rng.integers(0, 10 ** int(rng.integers(1, 5))))
    return cased(random_name(rng), rng)


def random_name(rng: Rng) -> str:
    """A team's name in lower case: one to three words, half of them real ones."""
    kind = rng.random()
    if kind < 0.06:
        return f"{_pick(_FAMILIES, rng)} {_pick(('&', '&', 'and', '+'), rng)} {_pick(_FAMILIES, rng)}"
    if kind < 0.10:
        return f"{_pick(_FAMILIES, rng)}'s {_pick(_WORDS, rng) if rng.random() < 0.5 else ''}".strip()
    if kind < 0.15:
        return f"{_pick(('team', 'table', 'post', 'local', 'lodge', 'no.', 'st.'), rng)} {rng.integers(1, 2000)}"
    words = [_word(rng) for _ in range(int(rng.choice([1, 2, 3], p=[0.62, 0.33, 0.05])))]
    return ("-" if rng.random() < 0.03 else " ").join(words)[:22].strip()


def _word(rng: Rng) -> str:
    kind = rng.random()
    if kind < 0.38:
        return _pick(_WORDS, rng)
    if kind < 0.5:
        return _pick(_FAMILIES, rng) + ("s" if rng.random() < 0.3 else "")
    if kind < 0.6:
        return "".join(chr(97 + int(c)) for c in rng.integers(0, 26, int(rng.integers(2, 8))))
    return invented(rng)


def invented(rng: Rng) -> str:
    """A word that looks like one: letters drawn by what follows two letters in the lists above."""
    table = _followers()
    word = ""
    while len(word) < 11:
        letters, shares = table["^" * (2 - len(word[-2:])) + word[-2:]]
        letter = letters[int(rng.choice(len(letters), p=shares))]
        if letter == "$":
            if len(word) >= 3:
                break
            continue
        word += letter
        if len(word) >= 3 and len(letters) == 1 and letter == "$":
            break
    return word


@cache
def _followers() -> dict[str, tuple[list[str], list[float]]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for word in (*_WORDS, *_FAMILIES, *_MONTHS):
        padded = f"^^{word}$"
        for i in range(2, len(padded)):
            counts[padded[i - 2:i]][padded[i]] += 1
            # One letter more everywhere, so that no pair is a dead end and rare letters come up.
    for pair in [a + b for a in "^abcdefghijklmnopqrstuvwxyz" for b in "^abcdefghijklmnopqrstuvwxyz"]:
        for letter in "aeioumnrstlbcdfghjkpqvwxyz":
            counts[pair][letter] += 0.04
    out = {}
    for pair, counter in counts.items():
        total = sum(counter.values())
        out[pair] = (list(counter), [n / total for n in counter.values()])
    return out


def cased(text: str, rng: Rng) -> str:
    """The text as somebody writes it: with capitals first, all in capitals, all small, or printed in a mixture."""
    kind = rng.random()
    if kind < 0.55:
        return " ".join(w[:1].upper() + w[1:] for w in text.split(" "))
    if kind < 0.77:
        return text.upper()
    if kind < 0.87:
        return text
    return "".join(c.upper() if rng.random() < 0.5 else c for c in text)


def random_date(rng: Rng) -> str:
    """A date in one of the ways people write it; every day of every year as likely as another."""
    month, day, year = int(rng.integers(1, 13)), int(rng.integers(1, 32)), int(rng.integers(1990, 2040))
    short = f"{year % 100:02d}"
    if rng.random() < 0.72:
        mark = str(rng.choice(["-", "/", ".", " "], p=[0.5, 0.33, 0.13, 0.04]))
        pad = rng.random() < 0.18
        parts = [f"{month:02d}" if pad else str(month), f"{day:02d}" if pad else str(day)]
        tail = rng.random()
        parts += [short] if tail < 0.66 else [str(year)] if tail < 0.88 else []
        return mark.join(parts)
    name = _MONTHS[month - 1]
    name = name[:3] if rng.random() < 0.6 else "sept" if month == 9 and rng.random() < 0.4 else name
    text = f"{name}{'.' if len(name) < 5 and rng.random() < 0.3 else ''} {day}{_ordinal(day, rng)}"
    if rng.random() < 0.08:
        text = f"{_pick(_DAYS, rng)} {text}"
    tail = rng.random()
    text += "" if tail < 0.45 else f"{',' if rng.random() < 0.6 else ''} {year if tail < 0.85 else chr(39) + short}"
    return cased(text, rng)


def _ordinal(day: int, rng: Rng) -> str:
    if rng.random() > 0.12:
        return ""
    return "th" if 4 <= day <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _pick(words, rng: Rng) -> str:
    return words[int(rng.integers(len(words)))]
