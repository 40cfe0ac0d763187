"""The file tools over a real folder, with the memory of each task: read before, working directory."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import attrs

from .registry import tool_error
from .search import search

READS: Final = 2
"""How often a task may read the same: the second gets a stub, a third is refused."""
SEARCHES: Final = 3
"""How often in a row a task may search for the same; the last carries a warning, the next is refused."""
DEFAULT_TASK: Final = "default"
_FILE_TOOLS: Final = ("read_file", "search_files")
_NOTHING: Final = {
    "content": "",
    "total_lines": 0,
    "file_size": 0,
    "truncated": False,
    "is_binary": False,
    "is_image": False,
}


@attrs.define
class Task:
    """What the file tools remember of one task id."""

    cwd: Path
    reads: dict[tuple[Any, ...], int] = attrs.field(factory=dict)
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
        """Note that the model called a tool: any but the file tools lets repetitions count anew."""
        if name in _FILE_TOOLS:
            return
        task = self.task(task_id)
        task.reads = dict.fromkeys(task.reads, 1)
        task.last_search = ""

    def read_file(self, args: dict[str, Any], task_id: str | None = None) -> str:
        path = self.path(task_id, str(args.get("path", "")))
        if not path.is_file():
            return json.dumps({**_NOTHING, "error": f"File not found: {path}", "not_found": True})
        task = self.task(task_id)
        task.last_search = ""
        offset, limit = args.get("offset", 1), args.get("limit", 500)
        seen = (path, offset, limit, path.stat().st_mtime_ns)
        times = task.reads[seen] = task.reads.get(seen, 0) + 1
        if times > 1:
            return _read_before(args["path"], times)
        return self._content(path, task, offset, limit)

    def _content(self, path: Path, task: Task, offset: int, limit: int) -> str:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        shown = lines[offset - 1 : offset - 1 + limit]
        last, total = offset - 1 + len(shown), len(lines)
        if len(shown) == total:
            task.read_whole.add(path)
        hint = f"Use offset={last + 1} to continue reading (showing {offset}-{last} of {total} lines)"
        found = {
            "content": "\n".join(f"{offset + at}|{line}" for at, line in enumerate(shown)),
            "total_lines": total,
            "file_size": path.stat().st_size,
            "truncated": last < total,
            **({"hint": hint} if last < total else {}),
            "not_found": False,
        }
        return json.dumps({**_NOTHING, **found})

    def write_file(self, args: dict[str, Any], task_id: str | None = None) -> str:
        path = self.path(task_id, str(args.get("path", "")))
        task = self.task(task_id)
        if path.exists() and path not in task.read_whole:
            text = (
                f"Refusing to overwrite {args['path']}: {path} exists but this task has not seen all of it."
            )
            return tool_error(text, stale_write_blocked=True, path=args["path"], resolved_path=str(path))
        content = str(args.get("content", ""))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
        task.read_whole.add(path)
        return _written(path, len(content.encode()))

    def search_files(self, args: dict[str, Any], task_id: str | None = None) -> str:
        task = self.task(task_id)
        key = json.dumps(args, sort_keys=True)
        task.searches = task.searches + 1 if key == task.last_search else 1
        task.last_search = key
        if task.searches > SEARCHES:
            text = f"BLOCKED: You have run this exact search {task.searches} times in a row."
            refused = {"pattern": args.get("pattern"), "already_searched": task.searches}
            return tool_error(text, **refused, guardrail_refusal=True)
        found = search(self.path(task_id, str(args.get("path") or ".")), args)
        return _warned(found, task.searches) if task.searches == SEARCHES else found


def _read_before(path: str, times: int) -> str:
    if times > READS:
        text = f"BLOCKED: You have called read_file on this exact region {times} times and nothing changed."
        return tool_error(text, path=path, already_read=times, guardrail_refusal=True)
    stub = {"status": "unchanged", "message": "File unchanged since last read.", "path": path}
    return json.dumps({**stub, "dedup": True, "content_returned": False})


def _written(path: Path, size: int) -> str:
    answer = {
        "bytes_written": size,
        "dirs_created": True,
        "verified": True,
        "lint": {"status": "skipped", "message": f"No linter for {path.suffix} files"},
        "resolved_path": str(path),
        "files_modified": [str(path)],
    }
    return json.dumps(answer)


def _warned(found: str, times: int) -> str:
    text = f"You have run this exact search {times} times consecutively. The results have not changed."
    return json.dumps({**json.loads(found), "_warning": text})
