"""Which tools a conversation offers its model: all of them, or the bridge of the tool search."""

import difflib
from collections.abc import Callable, Iterable
from typing import Any, Final

import attrs

from .names import BRIDGE_TOOLS, LEGACY_TOOL_NAMES
from .registry import ToolRegistry
from .settings import Settings

REPAIR_CUTOFF: Final = 0.7
_LISTED: Final = 60
_DEFERRED_BUILTINS: Final = frozenset({"session_search", "todo_list", "process_manage", "cronjob_manage"})
_STRINGS: Final = {"type": "array", "items": {"type": "string"}}
_ENTRY: Final = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
    "required": ["name", "arguments"],
}
_SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "tool_search": {"queries": _STRINGS, "limit": {"type": "integer"}},
    "tool_describe": {"names": _STRINGS},
    "tool_call": {"calls": {"type": "array", "items": _ENTRY}},
}


@attrs.frozen
class Offer:
    """The tools of one conversation, frozen when it starts.

    Attributes:
        direct: Names that the model may call by themselves.
        definitions: The provider's ``tools`` array.
        searching: Whether plugin tools hide behind ``tool_call``.
    """

    direct: frozenset[str]
    definitions: tuple[dict[str, Any], ...]
    searching: bool


def make_offer(registry: ToolRegistry, settings: Settings, allowed: Callable[[str], bool]) -> Offer:
    """Freeze what the registry holds now; ``allowed`` says which toolsets the conversation has."""
    names = [
        name for name in registry.get_all_tool_names() if allowed(registry.get_toolset_for_tool(name) or "")
    ]
    if not searching(settings):
        return Offer(frozenset(names), tuple(registry.get_definitions(names)), searching=False)
    deferred = deferred_names(registry, names)
    direct = [name for name in names if name not in deferred]
    bridge = (_bridge(name, registry, deferred) for name in BRIDGE_TOOLS)
    return Offer(
        frozenset({*direct, *BRIDGE_TOOLS}), (*registry.get_definitions(direct), *bridge), searching=True
    )


def searching(settings: Settings) -> bool:
    """Tell whether tool search is on (``tools.tool_search.enabled``, by default)."""
    return settings.get("tools.tool_search.enabled", "auto") not in (False, "off", "false", "never")


def deferred_names(registry: ToolRegistry, names: Iterable[str]) -> tuple[str, ...]:
    """Pick the tools that hide behind the bridge: every plugin's, and a few of the host."""
    entries = ((name, registry.get_entry(name)) for name in names)
    return tuple(name for name, entry in entries if name in _DEFERRED_BUILTINS or (entry and entry.owner))


def repaired(name: str, direct: Iterable[str]) -> str:
    """Return the real name of a legacy, or nearly right, tool name; ``""`` when none is near."""
    names = sorted(direct)
    if name in names:
        return name
    if LEGACY_TOOL_NAMES.get(name) in names:
        return LEGACY_TOOL_NAMES[name]
    return next(iter(difflib.get_close_matches(name.lower(), names, n=1, cutoff=REPAIR_CUTOFF)), "")


def first_sentence(registry: ToolRegistry, name: str) -> str:
    """Return what a listing shows of a tool: its first sentence, at most 60 characters."""
    entry = registry.get_entry(name)
    return entry.description.split(". ")[0][:_LISTED] if entry else ""


def _bridge(name: str, registry: ToolRegistry, deferred: tuple[str, ...]) -> dict[str, Any]:
    listing = "\n".join(f"- {each}: {first_sentence(registry, each)}" for each in deferred)
    texts = {
        "tool_search": f"Find further tools by words.\n{listing}",
        "tool_describe": "Show the schemas of tools that tool_search found.",
        "tool_call": "Call tools that tool_search found: calls=[{name, arguments}].",
    }
    parameters = {"type": "object", "properties": _SCHEMAS[name], "required": [next(iter(_SCHEMAS[name]))]}
    return {
        "type": "function",
        "function": {"name": name, "description": texts[name], "parameters": parameters},
    }
