"""Hide secrets in what is logged or told: by the name of a key, and by the look of a value.

A key hides its value when it contains one of ``SECRET_KEYS``; a few words that only look alike (``author``,
``max_tokens``) do not. Text also loses what is recognisable as a credential.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from . import host

MASK = "***"
PREVIEW = 200
"""Characters of arguments that a log line shows."""

SECRET_KEYS = (
    *("token", "secret", "password", "passwd", "api_key", "apikey", "auth"),
    *("pwd", "passphrase", "cookie", "bearer", "credential", "private_key", "access_key"),
)

_LOOKS_ALIKE = re.compile(
    r"(?<![a-z])(?:author(?:s|ed|ship)?(?![a-z])"
    r"|(?:max|min|used|total|input|output|prompt|completion|num|n)_tokens(?![a-z])"
    r"|tokens?_(?:used|count|limit|total|left|budget)(?![a-z]))"
)
_CREDENTIALS = (
    (re.compile(r"\b(bearer|basic)(\s+)[\w.~+/=-]{6,}", re.IGNORECASE), rf"\1\2{MASK}"),
    (re.compile(r"\b([a-z][a-z0-9+.-]{0,20}://)[^\s/@:]*:[^\s/@]+@", re.IGNORECASE), rf"\1{MASK}@"),
    (re.compile(r"\b(?:[spr]k[-_]|gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|AIza)[\w-]{12,}"), MASK),
    (re.compile(r"\bAKIA[0-9A-Z]{16}\b"), MASK),
    (re.compile(r"\beyJ[\w-]{8,1024}\.[\w-]{8,1024}\.[\w-]*"), MASK),
)
_ASSIGNMENT = re.compile(
    rf"(?<![\w.-])(?P<key>[\w.-]{{0,64}}(?:{'|'.join(word.replace('_', '[_-]') for word in SECRET_KEYS)})[\w.-]{{0,64}})"
    r"""(?P<between>["']?\s*(?P<sign>[=:])\s*)(?P<value>"[^"]*"|'[^']*'|[^\s,;&"'()\[\]{}]+)""",
    re.IGNORECASE,
)


def is_secret_key(key: object) -> bool:
    """Tell whether the value under this key is never shown.

    >>> [is_secret_key(key) for key in ("Authorization", "api-key", "author", "max_tokens", "tokens")]
    [True, True, False, False, True]
    """
    plain = _LOOKS_ALIKE.sub("", str(key).lower().replace("-", "_"))
    return any(word in plain for word in SECRET_KEYS)


def redact(value: Any) -> Any:
    """Copy a JSON-like value with its secrets replaced by ``***``; tuples become lists.

    >>> redact({"config": {"api_key": "k"}, "url": "https://me:pw@host/"})
    {'config': {'api_key': '***'}, 'url': 'https://***@host/'}
    """
    if isinstance(value, Mapping):
        return {key: MASK if is_secret_key(key) else redact(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact(item) for item in value]
    return redact_text(value) if isinstance(value, str) else value


def redact_text(text: str, known: tuple[str, ...] = ()) -> str:
    """Replace the known secrets, and whatever looks like a credential, in running text.

    >>> redact_text("401 for Bearer abcdef123, password=hunter2")
    '401 for Bearer ***, password=***'
    """
    for secret in known:
        text = text.replace(secret, MASK)
    for pattern, replacement in _CREDENTIALS:
        text = pattern.sub(replacement, text)
    return host.redacted(_ASSIGNMENT.sub(_mask_assignment, text))


def secrets_in(value: Any) -> tuple[str, ...]:
    """List the texts that stand under secret keys, longest first, so that error texts can be freed of them."""
    return tuple(sorted(set(_secrets(value)), key=lambda text: (-len(text), text)))


def preview(value: Any) -> str:
    """Show arguments on one log line: redacted JSON, cut to 200 characters and ``…``."""
    text = as_json(redact(value))
    return text if len(text) <= PREVIEW else text[:PREVIEW] + "…"


def as_json(value: Any) -> str:
    """Encode for a log line; what JSON does not know is shown as text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _secrets(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts(item) if is_secret_key(key) else _secrets(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _secrets(item)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        # Shorter ones would eat ordinary words of the text.
        yield from (value,) if len(value) >= 4 else ()
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _mask_assignment(match: re.Match[str]) -> str:
    key, between, value = match["key"], match["between"], match["value"]
    if value == MASK or not is_secret_key(key) or not _is_given(match["sign"], value):
        return match[0]
    return f"{key}{between}{MASK}"


def _is_given(sign: str, value: str) -> bool:
    """Tell a value from prose: ``token=abc`` and ``'token': 'abc'`` are values, ``token: expected a name`` is not."""
    quoted = value[0] in "\"'"
    return sign == "=" or quoted or (len(value) >= 6 and any(letter.isdigit() for letter in value))
