"""A log that is written like a diary, and views over it."""

import sqlite3
from datetime import UTC, datetime, timedelta

from kata.clock import CountingIds, ManualClock
from kata.events import Actor, ActorKind, NewEvent, Surface
from kata.events import catalogue as told
from kata.events.record import Record
from kata.projections import PROJECTIONS, Projector, ViewStore
from kata.store.memory import MemoryLog

PERSON = Actor(kind=ActorKind.HUMAN, id="ada", surface=Surface.CLI)
AGENT = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.HOOK)
TOOL = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.TOOL)
KATA = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)
IMPORT = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.IMPORT)
START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)


_open: list[ViewStore] = []


def kept(store):
    """Have a store closed when the test is over."""
    _open.append(store)
    return store


def memory_views():
    """Return an empty store."""
    return kept(ViewStore(sqlite3.connect(":memory:")))


def close_all():
    """Close what was kept."""
    while _open:
        _open.pop().close()


class Diary:
    """A memory log with a clock that moves a second for each event."""

    def __init__(self):
        self.clock = ManualClock(START)
        self.ids = CountingIds()
        self.log = MemoryLog(self.clock)
        self._turns = 0

    def tell(self, payload, actor=AGENT, stream=None, at=None):
        """Append one event and return its position."""
        self.clock.advance(seconds=1)
        event = NewEvent(
            stream=stream or _stream(payload),
            event_id=self.ids.new(),
            payload=payload,
            occurred_at=at or self.clock.now(),
            actor=actor,
            correlation_id="diary",
        )
        with self.log.transaction() as transaction:
            (stored,) = transaction.add([event])
        return stored.position

    def tell_raw(self, type_name, stream="log", payload=b"{}", actor=PERSON):
        """Append an event as a newer Kata would write it."""
        self.clock.advance(seconds=1)
        now = self.clock.now().isoformat().replace("+00:00", "Z")
        record = Record(
            stream=stream,
            event_id=self.ids.new(),
            type=type_name,
            schema=1,
            occurred_at=now,
            actor_kind=str(actor.kind),
            actor_id=actor.id,
            actor_surface=str(actor.surface),
            correlation_id="diary",
            causation_id=None,
            payload=payload,
        )
        with self.log.transaction() as transaction:
            transaction.take([record])
        return self.log.head().position

    def erase(self, *ranges, what="a text"):
        """Have a person forget the payloads at these positions."""
        self.clock.advance(seconds=1)
        event = NewEvent(
            stream="log",
            event_id=self.ids.new(),
            payload=told.HistoryForgotten(
                positions=tuple(ranges), count=sum(last - first + 1 for first, last in ranges), what=what
            ),
            occurred_at=self.clock.now(),
            actor=PERSON,
            correlation_id="diary",
        )
        with self.log.transaction() as transaction:
            return transaction.erase(event).position

    def turn(self, session="s1", *requests, started=True, ended=True):
        """Record a turn: each request is a tuple of ``(tool, args, result)`` calls announced together.

        Returns the turn's id.
        """
        self._turns += 1
        turn = f"{session}:task:{self._turns:08x}"
        if started:
            self.tell(turn_started(session, turn))
        for number, calls in enumerate(requests, 1):
            request = f"{turn}:api:{number}"
            names = [f"{request}:{index}" for index in range(len(calls))]
            self.tell(
                answered(session, turn, request, list(zip(names, (call[0] for call in calls), strict=True)))
            )
            for name, call in zip(names, calls, strict=True):
                self.tell(returned(session, turn, *call, request=request, call=name))
        if ended:
            self.tell(turn_ended(session, turn))
        return turn

    def views(self, projections=PROJECTIONS, page=1000):
        """Project everything and return store and projector."""
        store = memory_views()
        projector = Projector(self.log, store, projections, page=page)
        projector.catch_up()
        return store, projector


def _stream(payload):
    session = getattr(payload, "session_id", "")
    run = getattr(payload, "run_id", "")
    return f"run/{run}" if run else f"session/{session}" if session else "log"


def turn_started(session, turn):
    return told.TurnStarted(
        session_id=session,
        turn_id=turn,
        platform="cli",
        model="m",
        first=True,
        text_length=3,
        text_fingerprint="f",
    )


def turn_ended(session, turn):
    return told.TurnEnded(
        session_id=session, turn_id=turn, completed=True, failed=False, interrupted=False, exit_reason=""
    )


def answered(session, turn, request, announced=(), tokens=100, seconds=0.5):
    usage = None
    if tokens is not None:
        usage = told.Usage(input_tokens=tokens - 10, output_tokens=10, total_tokens=tokens)
    return told.ModelAnswered(
        session_id=session,
        turn_id=turn,
        request_id=request,
        model="m",
        usage=usage,
        seconds=seconds,
        finish_reason="tool_calls",
        announced=tuple(told.AnnouncedCall(call_id=call, tool=tool) for call, tool in announced),
    )


def returned(
    session,
    turn,
    tool,
    args=None,
    result=None,
    *,
    request="",
    call="call",
    task="task",
    outcome=told.Outcome.OK,
):
    return told.ToolReturned(
        session_id=session,
        turn_id=turn,
        request_id=request,
        call_id=call,
        task_id=task,
        tool=tool,
        args={} if args is None else args,
        result=result,
        textual=isinstance(result, str),
        status="ok",
        error_type=None,
        outcome=outcome,
        exit_code=None,
        duration_ms=5,
        truncated=False,
        masked=0,
    )


def linked(session, parent=None, relation="compression", job=None):
    return told.SessionLinked(session_id=session, parent_session_id=parent, relation=relation, job=job)


def run_started(run="r1", kata="kata/abc", version=1, fingerprint="in", task="replay", number=1):
    return told.RunStarted(
        run_id=run,
        kata=kata,
        number=number,
        name="push_branch",
        version=version,
        digest="a" * 64,
        inputs={"branch": "main"},
        inputs_fingerprint=fingerprint,
        session_id="s1",
        task_id=task,
        steps=2,
    )


def step_started(run="r1", index=1, step=1, attempt=1):
    return told.StepStarted(
        run_id=run,
        index=index,
        step=step,
        tool="read_file",
        effect="read",
        args={"path": "a"},
        attempt=attempt,
    )


def step_finished(run="r1", index=1, step=1, outcome=told.StepOutcome.SUCCEEDED, reason=""):
    return told.StepFinished(
        run_id=run,
        index=index,
        step=step,
        outcome=outcome,
        reason=reason,
        exit_code=None,
        duration_ms=4,
        result={"content": "x"},
    )


def run_finished(run="r1", outcome=told.RunOutcome.SUCCEEDED, code="", kata="kata/abc", version=1):
    return told.RunFinished(
        run_id=run,
        kata=kata,
        version=version,
        outcome=outcome,
        code=code,
        reason="because" if code else "",
        failed_step=1 if code else None,
        duration_ms=9,
    )


def evidence(evidence_id="e1", session="s1"):
    call = told.EvidenceCall(tool="read_file", args={"path": "a"}, result="x", textual=True, duration_ms=3)
    return told.EvidenceKept(
        evidence_id=evidence_id,
        conversation=session,
        session_id=session,
        turn_id=f"{session}:t",
        calls=(call,),
        occurred_on="2026-01-01",
    )


def hours(count):
    return timedelta(hours=count)
