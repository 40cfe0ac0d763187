"""Kata inside one Hermes profile: what is registered, what its hooks do, how it ends (design 3, 8)."""

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..events import catalogue as told
from ..kit import RegistrationSummary, hook, tool
from ..kit import register_plugin as register_declared
from ..surfaces.text import speaking
from .answers import LIST_SCHEMA, RESUME_SCHEMA, list_answer
from .commands import Commands
from .compiled import Compiled
from .gate import RESUME, Gate
from .observer import AGENT
from .observing import extra_hooks
from .parts import Parts
from .registry import TOOLSET
from .resuming import Resuming
from .rounds import Rounds

log = logging.getLogger(__name__)

NAME = "kata"
FINALIZE_S = 1.0
"""How long the end of a session may wait for the worker (design 3)."""

Callback = Callable[..., Any]

_plugins: dict[Path, "Plugin"] = {}
_lock = threading.Lock()


def register_plugin(ctx: Any) -> None:
    """Register Kata with a context; a second time in the same profile replaces the first (case B010)."""
    plugin = Plugin(ctx)
    try:
        folder = plugin.parts.host.data_dir()
    except Exception:
        folder = Path()
    with _lock:
        before = _plugins.pop(folder, None)
        _plugins[folder] = plugin
    if before is not None:
        before.close()
    plugin.register()


class Plugin:
    """One profile's Kata."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.parts = parts = Parts(ctx)
        self.compiled = Compiled(ctx, lambda: parts.service, parts.waits, parts.worker.wake)
        self.resuming = Resuming(self.compiled)
        self.gate = Gate(parts.waits, fresh=parts.ids.new, refused=self._refused, resuming=self.resuming.ask)
        self.rounds = Rounds(parts, self.gate, self.compiled)
        parts.worker.does(self.rounds.work)
        self._summaries: list[RegistrationSummary] = []

    def register(self) -> None:
        """Register commands, hooks, the two tools of its own and the active katas; nothing else is done here."""
        self.parts.read_settings()
        self._declare(Commands(self.parts, self.close).declarations())
        self._declare([*self._hooks(), *self._tools()])
        on_unload = getattr(self.ctx, "on_unload", None)
        if callable(on_unload):
            on_unload(self.close)
        self._register_known()

    def _declare(self, declarations: list[Any]) -> None:
        """Register through the kit: all of it or nothing, with the handles kept."""
        try:
            self._summaries.append(register_declared(self.ctx, declarations, plugin_name=NAME, logger=log))
        except Exception:
            log.warning("kata: Hermes refused a registration", exc_info=True)

    def _hooks(self) -> list[Any]:
        own = {
            name: hook(name, on_error="ignore", log_level=logging.DEBUG)(call)
            for name, call in self._callbacks()
        }
        return list(own.values())

    def _callbacks(self) -> Iterator[tuple[str, Callback]]:
        """Yield every hook with its callback: what projections need, and the rest where the setting asks for it."""
        parts = self.parts
        for name in OBSERVED:
            yield name, self._observing(name)
        yield "on_session_end", self._on_session_end
        yield "on_session_finalize", self._on_session_finalize
        yield "pre_llm_call", self._pre_llm_call
        yield "pre_tool_call", self._pre_tool_call
        yield "on_human_input_request", parts.waits.on_human_input_request
        yield "on_human_input_resolved", parts.waits.on_human_input_resolved
        yield "post_approval_response", parts.waits.post_approval_response
        for name in extra_hooks(parts.settings.observe):
            yield name, self._observing_any(name)

    def _observing(self, name: str) -> Callback:
        """Make the callback of a hook that the observer has a method for; nothing gets out of it."""

        def call(**keywords: Any) -> None:
            with contextlib.suppress(Exception):
                getattr(self.parts.observer, name)(**keywords)

        return call

    def _observing_any(self, name: str) -> Callback:
        """Make the callback that only records: it answers nothing, so that no transform or directive comes of it."""

        def call(**keywords: Any) -> None:
            with contextlib.suppress(Exception):
                self.parts.observer.any_hook(name, keywords, texts=self.parts.settings.observe_texts)

        return call

    def _tools(self) -> list[Any]:
        def kata_list(args: dict[str, Any], **_: Any) -> str:
            del args
            service = self.parts.service
            here = {one.number for one in service.registered()}
            rows = [row for row in service.listing().katas if row.number in here]
            return list_answer(rows, service.input_schema, service.last_run)

        return [
            tool(name="kata_list", toolset=TOOLSET, schema=LIST_SCHEMA)(kata_list),
            tool(name=RESUME, toolset=TOOLSET, schema=RESUME_SCHEMA)(self.resuming.tool()),
        ]

    def _register_known(self) -> None:
        """Register the katas that the views know as active, if there is a log at all."""
        try:
            if (self.parts.host.data_dir() / "data.db").exists():
                self.rounds.align()
        except Exception:
            log.debug("kata: active katas are registered later", exc_info=True)
            self.parts.worker.wake()

    def _pre_tool_call(self, **keywords: Any) -> dict[str, str] | None:
        self._look_at_generation()
        with speaking(self.parts.language):
            return self.gate.pre_tool_call(**keywords)

    def _pre_llm_call(self, **keywords: Any) -> None:
        self._look_at_generation()
        self._observing("pre_llm_call")(**keywords)

    def _on_session_end(self, **keywords: Any) -> None:
        self._observing("on_session_end")(**keywords)
        self.parts.schedule.turn_ended()
        self.parts.worker.wake()

    def _on_session_finalize(self, **keywords: Any) -> str | None:
        """End a session: give the worker a moment, tell of new proposals, and let the child look once more."""
        self._observing("on_session_finalize")(**keywords)
        try:
            self.rounds.flush(FINALIZE_S)
            self.rounds.start_mining()
            with speaking(self.parts.language):
                return self.rounds.tell()
        except Exception:
            log.debug("kata: the end of a session was cut short", exc_info=True)
            return None

    def _look_at_generation(self) -> None:
        """When another process decided something, have the worker bring the registry into line."""
        with contextlib.suppress(Exception):
            if self.rounds.is_behind():
                self.parts.worker.wake()

    def _refused(self, tool_name: str, why: str, keywords: Mapping[str, Any]) -> None:
        where = str(keywords.get("session_id") or "")
        payload = told.DecisionRefused(verb="call", kata=tool_name, code="agent", why=why, where=where)
        self.parts.observer.record(payload, AGENT, "log", str(keywords.get("turn_id") or ""))

    def close(self) -> None:
        """Stop the worker, give every handle back, close the store."""
        self.parts.worker.stop()
        self.rounds.registry.clear()
        for summary in reversed(self._summaries):
            with contextlib.suppress(Exception):
                summary.dispose()
        self._summaries.clear()
        self.parts.close()
        self.compiled.close()
        with _lock:
            for folder, plugin in list(_plugins.items()):
                if plugin is self:
                    del _plugins[folder]


OBSERVED = (
    "on_session_start",
    "on_session_reset",
    "post_api_request",
    "post_tool_call",
    "subagent_start",
    "subagent_stop",
)
"""Hooks that do nothing but observe; the observer has a method of each name."""
