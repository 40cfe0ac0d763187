"""The host's importable modules, backed by a stand-in: what a plugin imports lazily finds them while one is installed.

Only what plugins may reach is here: storage, the tool registry, the session store, thread and stop helpers, the guard chain.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import attrs

from .directives import combine
from .host import StandIn
from .live import LiveAgent, endpoint
from .toolrun import CallIds


@contextmanager
def installed(host: StandIn) -> Iterator[StandIn]:
    """Answer imports of the host's modules from this stand-in, as long as the block lasts."""
    modules = _modules(host)
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield host
    finally:
        for name, module in before.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module


def _modules(host: StandIn) -> dict[str, ModuleType]:
    made = {
        "plugins": _module("plugins"),
        "plugins.plugin_storage": _module(
            "plugins.plugin_storage", plugin_data_dir=host.data_dir, plugin_db=host.plugin_db
        ),
        "tools": _module("tools"),
        "tools.registry": _module(
            "tools.registry", registry=host.registry, discover_builtin_tools=lambda: None
        ),
        "tools.thread_context": _module(
            "tools.thread_context", propagate_context_to_thread=host.carry_to_thread
        ),
        "tools.interrupt": _module(
            "tools.interrupt",
            is_thread_interrupted=lambda _: host.stop_requested(),
            acting_for_tid=ContextVar[int | None]("acting_for_tid", default=None),
        ),
        "tools.terminal_tool": _directories(host),
        "hermes_state": _module("hermes_state", SessionDB=lambda read_only=False: _SessionDB(host)),
        "hermes_cli": _module("hermes_cli"),
        "hermes_cli.config": _module("hermes_cli.config", load_config_readonly=host.settings.read),
        "hermes_cli.plugins": _guard(host),
        "gateway": _module("gateway"),
        "gateway.run": _module(
            "gateway.run",
            _resolve_gateway_model=lambda: host.settings.get("model.default", ""),
            _resolve_runtime_agent_kwargs=lambda: endpoint(host.settings),
        ),
        "run_agent": _module("run_agent", AIAgent=partial(LiveAgent, host)),
    }
    for name, module in made.items():
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(made[parent], child, module)
    return made


def _module(name: str, **members: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(members)
    return module


def _directories(host: StandIn) -> ModuleType:
    def record(task_id: str, directory: str) -> None:
        host.workspace.task(task_id).cwd = Path(directory)

    return _module(
        "tools.terminal_tool",
        get_session_cwd=lambda task_id: str(host.workspace.cwd(task_id)),
        record_session_cwd=record,
        clear_session_cwd=lambda task_id: None,
    )


class _SessionDB:
    """The session store, as far as lineage goes."""

    def __init__(self, host: StandIn) -> None:
        self._host = host

    def get_session(self, session_id: str) -> dict[str, Any] | None:
        session = self._host.sessions.get(session_id)
        if session is None:
            return None
        return {
            "id": session.id,
            "source": session.source,
            "parent_session_id": session.parent_session_id or None,
        }

    def close(self) -> None:
        """Hold nothing."""


def _guard(host: StandIn) -> ModuleType:
    """The guard chain in the host's two halves: what plugins say of a call, then what a person says of it."""

    def details(tool: str, args: dict[str, Any], **ids: str) -> SimpleNamespace:
        known = attrs.asdict(CallIds("", "", "", "", "")) | ids
        found = combine(
            host.hooks.fire("pre_tool_call", tool_name=tool, args=args, **known, middleware_trace=[]), args
        )
        return SimpleNamespace(
            action=found.action or None,
            message=found.message,
            rule_key=found.rule_key,
            modified_args=found.args,
        )

    def resolve(found: SimpleNamespace, tool: str, **ids: str) -> str | None:
        del ids
        if found.action == "approve":
            return host.approvals.tool(tool, found.message, found.rule_key or tool)
        return found.message if found.action == "block" else None

    return _module(
        "hermes_cli.plugins",
        _get_pre_tool_call_directive_details=details,
        _resolve_block_from_details=resolve,
    )
