"""The file tools over a real folder, with the memory of each task: read before, working directory."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import attrs

from .registry import tool_error

_READS_BEFORE_REFUSAL: Final = 2
_SEARCHES_BEFORE_REFUSAL: Final = 3
_EMPTY: Final = {
    "content": "",
    "total_lines": 0,
    "file_size": 0,
    "truncated": False,
    "is_binary": False,
    "is_image": False,
}
DEFAULT_TASK: Final = "default"


@attrs.define
class Task:
    """What the file tools remember of one task id."""

    cwd: Path
    reads: dict[tuple[str, Any, Any, float], int] = attrs.field(factory=dict)
    read_whole: set[Path] = attrs.field(factory=set)
    last_search: str = ""
    searches: int = 0


class Workspace:
    """A folder that the agent works in (facts 6.1 for what is remembered per task)."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root
        self._tasks: defaultdict[str, Task] = defaultdict(lambda: Task(root))

    def task(self, task_id: str | None) -> Task:
        return self._tasks[task_id or DEFAULT_TASK]

    def cwd(self, task_id: str | None) -> Path:
        return self.task(task_id).cwd

    def path(self, task_id: str | None, path: str) -> Path:
        """Resolve a path against the task's working directory."""
        return self.task(task_id).cwd / Path(path).expanduser()

    def other_tool(self, name: str, task_id: str | None) -> None:
        """Note a call of the model to any other tool: repeated reads count anew."""
        if name in ("read_file", "search_files"):
            return
        task = self.task(task_id)
        task.reads = dict.fromkeys(task.reads, 1)
        task.searches = 0

    def read_file(self, args: dict[str, Any], task_id: str | None = None) -> str:
        path = self.path(task_id, str(args.get("path", "")))
        if not path.is_file():
            return json.dumps({**_EMPTY, "error": f"File not found: {path}", "not_found": True})
        task = self.task(task_id)
        offset, limit = args.get("offset", 1), args.get("limit", 500)
        seen = (str(path), offset, limit, path.stat().st_mtime_ns)
        times = task.reads[seen] = task.reads.get(seen, 0) + 1
        if times > _READS_BEFORE_REFUSAL:
            return tool_error(
                "BLOCKED: this region was read before and did not change.", guardrail_refusal=True
            )
        if times > 1:
            return json.dumps({"status": "unchanged", "dedup": True, "content_returned": False})
        return self._content(path, task, offset, limit)

    def _content(self, path: Path, task: Task, offset: int, limit: int) -> str:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        shown = lines[offset - 1 : offset - 1 + limit]
        if len(shown) == len(lines):
            task.read_whole.add(path)
        content = "\n".join(f"{offset + at}|{line}" for at, line in enumerate(shown))
        found = {
            "content": content,
            "total_lines": len(lines),
            "file_size": path.stat().st_size,
            "truncated": len(shown) < len(lines),
            "not_found": False,
        }
        return json.dumps({**_EMPTY, **found})

    def write_file(self, args: dict[str, Any], task_id: str | None = None) -> str:
        path = self.path(task_id, str(args.get("path", "")))
        task = self.task(task_id)
        if path.exists() and path not in task.read_whole:
            text = f"Refusing to overwrite {args.get('path')}: read it first."
            return tool_error(text, stale_write_blocked=True)
        content = str(args.get("content", ""))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        task.read_whole.add(path)
        return json.dumps(
            {
                "bytes_written": len(content.encode()),
                "dirs_created": True,
                "verified": True,
                "lint": {"status": "skipped", "message": f"No linter for {path.suffix} files"},
                "resolved_path": str(path),
                "files_modified": [str(path)],
            }
        )

    def search_files(self, args: dict[str, Any], task_id: str | None = None) -> str:
        task = self.task(task_id)
        key = json.dumps(args, sort_keys=True)
        task.searches = task.searches + 1 if key == task.last_search else 1
        task.last_search = key
        if task.searches > _SEARCHES_BEFORE_REFUSAL:
            return tool_error(
                "BLOCKED: this search was run before, one after the other.", guardrail_refusal=True
            )
        base = self.path(task_id, str(args.get("path") or "."))
        pattern = str(args.get("pattern", ""))
        return _by_name(base, pattern) if args.get("target") == "files" else _by_content(base, pattern)


def _by_content(base: Path, pattern: str) -> str:
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        return tool_error(f"bad pattern: {error}")
    matches = [
        {"path": str(path), "line": number, "content": line}
        for path in _text_files(base)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if wanted.search(line)
    ]
    return json.dumps({"total_count": len(matches), "matches": matches})


def _by_name(base: Path, pattern: str) -> str:
    found = [str(path) for path in _text_files(base) if path.match(pattern)]
    return json.dumps({"total_count": len(found), "files": found})


def _text_files(base: Path) -> list[Path]:
    return [base] if base.is_file() else sorted(path for path in base.rglob("*") if path.is_file())
