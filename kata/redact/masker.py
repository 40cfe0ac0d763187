"""Replace the secrets in a value by marks."""

from collections.abc import Iterator

from ..json import JsonValue, Path
from .contexts import find_contexts, is_placeholder
from .marks import fingerprint, mark_spans, secret_mark
from .names import names_secret
from .shapes import find_shapes, kind_of, present
from .values import Finding, Masked, Span


def find_secrets(text: str) -> list[Span]:
    """Find the secrets in a text: spans in order that do not overlap, none inside a mark."""
    spans = [*find_shapes(text, present(text)), *find_contexts(text, text.lower())]
    if not spans:
        return []
    marks = mark_spans(text)
    free = (span for span in spans if not any(span.start < end and start < span.end for start, end in marks))
    return _merged(sorted(free, key=lambda span: (span.start, -span.end)))


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in spans:
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            span = Span(last.start, max(last.end, span.end), last.kind)
        merged.append(span)
    return merged


class Masker:
    """Masks with one key: equal secrets get equal marks."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def mask(self, value: JsonValue) -> Masked:
        """Replace every secret in keys and values (design 7); the value itself is left as it is."""
        found: list[Finding] = []
        return Masked(self._mask(value, (), secret=False, found=found), tuple(found))

    def _mask(self, value: JsonValue, path: Path, *, secret: bool, found: list[Finding]) -> JsonValue:
        if isinstance(value, str):
            return self._text(value, path, secret=secret, found=found)
        if isinstance(value, dict):
            return dict(self._items(value, path, found))
        if isinstance(value, list | tuple):
            return [
                self._mask(item, (*path, index), secret=secret, found=found)
                for index, item in enumerate(value)
            ]
        return value

    def _items(
        self, value: dict[str, JsonValue], path: Path, found: list[Finding]
    ) -> Iterator[tuple[str, JsonValue]]:
        for key, item in value.items():
            shown = self._text(key, (*path, key), secret=False, found=found)
            yield shown, self._mask(item, (*path, shown), secret=names_secret(key), found=found)

    def _text(self, text: str, path: Path, *, secret: bool, found: list[Finding]) -> str:
        spans = find_secrets(text)
        if secret and not spans and text and not mark_spans(text) and not is_placeholder(text):
            spans = [Span(0, len(text), "credential")]
        return self._replace(text, spans, path, found)

    def _replace(self, text: str, spans: list[Span], path: Path, found: list[Finding]) -> str:
        pieces, position = [], 0
        for span in spans:
            secret = text[span.start : span.end]
            finding = Finding(path, kind_of(secret), fingerprint(self._key, secret))
            found.append(finding)
            pieces += [text[position : span.start], secret_mark(finding.kind, finding.fingerprint)]
            position = span.end
        return "".join([*pieces, text[position:]]) if spans else text
