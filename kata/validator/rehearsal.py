"""A run of the real executor on a stage: tools that answer from a list, a clock that only moves when told, no log.

No real tool is called, and nothing really waits: a hung step moves the clock past every limit.
"""

import threading
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, TypeVar

import attrs

from ..clock import CountingIds, ManualClock
from ..executor import Caller, Executor, Limits, RunRequest, RunResult, Verdict, Workers
from ..executor.worker import Job, Worker
from ..json import JsonObject, JsonValue, dumps
from ..spec import Spec

ResultT = TypeVar("ResultT")

INJECTED = '{"error": "injected by a rehearsal"}'
POLL_S = 0.002
HOURS = 10


class Fault(StrEnum):
    """What goes wrong at one call of a rehearsal."""

    ERROR = "error"
    HANG = "hang"


@attrs.frozen
class Rehearsal:
    """How a rehearsed run went: its result and the calls that reached the stage, in order."""

    result: RunResult
    calls: tuple[tuple[str, JsonObject], ...]


def rehearse(
    spec: Spec,
    inputs: JsonObject,
    results: Sequence[JsonValue],
    *,
    fault: Fault | None = None,
    at: int = 0,
) -> Rehearsal:
    """Run a version on recorded (or invented) results.

    Args:
        spec: The version.
        inputs: The caller's arguments.
        results: What the calls answer, in order.
        fault: What goes wrong, if anything.
        at: The call (from 0) that it goes wrong at, every time that it is made.
    """
    stage = _Stage(results, fault, at)
    workers = Workers() if fault is Fault.HANG else Inline()
    executor = Executor(
        stage,
        stage,
        stage,
        stage,
        stage.clock,
        CountingIds(),
        Limits(poll_s=POLL_S, read_retries=1),
        workers=workers,
        sleep=lambda _: None,
    )
    try:
        result = executor.run(_request(spec, inputs))
    finally:
        stage.hold.set()
        workers.close()
    return Rehearsal(result, tuple(stage.calls))


def _request(spec: Spec, inputs: JsonObject) -> RunRequest:
    return RunRequest(
        kata="",
        number=0,
        name="rehearsal",
        version=0,
        digest="",
        spec=spec,
        arguments=inputs,
        caller=Caller(),
    )


class Inline(Workers):
    """Do a run at once in the calling thread: nothing hangs on this stage."""

    def take(self) -> Worker:
        return _InlineWorker()

    def give_back(self, worker: Worker) -> None:
        pass


class _InlineWorker(Worker):
    def __init__(self) -> None:
        pass

    def start(self, call: Callable[[], Any]) -> Job:
        job = Job(call)
        job.run()
        return job


@attrs.frozen
class _Kept:
    value: JsonValue = None


class _Stage:
    """Dispatcher, guard, recorder and keeper of a rehearsal in one: answers from a list, allows all, keeps nothing."""

    def __init__(self, results: Sequence[JsonValue], fault: Fault | None, at: int) -> None:
        self._results, self._fault, self._at = results, fault, at
        self._answered = 0
        self.clock = ManualClock()
        self.calls: list[tuple[str, JsonObject]] = []
        self.hold = threading.Event()

    def prepare(self, *_: Any) -> None:
        pass

    def dispatch(self, tool: str, args: JsonObject, *_: Any) -> str:
        self.calls.append((tool, args))
        if self._answered == self._at and self._fault is Fault.ERROR:
            return INJECTED
        if self._answered == self._at and self._fault is Fault.HANG:
            self.clock.advance(hours=HOURS)
            self.hold.wait()
            return INJECTED
        if self._answered >= len(self._results):
            return INJECTED
        self._answered += 1
        result = self._results[self._answered - 1]
        return result if isinstance(result, str) else dumps(result)

    def carry(self, function: Callable[..., ResultT]) -> Callable[..., ResultT]:
        return function

    def waiting_for_person(self) -> bool:
        return False

    def stopped(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def ask(self, *_: Any) -> Verdict:
        return Verdict(kind="allow")

    def flush(self) -> None:
        """Keep nothing."""

    def record(self, *_: Any, **__: Any) -> None:
        pass

    def keep(self, _: JsonValue) -> _Kept:
        return _Kept()

    def fingerprint(self, _: str) -> str:
        return ""
