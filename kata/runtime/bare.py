"""What is registered when a dependency is missing: the two commands, which say what to install."""

import contextlib
from typing import Any

MESSAGE = (
    "Kata cannot start: the Python package {name!r} is missing.\n"
    "Install its dependencies beside Hermes, then start a new session:\n"
    "  hermes plugins install kata --yes-deps\n"
    "  (or: pip install hermes-kata)"
)


def register_bare(ctx: Any, missing: ImportError) -> None:
    """Register ``/kata`` and ``hermes kata`` so that both answer with what to install."""
    text = MESSAGE.format(name=missing.name or str(missing))

    def slash(raw_args: str) -> str:
        del raw_args
        return text

    def setup(parser: Any) -> None:
        parser.add_argument("words", nargs="*")

    def shell(args: Any) -> int:
        del args
        print(text)  # noqa: T201 - the answer of a command
        return 6

    with contextlib.suppress(Exception):
        ctx.register_command("kata", slash, description="Routines that became tools (dependencies missing)")
    with contextlib.suppress(Exception):
        ctx.register_cli_command("kata", "Routines that became tools (dependencies missing)", setup, shell)
