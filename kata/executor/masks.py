"""Placeholders of secrets must never be replayed as if they were the secret (case B072)."""

from ..json import JsonObject, Path, dumps
from ..redact import find_masks, host_masks
from ..spec import Array, Concat, Const, Expression, Record

_SIGNS = ("***", "...", dumps("…")[1:-1], dumps("⟦")[1:-1])
"""One of these stands in every placeholder, as JSON writes it; most arguments hold none and need no closer look."""


def placeholder(template: Record, args: JsonObject) -> Path | None:
    """Return where rendered arguments hold a placeholder that no approved constant holds; None where they do not.

    Kata's own mark never passes. What only looks like a mask of the host's passes where a constant says it literally, since
    a person confirmed that with the version.
    """
    text = dumps(args)
    if not any(sign in text for sign in _SIGNS) and "redacted" not in text.lower():
        return None
    own = find_masks(args)
    if own:
        return own[0].path
    found = host_masks(args)
    literal = constant_masks(template) if found else frozenset()
    return next((path for path in found if path not in literal), None)


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
