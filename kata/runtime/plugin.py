"""Kata inside one Hermes profile: what is registered, what the worker does, how it ends (design 3, 5, 8)."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from ..clock import SystemClock, SystemIds
from ..events import Surface
from ..events import catalogue as told
from ..projections import Registered
from ..redact import Keeper
from ..service import Service, assemble
from ..service.settings import Settings, read_settings
from ..store import Store, open_store
from ..surfaces.text import say
from .answers import LIST_SCHEMA, ask_message, list_answer, schema_of
from .commands import register_commands
from .compiled import Compiled
from .gate import Ask, Gate
from .host import Host, HostTools
from .lookups import Lookups
from .mining import MiningChild, Order
from .notices import Notices, untold
from .observer import AGENT, SYSTEM, Observer
from .observing import extra_hooks
from .registry import TOOLSET, Offer, Registry
from .schedule import Schedule
from .waits import Waits
from .worker import Worker

log = logging.getLogger(__name__)

FINALIZE_S = 1.0
"""How long the end of a session may wait for the worker (design 3)."""

_plugins: dict[Path, "Plugin"] = {}
_lock = threading.Lock()


def register_plugin(ctx: Any) -> None:
    """Register Kata with a context; a second time in the same profile replaces the first (case B010)."""
    plugin = Plugin(ctx)
    try:
        folder = plugin.host.data_dir()
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
        self.host = Host(ctx)
        self.clock, self.ids = SystemClock(), SystemIds()
        self.waits = Waits()
        self.worker = Worker(self.work)
        self.gate = Gate(self.waits, fresh=self.ids.new, refused=self._refused)
        self.registry = Registry(ctx, self._registration_failed)
        self.compiled = Compiled(ctx, lambda: self.service, self.waits, self.worker.wake)
        self.notices = Notices()
        self.schedule = Schedule(self.clock)
        self._settings = Settings()
        self._recording = True
        self._generation: tuple[int, int] = (-1, -1)
        self._handles: list[Any] = []
        self._round = threading.Lock()

    # What is made when it is first needed

    @cached_property
    def store(self) -> Store:
        return open_store(self.host.data_dir(), self.host.connect, self.clock, self.ids)

    @cached_property
    def keeper(self) -> Keeper:
        return Keeper(self.store.key.secret)

    @cached_property
    def observer(self) -> Observer:
        return Observer(
            self.store.spool,
            self.keeper,
            self.clock,
            self.ids,
            recording=lambda: self._recording,
            wake=self.worker.wake,
        )

    @cached_property
    def lookups(self) -> Lookups:
        return Lookups(self.host, self.observer)

    @cached_property
    def child(self) -> MiningChild:
        return MiningChild(self.host.data_dir())

    @cached_property
    def service(self) -> Service:
        return assemble(
            self.host.data_dir(),
            store=self.store,
            profile=self.host.profile,
            settings=lambda: read_settings(self.host.config),
            tools=HostTools(self.host),
            search=self.host.has_tool_search,
        )

    def open_with_tools(self) -> Service:
        """Return the service of a shell command: its process has no tools of the host registered yet."""
        with contextlib.suppress(Exception):
            self.host.load_builtin_tools()
        return self.service

    # Registration

    def register(self) -> None:
        """Register hooks, commands, ``kata_list`` and the active katas; nothing else is done here."""
        with contextlib.suppress(Exception):
            self._settings, _ = read_settings(self.host.config)
            self._recording = self._settings.record
        for name, callback in self._hooks().items():
            self.keep(partial(self.ctx.register_hook, name, callback))
        for name in extra_hooks(self._settings.observe):
            self.keep(partial(self.ctx.register_hook, name, self._observing(name)))
        self.keep(
            lambda: self.ctx.register_tool(
                name="kata_list",
                toolset=TOOLSET,
                schema=LIST_SCHEMA,
                handler=self._list_katas,
                description=LIST_SCHEMA["description"],
            )
        )
        register_commands(self)
        on_unload = getattr(self.ctx, "on_unload", None)
        if callable(on_unload):
            self.keep(lambda: on_unload(self.close))
        self._register_known()

    def keep(self, register: Callable[[], Any]) -> None:
        try:
            handle = register()
        except Exception:
            log.warning("kata: Hermes refused a registration", exc_info=True)
            return
        if hasattr(handle, "dispose"):
            self._handles.append(handle)

    def _hooks(self) -> dict[str, Callable[..., Any]]:
        return {
            "on_session_start": self._guarded(lambda: self.observer.on_session_start),
            "on_session_end": self._on_session_end,
            "on_session_finalize": self._on_session_finalize,
            "on_session_reset": self._guarded(lambda: self.observer.on_session_reset),
            "pre_llm_call": self._pre_llm_call,
            "post_api_request": self._guarded(lambda: self.observer.post_api_request),
            "pre_tool_call": self._pre_tool_call,
            "post_tool_call": self._guarded(lambda: self.observer.post_tool_call),
            "subagent_start": self._guarded(lambda: self.observer.subagent_start),
            "subagent_stop": self._guarded(lambda: self.observer.subagent_stop),
            "on_human_input_request": self.waits.on_human_input_request,
            "on_human_input_resolved": self.waits.on_human_input_resolved,
            "post_approval_response": self.waits.post_approval_response,
        }

    def _guarded(self, hook: Callable[[], Callable[..., Any]]) -> Callable[..., None]:
        """Look the observer up at the call, and let nothing out of it."""

        def call(**keywords: Any) -> None:
            try:
                hook()(**keywords)
            except Exception:
                log.debug("kata: a hook failed", exc_info=True)

        return call

    def _observing(self, name: str) -> Callable[..., None]:
        """Make the callback that only records: it answers nothing, so that no transform or directive comes of it."""

        def call(**keywords: Any) -> None:
            with contextlib.suppress(Exception):
                self.observer.any_hook(name, keywords, texts=self._settings.observe_texts)

        return call

    def _register_known(self) -> None:
        """Register the katas that the views know as active, if there is a log at all."""
        try:
            if (self.host.data_dir() / "data.db").exists():
                self.align()
        except Exception:
            log.debug("kata: active katas are registered later", exc_info=True)
            self.worker.wake()

    # Hooks that do more than observe

    def _pre_tool_call(self, **keywords: Any) -> dict[str, str] | None:
        self._look_at_generation()
        return self.gate.pre_tool_call(**keywords)

    def _pre_llm_call(self, **keywords: Any) -> None:
        self._look_at_generation()
        self._guarded(lambda: self.observer.pre_llm_call)(**keywords)

    def _on_session_end(self, **keywords: Any) -> None:
        self._guarded(lambda: self.observer.on_session_end)(**keywords)
        self.schedule.turn_ended()
        self.worker.wake()

    def _on_session_finalize(self, **keywords: Any) -> str | None:
        """End a session: give the worker a moment, tell of new proposals, and let the child look once more."""
        self._guarded(lambda: self.observer.on_session_finalize)(**keywords)
        try:
            self.flush(FINALIZE_S)
            self._start_mining()
            return self._tell()
        except Exception:
            log.debug("kata: the end of a session was cut short", exc_info=True)
            return None

    def _look_at_generation(self) -> None:
        """Compare one stat; when another process decided something, have the worker bring the registry into line."""
        with contextlib.suppress(Exception):
            if self.store.generation() != self._generation:
                self.worker.wake()

    # The worker's round

    def work(self) -> None:
        """Drain, project, look up, align, mine: one round."""
        with self._round:
            service = self.service
            service.refresh()
            self.look_at_settings()
            service.tell_hooks()
            if self.lookups.run(service.known_schemas(), service.watched_tools()):
                service.refresh()
            service.upkeep(Surface.HOOK)
            self.align()
            self.notices.found(untold(one) for one in service.untold())
            if self.schedule.is_due(service.call_count()):
                self._start_mining()

    def look_at_settings(self) -> None:
        """Read the settings and pauses as they are now, for hooks that may not look themselves."""
        self._settings = self.service.settings
        self._recording = self.service.recording()

    def flush(self, seconds: float) -> None:
        """Do a round here, unless one is under way that ends in time."""
        deadline = time.monotonic() + seconds
        if self._round.acquire(timeout=seconds):
            self._round.release()
            if time.monotonic() < deadline:
                self.work()

    def align(self) -> None:
        """Bring Hermes' registry into line with the log, and the gate with the registry."""
        self._generation = self.store.generation()
        active = self.service.registered()
        self.registry.align([self._offer(one) for one in active])
        self.gate.asking = {f"kata_{one.name}": self._ask(one) for one in active}

    def _offer(self, one: Registered) -> Offer:
        return Offer(registered=one, schema=schema_of(one), handler=self.compiled.handler(one))

    def _ask(self, one: Registered) -> Ask:
        service = self.service
        return Ask(
            always=service.asks_each_run(one),
            unknown=service.unknown_calls(one),
            message=lambda args: ask_message(one, args),
            key=lambda args: service.call_key(one, args),
        )

    def _start_mining(self) -> None:
        settings = self._settings
        wanted = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in _fields(settings).items()
        }
        if self.child.ask(Order(profile=self.host.profile, settings=wanted)):
            self.schedule.started(self.service.call_count())

    # What other parts call back

    def _tell(self) -> str | None:
        """Return the notice of proposals that nobody was told of, and write down that it was shown."""
        rows = self.notices.take()
        if not rows:
            return None
        self.observer.record(
            told.NoticeShown(about=tuple(one.event_id for one in rows), surface="hook"), SYSTEM, "log", ""
        )
        lines = [
            say("notice.proposal", number=one.number, name=one.name, steps=one.steps, command="/kata")
            for one in rows
        ]
        return "\n".join(lines)

    def _refused(self, tool: str, why: str, keywords: Mapping[str, Any]) -> None:
        payload = told.DecisionRefused(
            verb="call", kata=tool, code="agent", why=why, where=str(keywords.get("session_id") or "")
        )
        self.observer.record(payload, AGENT, "log", str(keywords.get("turn_id") or ""))

    def _registration_failed(self, one: Registered, why: str) -> None:
        payload = told.ToolRegistrationFailed(number=one.number, name=one.name, why=why)
        self.observer.record(payload, SYSTEM, "log", "")

    def _list_katas(self, args: dict[str, Any], **_: Any) -> str:
        del args
        service = self.service
        rows = [row for row in service.listing().katas if row.state == "active"]
        return list_answer(rows, service.input_schema, service.last_run)

    def close(self) -> None:
        """Stop the worker, give every handle back, close the store; what is left is for the next process."""
        self.worker.stop()
        self.registry.clear()
        for handle in reversed(self._handles):
            with contextlib.suppress(Exception):
                handle.dispose()
        self._handles.clear()
        for part in ("child", "service", "store"):
            if part in self.__dict__:
                with contextlib.suppress(Exception):
                    self.__dict__[part].close()
        self.compiled.close()
        with _lock:
            for folder, plugin in list(_plugins.items()):
                if plugin is self:
                    del _plugins[folder]


def _fields(settings: Settings) -> dict[str, Any]:
    import attrs

    return attrs.asdict(settings)
