"""A month of heavy use, simulated: so many calls a day, through the spool as hooks write them, looked after every day."""

import random
from collections.abc import Iterator

import attrs

from kata.events import NewEvent
from kata.events import catalogue as told
from tests.service.lab import AGENT, SYSTEM, Lab

CALLS_A_TURN = 5
TURNS_A_SESSION = 10
TYPICAL = (120, 400, 900, 1500, 4000)
"""Characters of results, about as often one as the other: 1.4 KB in the mean."""


@attrs.frozen(kw_only=True)
class Size:
    """What the data folder takes at the end of a day, in bytes."""

    day: int
    events: int
    whole: int
    payloads: int
    beside: int

    @property
    def rest(self) -> int:
        """Headers, indexes and views: everything but what was said."""
        return self.whole - self.payloads


class User:
    """Works every day; writes as the hooks do, and lets Kata look after itself as the worker does."""

    def __init__(self, lab: Lab, name: str = "") -> None:
        self._lab, self._pick, self._turn, self._name = lab, random.Random(7), 0, name

    def turn(self, calls: int = CALLS_A_TURN) -> None:
        """Make one turn, through the spool."""
        self._turn += 1
        session = f"day{self._name}{self._turn // TURNS_A_SESSION}"
        turn = f"{session}:t{self._turn}"
        for payload in self._told(session, turn, calls):
            actor = AGENT if isinstance(payload, told.ToolReturned) else SYSTEM
            assert self._lab.store.spool.append(self._event(session, payload, actor))
        self._lab.store.spool.rotate()

    def _event(self, session: str, payload: object, actor: object) -> NewEvent:
        event_id = self._lab.ids.new()
        return NewEvent(
            stream=f"session/{session}",
            event_id=event_id,
            payload=payload,
            occurred_at=self._lab.clock.now(),
            actor=actor,
            correlation_id=session,
        )

    def _told(self, session: str, turn: str, calls: int) -> Iterator[object]:
        ids = {"session_id": session, "turn_id": turn}
        yield told.TurnStarted(
            **ids, platform="cli", model="m", first=False, text_length=80, text_fingerprint="f"
        )
        for number in range(calls):
            request = f"{turn}:api:{number}"
            announced = (told.AnnouncedCall(call_id=f"{turn}-{number}", tool="read_file"),)
            usage = told.Usage(input_tokens=9000, output_tokens=120, total_tokens=9120)
            yield told.ModelAnswered(
                **ids,
                request_id=request,
                model="m",
                usage=usage,
                seconds=2.0,
                finish_reason="tool_calls",
                announced=announced,
            )
            yield self._returned(ids, request, f"{turn}-{number}")
        yield told.TurnEnded(**ids, completed=True, failed=False, interrupted=False, exit_reason="text")

    def _returned(self, ids: dict[str, str], request: str, call: str) -> told.ToolReturned:
        path = f"src/module_{self._pick.randrange(300)}.py"
        text = f"{self._pick.random()} line of a file\n" * (self._pick.choice(TYPICAL) // 35)
        return told.ToolReturned(
            **ids,
            request_id=request,
            call_id=call,
            task_id=ids["session_id"],
            tool="read_file",
            args={"path": path},
            result={"content": text, "total_lines": 40},
            textual=False,
            status="ok",
            error_type=None,
            outcome=told.Outcome.OK,
            exit_code=None,
            duration_ms=12,
            truncated=False,
            masked=0,
        )


def live(lab: Lab, days: int, calls_a_day: int) -> Iterator[Size]:
    """Work for so many days, and yield the size of the data folder at the end of each."""
    user = User(lab)
    for day in range(1, days + 1):
        for number in range(calls_a_day // CALLS_A_TURN):
            user.turn()
            if number % 40 == 0:
                lab.service.refresh()
        lab.service.refresh()
        lab.clock.advance(days=1)
        lab.service.upkeep(SYSTEM.surface)
        yield size(lab, day)


def size(lab: Lab, day: int) -> Size:
    """Measure the data folder."""
    files = {path: path.stat().st_size for path in lab.folder.rglob("*") if path.is_file()}
    beside = sum(taken for path, taken in files.items() if path.name != "data.db")
    ((payloads,),) = lab.reads.store.query("SELECT coalesce(sum(length(body)), 0) FROM payloads")
    return Size(
        day=day,
        events=lab.store.log.head().position,
        whole=sum(files.values()),
        payloads=payloads,
        beside=beside,
    )
