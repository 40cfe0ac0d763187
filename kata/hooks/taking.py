"""One firing from outside the plugin, taken in: read, recorded where that is wanted, and never a trouble to the agent."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import KataError
from ..json import JsonError, JsonValue, loads
from ..redact import Keeper
from ..store.keyfile import load_key
from .claude import Desk, claude_events
from .hermes import gateway_event, shell_event
from .notes import claim
from .record import Told, append, lost
from .standing import read_standing

Make = Callable[[Desk], list[Told]]
ANSWER = b"{}\n"


class BadInputError(KataError):
    """Say that what a hook got on its standard input is none of the forms that Kata knows."""

    code = "bad_hook_input"


def take_shell(words: Sequence[str], given: BinaryIO, answer: BinaryIO) -> int:
    """Take a firing from standard input and answer ``{}``; the exit code is always 0, for the agent's sake.

    Args:
        words: ``--data FOLDER`` names Kata's data folder; else it is that of ``HERMES_HOME``.
    """
    with suppress(Exception):
        text = given.read()
        take(_data_folder(words), lambda desk: _shell_events(text, desk), "shell_hook")
    answer.write(ANSWER)
    answer.flush()
    return 0


def take_gateway(data: Path, name: str, context: Mapping[str, Any]) -> None:
    """Take a firing of a gateway hook."""
    take(data, lambda desk: [gateway_event(name, context, desk.keeper, texts=desk.texts)], "gateway_hook")


def take(data: Path, make: Make, source: str) -> None:
    """Record what one firing makes, unless recording is paused; what goes wrong is counted as lost, with its reason.

    Raises:
        OSError, StoreError: not even that can be written.
    """
    try:
        standing = read_standing(data)
    except (OSError, ValueError, TypeError, AttributeError):
        append(data, [lost(f"{source}: the settings for hooks cannot be read")])
        return
    if not standing.records(datetime.now(UTC)):
        return
    try:
        events = make(Desk(data, Keeper(load_key(data).secret), standing.texts))
        append(data, [told for told in events if claim(data, told.event_id)])
    except Exception as error:
        append(data, [lost(f"{source}: {_reason(error)}")])


def _shell_events(text: bytes, desk: Desk) -> list[Told]:
    given = _parsed(text)
    name = given.get("hook_event_name")
    if not isinstance(name, str) or not name:
        raise BadInputError("no hook_event_name")
    if name[0].isupper():
        return claude_events(given, desk)
    return [shell_event(given, desk.keeper, texts=desk.texts)]


def _parsed(text: bytes) -> dict[str, JsonValue]:
    try:
        given = loads(text)
    except (JsonError, UnicodeDecodeError):
        raise BadInputError("no JSON") from None
    if not isinstance(given, dict):
        raise BadInputError("no JSON object")
    return given


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, KataError) else type(error).__name__


def _data_folder(words: Sequence[str]) -> Path:
    if len(words) > 1 and words[0] == "--data":
        return Path(words[1])
    home = os.environ.get("HERMES_HOME") or Path.home() / ".hermes"
    return Path(home) / "plugin-data" / "kata"
