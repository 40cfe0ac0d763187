"""Say which names a tool, a command, a skill or an argument may have."""

import re

MAX_NAME = 64
"""Providers refuse longer tool names."""

_TOOL = re.compile(r"[a-z][a-z0-9_]*")
_COMMAND = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_SKILL = re.compile(r"[a-zA-Z0-9_-]+")
_ARGUMENT = re.compile(r"[a-zA-Z0-9_.-]{1,64}")

_AGENT_LOOP = frozenset({"todo", "todo_list", "memory", "session_search", "delegate_task"})
_REWRITTEN = frozenset({"cronjob", "process", "tour", "tip"})
_BRIDGES = frozenset({"tool_search", "tool_describe", "tool_call"})
_ROUTED = frozenset({"manage_connections"})


def tool_name(namespace: str, verb: str, noun: str) -> str:
    """Join a namespace, a verb and a noun to a checked tool name.

    Raises:
        ValueError: A part is missing, or the name is malformed or reserved.

    >>> tool_name("discord", "read", "thread")
    'discord_read_thread'
    """
    parts = [part.strip("_") if isinstance(part, str) else "" for part in (namespace, verb, noun)]
    if not all(parts):
        raise ValueError("a tool name needs a namespace, a verb and a noun")
    return validate_tool_name("_".join(parts), namespace=namespace)


def validate_tool_name(name: str, *, namespace: str | None = None) -> str:
    """Return the name when a plugin tool may have it; with a namespace it must also begin with that.

    Raises:
        ValueError: It is empty, malformed, longer than 64 characters, reserved, or outside the namespace.

    >>> validate_tool_name("memory")
    Traceback (most recent call last):
    ValueError: tool name 'memory' is reserved by the Hermes agent loop
    """
    if not isinstance(name, str) or not name:
        raise ValueError("tool name is required")
    _must_match(_TOOL, name, f"tool name {name!r}")
    if len(name) > MAX_NAME:
        raise ValueError(f"tool name {name!r} is longer than the {MAX_NAME} characters that providers accept")
    reason = reserved_reason(name)
    if reason:
        raise ValueError(f"tool name {name!r} is {reason}")
    if namespace is not None:
        _check_namespace(name, namespace)
    return name


def reserved_reason(name: str) -> str:
    """Say why Hermes 0.22.2 would not let a call by this name reach a plugin, or nothing."""
    if name in _AGENT_LOOP:
        return "reserved by the Hermes agent loop"
    if name in _REWRITTEN:
        return "reserved: Hermes rewrites calls of this older name to another tool"
    if name in _BRIDGES:
        return "reserved by the Hermes tool search"
    if name in _ROUTED or name.startswith("connectors__"):
        return "reserved by the Hermes connectors"
    if name.startswith("memory_"):
        return "in the reserved Hermes core namespace 'memory_'; choose a plugin or domain namespace"
    return ""


def check_command_name(name: object) -> str:
    """Return a bare lowercase kebab-case command name (Hermes turns ``_`` into ``-`` before it looks one up)."""
    if not isinstance(name, str) or not _COMMAND.fullmatch(name):
        raise ValueError(
            f"command name must be bare lowercase kebab-case such as 'plugin-status', not {name!r}"
        )
    return name


def check_skill_name(name: object) -> str:
    """Return a bare skill name; Hermes adds the plugin's namespace itself."""
    if not isinstance(name, str) or not _SKILL.fullmatch(name):
        raise ValueError(f"skill name must match {_SKILL.pattern} and contain no namespace, not {name!r}")
    return name


def check_argument_name(name: object) -> str:
    """Return an argument name that Hermes passes to the provider unchanged (others it renames)."""
    if not isinstance(name, str) or not _ARGUMENT.fullmatch(name):
        raise ValueError(f"argument name must match {_ARGUMENT.pattern}, not {name!r}")
    return name


def _check_namespace(name: str, namespace: str) -> None:
    if not isinstance(namespace, str):
        raise ValueError(f"tool namespace must be text, not {namespace!r}")
    _must_match(_TOOL, namespace, f"tool namespace {namespace!r}")
    if namespace in _AGENT_LOOP:
        raise ValueError(f"tool namespace {namespace!r} is reserved by the Hermes agent loop")
    if not name.startswith(f"{namespace}_"):
        raise ValueError(f"tool name {name!r} must start with explicit namespace '{namespace}_'")


def _must_match(pattern: re.Pattern[str], text: str, what: str) -> None:
    if not pattern.fullmatch(text):
        raise ValueError(f"{what} must match ^{pattern.pattern}$")
