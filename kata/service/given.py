"""From words to values: what a person typed for the inputs of a kata, in the types that its schema asks for."""

import difflib
from collections.abc import Mapping

from ..errors import UsageError
from ..json import JsonObject, JsonValue, loads


def typed(texts: Mapping[str, str], schema: JsonObject) -> JsonObject:
    """Return typed words as values: text stays text, anything else is read as JSON where it can be.

    Args:
        texts: What was typed for each input.
        schema: The input schema of the version.

    Raises:
        UsageError: a name is no input of it.
    """
    properties: JsonObject = schema.get("properties", {})
    for name in texts:
        if name not in properties:
            raise _unknown(name, tuple(properties))
    return {name: _value(text, properties[name].get("type", "string")) for name, text in texts.items()}


def _value(text: str, kind: JsonValue) -> JsonValue:
    if kind == "string":
        return text
    try:
        return loads(text)
    except ValueError:
        return text


def _unknown(name: str, inputs: tuple[str, ...]) -> UsageError:
    near = difflib.get_close_matches(name, inputs, n=1, cutoff=0.5)
    said = f"Did you mean {near[0]}?" if near else f"Its inputs: {', '.join(inputs) or 'none'}."
    return UsageError(f"{name!r} is no input of it", hint=said)
