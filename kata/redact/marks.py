"""The marks that stand where something was taken out: a secret, or what was too long to keep.

``⟦secret:github_token:3f9a1c2e04⟧`` names what the secret looked like and a keyed fingerprint, so equal secrets have
equal marks and differing ones differ. ``⟦truncated:300000:3f9a1c2e04⟧`` names the whole length and a keyed hash.
"""

import hashlib
import hmac
import re
from collections.abc import Iterator

from ..json import JsonValue, Path
from .values import Finding

_SECRET = re.compile(r"⟦secret:([a-z0-9_]{1,40}):([0-9a-f]{10})⟧")
_TRUNCATED = re.compile(r"⟦truncated:(\d{1,15}):([0-9a-f]{10})⟧")
_ANY = re.compile(r"⟦(?:secret:[a-z0-9_]{1,40}|truncated:\d{1,15}):[0-9a-f]{10}⟧")
OPENING = "⟦"
_HASHED = 1 << 20


def fingerprint(key: bytes, text: str) -> str:
    """Return ten hex digits that only the holder of the key can compute from the text."""
    return hmac.digest(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hex()[:10]


def length_hash(key: bytes, text: str) -> str:
    """Return the keyed hash of a text that is cut: of its first mebibyte, and its length."""
    return fingerprint(key, text if len(text) <= _HASHED else f"{len(text)}:{text[:_HASHED]}")


def secret_mark(kind: str, digest: str) -> str:
    """Write the mark of a secret."""
    return f"⟦secret:{kind}:{digest}⟧"


def truncated_mark(length: int, digest: str) -> str:
    """Write the mark behind a cut text or list; ``length`` counts its characters or items."""
    return f"⟦truncated:{length}:{digest}⟧"


def is_masked(text: str) -> bool:
    """Tell whether a text holds the mark of a secret."""
    return OPENING in text and _SECRET.search(text) is not None


def is_mark(text: str) -> bool:
    """Tell whether a text is the mark of a secret and nothing else."""
    return text[:1] == OPENING and _SECRET.fullmatch(text) is not None


def is_truncated(text: str) -> bool:
    """Tell whether a text was cut."""
    return OPENING in text and _TRUNCATED.search(text) is not None


def mark_spans(text: str) -> list[tuple[int, int]]:
    """List where marks of either kind stand in a text."""
    return [match.span() for match in _ANY.finditer(text)] if OPENING in text else []


def find_masks(value: JsonValue) -> tuple[Finding, ...]:
    """List the secrets' marks in a value, keys included, in document order."""
    return tuple(_find(value, ()))


def _find(value: JsonValue, path: Path) -> Iterator[Finding]:
    if isinstance(value, str):
        if OPENING in value:
            yield from (Finding(path, match[1], match[2]) for match in _SECRET.finditer(value))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _find(key, (*path, key))
            yield from _find(item, (*path, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _find(item, (*path, index))
