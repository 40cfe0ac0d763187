"""What a text in a secret's place looks like: nothing real, a reference to one, or the secret itself."""

import re

_NOTHING = re.compile(
    r"(?:\$[\w{(*@]|<|\{\{|\{[\w.]*\}?$|%[\w({]|@\w+@|\*{2,}|\.{3}|…|x{3,}$|~$|-+$|_+$|\?+$|⟦|«|\[redacted|redacted|os\.|process\.|env[.(\[]"
    r"|self\.|this\.|config[.(\[]|settings\.|args\.|getenv|secrets\.|vault:|file:|ref\+|arn:aws|op://|projects/|str\b|string\b|bytes\b"
    r"|optional\b|secretstr|any\b|bool\b|int\b|function\b|await |new |lambda\b|f\"|id=|type=)",
    re.IGNORECASE,
)
_NO_VALUE = frozenset(
    [
        "none",
        "null",
        "nil",
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "undefined",
        "empty",
        "required",
        "optional",
        "missing",
        "invalid",
        "incorrect",
        "wrong",
        "expired",
        "expires",
        "unknown",
        "unset",
        "set",
        "string",
        "str",
        "text",
        "hidden",
        "changed",
        "reset",
        "enabled",
        "disabled",
        "basic",
        "bearer",
        "digest",
        "negotiate",
        "oauth",
        "oauth2",
        "jwt",
        "hmac",
        "default",
        "prompt",
        "stdin",
        "env",
        "file",
        "field",
        "value",
        "values",
        "here",
        "your",
        "yours",
        "password",
        "passwd",
        "pass",
        "pwd",
        "secret",
        "secrets",
        "token",
        "tokens",
        "key",
        "keys",
        "user",
        "username",
        "auth",
        "credential",
        "credentials",
        "apikey",
        "ok",
        "error",
        "failed",
        "failure",
        "success",
        "successful",
        "valid",
        "verified",
        "needed",
        "found",
        "not",
        "is",
        "are",
        "was",
        "the",
        "a",
        "an",
        "and",
        "or",
        "to",
        "for",
        "of",
        "in",
        "with",
        "from",
        "this",
        "that",
        "must",
        "should",
        "can",
        "cannot",
        "will",
        "has",
        "have",
        "may",
        "do",
        "does",
        "did",
        "it",
        "as",
        "at",
        "by",
        "be",
        "been",
        "being",
        "if",
        "then",
        "when",
        "which",
        "authentication",
        "authorization",
        "login",
        "refresh",
        "access",
        "count",
        "limit",
        "length",
        "size",
        "type",
        "name",
        "id",
        "x-oauth-basic",
        "x-access-token",
    ]
)
_REFERENCE = re.compile(
    r"[A-Za-z_]\w*(?:\.\w+|\[\w*\]|\(\))+$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[A-Z][a-z]+(?:[A-Z][a-z]+)+$"
)
_STEMS = ("password", "passwd", "secret", "token", "key", "credential", "passphrase")
_PATH = re.compile(
    r"(?:[~.]{0,2}/|[A-Za-z]:\\)[\w.~ -]+(?:[/\\][\w.~ -]*)*$|[\w.-]+\.(?:pem|key|json|ya?ml|txt|env|crt|toml|ini|py|js|ts|md)$"
)
_BARE_WORDS = re.compile(r"[a-z]+(?:[ _-][a-z]+)*$")


def is_nothing(text: str) -> bool:
    """Tell whether a text is plainly no secret: empty, a placeholder, a word of prose, a mark that stands already."""
    return not text or _NOTHING.match(text) is not None or text.lower() in _NO_VALUE


def is_reference(text: str) -> bool:
    """Tell whether an unquoted text names a variable, an attribute or a type instead of being the value."""
    if _REFERENCE.match(text):
        return not any(character.isdigit() for character in text) or text.isupper() or "." in text
    small = text.lower()
    return text.replace("_", "a").isalpha() and any(stem in small for stem in _STEMS)


def is_path(text: str) -> bool:
    """Tell whether a text is a path or a file's name."""
    return _PATH.match(text) is not None and not is_opaque(text.rpartition("/")[2], 24)


def is_opaque(text: str, least: int = 8) -> bool:
    """Tell whether a text looks made by a machine: long, in one piece, of mixed characters."""
    if len(text) < least or any(character.isspace() for character in text):
        return False
    digits = any(character.isdigit() for character in text)
    letters = any(character.isalpha() for character in text)
    mixed = text.lower() != text and text.upper() != text
    return (
        (digits and letters)
        or (mixed and len(text) >= 16)
        or (len(text) >= 20 and not _BARE_WORDS.match(text))
    )


def is_prose(text: str) -> bool:
    """Tell whether a text talks about secrets instead of being one: a sentence, not four random words."""
    words = text.split()
    if len(words) < 2:
        return False
    plain = all(word.strip(".,:;!?()'\"").isalpha() for word in words)
    small = text.lower()
    return len(words) > 6 or (plain and (any(stem in small for stem in _STEMS) or text[-1] in ".!?:"))
