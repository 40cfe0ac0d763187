"""A service on a data folder of its own, with a history that tests write by hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kata.clock import CountingIds, Ids, ManualClock
from kata.events import Actor, ActorKind, NewEvent, Surface
from kata.events import catalogue as told
from kata.executor import fingerprint_of
from kata.schemas import schema_digest
from kata.service import Service, Settings, assemble
from kata.store import open_store

PERSON = Actor(kind=ActorKind.HUMAN, id="ana", surface=Surface.SLASH)
AGENT = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.HOOK)
SYSTEM = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)

TEXT = {"type": "string"}
SCHEMAS: dict[str, dict[str, Any]] = {
    "find_ticket": {"type": "object", "properties": {"title": TEXT}, "required": ["title"]},
    "read_ticket": {"type": "object", "properties": {"id": TEXT}, "required": ["id"]},
    "close_ticket": {"type": "object", "properties": {"id": TEXT, "state": TEXT}, "required": ["id"]},
    "find_order": {"type": "object", "properties": {"customer": TEXT}, "required": ["customer"]},
    "ship_order": {"type": "object", "properties": {"order": TEXT, "by": TEXT}, "required": ["order"]},
    "find_user": {"type": "object", "properties": {"mail": TEXT}, "required": ["mail"]},
    "lock_user": {"type": "object", "properties": {"user": TEXT}, "required": ["user"]},
}

Steps = list[tuple[str, dict[str, Any], dict[str, Any]]]


def ticket(number: int) -> Steps:
    """A routine of three steps: find, read, close."""
    found = {"tickets": [{"id": f"T-{number:05d}", "title": f"bug {number}"}]}
    return [
        ("find_ticket", {"title": f"bug {number}"}, found),
        ("read_ticket", {"id": f"T-{number:05d}"}, {"text": f"words {number}"}),
        ("close_ticket", {"id": f"T-{number:05d}", "state": "closed"}, {"closed": True}),
    ]


def order(number: int) -> Steps:
    """A routine of two steps: find, ship."""
    return [
        ("find_order", {"customer": f"customer {number}"}, {"order": {"number": f"O-{number:06d}"}}),
        ("ship_order", {"order": f"O-{number:06d}", "by": "parcel"}, {"shipped": f"O-{number:06d}"}),
    ]


def lock(number: int) -> Steps:
    """Another one of two steps: find, lock."""
    return [
        ("find_user", {"mail": f"user{number}@example.test"}, {"user": {"key": f"key-{number:07d}"}}),
        ("lock_user", {"user": f"key-{number:07d}"}, {"locked": f"key-{number:07d}"}),
    ]


ROUTINES = (ticket, order, lock)


class Lab:
    """One service, its clock, and hands to write history with."""

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        *,
        clock: ManualClock | None = None,
        ids: Ids | None = None,
        tools: Mapping[str, dict[str, Any]] = SCHEMAS,
    ) -> None:
        self.folder = folder
        self.clock = clock or ManualClock()
        self.ids: Ids = ids or CountingIds()
        self.settings = settings or Settings()
        self.store = open_store(folder, clock=self.clock, ids=self.ids)
        self.service: Service = assemble(
            folder, store=self.store, clock=self.clock, ids=self.ids, settings=lambda: (self.settings, ())
        )
        self.reads = self.service._reads
        self._turns = 0
        self._held: list[NewEvent] = []
        self._in_turn = False
        for tool, schema in tools.items():
            self.describe(tool, schema)

    def close(self) -> None:
        self.service.close()

    def add(self, stream: str, payload: Any, actor: Actor = AGENT, correlation: str = "c") -> None:
        """Write one event, or hold it for the end of a `turn`."""
        self._held.append(
            NewEvent(
                stream=stream,
                event_id=self.ids.new(),
                payload=payload,
                occurred_at=self.clock.now(),
                actor=actor,
                correlation_id=correlation,
            )
        )
        if not self._in_turn:
            self.write()

    def write(self) -> None:
        """Write what is held, in one transaction."""
        held, self._held = self._held, []
        with self.store.log.transaction() as transaction:
            transaction.add(held)

    def describe(self, tool: str, schema: dict[str, Any]) -> None:
        """Let a live process see a tool's schema."""
        payload = told.ToolDescribed(
            tool=tool, schema=schema, digest=schema_digest(schema), toolset="t", surface="cli"
        )
        self.add("log", payload, SYSTEM)

    def by_hand(self, steps: Steps, session: str = "") -> str:
        """Let the agent do some calls in one turn of a new conversation; return its session."""
        self._turns += 1
        self._in_turn = True
        session = session or f"s{self._turns}"
        turn = f"{session}:t{self._turns}"
        self.add(
            f"session/{session}",
            told.TurnStarted(
                session_id=session,
                turn_id=turn,
                platform="cli",
                model="m",
                first=True,
                text_length=3,
                text_fingerprint="f",
            ),
        )
        for number, (tool, args, result) in enumerate(steps, 1):
            self.clock.advance(seconds=2)
            self._request(session, turn, number, tool)
            self._returned(session, turn, number, tool, args, result)
        self.clock.advance(seconds=1)
        self.add(
            f"session/{session}",
            told.TurnEnded(
                session_id=session,
                turn_id=turn,
                completed=True,
                failed=False,
                interrupted=False,
                exit_reason="text",
            ),
        )
        self._in_turn = False
        self.write()
        return session

    def _request(self, session: str, turn: str, number: int, tool: str) -> None:
        usage = told.Usage(input_tokens=100, output_tokens=10, total_tokens=110)
        announced = (told.AnnouncedCall(call_id=f"{turn}-{number}", tool=tool),)
        self.add(
            f"session/{session}",
            told.ModelAnswered(
                session_id=session,
                turn_id=turn,
                request_id=f"{turn}:api:{number}",
                model="m",
                usage=usage,
                seconds=1.0,
                finish_reason="tool_calls",
                announced=announced,
            ),
        )

    def _returned(self, session: str, turn: str, number: int, tool: str, args: Any, result: Any) -> None:
        self.add(
            f"session/{session}",
            told.ToolReturned(
                session_id=session,
                turn_id=turn,
                request_id=f"{turn}:api:{number}",
                call_id=f"{turn}-{number}",
                task_id=session,
                tool=tool,
                args=args,
                result=result,
                textual=False,
                status="ok",
                error_type=None,
                outcome=told.Outcome.OK,
                exit_code=None,
                duration_ms=5,
                truncated=False,
                masked=0,
            ),
        )

    def practise(self, routine: Any, times: int = 3, start: int = 1) -> None:
        """Do a routine by hand in so many conversations."""
        for number in range(start, start + times):
            self.by_hand(routine(number))
            self.clock.advance(minutes=10)

    def proposed(self, routine: Any = ticket) -> int:
        """Have a routine proposed; return its number."""
        self.practise(routine)
        found = self.service.mine().proposed
        assert found[0].number is not None
        return found[0].number

    def approved(self, name: str = "settle_bug", routine: Any = ticket) -> int:
        """Have a routine proposed, reviewed and approved; return its number."""
        number = self.proposed(routine)
        self.approve(number, name)
        return number

    def approve(self, number: int, name: str = "") -> Any:
        """Review and approve what waits."""
        reviewed = self.service.review(str(number)).digest
        return self.service.decisions.approve(str(number), PERSON, name=name, reviewed=reviewed)

    def state(self, number: int) -> str:
        """Return a kata's state."""
        return next(row.state for row in self.service.listing().katas if row.number == number)

    def ran(self, number: int, outcome: told.RunOutcome, code: str = "step_failed") -> str:
        """Write a run of an active kata that ended so, and settle it; return its id."""
        one = next(found for found in self.service.registered() if found.number == number)
        run_id = self.ids.new()
        inputs = {"title": "bug 9"}
        started = told.RunStarted(
            run_id=run_id,
            kata=one.stream,
            number=one.number,
            name=one.name,
            version=one.version,
            digest=one.digest,
            inputs=inputs,
            inputs_fingerprint=fingerprint_of(self.service.world.keeper, inputs),
            session_id="s",
            task_id="t",
            steps=3,
        )
        finished = told.RunFinished(
            run_id=run_id,
            kata=one.stream,
            version=one.version,
            outcome=outcome,
            code="" if outcome is told.RunOutcome.SUCCEEDED else code,
            reason="",
            failed_step=None if outcome is told.RunOutcome.SUCCEEDED else 1,
            duration_ms=5,
        )
        self.add(f"run/{run_id}", started)
        self.add(f"run/{run_id}", finished)
        self.service.settle_run(one.stream)
        return run_id
