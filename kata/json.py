"""Strict JSON values: what may stand in an event, and its one canonical text.

``1``, ``1.0``, ``true`` and ``"1"`` are four different values everywhere in Kata (design 6). Text is ASCII-escaped, so
lone surrogates survive a store that only takes valid Unicode (case B050).
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from json import encoder
from typing import Any, NoReturn, TypeAlias

from .errors import KataError

JsonValue: TypeAlias = Any
"""``None``, ``bool``, ``int``, ``float``, ``str``, or lists and string-keyed dicts of these."""

JsonObject: TypeAlias = Mapping[str, Any]
Path: TypeAlias = tuple[str | int, ...]
"""Where a leaf stands inside a JSON value: keys and list indexes from the root; ``()`` is the whole value."""


class JsonError(KataError, ValueError):
    """Say that a text is no strict JSON, or a value cannot be written as such."""

    code = "bad_json"


def _refuse(token: str) -> NoReturn:
    raise JsonError(f"{token} is not JSON")


def _writer(*, sort_keys: bool) -> Callable[[JsonValue, int], Iterable[str]]:
    """Return what `json.JSONEncoder` makes anew for each value, which takes as long as writing a small one.

    A value that holds itself ends in a RecursionError, without a look at every list and object on the way.
    """
    plain = json.JSONEncoder()
    make: Any = vars(encoder)["c_make_encoder"]
    quote = encoder.encode_basestring_ascii
    writer: Callable[[JsonValue, int], Iterable[str]] = make(
        None, plain.default, quote, None, ":", ",", sort_keys, False, False
    )
    return writer


# Made once: `json.loads` and `json.dumps` build a new one at each call that has options.
_DECODER = json.JSONDecoder(parse_constant=_refuse)
_COMPACT = _writer(sort_keys=False)
_CANONICAL = _writer(sort_keys=True)


def loads(text: str | bytes) -> JsonValue:
    """Parse one strict JSON text (no NaN, no infinities).

    Raises:
        JsonError: the text is no JSON.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8" if _is_utf8(text) else json.detect_encoding(text), "surrogatepass")
        return _decode(text)
    except (ValueError, RecursionError) as error:
        raise JsonError(str(error)) from error


def _is_utf8(text: bytes) -> bool:
    """Tell by its first two bytes; wider encodings have a zero there. Only what begins as most texts do is known so quickly."""
    return text[:1] in (b"{", b"[") and text[1:2] != b"\0"


def _decode(text: str) -> JsonValue:
    """Decode; the quick way is for texts without white space at their ends, as Kata writes them."""
    if text[:1] in ("{", "["):
        value, end = _DECODER.raw_decode(text)
        if end == len(text):
            return value
    return _DECODER.decode(text)


def dumps(value: JsonValue) -> str:
    """Write a value as compact ASCII JSON, keys in their own order.

    Raises:
        JsonError: the value is no JSON (a NaN, a set, a non-string key of another kind).
    """
    try:
        return "".join(_COMPACT(value, 0))
    except (TypeError, ValueError, RecursionError) as error:
        raise JsonError(str(error)) from error


def canonical(value: JsonValue) -> str:
    """Write a value as compact ASCII JSON with sorted keys: equal values, equal text, on every machine."""
    try:
        return "".join(_CANONICAL(value, 0))
    except (TypeError, ValueError, RecursionError) as error:
        raise JsonError(str(error)) from error


def digest(value: JsonValue) -> str:
    """Hash a value's canonical text with SHA-256: 64 hex digits."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def same(left: JsonValue, right: JsonValue) -> bool:
    """Tell whether two values are the same JSON, types included (``1`` is not ``1.0`` nor ``True``)."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def resolve(value: JsonValue, path: Sequence[str | int]) -> JsonValue:
    """Follow a path into a value.

    Raises:
        LookupError: nothing stands there.
    """
    part: Any
    for part in path:
        if not isinstance(value, Mapping if isinstance(part, str) else list):
            raise LookupError(part)
        value = value[part]
    return value


def show_path(path: Sequence[str | int]) -> str:
    """Write a path for people: ``matches[0].path``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
