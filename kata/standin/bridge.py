"""The three tools of the tool search: find, describe, call what is not listed (facts 5.1)."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import attrs

from .model import ToolCall
from .names import BRIDGE_TOOLS
from .offer import first_sentence
from .registry import ToolRegistry, tool_error


@attrs.frozen
class Wanted:
    """One call to carry out, unwrapped from the bridge.

    Attributes:
        scope_block: Why the call is out of reach: told to plugins as blocked, without asking them.
        answer: What the bridge itself answers, because there is no such tool to call.
    """

    call_id: str
    name: str
    args: dict[str, Any]
    scope_block: str = ""
    answer: str = ""


class Bridge:
    """Answer the bridge tools for one conversation; ``deferred`` names what may be found now."""

    def __init__(self, registry: ToolRegistry, deferred: Iterable[str]) -> None:
        self._registry = registry
        self._deferred = tuple(deferred)

    def search(self, args: dict[str, Any]) -> str:
        """Answer ``tool_search``: tools whose name or description holds a word of a query."""
        queries = args.get("queries")
        if not isinstance(queries, list):
            return tool_error("queries is required and must be an array of strings")
        groups = [{"query": query, "matches": self._matches(str(query))} for query in queries]
        found = dict.fromkeys(name for group in groups for name in group["matches"])
        tools = {name: {"description": first_sentence(self._registry, name)} for name in found}
        total = len(self._deferred)
        return json.dumps({"queries": queries, "total_available": total, "results": groups, "tools": tools})

    def describe(self, args: dict[str, Any]) -> str:
        """Answer ``tool_describe``: the schemas of deferred tools."""
        names = args.get("names")
        names = [names] if isinstance(names, str) else names
        if not isinstance(names, list):
            return tool_error("names is required and must be an array of strings")
        schemas = {name: self._registry.get_schema(name) or {} for name in names if name in self._deferred}
        tools = {
            name: {"description": each.get("description", ""), "parameters": each.get("parameters", {})}
            for name, each in schemas.items()
        }
        missing = [name for name in names if name not in schemas]
        return json.dumps({"tools": tools, **({"not_found": missing} if missing else {})})

    def unwrap(self, call: ToolCall, args: dict[str, Any]) -> list[Wanted]:
        """Unwrap ``tool_call``: one call per entry, the second with an id made up from the first."""
        entries = args.get("calls", [args] if args.get("name") else None)
        if not isinstance(entries, list) or not entries:
            return [_answered(call, args, "tool_call 'calls' must be a non-empty array of {name, arguments}")]
        if len(entries) == 1:
            return [self._one(call.id, entries[0], args)]
        return [
            self._one(call.id if at == 0 else _made_up(call.id, entry), entry, {"calls": [entry]})
            for at, entry in enumerate(entries)
        ]

    def _one(self, call_id: str, entry: Any, args: dict[str, Any]) -> Wanted:
        call = ToolCall(call_id, "tool_call", "")
        name = str(entry.get("name") or "") if isinstance(entry, dict) else ""
        if not name:
            return _answered(call, args, "tool_call calls[0] requires a 'name'")
        if name in BRIDGE_TOOLS:
            return _answered(call, args, f"tool_call cannot invoke '{name}' (it is itself a bridge tool)")
        if name not in self._deferred:
            return self._not_deferred(call, name, args)
        inner = _object(entry.get("arguments"))
        missing = self._missing(name, inner)
        if missing:
            why = f"tool_call to '{name}' is missing required argument(s): {', '.join(missing)}"
            return Wanted(call_id, "tool_call", args, scope_block=f"{why}. The tool was NOT invoked.")
        return Wanted(call_id, name, inner)

    def _not_deferred(self, call: ToolCall, name: str, args: dict[str, Any]) -> Wanted:
        entry = self._registry.get_entry(name)
        if entry is None:
            return _answered(
                call, args, f"'{name}' is not a known tool name. Use tool_search to find the exact name."
            )
        if entry.owner:
            why = f"'{name}' is not available in this session. Use tool_search to find tools you can call."
            return Wanted(call.id, "tool_call", args, scope_block=why)
        return _answered(
            call, args, f"'{name}' is a directly-listed tool, not a deferred one. Call it directly."
        )

    def _missing(self, name: str, args: dict[str, Any]) -> list[str]:
        schema = self._registry.get_schema(name) or {}
        return [key for key in schema.get("parameters", {}).get("required", ()) if key not in args]

    def _matches(self, query: str) -> list[str]:
        words = query.lower().split()
        return [name for name in self._deferred if any(word in self._text(name) for word in words)]

    def _text(self, name: str) -> str:
        entry = self._registry.get_entry(name)
        return f"{name} {entry.description if entry else ''}".lower()


def _answered(call: ToolCall, args: dict[str, Any], why: str) -> Wanted:
    return Wanted(call.id, "tool_call", args, answer=tool_error(why))


def _made_up(call_id: str, entry: Any) -> str:
    seed = f"{call_id}{json.dumps(entry, sort_keys=True, default=str)}"
    return f"call_{hashlib.sha256(seed.encode()).hexdigest()[:12]}"


def _object(arguments: Any) -> dict[str, Any]:
    value = json.loads(arguments) if isinstance(arguments, str) and arguments.strip() else arguments
    return dict(value) if isinstance(value, dict) else {}
