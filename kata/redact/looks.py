"""What a text in a secret's place looks like: nothing real, a reference to one, or the secret itself."""

import re

_SIGNS = frozenset("$<{%@*.…xX~-_?⟦«[")
_SIGN = re.compile(
    r"\$[\w{(*@]|<|\{\{|\{[\w.]*\}?$|%[\w({]|@\w+@|\*{2,}|\.{3}|…|[xX]{3,}$|~$|-+$|_+$|\?+$|⟦|«|\[(?i:redacted)"
)
_PREFIXES = (
    "redacted", "os.", "process.", "env.", "env(", "env[", "self.", "this.", "config.", "config[", "config(", "settings.", "args.", "getenv",
    "secrets.", "your-", "your_", "your ", "vault:", "file:", "ref+", "arn:aws", "op://", "projects/", "await ", "new ", 'f"', "id=", "type=",
)  # fmt: skip
_PREFIX_LETTERS = frozenset(prefix[0] for prefix in _PREFIXES)
_NO_VALUE = frozenset(
    word
    for line in (
        "none null nil true false yes no on off undefined empty required optional missing invalid incorrect wrong expired expires unknown",
        "unset set string str text bytes any bool int function lambda secretstr hidden changed reset enabled disabled basic bearer digest",
        "negotiate oauth oauth2 jwt hmac default prompt stdin env file field value values here your yours password passwd pass pwd secret",
        "secrets token tokens key keys user username auth credential credentials apikey ok error failed failure success successful valid",
        "verified needed found not is are was the a an and or to for of in with from this that must should can cannot will has have may do",
        "does did it as at by be been being if then when which authentication authorization login refresh access count limit length size",
        "type name id x-oauth-basic x-access-token",
    )
    for word in line.split()
)
_REFERENCE = re.compile(
    r"[A-Za-z_]\w*(?:\.\w+|\[\w*\]|\(\))+$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[A-Z][a-z]+(?:[A-Z][a-z]+)+$"
)
_STEMS = ("password", "passwd", "secret", "token", "key", "credential", "passphrase")
_PATH = re.compile(
    r"(?:[~.]{0,2}/|[A-Za-z]:\\)[\w.~ -]+(?:[/\\][\w.~ -]*)*$|[\w.-]+\.(?:pem|key|json|ya?ml|txt|env|crt|toml|ini|py|js|ts|md)$"
)
_BARE_WORDS = re.compile(r"[a-z]+(?:[ _-][a-z]+)*$")
_BLANK, _DIGIT, _LETTER = re.compile(r"\s"), re.compile(r"\d"), re.compile(r"[^\W\d_]")
_LONG_ENOUGH = 512
"""So many first characters of a text show what it looks like."""


def is_nothing(text: str) -> bool:
    """Tell whether a text is plainly no secret: empty, a placeholder, a word of prose, a mark that stands already."""
    if not text or (text[0] in _SIGNS and _SIGN.match(text[:_LONG_ENOUGH])):
        return True
    small = text[:32].lower()
    if small[0] in _PREFIX_LETTERS and small.startswith(_PREFIXES):
        return True
    return len(text) <= 32 and small.rstrip(".,:;!?") in _NO_VALUE


def is_reference(text: str) -> bool:
    """Tell whether an unquoted text names a variable, an attribute or a type instead of being the value."""
    if len(text) > _LONG_ENOUGH:
        return False
    if _REFERENCE.match(text):
        return text.isupper() or "." in text or not _DIGIT.search(text)
    return text.replace("_", "a").isalpha() and any(stem in text.lower() for stem in _STEMS)


def is_path(text: str) -> bool:
    """Tell whether a text is a path or a file's name."""
    if len(text) > _LONG_ENOUGH or _PATH.match(text) is None:
        return False
    return not is_opaque(text.rpartition("/")[2], 24)


def is_opaque(text: str, least: int = 8) -> bool:
    """Tell whether a text looks made by a machine: long, in one piece, of mixed characters."""
    shown = text[:_LONG_ENOUGH]
    if len(text) < least or _BLANK.search(shown):
        return False
    if _DIGIT.search(shown) and _LETTER.search(shown):
        return True
    mixed = shown.lower() != shown and shown.upper() != shown
    return (mixed and len(text) >= 16) or (len(text) >= 20 and not _BARE_WORDS.match(shown))


def is_prose(text: str) -> bool:
    """Tell whether a text talks about secrets instead of being one: a sentence, not four random words."""
    words = text[:_LONG_ENOUGH].split()
    if len(words) < 2:
        return False
    plain = all(word.strip(".,:;!?()'\"").isalpha() for word in words)
    return len(words) > 6 or (plain and (any(stem in text.lower() for stem in _STEMS) or text[-1] in ".!?:"))
