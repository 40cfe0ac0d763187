"""Everything that the kit asks of Hermes, with what is done where Hermes does not have it (row M16).

The only module that imports Hermes, and only inside functions. What is a private name of Hermes says so.
"""

import importlib
import inspect
import os
import sys
from typing import Any

HOST_PACKAGE = "hermes_cli"


def environment_value(name: str) -> str | None:
    """Return an environment variable as the profile in use sees it; outside Hermes, as the process does."""
    try:
        from hermes_cli.config import get_env_value
    except ImportError:
        return os.environ.get(name)
    value: str | None = get_env_value(name)
    return value


def registrar_signature(ctx: Any, registrar: str) -> inspect.Signature | None:
    """Return the signature of a registrar, as the host declares it, or ``None`` when it cannot be known.

    A plugin host's context has no signatures of its own: it stands in for ``PluginContext``.
    """
    owner = type(ctx)
    if owner.__module__.startswith(HOST_PACKAGE):
        owner = _attribute("hermes_cli.plugins", "PluginContext") or owner
    function = getattr(owner, registrar, None) or getattr(ctx, registrar, None)
    try:
        return inspect.signature(function) if callable(function) else None
    except (TypeError, ValueError):
        return None


def returns_handle(signature: inspect.Signature | None) -> bool:
    """Tell whether a registrar answers with a handle, so that ``None`` means refused (row M3)."""
    return signature is not None and "Registration" in str(signature.return_annotation)


def accepts(signature: inspect.Signature | None, keyword: str) -> bool:
    """Tell whether a registrar knows a keyword; one that cannot be inspected is taken to."""
    if signature is None:
        return True
    kinds = signature.parameters.values()
    return keyword in signature.parameters or any(item.kind is item.VAR_KEYWORD for item in kinds)


def known_hooks() -> frozenset[str]:
    """Return the hooks that the running Hermes fires; nothing outside Hermes (row M15)."""
    return frozenset(_loaded("hermes_cli.plugins", "VALID_HOOKS") or ())


def known_middleware() -> frozenset[str]:
    """Return the middleware kinds that the running Hermes asks; nothing outside Hermes."""
    return frozenset(_loaded("hermes_cli.middleware", "VALID_MIDDLEWARE") or ())


def intercepted_tools() -> frozenset[str]:
    """Return the tool names that the running Hermes keeps from plugins (private names; row M4)."""
    return frozenset(
        {
            *(_loaded("model_tools", "_AGENT_LOOP_TOOLS") or ()),
            *(_loaded("model_tools", "_LEGACY_TOOL_ALIASES") or ()),
            *(_loaded("tools.tool_search_catalog", "BRIDGE_TOOL_NAMES") or ()),
        }
    )


def builtin_subcommands() -> frozenset[str]:
    """Return the program's own subcommands, in the process that parses them (private name; row M10)."""
    return frozenset(_loaded("hermes_cli.main", "_BUILTIN_SUBCOMMANDS") or ())


def _loaded(module: str, attribute: str) -> Any:
    """Read from a module that Hermes has loaded itself: importing it here could start a discovery of plugins."""
    return getattr(sys.modules.get(module), attribute, None)


def _attribute(module: str, attribute: str) -> Any:
    try:
        return getattr(importlib.import_module(module), attribute, None)
    except ImportError:
        return None
