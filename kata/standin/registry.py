"""The tool registry: what tools there are, and how one is run."""

import asyncio
import inspect
import json
import logging
from collections.abc import Callable, Iterable
from typing import Any

import attrs

from .ledger import Slots

logger = logging.getLogger(__name__)


@attrs.define(eq=False)
class ToolEntry:
    """One registered tool. ``owner`` is the plugin's key, or ``""`` for a tool of the host."""

    name: str
    toolset: str
    schema: dict[str, Any]
    handler: Callable[..., Any]
    check_fn: Callable[[], bool] | None = None
    requires_env: list[str] = attrs.field(factory=list)
    is_async: bool = False
    description: str = ""
    emoji: str = ""
    owner: str = ""


def tool_error(message: str, **extra: Any) -> str:
    """Write the JSON text that stands for a failed call."""
    return json.dumps({"error": message, **extra}, ensure_ascii=False)


class ToolRegistry:
    """Every tool of the host and of its plugins, by name."""

    def __init__(self) -> None:
        self._tools: dict[str, ToolEntry] = {}
        self._slots = Slots(self._tools)
        self._generation = 0

    def register(self, entry: ToolEntry, *, override: bool = False) -> Callable[[], None] | None:
        """Add or replace a tool and return what takes it back; ``None`` when another toolset has the name.

        Raises:
            ValueError: the schema is no dict, or its ``parameters`` are none.
        """
        _check_schema(entry.name, entry.schema)
        existing = self._tools.get(entry.name)
        if existing is not None and existing.toolset != entry.toolset and not override:
            logger.error(
                "tool %r of toolset %r would shadow toolset %r", entry.name, entry.toolset, existing.toolset
            )
            return None
        release = self._slots.put(entry.name, entry)
        self._generation += 1

        def take_back() -> None:
            release()
            self._generation += 1

        return take_back

    def deregister(self, name: str) -> None:
        """Remove a tool, whoever registered it; an unknown name is no error."""
        if self._tools.pop(name, None) is not None:
            self._generation += 1

    def get_entry(self, name: str) -> ToolEntry | None:
        return self._tools.get(name)

    def get_schema(self, name: str) -> dict[str, Any] | None:
        """Return the stored schema (name, description, parameters) or ``None``."""
        entry = self._tools.get(name)
        return None if entry is None else entry.schema

    def get_toolset_for_tool(self, name: str) -> str | None:
        entry = self._tools.get(name)
        return None if entry is None else entry.toolset

    def get_all_tool_names(self) -> list[str]:
        return sorted(self._tools)

    def get_definitions(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Describe tools as a model provider wants it, leaving out those whose ``check_fn`` says no."""
        entries = [self._tools[name] for name in sorted(names) if name in self._tools]
        return [
            {"type": "function", "function": {**entry.schema, "name": entry.name}}
            for entry in entries
            if entry.check_fn is None or _answers(entry.check_fn)
        ]

    def dispatch(self, name: str, args: dict[str, Any], **context: Any) -> Any:
        """Run a tool's handler and return its text (or multimodal dict); errors come back as JSON text."""
        entry = self._tools.get(name)
        if entry is None:
            return tool_error(f"Unknown tool: {name}")
        try:
            result = entry.handler(args, **accepted(entry.handler, context))
            return _contract(name, _run(result) if entry.is_async else result)
        except Exception as error:
            logger.debug("tool %s failed", name, exc_info=True)
            return tool_error(f"[TOOL_ERROR] Tool execution failed: {type(error).__name__}: {error}")


def accepted(function: Callable[..., Any], offered: dict[str, Any]) -> dict[str, Any]:
    """Keep of the offered keyword arguments what a function's signature takes."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return dict(offered)
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()):
        return dict(offered)
    named = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    return {
        key: value for key, value in offered.items() if key in parameters and parameters[key].kind in named
    }


def _check_schema(name: str, schema: Any) -> None:
    if not isinstance(schema, dict):
        raise ValueError(f"tool {name!r}: schema must be a dict, not {type(schema).__name__}")
    parameters = schema.get("parameters")
    if parameters is not None and not isinstance(parameters, dict):
        raise ValueError(f"tool {name!r}: parameters must be a dict, not {type(parameters).__name__}")


def _answers(check: Callable[[], bool]) -> bool:
    try:
        return bool(check())
    except Exception:
        return False


def _run(awaitable: Any) -> Any:
    async def wait() -> Any:
        return await awaitable

    return asyncio.run(wait())


def _contract(name: str, result: Any) -> Any:
    if isinstance(result, str):
        return result
    if (
        isinstance(result, dict)
        and result.get("_multimodal") is True
        and isinstance(result.get("content"), list)
    ):
        return result
    kind = type(result).__name__
    return tool_error(
        f"Tool handler returned unsupported result type: {kind}",
        error_type="tool_result_contract",
        tool=name,
        result_type=kind,
    )
