"""What the host answers a model that calls tools which do not exist, or writes arguments that are no JSON."""

import json
from collections.abc import Iterable
from typing import Any, Final

from .model import ToolCall

STRIKES: Final = 3
"""Wrong names this often in a row end the turn."""
BAD_ARGUMENTS: Final = 5
"""Replies with arguments that are no JSON, in one turn, end it; the model is asked anew for each before."""


def parsed(call: ToolCall) -> dict[str, Any] | None:
    """Read a call's arguments; ``None`` when they are no JSON. JSON of another kind counts as none given."""
    try:
        value = json.loads(call.arguments.strip() or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else {}


def unknown_tool(name: str, offered: Iterable[str]) -> str:
    """Tell the model that there is no such tool, and which there are."""
    return f"Tool '{name}' does not exist. Available tools: {', '.join(sorted(offered))}"
