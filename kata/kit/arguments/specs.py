"""Describe a tool's arguments for the model: argument specs, and the function schema built of them."""

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from ..names import check_argument_name, validate_tool_name

_KIT_KEYS = ("_required", "_example")
_COMBINATORS = ("allOf", "anyOf", "oneOf", "enum", "not")
_DATA = ("enum", "const", "default", "examples")


def arg(
    type: str,  # noqa: A002 - the public name
    description: str,
    *,
    required: bool = False,
    example: Any = None,
    enum: list[Any] | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """Describe one argument. Every other keyword passes into its JSON Schema as it is.

    ``required`` and ``example`` are the kit's own: checked, told in errors and in the description, never emitted.

    >>> arg("array", "Names", items={"type": "string"})
    {'type': 'array', 'description': 'Names', 'items': {'type': 'string'}, '_required': False}
    """
    spec: dict[str, Any] = {"type": type, "description": description}
    if enum:
        spec["enum"] = enum
    spec.update(extra)
    spec["_required"] = required
    if example is not None:
        spec["_example"] = example
    return spec


def str_arg(
    description: str,
    *,
    required: bool = False,
    example: Any = None,
    enum: list[Any] | None = None,
    min_length: int | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """Describe a text argument."""
    limits = _given(minLength=min_length)
    return arg("string", description, required=required, example=example, enum=enum, **limits, **extra)


def int_arg(
    description: str,
    *,
    required: bool = False,
    example: Any = None,
    minimum: int | None = None,
    maximum: int | None = None,
    **extra: Any,
) -> dict[str, Any]:
    """Describe a whole-number argument."""
    limits = _given(minimum=minimum, maximum=maximum)
    return arg("integer", description, required=required, example=example, **limits, **extra)


def bool_arg(
    description: str, *, required: bool = False, example: Any = None, **extra: Any
) -> dict[str, Any]:
    """Describe a yes-or-no argument."""
    return arg("boolean", description, required=required, example=example, **extra)


def build_schema(
    name: str, description: str, params: Mapping[str, Mapping[str, Any]] | None
) -> dict[str, Any]:
    """Build the function schema of a tool: its arguments under ``parameters``, the required ones in the description.

    Raises:
        ValueError: The tool's or an argument's name may not be used.

    >>> build_schema("discord_read", "Read.", {"thread": str_arg("Link", required=True, example="1")})["description"]
    "Read. Required: `thread` (e.g. '1')."
    """
    params = params or {}
    needed = required_of(params)
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {check_argument_name(key): emitted(spec) for key, spec in params.items()},
        "additionalProperties": False,
    }
    if needed:
        parameters["required"] = list(needed)
    return {
        "name": validate_tool_name(name),
        "description": f"{description}{_told(needed)}",
        "parameters": parameters,
    }


def required_of(params: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Map each required argument to its example (``None`` without one), in the order declared."""
    return {key: spec.get("_example") for key, spec in params.items() if spec.get("_required")}


def emitted(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return an argument's JSON Schema without what only the kit reads."""
    return {key: copy.deepcopy(value) for key, value in spec.items() if key not in _KIT_KEYS}


def with_example(text: str, example: Any) -> str:
    """Add an example in brackets, when there is one."""
    return text if example is None else f"{text} (e.g. {example!r})"


def adopt_schema(schema: object, name: str) -> dict[str, Any]:
    """Copy a function schema that the plugin already has, once its shape is right.

    Raises:
        TypeError: It is not a dict.
        ValueError: Its arguments are not under ``parameters``, its ``required`` names what does not exist, or it
            has another name than the tool.
    """
    if not isinstance(schema, dict):
        raise TypeError("schema must be a dict")
    if "properties" in schema:
        raise ValueError(f"schema of {name!r}: arguments must live under 'parameters', not at the top level")
    if schema.get("name", name) != name:
        raise ValueError(f"schema is named {schema['name']!r} but the tool is named {name!r}")
    _check_parameters(schema.get("parameters"), name)
    return copy.deepcopy(schema)


def rewritten(schema: Mapping[str, Any]) -> list[str]:
    """Say where Hermes shows the model another schema than was declared, to suit strict providers.

    >>> rewritten({"parameters": {"type": "object", "properties": {"a": {"type": ["string", "null"]}}}})
    ['properties.a: a list of types']
    """
    parameters = schema.get("parameters", {})
    top = [f"{key} at the top" for key in _COMBINATORS if key in parameters]
    return [*top, *(f"{path}: {what}" for path, what in _rewritten(parameters, ()))]


def _rewritten(node: Any, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _rewritten(item, (*path, str(index)))
    if not isinstance(node, dict):
        return
    where = ".".join(path)
    if isinstance(node.get("type"), list):
        yield where, "a list of types"
    if "$ref" in node and "default" in node:
        yield where, "a default beside a $ref"
    if any({"type": "null"} in node.get(key, ()) for key in ("anyOf", "oneOf")):
        yield where, "a union with null"
    for key, item in node.items():
        if key not in _DATA:
            yield from _rewritten(item, (*path, key))


def _check_parameters(parameters: object, name: str) -> None:
    where = f"schema of {name!r}: 'parameters'"
    if not isinstance(parameters, dict):
        raise ValueError(f"{where} must be a dict")
    if parameters.get("type") != "object":
        raise ValueError(f"{where}.type must be 'object'")
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        raise ValueError(f"{where}.properties must be a dict")
    required = parameters.get("required", [])
    if not isinstance(required, list) or not all(isinstance(key, str) for key in required):
        raise ValueError(f"{where}.required must be a list of names")
    unknown = sorted(set(required) - set(properties))
    if unknown:
        raise ValueError(f"{where}.required names unknown properties: {', '.join(unknown)}")
    for key in properties:
        check_argument_name(key)


def _told(needed: Mapping[str, Any]) -> str:
    if not needed:
        return ""
    return f" Required: {', '.join(with_example(f'`{key}`', example) for key, example in needed.items())}."


def _given(**limits: Any) -> dict[str, Any]:
    return {key: value for key, value in limits.items() if value is not None}
