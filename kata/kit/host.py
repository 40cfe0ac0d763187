"""Everything that the kit asks of Hermes, with what is done where Hermes does not have it (row M16).

The only module that imports Hermes, and only inside functions. What is a private name of Hermes says so.
"""

import asyncio
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

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
    if _home_of(owner).startswith(HOST_PACKAGE):
        owner = _attribute("hermes_cli.plugins", "PluginContext") or owner
    function = getattr(owner, registrar, None) or getattr(ctx, registrar, None)
    try:
        return inspect.signature(function) if callable(function) else None
    except (TypeError, ValueError):
        return None


def context_signature(registrar: str) -> inspect.Signature | None:
    """Return the signature of one of the real plugin context's methods, ``None`` outside Hermes."""
    function = getattr(_attribute("hermes_cli.plugins", "PluginContext"), registrar, None)
    return inspect.signature(function) if callable(function) else None


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


def _home_of(kind: type) -> str:
    """Return the module of a class by its real name: a plugin host runs as ``__main__``."""
    return kind.__module__ if kind.__module__ != "__main__" else _real_name(sys.modules["__main__"])


def _loaded(module: str, attribute: str) -> Any:
    """Read from a module that Hermes has loaded itself: importing it here could start a discovery of plugins."""
    main = sys.modules.get("__main__")
    found = main if _real_name(main) == module else sys.modules.get(module)
    return getattr(found, attribute, None)


def _real_name(main: Any) -> str:
    """Return the name of the module that runs as ``__main__``."""
    return getattr(getattr(main, "__spec__", None), "name", "") or ""


def _attribute(module: str, attribute: str) -> Any:
    try:
        return getattr(importlib.import_module(module), attribute, None)
    except ImportError:
        return None


def effective_config() -> Any:
    """Return the configuration of the profile in use, not to be changed; ``None`` outside Hermes."""
    try:
        from hermes_cli.config import load_config_readonly
    except ImportError:
        return None
    return load_config_readonly()


def profile() -> str:
    """Return what tells the profile in use from the others of this process."""
    get_home = _attribute("hermes_constants", "get_hermes_home")
    return str(get_home()) if get_home else os.environ.get("HERMES_HOME", "")


def session_value(name: str) -> str:
    """Return one value of the conversation that this task serves, such as ``HERMES_SESSION_CHAT_ID`` (private name).

    Raises:
        ImportError: There is no gateway.
    """
    from gateway.session_context import get_session_env

    return str(get_session_env(name, "") or "").strip()


def host_tool(module: str, function: str) -> Callable[..., Any]:
    """Return the handler of a capability that Hermes keeps outside its tool registry.

    Raises:
        RuntimeError: Hermes has no such function.
    """
    handler: Callable[..., Any] | None = getattr(importlib.import_module(module), function, None)
    if not callable(handler):
        raise RuntimeError(f"Hermes has no callable {module}.{function}")
    return handler


def ask_guards(
    name: str, args: dict[str, Any], ids: dict[str, str]
) -> tuple[str | None, dict[str, Any] | None]:
    """Ask every ``pre_tool_call`` hook and, where one wants it, the person.

    Returns:
        The message of a block, or ``None``, and the arguments as changed by a ``modify``, or ``None`` (row M5). Where
        Hermes lacks the private function that tells changes, only blocks are known.

    Raises:
        RuntimeError: Hermes offers no guard to ask.
    """
    detailed = _attribute("hermes_cli.plugins", "_dispatch_pre_tool_call_hooks")
    if callable(detailed):
        blocked, changed = detailed(name, args, **ids)
        return blocked, changed if isinstance(changed, dict) else None
    resolve = _attribute("hermes_cli.plugins", "resolve_pre_tool_block")
    if not callable(resolve):
        raise RuntimeError("Hermes' pre-tool guard API is unavailable; host invocation refused")
    return resolve(name, args, **ids), None


def notify_observers(**outcome: Any) -> None:
    """Fire ``post_tool_call`` at Hermes' own observers and at plugins; at plugins alone on an older Hermes (row M6)."""
    for module in ("hermes_cli.lifecycle", "hermes_cli.plugins"):
        has_hook, invoke_hook = _attribute(module, "has_hook"), _attribute(module, "invoke_hook")
        if callable(has_hook) and callable(invoke_hook):
            if has_hook("post_tool_call"):
                invoke_hook("post_tool_call", **outcome)
            return


def redacted(text: str) -> str:
    """Apply Hermes' own redaction where it is in use (private name); the text as it is elsewhere."""
    redact = _loaded("agent.redact", "redact_sensitive_text")
    return str(redact(text, force=True)) if callable(redact) else text


def telegram_settings() -> Any:
    """Return the gateway's settings of an enabled Telegram with a token.

    Raises:
        RuntimeError: Telegram is not set up.
    """
    from gateway.config import Platform, load_gateway_config

    config = load_gateway_config()
    settings = config.platforms.get(Platform.TELEGRAM)
    if settings is None or not settings.enabled or not settings.token:
        raise RuntimeError("Telegram is not configured")
    return settings


def telegram_home_chat() -> str:
    """Return the chat that a Telegram target without an id means.

    Raises:
        RuntimeError: None is set.
    """
    from gateway.config import Platform, load_gateway_config

    home = load_gateway_config().get_home_channel(Platform.TELEGRAM)
    if home is None:
        raise RuntimeError("no Telegram home channel is set")
    return str(home.chat_id)


def telegram_chat_id(chat: str) -> int | str:
    """Return a chat id as the Bot API wants it: numbers as numbers (private name)."""
    normalize = _attribute("plugins.platforms.telegram.telegram_ids", "normalize_telegram_chat_id")
    if callable(normalize):
        normalized: int | str = normalize(chat)
        return normalized
    return int(chat) if chat.lstrip("-").isdigit() else chat


def telegram_thread_id(thread: str) -> int | None:
    """Return a topic id as the Bot API wants it: the general topic is none (private name)."""
    adapter = _attribute("plugins.platforms.telegram.adapter", "TelegramAdapter")
    if adapter is not None:
        effective: int | None = adapter._message_thread_id_for_send(thread)  # noqa: SLF001 - Hermes offers no other
        return effective
    return None if thread in ("", "1") else int(thread)


def telegram_proxy() -> str | None:
    """Return the proxy through which Hermes reaches Telegram."""
    resolve = _attribute("gateway.platforms.base", "resolve_proxy_url")
    return resolve("TELEGRAM_PROXY", target_hosts=["api.telegram.org"]) if callable(resolve) else None


def deliverable_path(path: str) -> str | None:
    """Return a file's real path when Hermes' delivery policy allows sending it."""
    adapter = _attribute("gateway.platforms.base", "BasePlatformAdapter")
    return adapter.validate_media_delivery_path(path) if adapter is not None else path


def relay_refusal(platform: str, chat: str, thread: str | None, token: str) -> str | None:
    """Return why Hermes' relay forbids a destination, or ``None`` (private name; without a relay nothing is forbidden)."""
    authorize = _attribute("gateway.relay.egress", "authorize_relay_target")
    return authorize(platform, chat, thread, native_token=token) if callable(authorize) else None


def run_async(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine from sync code, as Hermes does also below a running loop (private name)."""
    bridge = _attribute("model_tools", "_run_async")
    result: T = bridge(coroutine) if callable(bridge) else asyncio.run(coroutine)
    return result
