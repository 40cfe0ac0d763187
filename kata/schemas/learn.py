"""Learn a schema from examples: types, what was always there, and what lists hold (design 8).

Small on purpose: no enums and no limits, since three examples do not know them; an object whose keys hardly repeat is a
map, and stays open.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..json import JsonValue

MAX_DEPTH = 6
MAX_PROPERTIES = 40

_NAMES: tuple[tuple[type, str], ...] = (
    (type(None), "null"),
    (bool, "boolean"),
    (int, "integer"),
    (float, "number"),
    (str, "string"),
    (list, "array"),
    (dict, "object"),
)


def learn(examples: Sequence[JsonValue], depth: int = MAX_DEPTH) -> dict[str, Any]:
    """Return a JSON Schema that accepts every example; ``{}`` where nothing is known."""
    types = _types(examples)
    if not types:
        return {}
    schema: dict[str, Any] = {"type": types[0] if len(types) == 1 else types}
    if depth:
        schema |= _object([one for one in examples if isinstance(one, dict)], depth)
        schema |= _array([one for one in examples if isinstance(one, list)], depth)
    return schema


def _types(examples: Sequence[JsonValue]) -> list[str]:
    seen = {name for one in examples for kind, name in _NAMES if type(one) is kind}
    if "number" in seen:
        seen.discard("integer")
    return sorted(seen)


def _object(examples: Sequence[dict[str, Any]], depth: int) -> dict[str, Any]:
    counts = Counter(key for one in examples for key in one)
    if not counts or len(counts) > MAX_PROPERTIES:
        return {}
    always = sorted(key for key, count in counts.items() if count == len(examples))
    if len(examples) > 1 and not always and len(counts) > len(examples):
        return {}
    properties = {
        key: learn([one[key] for one in examples if key in one], depth - 1) for key in sorted(counts)
    }
    return {"properties": properties} | ({"required": always} if always else {})


def _array(examples: Sequence[list[Any]], depth: int) -> dict[str, Any]:
    items = [item for one in examples for item in one]
    return {"items": learn(items, depth - 1)} if items else {}
