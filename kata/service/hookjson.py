"""Shell hooks in a ``config.yaml`` that is written as JSON, which is YAML too: read, added to, and written as JSON again."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .hooklines import TIMEOUT_S, ByHandError, item

_OWN = re.compile(r"observe\.py'? --data ")


def is_json(text: str) -> bool:
    """Tell whether a configuration is one JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def added(text: str, command: str, events: Sequence[str]) -> str:
    """Return a configuration with a command under each of these events, and everything else as it was.

    Raises:
        ByHandError: its section of hooks is none that Hermes reads.
    """
    config = json.loads(removed(text))
    hooks = config.setdefault("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(hooks.get(event, []), list) for event in events):
        raise ByHandError("the section hooks does not hold lists of entries")
    for event in events:
        hooks[event] = [{"command": command, "timeout": TIMEOUT_S}, *hooks.get(event, [])]
    return _written(config)


def removed(text: str) -> str:
    """Return a configuration without Kata's own entries, and without what they alone stood in."""
    config = json.loads(text)
    if not list(_own(config)):
        return text
    hooks = {
        event: [entry for entry in entries if not _is_own(entry)] if isinstance(entries, list) else entries
        for event, entries in config["hooks"].items()
    }
    kept = {event: entries for event, entries in hooks.items() if entries or not config["hooks"][event]}
    config["hooks"] = kept
    if not kept:
        del config["hooks"]
    return _written(config)


def installed(text: str) -> tuple[str, ...]:
    """Return Kata's own entries, in the form of `kata.service.hooklines.item`."""
    return tuple(item(entry["command"]) for entry in _own(json.loads(text)))


def _own(config: dict[str, Any]) -> Iterator[dict[str, Any]]:
    hooks = config.get("hooks")
    lists: Iterable[Any] = hooks.values() if isinstance(hooks, dict) else ()
    for entries in lists:
        yield from (entry for entry in entries if _is_own(entry)) if isinstance(entries, list) else ()


def _is_own(entry: Any) -> bool:
    return isinstance(entry, dict) and _OWN.search(str(entry.get("command", ""))) is not None


def _written(config: dict[str, Any]) -> str:
    return json.dumps(config, indent=1, ensure_ascii=False) + "\n"
