"""What tells a value from every other: types and order of keys included."""

import marshal

from ..json import JsonValue


def exact(value: JsonValue, most: int) -> bytes | None:
    """Return a key for a value, made quicker than its JSON; None where it would be longer, or the value nests too deep."""
    try:
        key = marshal.dumps(value, 0)
    except ValueError:
        return None
    return key if len(key) <= most else None
