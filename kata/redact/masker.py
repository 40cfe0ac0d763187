"""Replace the secrets in a value by marks."""

from collections.abc import Mapping, Sequence
from itertools import islice

from ..json import JsonValue, Path
from .echoes import Echoes
from .fields import find_named, is_number_secret, is_table, named, named_by
from .looks import is_opaque
from .marks import fingerprint, is_mark, secret_mark
from .search import MOST, Search, apart, outside_marks
from .shapes import kind_of
from .survey import MAX_DEPTH, flattened, survey
from .values import Finding, LongText, Masked, Span


class Masker:
    """Masks with one key: equal secrets get equal marks, in every value and every process that has the key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def mask(self, value: JsonValue) -> Masked:
        """Replace every secret in a value by its mark (design 7).

        Keys and values are looked at, in decoded text; only the secret itself is replaced. The value given is left as
        it is. What is nested deeper than a hundred levels is cut away.

        Returns:
            The masked value, and what was masked: its path (keys as masked), kind and fingerprint, in document order.
        """
        seen = survey(value)
        return self.mask_seen(flattened(value, self._key) if seen.depth > MAX_DEPTH else value, seen.texts)

    def mask_seen(self, value: JsonValue, texts: Sequence[str]) -> Masked:
        """Mask a value whose texts are known already."""
        is_cut = LongText in map(type, texts)
        searched = [text.ahead if isinstance(text, LongText) else text for text in texts] if is_cut else texts
        search = Search("\n".join(searched))
        return _Pass(self._key, search).run(value) if is_cut or not search.idle else Masked(value)


REMEMBERED = 64
"""Short texts stand in a value again and again: those without a secret are looked at once."""

UNSEEN = "unseen"
"""The kind of what is masked without a look, since its value holds too many secrets."""

LONG = 1024
"""A text longer than this that is masked whole for its name is not searched besides."""


class _Pass:
    """One value on its way through."""

    def __init__(self, key: bytes, search: Search) -> None:
        self._key = key
        self._search = search
        self._found: list[Finding] = []
        self._known: dict[str, Finding] = {}
        self._clean: set[tuple[str, str]] = set()
        self._unseen_digest = fingerprint(key, "")
        self._unseen_mark = secret_mark(UNSEEN, self._unseen_digest)

    def run(self, value: JsonValue) -> Masked:
        masked = self._any(value, (), "")
        known = [secret for secret in self._known if is_opaque(secret)]
        if known:
            masked = self._spread(masked, (), Echoes(known))
        return Masked(masked, tuple(self._found))

    def _any(self, value: JsonValue, path: Path, name: str) -> JsonValue:
        kind = type(value)
        if kind is str or isinstance(value, str):
            return self._text(value, path, name, [])
        if kind is dict or isinstance(value, Mapping):
            return self._object(value, path, name)
        if kind is list or isinstance(value, list | tuple):
            return self._list(list(value), path, name)
        if kind is int and is_number_secret(value, name):
            return (
                self._unseen(str(value), path) if len(self._found) >= MOST else self._mark(path, str(value))
            )
        return value

    def _object(self, value: Mapping[str, JsonValue], path: Path, name: str) -> JsonValue:
        masked: dict[str, JsonValue] = {}
        pairs = named_by(value, name) if is_table(name) else named(value)
        for key, item, own in pairs:
            if len(self._found) >= MOST:
                masked[self._unseen_mark] = self._rest((*path, self._unseen_mark))
                break
            shown = self._key_text(key, path)
            masked[shown] = self._any(item, (*path, shown), own)
        return masked

    def _key_text(self, key: str, path: Path) -> str:
        """Mask a key; what is found in it is listed under the key as masked."""
        if ("", key) in self._clean:
            return key
        before = len(self._found)
        shown = self._text(key, path, "", [])
        if len(self._found) > before:
            self._found[before:] = [finding._replace(path=(*path, shown)) for finding in self._found[before:]]
        return shown

    def _list(self, items: list[JsonValue], path: Path, name: str) -> JsonValue:
        spans: dict[int, list[Span]] = {}
        if len(items) > 1 and all(isinstance(item, str) for item in items):
            pieces = [*islice(self._search.across(items), MOST)]
            if len(pieces) == MOST:
                return [self._rest((*path, 0))]
            for index, span in pieces:
                spans.setdefault(index, []).append(span)
        masked: list[JsonValue] = []
        for index, item in enumerate(items):
            if len(self._found) >= MOST:
                masked.append(self._rest((*path, index)))
                break
            known = spans.get(index)
            masked.append(
                self._any(item, (*path, index), name)
                if known is None
                else self._text(item, (*path, index), name, known)
            )
        return masked

    def _text(self, text: str, path: Path, name: str, more: list[Span]) -> str:
        if isinstance(text, LongText):
            return (
                self._replaced(text.ahead, self._spans(text.ahead, name, more), path, text.kept) + text.mark
            )
        if (name, text) in self._clean and not more:
            return text
        if len(self._found) >= MOST:
            return self._unseen(text, path)
        spans = self._spans(text, name, more)
        if spans:
            return self._replaced(text, spans, path, len(text))
        if len(text) <= REMEMBERED:
            self._clean.add((name, text))
        return text

    def _spans(self, text: str, name: str, more: list[Span]) -> list[Span]:
        """Find what to mask in a text, in order and apart from each other."""
        spans = [*find_named(text, name), *more] if name or more else []
        if not (len(text) > LONG and spans and spans[0].end - spans[0].start > len(text) - 16):
            spans += islice(self._search.find(text), MOST)
        if len(spans) >= MOST:
            return [Span(0, len(text), "credential")]
        return outside_marks(apart(spans), text) if spans else []

    def _replaced(self, text: str, spans: list[Span], path: Path, kept: int) -> str:
        """Put marks in place of the spans that begin in what is kept of a text."""
        pieces: list[str] = []
        position = 0
        for span in spans:
            if span.start >= kept:
                break
            pieces += [text[position : span.start], self._mark(path, text[span.start : span.end])]
            position = span.end
        return "".join([*pieces, text[position:kept]])

    def _unseen(self, text: str, path: Path) -> str:
        """Mask a text of a value that has too many secrets, whatever it holds; all of them alike, unseen."""
        return text if not text or is_mark(text) else self._rest(path)

    def _rest(self, path: Path) -> str:
        """Return the one mark for all that follows in a list or object, once there are too many secrets."""
        self._found.append(Finding(path, UNSEEN, self._unseen_digest))
        return self._unseen_mark

    def _mark(self, path: Path, secret: str) -> str:
        known = self._known.get(secret)
        kind, digest = (
            (known.kind, known.fingerprint) if known else (kind_of(secret), fingerprint(self._key, secret))
        )
        finding = Finding(path, kind, digest)
        self._found.append(finding)
        self._known.setdefault(secret, finding)
        return secret_mark(kind, digest)

    def _spread(self, value: JsonValue, path: Path, known: Echoes) -> JsonValue:
        """Mask what was found once wherever else it stands in the value."""
        if isinstance(value, str):
            if is_mark(value):
                return value
            spans = outside_marks(apart(known.find(value)), value)
            return self._replaced(value, spans, path, len(value)) if spans else value
        if isinstance(value, dict):
            return {key: self._spread(item, (*path, key), known) for key, item in value.items()}
        if isinstance(value, list):
            return [self._spread(item, (*path, index), known) for index, item in enumerate(value)]
        return value
