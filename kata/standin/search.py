"""Searching files: by content, or by name."""

import json
import re
from pathlib import Path
from typing import Any

from .registry import tool_error


def search(base: Path, args: dict[str, Any]) -> str:
    """Answer ``search_files`` for the folder or file ``base``."""
    pattern = str(args.get("pattern", ""))
    if args.get("target") == "files":
        return json.dumps(_by_name(base, pattern, str(args.get("path") or ".")))
    try:
        return json.dumps(_by_content(base, re.compile(pattern)))
    except re.error as error:
        return tool_error(f"bad pattern: {error}")


def _by_content(base: Path, wanted: re.Pattern[str]) -> dict[str, Any]:
    matches = [
        {"path": str(path), "line": number, "content": line}
        for path in _files(base)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if wanted.search(line)
    ]
    return _found("matches", matches)


def _by_name(base: Path, pattern: str, asked: str) -> dict[str, Any]:
    found = [path.relative_to(base) for path in _files(base) if path.match(pattern)]
    return _found("files", [f"{asked.rstrip('/')}/{path}" for path in found])


def _found(what: str, items: list[Any]) -> dict[str, Any]:
    return {"total_count": len(items), **({what: items} if items else {})}


def _files(base: Path) -> list[Path]:
    return [base] if base.is_file() else sorted(path for path in base.rglob("*") if path.is_file())
