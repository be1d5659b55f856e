"""What a pad's own code says of teams and date, put before what was read of its head."""

from __future__ import annotations

from dataclasses import replace

from scanner.reader.head import Head
from scanner.sheet.plan import LONGEST_NAME, Fixture, one_name
from scanner.sheet.results import Label
from scanner.sheet.roster import Roster

#: A code is read right or not at all; what is left is that another game was played on the pad than was printed.
PRINTED = 0.99
#: Of two names of which one must be wrong, each is right as often as not.
EITHER = 0.5


def with_fixture(head: Head, fixture: Fixture | None, roster: Roster | None = None) -> Head:
    """The head with the names and date of the fixture, where it has any.

    No team plays itself: a code that says so is not believed for the names, and where the lines seem to say so both
    are doubted.
    """
    if fixture is not None:
        names = {side: _whole(name, roster) for side, name in (("we", fixture.we), ("they", fixture.they)) if name}
        if len(names) == 2 and one_name(names["we"]) == one_name(names["they"]):
            names = {}
        teams = head.teams | {side: Label(name, PRINTED) for side, name in names.items() if name}
        date = Label(fixture.date, PRINTED, fixture.date) if fixture.date else head.date
        head = replace(head, teams=teams, date=date)
    return _doubted(head)


def _doubted(head: Head) -> Head:
    """One team on both lines: one of the two is misread, and nobody knows which."""
    if len({one_name(label.text) for label in head.teams.values()}) > 1:
        return head
    return replace(head, teams={side: replace(label, confidence=min(label.confidence, EITHER))
                                for side, label in head.teams.items()})


def _whole(name: str, roster: Roster | None) -> str:
    """A name as the roster has it: a code holds no more than its first :data:`LONGEST_NAME` letters.

    Empty where those are the beginning of more than one team's name.
    """
    fits = {team.name for team in (roster.teams if roster is not None else ())
            if any(spelling[:LONGEST_NAME].strip() == name for spelling in team.spellings)}
    return name if not fits else fits.pop() if len(fits) == 1 else ""
