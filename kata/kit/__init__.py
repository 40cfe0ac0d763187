"""Conventions that make any Hermes plugin right; the standard library is all it needs.

Copy this folder into a plugin, or import it as ``kata.kit``.
"""

from .arguments.specs import arg, bool_arg, build_schema, int_arg, str_arg
from .commands import CommandSpec, CommandType, command
from .config import config_schema, load_plugin_config
from .declared import HostCall, spec_of
from .envelope import ToolError
from .hooks import HookSpec, hook
from .hostcall import invoke_host_tool
from .logs import configure_stderr_logging
from .media.delivery import MediaDeliveryResult, deliver_media
from .media.payload import MediaPayload, MediaType
from .media.silence import clear_media_delivery_state, media_hooks, transform_media_delivery_output
from .media.targets import ResolvedDeliveryTarget, resolve_delivery_target
from .middleware import MiddlewareKind, MiddlewareSpec, middleware
from .names import tool_name, validate_tool_name
from .redact import redact, redact_text
from .registration import register_all, register_plugin
from .skills import PluginSkill, plugin_skill
from .summary import RegistrationSummary, log_registration_summary
from .tools import ToolSpec, tool

__all__ = [
    "CommandSpec",
    "CommandType",
    "HookSpec",
    "HostCall",
    "MediaDeliveryResult",
    "MediaPayload",
    "MediaType",
    "MiddlewareKind",
    "MiddlewareSpec",
    "PluginSkill",
    "RegistrationSummary",
    "ResolvedDeliveryTarget",
    "ToolError",
    "ToolSpec",
    "arg",
    "bool_arg",
    "build_schema",
    "clear_media_delivery_state",
    "command",
    "config_schema",
    "configure_stderr_logging",
    "deliver_media",
    "hook",
    "int_arg",
    "invoke_host_tool",
    "load_plugin_config",
    "log_registration_summary",
    "media_hooks",
    "middleware",
    "plugin_skill",
    "redact",
    "redact_text",
    "register_all",
    "register_plugin",
    "resolve_delivery_target",
    "spec_of",
    "str_arg",
    "tool",
    "tool_name",
    "transform_media_delivery_output",
    "validate_tool_name",
]
