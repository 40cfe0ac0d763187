"""JSON Lines as they come: one at a time, of bounded length, each with its number."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import IO, Any, TypeAlias

from ..json import JsonError, JsonValue, loads
from .calls import LineError

LONGEST = 64 * 1024 * 1024
"""Bytes of a line that are read; a longer one is left out, so that no file can fill the memory."""

PIECE = 1024 * 1024

EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""Between these a moment can be reckoned with and be shown in every zone; no history is of another time."""

_NUMBERS = (int, float)

Line: TypeAlias = str | bytes | LineError


def bounded(file: IO[bytes]) -> Iterator[Line]:
    """Yield a file's lines; one that is too long as the error that says so."""
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        if len(line) < LONGEST or line.endswith(b"\n"):
            yield line
            continue
        del line
        while (piece := file.readline(PIECE)) and not piece.endswith(b"\n"):
            pass
        yield LineError(number, f"longer than {LONGEST // PIECE} MiB")


def parsed(lines: Iterable[Line]) -> Iterator[tuple[int, JsonValue | LineError]]:
    """Yield each line's number and value, or why it has none; empty lines are passed over."""
    for number, line in enumerate(lines, 1):
        if isinstance(line, LineError):
            yield number, line
        elif bare := line.strip():
            try:
                yield number, loads(bare)
            except JsonError as error:
                wrong = LineError(number, f"no JSON: {error}")
                yield number, _last(wrong) if _is_cut(line) else wrong


def _is_cut(line: str | bytes) -> bool:
    """Tell whether the file ends in a line."""
    return line[-1:] not in ("\n", b"\n")


def _last(error: LineError) -> LineError:
    return LineError(error.line, f"{error.why}; the file ends in this line")


def moment(value: Any) -> datetime | None:
    """Read ISO 8601 or epoch seconds, a moment without an offset as UTC; what is none is unknown.

    Raises:
        ValueError: something stands there, and it is no moment, or none of a time in which there were histories.
    """
    if value is None or isinstance(value, bool):
        return None
    try:
        found = datetime.fromtimestamp(value, UTC) if isinstance(value, _NUMBERS) else _written(value)
    except (OverflowError, OSError) as error:
        raise ValueError(str(error)) from error
    if not EARLIEST <= found < LATEST:
        raise ValueError(f"it is not between {EARLIEST.year} and {LATEST.year}")
    return found


def _written(value: Any) -> datetime:
    found = datetime.fromisoformat(str(value))
    return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)


def moment_or_none(value: Any) -> datetime | None:
    """Read a moment where a wrong one is as good as none."""
    try:
        return moment(value)
    except ValueError:
        return None
