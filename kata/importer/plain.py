"""The plain form: JSON Lines, one call a line, in the order in which the calls were announced.

``{"session_id", "turn", "seq", "ts", "tool", "args", "result", "ok", "duration_ms"}``; ``ts`` and what follows ``result`` may be
null or missing. ``result`` is text (often JSON) or any JSON value.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from ..json import JsonError, loads
from ..templating import decode_result
from .calls import ImportedCall, LineError

NEEDED = ("session_id", "tool", "args")


def is_plain(value: Any) -> bool:
    """Tell whether a line's value is a call of this form."""
    return isinstance(value, dict) and all(name in value for name in NEEDED)


def read_plain(lines: Iterable[str | bytes]) -> Iterator[ImportedCall | LineError]:
    """Yield each line's call, or why it cannot be read; empty lines are passed over."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield _call(loads(line), number)
        except JsonError as error:
            yield LineError(number, f"no JSON: {error}")
        except LineError as error:
            yield error


def _call(value: Any, number: int) -> ImportedCall:
    if not is_plain(value):
        raise LineError(number, f"a call has {', '.join(NEEDED)}")
    if not isinstance(value["tool"], str) or not isinstance(value["args"], dict):
        raise LineError(number, "tool is a text and args an object")
    result = value.get("result")
    return ImportedCall(
        session=str(value["session_id"]),
        turn=str(value.get("turn", 0)),
        seq=_whole(value.get("seq")) or 0,
        tool=value["tool"],
        args=value["args"],
        result=decode_result(result) if isinstance(result, str) else result,
        at=_moment(value.get("ts"), number),
        ok=value.get("ok") if isinstance(value.get("ok"), bool) else None,
        duration_ms=_whole(value.get("duration_ms")),
    )


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _moment(value: Any, number: int) -> datetime | None:
    """Read ISO 8601 or epoch seconds; a moment without an offset is UTC."""
    if value is None:
        return None
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value, UTC)
        moment = datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        raise LineError(number, f"{value!r} is no moment") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
