"""The host's own tools, enough for a demo: names and schemas as in Hermes."""

from collections.abc import Callable
from typing import Any, Final

from .files import Workspace
from .registry import ToolEntry, ToolRegistry, tool_error
from .terminal import Terminal

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}


def _schema(name: str, description: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "parameters": parameters}


SCHEMAS: Final = {
    schema["name"]: schema
    for schema in (
        _schema(
            "search_files",
            "Search file contents, or find files by name.",
            {
                "pattern": _TEXT,
                "target": {"type": "string", "enum": ["content", "files"]},
                "path": _TEXT,
                "file_glob": _TEXT,
                "limit": _NUMBER,
                "offset": _NUMBER,
            },
            ["pattern"],
        ),
        _schema(
            "read_file", "Read a text file.", {"path": _TEXT, "offset": _NUMBER, "limit": _NUMBER}, ["path"]
        ),
        _schema("write_file", "Write a file.", {"path": _TEXT, "content": _TEXT}, ["path", "content"]),
        _schema(
            "terminal",
            "Run a shell command.",
            {"command": _TEXT, "background": {"type": "boolean"}, "timeout": _NUMBER, "workdir": _TEXT},
            ["command"],
        ),
        _schema("todo_list", "Keep a list of tasks.", {"todos": {"type": "array"}}, []),
        _schema("memory", "Remember something.", {"action": _TEXT, "content": _TEXT}, ["action"]),
        _schema(
            "delegate_task",
            "Let sub-agents do tasks.",
            {"goal": _TEXT, "context": _TEXT, "tasks": {"type": "array", "items": {"type": "object"}}},
            [],
        ),
    )
}
TOOLSETS: Final = {
    "search_files": "file",
    "read_file": "file",
    "write_file": "file",
    "terminal": "terminal",
    "todo_list": "todo",
    "memory": "memory",
    "delegate_task": "delegation",
}


def register_builtins(registry: ToolRegistry, workspace: Workspace, terminal: Terminal) -> None:
    """Register the host's own tools."""
    handlers: dict[str, Callable[..., str]] = {
        "search_files": workspace.search_files,
        "read_file": workspace.read_file,
        "write_file": workspace.write_file,
        "terminal": terminal,
        "todo_list": lambda args: tool_error("TodoStore not initialized"),
        "memory": lambda args: tool_error("Memory is not available.", success=False),
        "delegate_task": lambda args: tool_error("delegate_task needs an agent"),
    }
    for name, handler in handlers.items():
        registry.register(host_tool(name, TOOLSETS[name], SCHEMAS[name], handler))


def host_tool(name: str, toolset: str, schema: dict[str, Any], handler: Callable[..., Any]) -> ToolEntry:
    """Make an entry of the host itself."""
    return ToolEntry(name, toolset, schema, handler, description=str(schema.get("description", "")))
