"""Errors a user can mend. Each message says what is wrong and what to do; ``scanner.cli`` maps them to exit codes."""

from __future__ import annotations


class ClabberError(ValueError):
    """Base of every error whose message is written for the person who caused it."""


class LayoutError(ClabberError):
    """A layout is unknown, or its file is none. The message names the file, the key and the nearest right one."""


class InputError(ClabberError):
    """A file given to a command is unusable as a whole (not JSON, an unknown cell key, nothing to read)."""


class SeasonError(ClabberError):
    """A season file is damaged, locked, of another kind or of a newer version."""
