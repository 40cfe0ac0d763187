"""``hermes sessions export``: one session a line, with its messages."""

from collections.abc import Iterable, Iterator
from typing import Any

from .calls import Found, LineError
from .hermes import session_calls
from .lines import Line, parsed


def is_export(value: Any) -> bool:
    """Tell whether a line's value is a session of this form."""
    return isinstance(value, dict) and {"id", "source", "messages"} <= value.keys()


def read_export(lines: Iterable[Line]) -> Iterator[Found]:
    """Yield the calls of each line's session."""
    for number, value in parsed(lines):
        if isinstance(value, LineError):
            yield value
        elif not is_export(value) or not isinstance(value["messages"], list):
            yield LineError(number, "a session has id, source and a list of messages")
        else:
            yield from session_calls(value, (row for row in value["messages"] if isinstance(row, dict)))
