"""The one base of every error that Kata raises on purpose.

An error carries data, a stable ``code`` for machines and a ``hint`` that says what to do next. Rooms derive their own
short subtrees; what several rooms share stands here.
"""

from typing import ClassVar


class KataError(Exception):
    """Stand above every error that Kata raises on purpose.

    Attributes:
        code: A stable word for machines (JSON envelopes, HTTP answers, exit codes).
        hint: What a person can do next; may be empty.
    """

    code: ClassVar[str] = "error"
    hint: str = ""

    def __init__(self, message: str = "", *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint or type(self).hint


class NotFoundError(KataError):
    """Say that a kata, version, run or event does not exist."""

    code = "not_found"


class RefusedError(KataError):
    """Say that the state of things does not allow what was asked; nothing changed."""

    code = "refused"


class HumanNeededError(KataError):
    """Say that only a person, at a surface where they can answer, may do this."""

    code = "human_needed"


class UsageError(KataError):
    """Say that a command's words are wrong."""

    code = "usage"


class StoreError(KataError):
    """Stand above every error of the event log's storage."""

    code = "store_unavailable"


class NewerKataError(KataError):
    """Say that data were written by a newer Kata: kept as they are, not understood here."""

    code = "newer_kata"
    hint = "Update Kata, or leave this entry to the newer one."
