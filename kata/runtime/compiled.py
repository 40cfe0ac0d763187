"""The handler of a compiled tool: begin, replay, settle (design 8)."""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from ..errors import KataError
from ..events import Actor, ActorKind, Surface
from ..executor import Executor, Handles, Limits, Workers
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
        self._workers, self.handles = Workers(), Handles()

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
        with ExitStack() as held:
            try:
                service = self._service()
                held.enter_context(service.alone(one, args))
                begun = service.begin_run(one, args, caller)
            except KataError as error:
                return refused(error)
            unknown = begun.unacknowledged
            if unknown is not None and self._waits.take_consent(service.call_key(one, args)):
                service.acknowledge(unknown, BY_PROMPT)
                unknown = None
            result = self._executor(service, caller).run(begun.request, unacknowledged=unknown)
        return self._settled(service, one.stream, result)

    def resume(self, handle: str, step: int | None, caller: Caller) -> str:
        """Go on with a run that stopped and return what the agent gets; raises as little as `run`."""
        with ExitStack() as held:
            try:
                kept = self.handles.peek(handle)
                cursor = kept.cursor(step)
                service = self._service()
                held.enter_context(service.alone_again(kept))
                begun = service.resume_run(kept, caller)
                self.handles.take(handle)
            except KataError as error:
                return refused(error)
            executor = self._executor(service, caller)
            result = executor.resume(kept, cursor, caller, unacknowledged=begun.unacknowledged)
        return self._settled(service, kept.request.kata, result)

    def _settled(self, service: Service, stream: str, result: RunResult) -> str:
        service.settle_run(stream)
        self._done()
        return result.answer

    def _executor(self, service: Service, caller: Caller) -> Executor:
        world, settings = service.world, service.settings
        recorder = RunRecorder(service.spool, world.clock, world.ids, caller.turn_id or caller.session_id)
        return Executor(
            HostDispatcher(self._ctx, self._waits),
            HostGuard(),
            recorder,
            world.keeper,
            world.clock,
            recorder.run_ids,
            Limits(step_timeout_s=settings.step_timeout_s, read_retries=settings.read_retries),
            workers=self._workers,
            handles=self.handles,
        )

    def close(self) -> None:
        """End the worker threads, and forget where runs stopped."""
        self._workers.close()
        self.handles.clear()


def refused(error: KataError) -> str:
    """Write the answer of a call that ran nothing."""
    return dumps({"error": f"{error}. {error.hint}".strip(), "code": error.code, "steps": []})
