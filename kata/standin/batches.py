"""Which calls of one batch run together: safe reads and writes to different places; all else one by one."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from .names import PARALLEL_SAFE_TOOLS

_READERS: Final = frozenset({"read_file", "search_files"})
_WRITERS: Final = frozenset({"write_file", "patch"})

Item = TypeVar("Item")
Scope = tuple[Path, bool]
"""A place that a call uses, and whether it writes there."""


def segments(
    calls: Sequence[Item], look: Callable[[Item], tuple[str, Any]], cwd: Path
) -> list[tuple[bool, list[Item]]]:
    """Split a batch into runs in the calls' order; ``True`` marks a run of two or more that go together."""
    runs: list[tuple[bool, list[Item]]] = []
    current: list[Item] = []
    taken: list[Scope] = []
    for each in calls:
        scopes = _scopes(*look(each), cwd)
        if scopes is None or _collide(scopes, taken):
            _close(runs, current)
            current, taken = [], []
        if scopes is None:
            _alone(runs, [each])
        else:
            current.append(each)
            taken.extend(scopes)
    _close(runs, current)
    return runs


def _close(runs: list[tuple[bool, list[Item]]], current: list[Item]) -> None:
    if len(current) > 1:
        runs.append((True, current))
    elif current:
        _alone(runs, current)


def _alone(runs: list[tuple[bool, list[Item]]], items: list[Item]) -> None:
    if runs and not runs[-1][0]:
        runs[-1][1].extend(items)
    else:
        runs.append((False, list(items)))


def _scopes(name: str, args: Any, cwd: Path) -> list[Scope] | None:
    if not isinstance(args, Mapping):
        return None
    if name in _READERS | _WRITERS:
        path = args.get("path") or ("." if name == "search_files" else "")
        return [(_real(str(path), cwd), name in _WRITERS)] if path else None
    return [] if name in PARALLEL_SAFE_TOOLS else None


def _real(path: str, cwd: Path) -> Path:
    return Path(os.path.realpath(cwd / Path(path).expanduser()))


def _collide(scopes: Iterable[Scope], taken: Sequence[Scope]) -> bool:
    return any((new or old) and _overlap(a, b) for a, new in scopes for b, old in taken)


def _overlap(left: Path, right: Path) -> bool:
    return left.is_relative_to(right) or right.is_relative_to(left)
