"""One form for schemas that say the same, so that a reordered schema is not a changed one (case B083)."""

from typing import Any

from ..json import JsonValue, canonical, digest

_UNORDERED = frozenset({"required", "enum", "type"})
_SCHEMA_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_SCHEMA_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
_SCHEMAS = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"}
)


def canonical_schema(schema: JsonValue) -> JsonValue:
    """Return a schema with its unordered lists sorted and its empty descriptions gone.

    Keys need no sorting, since JSON objects have no order. Only places that hold a schema are rewritten: a property that is
    *called* ``required`` and a default value stay as they are.
    """
    if not isinstance(schema, dict):
        return schema
    return {key: _canonical_part(key, part) for key, part in schema.items() if not _says_nothing(key, part)}


def schema_digest(schema: JsonValue) -> str:
    """Hash a schema's one form with SHA-256: 64 hex digits, equal for schemas that differ in order alone."""
    return digest(canonical_schema(schema))


def parameters(schema: JsonValue) -> JsonValue:
    """Return the schema of a tool's arguments, out of the host's ``{name, description, parameters}`` or as it stands."""
    if isinstance(schema, dict) and isinstance(schema.get("parameters"), dict) and "name" in schema:
        return schema["parameters"]
    return schema


def _says_nothing(key: str, part: JsonValue) -> bool:
    return (key in ("description", "title", "$comment") and not part) or (key == "required" and part == [])


def _canonical_part(key: str, part: Any) -> JsonValue:
    if key in _UNORDERED and isinstance(part, list):
        return sorted(part, key=canonical)
    if key in _SCHEMA_MAPS and isinstance(part, dict):
        return {name: canonical_schema(one) for name, one in part.items()}
    if key in _SCHEMA_LISTS and isinstance(part, list):
        return [canonical_schema(one) for one in part]
    if key in _SCHEMAS:
        return [canonical_schema(one) for one in part] if isinstance(part, list) else canonical_schema(part)
    return part
