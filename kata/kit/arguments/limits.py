"""Read attrs validators as the JSON Schema limits that they enforce.

attrs keeps its validator classes private, so they are known by name; one that is not known gives no limit, and still
holds when the class is made.
"""

from collections.abc import Callable
from typing import Any

_BOUNDS = {">=": "minimum", "<=": "maximum", ">": "exclusiveMinimum", "<": "exclusiveMaximum"}


def attribute_limits(validator: Any, kind: Any) -> dict[str, Any]:
    """Return the JSON Schema keywords of an attribute's validators, for a value of that JSON type."""
    limits = _limits(validator)
    if kind != "array":
        return limits
    return {key.replace("Length", "Items"): value for key, value in limits.items()}


def _limits(validator: Any) -> dict[str, Any]:
    read = _READERS.get(type(validator).__name__)
    return read(validator) if read else {}


def _all(validator: Any) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    for one in validator._validators:  # noqa: SLF001 - attrs offers no other way in
        limits |= _limits(one)
    return limits


def _in_order(validator: Any) -> list[Any]:
    """List the options; those of a set in an order that does not depend on the hash seed."""
    given = getattr(validator, "_original_options", validator.options)
    return sorted(given, key=repr) if isinstance(given, set | frozenset) else list(given)


_READERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "_AndValidator": _all,
    "_OptionalValidator": lambda validator: _limits(validator.validator),
    "_NumberValidator": lambda validator: {_BOUNDS[validator.compare_op]: validator.bound},
    "_MinLengthValidator": lambda validator: {"minLength": validator.min_length},
    "_MaxLengthValidator": lambda validator: {"maxLength": validator.max_length},
    "_MatchesReValidator": lambda validator: {"pattern": f"^(?:{validator.pattern.pattern})$"},
    "_InValidator": lambda validator: {"enum": _in_order(validator)},
}
