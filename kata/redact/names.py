"""Names that say that what they name is a secret: keys of objects, variables, options, headers."""

import re
from functools import lru_cache

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STRONG = frozenset(
    {
        "password",
        "passwd",
        "passphrase",
        "passwort",
        "pwd",
        "secret",
        "secrets",
        "apikey",
        "credential",
        "credentials",
    }
)
_WEAK = frozenset(
    {"token", "auth", "authorization", "cookie", "bearer", "pass", "signature", "jwt", "otp", "pat"}
)
_KEYS = frozenset(
    {
        "api",
        "access",
        "private",
        "secret",
        "auth",
        "encryption",
        "signing",
        "master",
        "account",
        "storage",
        "shared",
    }
)
_PAGING = frozenset(
    {"next", "page", "continuation", "pagination", "sync", "start", "resume", "cursor", "prev", "previous"}
)


@lru_cache(maxsize=4096)
def names_secret(name: str) -> bool:
    """Tell whether a key names a secret (``max_tokens``, ``token_type``, ``key`` do not)."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words:
        return False
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last == "token":
        return before not in _PAGING
    if last == "key":
        return before in _KEYS
    return last in _STRONG or last in _WEAK
