"""Arguments that say to a person what a call does; the rest says what is done."""

from collections.abc import Mapping

from ..effects import shell_command
from ..json import JsonValue

COMMENTARY = frozenset({"description", "explanation"})
"""Keys beside a shell command that are no part of it."""


def ignored_keys(tool: str, args: Mapping[str, JsonValue]) -> frozenset[str]:
    """Return the keys of a call that are talk about it: passed over by signatures, templates and matching."""
    return frozenset() if shell_command(tool, args) is None else COMMENTARY & args.keys()
