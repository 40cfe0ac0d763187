"""Conventions that make any Hermes plugin right; the standard library is all it needs.

Copy this folder into a plugin, or import it as ``kata.kit``.
"""

from .commands import CommandSpec, CommandType, command
from .declared import HostCall, spec_of
from .envelope import ToolError
from .hooks import HookSpec, hook
from .logs import configure_stderr_logging
from .middleware import MiddlewareKind, MiddlewareSpec, middleware
from .names import tool_name, validate_tool_name
from .redact import redact, redact_text
from .registration import register_all, register_plugin
from .schema import arg, bool_arg, build_schema, int_arg, str_arg
from .skills import PluginSkill, plugin_skill
from .summary import RegistrationSummary, log_registration_summary
from .tools import ToolSpec, tool

__all__ = [
    "CommandSpec",
    "CommandType",
    "HookSpec",
    "HostCall",
    "MiddlewareKind",
    "MiddlewareSpec",
    "PluginSkill",
    "RegistrationSummary",
    "ToolError",
    "ToolSpec",
    "arg",
    "bool_arg",
    "build_schema",
    "command",
    "configure_stderr_logging",
    "hook",
    "int_arg",
    "log_registration_summary",
    "middleware",
    "plugin_skill",
    "redact",
    "redact_text",
    "register_all",
    "register_plugin",
    "spec_of",
    "str_arg",
    "tool",
    "tool_name",
    "validate_tool_name",
]
