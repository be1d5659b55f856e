"""Exit statuses, messages for people on stderr, and the one place that turns an exception into both."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum
from pathlib import Path

from scanner.output.plain import plain
from scanner.rules.errors import RuleError
from scanner.sheet.errors import ClabberError

#: The disk, or one's share of it, is full.
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


class ExitCode(IntEnum):
    """What ``clabber`` returns to the shell; part of its contract."""

    #: All done, nothing wrong.
    OK = 0
    #: A photo had an error (scan), or problems were found (check).
    PROBLEMS = 1
    #: Wrong usage, unusable input, or nothing to read.
    USAGE = 2
    #: A defect of this program; the traceback is printed.
    DEFECT = 70
    #: Interrupted by the person at the keyboard; what was done is kept.
    INTERRUPTED = 130


def say(message: str) -> None:
    """Print one line to stderr, whatever is in it."""
    print(plain(message, 2000), file=sys.stderr, flush=True)


def tell_empty(season: Path) -> None:
    """Says so if the season file to be written is one of 0 bytes, as a crash or ``touch`` leaves it."""
    with suppress(OSError):
        if season.is_file() and season.stat().st_size == 0:
            say(f"clabber: {season} was empty (0 bytes), so a new season is begun in it. If games were in it before, "
                "restore your copy of it and do this once more.")


def guarded(command: Callable[[], ExitCode]) -> ExitCode:
    """Run a command; every exception it lets through becomes a message and an exit status here."""
    try:
        code = command()
        sys.stdout.flush()
        return code
    except (ClabberError, RuleError) as error:
        say(f"clabber: {error}")
        return ExitCode.USAGE
    except KeyboardInterrupt:
        say("clabber: interrupted; what was done is kept.")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # whoever read our output has left (``| head``)
        _abandon_stdout()
        return ExitCode.PROBLEMS
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _FULL:
            say(f"clabber: the output could not be written ({error.strerror}). Make room and try again.")
            _abandon_stdout()
            return ExitCode.PROBLEMS
        traceback.print_exc()
        say("clabber: this is a defect of the program; please report it with the lines above.")
        return ExitCode.DEFECT


def _abandon_stdout() -> None:
    """What stdout still holds goes nowhere, or Python would complain once more when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
