"""Commands: ``/kata …`` in a chat, ``hermes kata …`` in a shell."""

import argparse
import contextlib
import inspect
import io
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from .hooks import run_awaitable


@attrs.frozen
class Ran:
    """What a shell command printed, and its exit code."""

    exit_code: int
    out: str
    err: str


def run_slash(commands: Mapping[str, Any], line: str) -> str:
    """Run a plugin's slash command; an unknown one and an error become a text, as in the chat."""
    name, _, raw = line.strip().removeprefix("/").partition(" ")
    entry = commands.get(name.replace("_", "-"))
    if entry is None:
        return f"Unknown command: /{name}"
    try:
        answer = entry["handler"](raw.strip())
        answer = run_awaitable(answer) if inspect.isawaitable(answer) else answer
    except Exception as error:
        return f"Plugin command error: {error}"
    return "" if answer is None else str(answer)


def run_cli(commands: Mapping[str, Any], argv: Sequence[str]) -> Ran:
    """Run ``hermes argv…`` in this process, through argparse, with output and exit code caught."""
    entry = commands.get(argv[0]) if argv else None
    if entry is None:
        return Ran(2, "", f"{argv[0] if argv else ''!r} is not a hermes command\n")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = _code(entry, argv)
    return Ran(code, out.getvalue(), err.getvalue())


def _code(entry: Mapping[str, Any], argv: Sequence[str]) -> int:
    try:
        answer = _call(entry, argv)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except Exception:
        traceback.print_exc()
        return 1
    return answer if isinstance(answer, int) else 0


def _call(entry: Mapping[str, Any], argv: Sequence[str]) -> Any:
    root = argparse.ArgumentParser(prog="hermes")
    parser = root.add_subparsers(dest="command").add_parser(
        entry["name"], help=entry["help"], description=entry["description"] or entry["help"]
    )
    entry["setup_fn"](parser)
    if entry["handler_fn"] is not None and parser.get_default("func") is None:
        parser.set_defaults(func=entry["handler_fn"])
    args = root.parse_args(list(argv))
    return args.func(args)
