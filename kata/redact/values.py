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
    """A text that is too long, cut, with its mark.

    Attributes:
        ahead: The text itself, some way past the cut, to look at for secrets that cross it.
        kept: How many characters of it stay.
        mark: The mark that stands behind them.
    """

    __slots__ = ("ahead", "kept", "mark")
    ahead: str
    kept: int
    mark: str

    @classmethod
    def of(cls, ahead: str, kept: int, mark: str) -> "LongText":
        """Make one that keeps so many characters of a text."""
        long = cls(ahead[:kept] + mark)
        long.ahead, long.kept, long.mark = ahead, kept, mark
        return long
