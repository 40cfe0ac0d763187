"""What the place of a value says about it: the key it stands under, or the name beside it."""

import re
from collections.abc import Iterator, Mapping

from ..json import JsonValue
from .looks import is_nothing, is_opaque, is_path, is_prose, is_reference
from .names import Hint, hint, least_length
from .values import Span

_SCHEME = re.compile(
    r"\s*(?:bearer|basic|token|digest|apikey|api-key|key|oauth|splunk)\s+(?=\S)", re.IGNORECASE
)
_COOKIE = re.compile(r"(?:^|;\s*)[\w.$-]{1,128}=([^;\s]{6,4096})")
_NAMES = ("name", "key", "header", "variable", "Name", "Key")
_VALUES = frozenset({"value", "Value", "val"})
_TABLES = ("passwords", "secrets", "apikeys", "credentials")
_OF_PEOPLE = frozenset(
    [
        "user",
        "username",
        "login",
        "email",
        "mail",
        "name",
        "id",
        "type",
        "kind",
        "provider",
        "host",
        "hostname",
        "url",
        "path",
        "file",
        "account",
        "region",
        "created",
        "updated",
    ]
)
_JWK = frozenset({"d", "p", "q", "dp", "dq", "qi", "k"})


def named(pairs: Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue, str]]:
    """List an object's items, each with the name that says most about its value.

    That is its key, or, in ``{"name": "DB_PASSWORD", "value": "…"}``, the name beside it.
    """
    if _VALUES.isdisjoint(pairs) and "kty" not in pairs:
        for key, value in pairs.items():
            yield key, value, key
        return
    beside = next((pairs[key] for key in _NAMES if isinstance(pairs.get(key), str)), "")
    key_parts = _JWK if "kty" in pairs else frozenset()
    for key, value in pairs.items():
        if key in key_parts:
            yield key, value, "private_key"
        else:
            yield key, value, beside if key in _VALUES else key


def is_table(name: str) -> bool:
    """Tell whether an object of that name holds secrets under names of its own: ``{"passwords": {"ana": "…"}}``."""
    return name.lower().replace("_", "").endswith(_TABLES)


def named_by(pairs: Mapping[str, JsonValue], table: str) -> Iterator[tuple[str, JsonValue, str]]:
    """List the items of such an object: one whose own name says nothing goes by the table's, if it looks like a secret."""
    for key, value, name in named(pairs):
        says_nothing = hint(name) is Hint.NONE and key.lower() not in _OF_PEOPLE
        inherits = says_nothing and isinstance(value, str) and is_opaque(value)
        yield key, value, table.rstrip("sS") if inherits else name


def find_named(text: str, name: str) -> list[Span]:
    """Find what is secret in a text that stands under a name."""
    said = hint(name)
    if said is Hint.NONE or is_nothing(text):
        return []
    if name.lower().endswith(("cookie", "cookies")) and "=" in text:
        return [Span(*match.span(1), "credential") for match in _COOKIE.finditer(text)]
    scheme = _SCHEME.match(text)
    start = scheme.end() if scheme else 0
    secret = text[start:]
    if is_nothing(secret) or is_prose(secret) or _refers(secret, name):
        return []
    least = least_length(name)
    likely = is_opaque(secret, least) or (len(secret) >= least and " " not in secret and not is_path(secret))
    sure = said is Hint.SURE or scheme is not None or likely
    return [Span(start, len(text), "credential")] if sure else []


def _refers(secret: str, name: str) -> bool:
    """Tell whether a text names a file or a variable that holds the secret."""
    if "pass" in name.lower():
        return False
    return is_path(secret) or (is_reference(secret) and secret.isupper())


def is_number_secret(value: JsonValue, name: str) -> bool:
    """Tell whether a number is a password: of four digits or more, under a name that can only mean one."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) < 1000:
        return False
    return hint(name) is Hint.SURE and name.lower().endswith(
        ("password", "passwd", "passcode", "pwd", "otp", "pass")
    )
