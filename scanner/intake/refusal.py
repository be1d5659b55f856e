"""Why something in a file is not read, on its way up inside this room; outside it is a PhotoError."""

from __future__ import annotations


class Refused(Exception):
    """Carries a code of the output contract and a sentence that says what to do, without the photo's name."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
