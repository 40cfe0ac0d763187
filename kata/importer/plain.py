"""The plain form: JSON Lines, one call a line, in the order in which the calls were announced.

``{"session_id", "turn", "seq", "ts", "tool", "args", "result", "ok", "duration_ms"}``; ``ts`` and what follows ``result`` may be
null or missing. ``result`` is text (often JSON) or any JSON value.
"""

import math
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from ..templating import decode_result
from .calls import ImportedCall, LineError
from .lines import Line, moment, parsed

NEEDED = ("session_id", "tool", "args")
_NEEDED = frozenset(NEEDED)


def is_plain(value: Any) -> bool:
    """Tell whether a line's value is a call of this form."""
    return isinstance(value, dict) and value.keys() >= _NEEDED


def read_plain(lines: Iterable[Line]) -> Iterator[ImportedCall | LineError]:
    """Yield each line's call, or why it cannot be read; empty lines are passed over."""
    for number, value in parsed(lines):
        if isinstance(value, LineError):
            yield value
            continue
        try:
            yield _call(value, number)
        except LineError as error:
            yield error


def _call(value: Any, number: int) -> ImportedCall:
    if not is_plain(value):
        raise LineError(number, f"a call has {', '.join(NEEDED)}")
    if not isinstance(value["tool"], str) or not isinstance(value["args"], dict):
        raise LineError(number, "tool is a text and args an object")
    get = value.get
    result, ok = get("result"), get("ok")
    return ImportedCall(
        str(value["session_id"]),
        str(get("turn", 0)),
        _whole(get("seq")) or 0,
        value["tool"],
        value["args"],
        decode_result(result) if isinstance(result, str) else result,
        _moment(get("ts"), number),
        ok=ok if isinstance(ok, bool) else None,
        duration_ms=_whole(get("duration_ms")),
    )


def _whole(value: Any) -> int | None:
    if type(value) is int:
        return value
    return int(value) if type(value) is float and math.isfinite(value) else None


def _moment(value: Any, number: int) -> datetime | None:
    try:
        return moment(value)
    except ValueError:
        raise LineError(number, "ts is no moment") from None
