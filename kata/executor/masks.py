"""Placeholders of secrets must never be replayed as if they were the secret (case B072)."""

from ..json import JsonObject, Path
from ..redact import find_masks, host_masks
from ..redact.exact import exact
from ..spec import Array, Concat, Const, Expression, Record

_SIGNS = tuple(sign.encode() for sign in ("***", "...", "…", "⟦"))
_WORD = b"redacted"
"""One of these stands in every placeholder; most arguments hold none and need no closer look."""

LOOKED_AT = 1 << 20
"""Bytes of arguments beyond which they get the closer look at once."""


def placeholder(template: Record, args: JsonObject) -> Path | None:
    """Return where rendered arguments hold a placeholder that no approved constant holds; None where they do not.

    Kata's own mark never passes. What only looks like a mask of the host's passes where a constant says it literally, since
    a person confirmed that with the version.
    """
    if not _may_hold_one(args):
        return None
    own = find_masks(args)
    if own:
        return own[0].path
    found = host_masks(args)
    literal = constant_masks(template) if found else frozenset()
    return next((path for path in found if path not in literal), None)


def _may_hold_one(args: JsonObject) -> bool:
    raw = exact(args, LOOKED_AT)
    return raw is None or any(map(raw.__contains__, _SIGNS)) or _WORD in raw.lower()


def constant_masks(expression: Expression, path: Path = ()) -> frozenset[Path]:
    """Return the leaves whose constants hold what looks like a mask of the host's."""
    match expression:
        case Const(value):
            return frozenset((*path, *inner) for inner in host_masks(value))
        case Concat(parts):
            return frozenset(path for part in parts if constant_masks(part))
        case Record(fields):
            return frozenset().union(*(constant_masks(value, (*path, key)) for key, value in fields))
        case Array(items):
            return frozenset().union(*(constant_masks(item, (*path, at)) for at, item in enumerate(items)))
        case _:
            return frozenset()
