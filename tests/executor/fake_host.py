"""A host for the executor: scripted tools, a scripted guard, a recorder in memory, and a clock that only moves when told."""

import json
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import attrs

from kata.clock import CountingIds, ManualClock
from kata.events import ActorKind, type_of
from kata.events.catalogue import RunFinished, RunStarted, StepAnsweredLate, StepFinished, StepStarted
from kata.executor import Caller, Executor, Handles, Limits, RunRequest, Verdict, Workers
from kata.machines import RUN, run_trigger
from kata.spec import Const, Expression, InputField, Record, Spec, Step, ToolDigest, digest_of, flat_steps

TOOL_EFFECTS = {
    "read_file": "read",
    "search_files": "read",
    "web_search": "network_read",
    "write_file": "local_write",
}
ALLOW = Verdict(kind="allow")


@attrs.frozen
class Issued:
    """One call that reached the host."""

    tool: str
    args: dict
    task_id: str
    thread: int


class Hang(Exception):  # noqa: N818 - a scripted answer, never raised
    """A scripted answer: the call does not come back until the test lets it."""


@attrs.define
class Tools:
    """The dispatcher: answers each tool from a list of scripted answers, or by a function of the arguments."""

    clock: ManualClock
    answers: dict[str, Any] = attrs.field(factory=dict)
    calls: list[Issued] = attrs.field(factory=list)
    carried: list[int] = attrs.field(factory=list)
    prepared: list[tuple] = attrs.field(factory=list)
    closed: int = 0
    waiting: bool = False
    stop: bool | BaseException = False
    preparing: Callable[[], None] | None = None
    unprepared: Exception | None = None
    released: threading.Event = attrs.field(factory=threading.Event)
    before: Callable[[Issued], None] | None = None

    def prepare(self, task_id, caller, tools):
        self.prepared.append((task_id, caller, tools))
        if self.preparing is not None:
            self.preparing()
        if self.unprepared is not None:
            raise self.unprepared

    def dispatch(self, tool, args, task_id, caller):
        issued = Issued(tool, dict(args), task_id, threading.get_ident())
        self.calls.append(issued)
        if self.before is not None:
            self.before(issued)
        answer = self.answers.get(tool, '{"ok": true}')
        if isinstance(answer, list):
            answer = answer.pop(0)
        if callable(answer) and not isinstance(answer, Hang):
            answer = answer(args)
        if isinstance(answer, Hang):
            self.clock.advance(seconds=10_000)
            self.released.wait(20)
            answer = answer.args[0] if answer.args else '{"ok": true, "late": true}'
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def carry(self, function):
        self.carried.append(threading.get_ident())
        return function

    def waiting_for_person(self):
        return self.waiting

    def stopped(self):
        if isinstance(self.stop, BaseException):
            raise self.stop
        return self.stop

    def close(self):
        self.closed += 1

    def made(self):
        return [(one.tool, one.args) for one in self.calls]


@attrs.define
class Guards:
    """The guard chain: a verdict for each tool, allow by default."""

    verdicts: dict[str, Verdict | Exception] = attrs.field(factory=dict)
    asked: list[tuple[str, dict]] = attrs.field(factory=list)

    def ask(self, tool, args, task_id, caller):
        self.asked.append((tool, dict(args)))
        verdict = self.verdicts.get(tool, ALLOW)
        if isinstance(verdict, Exception):
            raise verdict
        return verdict


@attrs.define
class Log:
    """The recorder: events in order, which of them were synced, how many flushed; ``broken`` refuses to write."""

    events: list[Any] = attrs.field(factory=list)
    synced: list[Any] = attrs.field(factory=list)
    broken: tuple[type, ...] = ()
    flushed: int = 0

    def flush(self):
        self.flushed = len(self.events)

    def record(self, payload, *, synced=False):
        if isinstance(payload, self.broken):
            raise OSError("no space left on device")
        self.events.append(payload)
        if synced:
            self.synced.append(payload)

    def of(self, kind):
        return [one for one in self.events if isinstance(one, kind)]

    @property
    def started(self):
        return self.of(RunStarted)[-1]

    @property
    def finished(self):
        return self.of(RunFinished)[-1]

    @property
    def intents(self):
        return self.of(StepStarted)

    @property
    def steps(self):
        return self.of(StepFinished)

    @property
    def late(self):
        return self.of(StepAnsweredLate)


@attrs.frozen
class _Kept:
    value: Any


class Masks:
    """The keeper: takes out one secret word, in keys and values."""

    secret = "hunter" + "2" * 8

    broken = False

    def keep(self, value):
        if self.broken:
            raise RuntimeError("no key")
        return _Kept(self._masked(value))

    def _masked(self, value):
        if isinstance(value, str):
            return value.replace(self.secret, "⟦secret:test:0123456789⟧")
        if isinstance(value, dict):
            return {self._masked(key): self._masked(one) for key, one in value.items()}
        return [self._masked(one) for one in value] if isinstance(value, list) else value

    def fingerprint(self, text):
        return f"fp:{len(text)}:{sum(text.encode()) % 997}"


@attrs.define
class World:
    """Everything that one run needs, put together."""

    clock: ManualClock = attrs.field(factory=ManualClock)
    tools: Tools = attrs.field(default=attrs.Factory(lambda self: Tools(self.clock), takes_self=True))
    guard: Guards = attrs.field(factory=Guards)
    log: Log = attrs.field(factory=Log)
    keeper: Masks = attrs.field(factory=Masks)
    workers: Workers = attrs.field(factory=Workers)
    limits: Limits = attrs.field(factory=lambda: Limits(poll_s=0.01))
    ids: CountingIds = attrs.field(factory=CountingIds)
    slept: list[float] = attrs.field(factory=list)
    handles: Handles = attrs.field(
        default=attrs.Factory(lambda self: Handles(self.clock.monotonic), takes_self=True)
    )

    def executor(self):
        return Executor(
            self.tools,
            self.guard,
            self.log,
            self.keeper,
            self.clock,
            self.ids,
            self.limits,
            workers=self.workers,
            handles=self.handles,
            sleep=self._sleep,
        )

    def _sleep(self, seconds):
        self.slept.append(seconds)
        self.clock.advance(seconds=seconds)

    def run(self, spec, arguments=None, *, unacknowledged=None, caller=None):
        request = request_of(spec, arguments or {}, caller or Caller(session_id="s1", task_id="t1"))
        return self.executor().run(request, unacknowledged=unacknowledged)

    def resume(self, answered, from_step=None, **options):
        """Go on with the handle in the answer of an earlier run."""
        kept = self.handles.take(json.loads(answered.answer)["resume"]["handle"])
        return self.executor().resume(kept, kept.cursor(from_step), Caller(session_id="s2"), **options)

    def end(self):
        self.tools.released.set()
        self.workers.close()


def request_of(spec, arguments, caller=None):
    return RunRequest(
        kata="kata-1",
        number=1,
        name="deploy",
        version=1,
        digest=digest_of(spec),
        spec=spec,
        arguments=arguments,
        caller=caller or Caller(),
    )


def record(**fields):
    return Record(
        tuple((key, one if isinstance(one, Expression) else Const(one)) for key, one in fields.items())
    )


def step(tool, effect=None, requires=(), accepts=(0,), **fields):
    effect = effect or TOOL_EFFECTS.get(tool, "unknown")
    return Step(tool=tool, args=record(**fields), effect=effect, requires=requires, accepts=accepts)


def spec_of(*steps, inputs=()):
    fields = tuple(InputField(name=name, schema=schema) for name, schema in dict(inputs).items())
    spec = Spec(steps=steps, inputs=fields)
    tools = tuple(ToolDigest(name, "") for name in sorted({one.tool for one in flat_steps(spec)}))
    return attrs.evolve(spec, tools=tools)


def state_of(events):
    """Move the run machine by each event; every one must be allowed."""
    state = RUN.initial
    for payload in events:
        event = SimpleNamespace(type=type_of(payload).name, payload=payload)
        state = RUN.next(state, str(run_trigger(event)), ActorKind.AGENT)
        assert state is not None, payload
    return state


__all__ = ["Hang", "Issued", "World", "record", "request_of", "spec_of", "state_of", "step"]
