"""What is registered when a dependency is missing: the two commands, which say what to install."""

import contextlib
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from ..surfaces.text import say, speaking

MANIFEST = Path(__file__).resolve().parents[1] / "plugin.yaml"


def register_bare(ctx: Any, missing: ImportError) -> None:
    """Register ``/kata`` and ``hermes kata`` so that both answer with what to install."""
    with speaking(os.environ.get("HERMES_LANGUAGE", "")):
        about = say("bare.about")
        name = missing.name or str(missing)
        text = say("bare.missing", name=name, command=install_command())

    def slash(raw_args: str) -> str:
        del raw_args
        return text

    def setup(parser: Any) -> None:
        parser.prefix_chars = "\0"
        parser.add_argument("words", nargs="*")

    def shell(args: Any) -> int:
        print(failure(name, text) if "--json" in getattr(args, "words", ()) else text)  # noqa: T201 - the answer of a command
        return 6

    with contextlib.suppress(Exception):
        ctx.register_command("kata", slash, description=about)
    with contextlib.suppress(Exception):
        ctx.register_cli_command("kata", about, setup, shell)


def failure(name: str, text: str) -> str:
    """Return the envelope of a refusal as JSON; what else writes it may need the very package that is missing."""
    message, _, hint = text.partition("\n")
    error = {"code": "dependency_missing", "message": message, "hint": hint, "name": name}
    return json.dumps({"schema": "kata.cli/1", "ok": False, "error": error})


def install_command(manifest: Path = MANIFEST, python: str = sys.executable) -> str:
    """Return the command that installs what Kata stands on beside this very Hermes.

    The manifest is read line by line: what reads YAML may be missing as well.
    """
    try:
        lines = manifest.read_text(encoding="utf-8").splitlines()
        first = lines.index("python_dependencies:") + 1
    except (OSError, ValueError):
        return shlex.join([python, "-m", "pip", "install", "hermes-kata"])
    packages = []
    for line in lines[first:]:
        if not line.startswith("  - "):
            break
        packages.append(line.removeprefix("  - ").strip())
    return shlex.join([python, "-m", "pip", "install", *packages])
