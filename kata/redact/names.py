"""Names that say that what they name is a secret: keys of objects, variables, options, headers."""

import re
from enum import Enum
from functools import lru_cache


class Hint(Enum):
    """How much a name says: ``SURE`` names a secret whatever stands there, ``LIKELY`` one that also looks like it."""

    NONE = 0
    LIKELY = 1
    SURE = 2


_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SURE = frozenset(
    {
        "password", "passwords", "passwd", "passphrase", "passcode", "passwort", "pwd", "secret", "secrets", "apikey", "apikeys",
        "credential", "credentials", "otp", "storepass", "keypass", "dbpass", "pgpassword", "authtoken", "accesstoken", "privatekey",
        "secretkey", "authkey", "apisecret", "clientsecret", "apitoken",
    }
)  # fmt: skip
_LIKELY = frozenset(
    {
        "token",
        "tokens",
        "accesskey",
        "auth",
        "authorization",
        "cookie",
        "cookies",
        "bearer",
        "pass",
        "jwt",
        "sig",
        "signature",
    }
)
_KEY_OF = frozenset(
    {
        "api", "access", "private", "secret", "auth", "encryption", "decryption", "signing", "master", "account", "storage", "shared",
        "service", "subscription", "license", "webhook", "hmac", "crypt", "deploy", "admin", "root", "consumer", "app", "application",
        "client", "session", "ssh", "rsa", "aes", "sas", "team", "org", "openai", "anthropic", "stripe", "google", "aws", "azure",
    }
)  # fmt: skip
_PAGING = frozenset(
    {
        "next", "page", "continuation", "pagination", "sync", "start", "resume", "cursor", "prev", "previous", "scroll", "marker",
        "eos", "bos", "pad", "unk", "mask", "sep", "cls", "end", "stop", "special", "input", "output", "prompt", "completion", "max",
        "min", "per", "total", "num", "first", "last", "current", "change", "clone", "idempotency", "request",
    }
)  # fmt: skip
_ENDINGS = ("password", "passwd", "passphrase", "secret", "apikey")


@lru_cache(maxsize=8192)
def hint(name: str) -> Hint:
    """Tell what a name says about its value (``max_tokens``, ``token_type``, ``public_key`` say nothing)."""
    words = [word.lower() for word in _WORDS.findall(name[-120:].strip("-."))]
    while words and words[-1].isdigit():
        words.pop()
    if not words:
        return Hint.NONE
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last == "token":
        return _token(before)
    if last in {"key", "keys"}:
        return Hint.SURE if before in _KEY_OF else Hint.NONE
    if last in _SURE or last.endswith(_ENDINGS):
        return Hint.SURE
    if last == "pass" and before:
        return Hint.SURE
    return Hint.LIKELY if last in _LIKELY else Hint.NONE


def least_length(name: str) -> int:
    """Return how long a text under a name must be at least to look like a secret."""
    return 24 if name.lower().endswith(("sig", "signature")) else 8


def _token(before: str) -> Hint:
    if before in _PAGING:
        return Hint.NONE
    return Hint.SURE if before else Hint.LIKELY
