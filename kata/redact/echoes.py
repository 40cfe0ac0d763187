"""Where secrets that were found once stand again: in time that grows with the text, however many there are."""

import re
from collections.abc import Iterable, Iterator

from .values import Span

FEW = 8
"""So many secrets are looked for one after the other: C does that faster than any index."""

BEGINNING = 8
"""Letters by which secrets are indexed; no secret that is looked for again is shorter."""

ALIKE = 16
"""So many secrets with one beginning are taken for one: whatever begins so is masked to the end of its word."""

_WORD = re.compile(r"[^\s\"'<>]*")


class Echoes:
    """Finds known secrets in texts.

    Args:
        secrets: The secrets, each of at least `BEGINNING` characters.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted(secrets, key=len, reverse=True)
        self._shortest = len(self._secrets[-1]) if self._secrets else 0
        self._index: dict[str, list[str]] = {}
        if len(self._secrets) > FEW:
            for secret in self._secrets:
                self._index.setdefault(secret[:BEGINNING], []).append(secret)

    def find(self, text: str) -> Iterator[Span]:
        """Yield where secrets stand; spans may overlap."""
        if len(text) < self._shortest:
            return iter(())
        return self._indexed(text) if self._index else self._each(text)

    def _each(self, text: str) -> Iterator[Span]:
        for secret in self._secrets:
            position = text.find(secret)
            while position >= 0:
                yield Span(position, position + len(secret), "credential")
                position = text.find(secret, position + len(secret))

    def _indexed(self, text: str) -> Iterator[Span]:
        index, position, last = self._index, 0, len(text) - BEGINNING
        while position <= last:
            alike = index.get(text[position : position + BEGINNING])
            end = self._end(text, position, alike) if alike else 0
            if end:
                yield Span(position, end, "credential")
            position = end or position + 1

    def _end(self, text: str, position: int, alike: list[str]) -> int:
        """Return where the longest secret ends that begins here; 0 for none."""
        if len(alike) <= ALIKE:
            return next((position + len(one) for one in alike if text.startswith(one, position)), 0)
        word = _WORD.match(text, position)
        return word.end() if word else 0
