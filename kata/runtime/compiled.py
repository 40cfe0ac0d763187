"""The handler of a compiled tool: begin, replay, settle (design 8)."""

from collections.abc import Callable
from typing import Any

from ..errors import KataError
from ..events import Actor, ActorKind, Surface
from ..executor import Executor, Limits, Workers
from ..executor.protocols import Caller, RunResult
from ..json import dumps
from ..projections import Registered
from ..service import Service
from .dispatch import HostDispatcher, HostGuard
from .journal import RunRecorder
from .waits import Waits

BY_PROMPT = Actor(kind=ActorKind.HUMAN, id="approval prompt", surface=Surface.TOOL)
"""The person who said yes to the host's own approval prompt."""


class Compiled:
    """Runs active katas for the agent."""

    def __init__(
        self, ctx: Any, service: Callable[[], Service], waits: Waits, done: Callable[[], None]
    ) -> None:
        self._ctx, self._service, self._waits, self._done = ctx, service, waits, done
        self._workers = Workers()

    def handler(self, one: Registered) -> Callable[..., str]:
        """Return the handler of one kata's version."""

        def handle(
            args: dict[str, Any], task_id: str = "", session_id: str = "", user_task: str = "", **_: Any
        ) -> str:
            caller = Caller(session_id=session_id or "", task_id=task_id or "", user_task=user_task or "")
            return self.run(one, args, caller)

        return handle

    def run(self, one: Registered, args: dict[str, Any], caller: Caller) -> str:
        """Run a kata and return what the agent gets; never raises for what the log or a tool does."""
        try:
            service = self._service()
            begun = service.begin_run(one, args, caller)
        except KataError as error:
            return dumps({"error": f"{error}. {error.hint}".strip(), "code": error.code, "steps": []})
        unknown = begun.unacknowledged
        if unknown is not None and self._waits.take_consent(service.call_key(one, args)):
            service.acknowledge(unknown, BY_PROMPT)
            unknown = None
        result = self._execute(service, begun.request, unknown)
        service.settle_run(one)
        self._done()
        return result.answer

    def _execute(self, service: Service, request: Any, unknown: str | None) -> RunResult:
        world, settings = service.world, service.settings
        executor = Executor(
            HostDispatcher(self._ctx, self._waits),
            HostGuard(),
            RunRecorder(
                service.spool, world.clock, world.ids, request.caller.turn_id or request.caller.session_id
            ),
            world.keeper,
            world.clock,
            world.ids,
            Limits(step_timeout_s=settings.step_timeout_s, read_retries=settings.read_retries),
            workers=self._workers,
        )
        return executor.run(request, unacknowledged=unknown)

    def close(self) -> None:
        """End the worker threads."""
        self._workers.close()
