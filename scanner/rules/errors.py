"""What goes wrong at a card table, by kind. Every error names the rule it offends and says what was expected."""

from __future__ import annotations


class RuleError(ValueError):
    """Base of all errors of the game; ``rule`` is the short name of the rule that was broken."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{message} [rule: {rule}]")
        self.rule = rule


class CardError(RuleError):
    """Something that is no card, or a card that is there twice, missing, or in the wrong hand."""


class TurnError(RuleError):
    """Somebody acts who is not to act, or does what is not due at this point of the hand."""


class IllegalBid(RuleError):
    """A call that the bidding does not allow."""


class IllegalPlay(RuleError):
    """A card that may not be played to this trick."""


class IllegalMeld(RuleError):
    """A meld that is not held, not a meld, or announced or shown at the wrong time."""


class HouseRuleError(RuleError):
    """A house rule that does not exist, or a value it cannot have; the message, for people, names it already."""

    def __init__(self, rule: str, message: str) -> None:
        ValueError.__init__(self, message)
        self.rule = rule
