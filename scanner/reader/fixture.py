"""What a pad's own code says of teams and date, put before what was read of its head."""

from __future__ import annotations

from dataclasses import replace

from scanner.reader.head import Head
from scanner.sheet.plan import LONGEST_NAME, Fixture
from scanner.sheet.results import Label
from scanner.sheet.roster import Roster

#: A code is read right or not at all; what is left is that another game was played on the pad than was printed.
PRINTED = 0.99


def with_fixture(head: Head, fixture: Fixture | None, roster: Roster | None = None) -> Head:
    """The head with the names and date of the fixture, where it has any."""
    if fixture is None:
        return head
    names = {side: _whole(name, roster) for side, name in (("we", fixture.we), ("they", fixture.they)) if name}
    teams = head.teams | {side: Label(name, PRINTED) for side, name in names.items()}
    date = Label(fixture.date, PRINTED, fixture.date) if fixture.date else head.date
    return replace(head, teams=teams, date=date)


def _whole(name: str, roster: Roster | None) -> str:
    """A name as the roster has it: a code holds no more than its first :data:`LONGEST_NAME` letters."""
    for team in roster.teams if roster is not None else ():
        if any(spelling[:LONGEST_NAME].strip() == name for spelling in team.spellings):
            return team.name
    return name
