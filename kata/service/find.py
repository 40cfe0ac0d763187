"""From what a person typed to a kata."""

import difflib
from collections.abc import Callable

from ..machines import Kata, NothingToUndoError, Version
from ..projections import Katas
from .errors import UnknownKataError, UnknownVersionError
from .identify import Named, parse_name
from .names import PREFIX


class Finder:
    """Looks katas up by number, name or ``kata_`` name; a name that is held goes before one that is only suggested."""

    def __init__(self, katas: Callable[[], Katas], tool_names: Callable[[], tuple[str, ...]]) -> None:
        self._katas, self._tool_names = katas, tool_names

    def kata(self, named: str) -> tuple[Kata, Named]:
        """Return the kata, and what was typed.

        Raises:
            UnknownKataError: there is none.
        """
        asked = parse_name(named)
        found = self._numbered(asked.number) if asked.number is not None else self._named(asked.name)
        if found is None:
            raise UnknownKataError(named, self._near(asked))
        return found, asked

    def last_decided(self) -> Kata:
        """Return the kata that a person decided about last.

        Raises:
            NothingToUndoError: nobody decided anything yet.
        """
        decided = [kata for kata in self._katas().all() if kata.decision is not None]
        if not decided:
            raise NothingToUndoError("nobody decided anything yet")
        return max(decided, key=lambda kata: kata.decision.position if kata.decision else 0)

    def names_but(self, kata: Kata) -> tuple[str, ...]:
        """Return every tool's name but those of this kata: what its name must not be like."""
        own = PREFIX + kata.name
        others = [
            PREFIX + one.name for one in self._katas().all() if one.holds_name and one.stream != kata.stream
        ]
        return tuple(sorted({*others, *(name for name in self._tool_names() if name != own)}))

    def _numbered(self, number: int) -> Kata | None:
        return self._katas().numbered(number)

    def _named(self, name: str) -> Kata | None:
        return next(iter(self._katas().named(name)), None)

    def _near(self, asked: Named) -> tuple[str, ...]:
        names = [kata.name for kata in self._katas().all()]
        return tuple(difflib.get_close_matches(asked.name, names, n=3, cutoff=0.5)) if asked.name else ()


def version_of(kata: Kata, number: int | None) -> Version:
    """Return a version by number; without one the version that waits, else the active one, else the newest.

    Raises:
        UnknownVersionError: there is no such version.
    """
    if number is None:
        return kata.pending or kata.current or kata.latest
    found = kata.version(number)
    if found is None:
        raise UnknownVersionError(kata.number, number, len(kata.versions))
    return found
