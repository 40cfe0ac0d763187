"""Every word that a person reads, in one catalogue."""

from typing import Any

from .en import EN

__all__ = ["EN", "plural", "say"]


def say(key: str, /, **values: Any) -> str:
    """Return a message of the catalogue with its values filled in.

    Raises:
        KeyError: the catalogue has no such message, or a value is missing.
    """
    return EN[key].format(**values)


def plural(count: int, one: str, many: str) -> str:
    """Return ``3 calls`` or ``1 call``; ``one`` and ``many`` are catalogue keys."""
    return say(one if count == 1 else many, count=count)
