"""What masking takes and gives back. Standard library alone: the hook path imports this room before any dependency."""

from typing import NamedTuple

from ..json import JsonValue, Path


class Finding(NamedTuple):
    """One masked secret: where it stood, what it looked like, and its keyed fingerprint."""

    path: Path
    kind: str
    fingerprint: str


class Masked(NamedTuple):
    """A value with its secrets replaced by marks, and what was replaced."""

    value: JsonValue
    found: tuple[Finding, ...] = ()


class Kept(NamedTuple):
    """What is kept of a value: masked, and cut to size (design 7)."""

    value: JsonValue
    masked: tuple[Finding, ...] = ()
    truncated: bool = False


class Span(NamedTuple):
    """One secret inside a text: from ``start`` up to ``end``."""

    start: int
    end: int
    kind: str


class LongText(str):
    """The beginning of a text that is too long to keep, with some more to look at for secrets that cross the cut.

    Attributes:
        kept: How many of its characters stay.
        mark: The mark that stands behind them.
    """

    __slots__ = ("kept", "mark")
    kept: int
    mark: str

    @classmethod
    def of(cls, text: str, kept: int, mark: str) -> "LongText":
        """Make one."""
        long = cls(text)
        long.kept, long.mark = kept, mark
        return long
