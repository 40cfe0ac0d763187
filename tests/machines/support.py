"""Events by the handful: one kata's stream, written as a story."""

from datetime import UTC, datetime, timedelta

from kata.events import Actor, ActorKind, Event, Surface, Unreadable, type_of
from kata.events import catalogue as told

PERSON = Actor(kind=ActorKind.HUMAN, id="ada", surface=Surface.CLI)
AGENT = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.TOOL)
KATA = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)
START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)

SCORES = told.Scores(support=3, occurrences=3, fit_rate=1.0, confidence=0.784)
BASELINE = told.Baseline(recordings=3, model_requests=4.0, tokens=900.0, seconds=12.5)


def event_of(payload, actor, *, position=1, stream="log", version=1, at=None, type_name=None, schema=1):
    """Build one stored event."""
    moment = at or START + timedelta(minutes=position)
    name = type_name or type_of(payload).name
    return Event(
        position=position,
        stream=stream,
        version=version,
        event_id=f"event-{position}",
        type=name,
        schema=schema,
        occurred_at=moment,
        recorded_at=moment,
        actor=actor,
        correlation_id=f"command-{position}",
        causation_id=None,
        payload=payload,
    )


class Story:
    """One stream that grows by a payload at a time; ``actor`` defaults to whoever the machine lets do it."""

    def __init__(self, stream="kata/abc", first_position=1):
        self.stream = stream
        self.events = []
        self._position = first_position

    def tell(self, payload, actor=PERSON, **header):
        event = event_of(
            payload,
            actor,
            position=self._position,
            stream=self.stream,
            version=len(self.events) + 1,
            **header,
        )
        self._position += 1
        self.events.append(event)
        return event

    def tell_unreadable(self, type_name, why, actor=PERSON):
        return self.tell(Unreadable(why=why, raw=None), actor, type_name=type_name)


def digest(letter):
    return letter * 64


def proposed(number=1, key="key", name="push_branch", letter="a"):
    return told.KataProposed(
        number=number,
        key=key,
        signatures=("read_file(path)", "terminal(command: git push)"),
        spec={"format": 1, "steps": [], "inputs": [], "output": {}, "tools": []},
        digest=digest(letter),
        name=name,
        scores=SCORES,
        baseline=BASELINE,
        evidence=("e1", "e2"),
        notes={"warnings": ["one day"]},
    )


def revised(version=2, letter="b", cause="schema"):
    return told.KataRevised(
        version=version,
        cause=cause,
        changes=("limit: new, required",),
        spec={"format": 1, "steps": [], "inputs": [], "output": {}, "tools": [["read_file", "d"]]},
        digest=digest(letter),
        scores=SCORES,
        baseline=BASELINE,
        evidence=("e3",),
        notes={},
    )


def approved(version=1, letter="a", name="push_branch", **more):
    return told.KataApproved(version=version, digest=digest(letter), name=name, **more)


def deferred(kind="changed", **more):
    return told.KataDeferred(until=told.Until(kind=kind, **more), support=3, digest=digest("a"))


def went_stale(version=1):
    return told.KataWentStale(version=version, cause="schema", changes=("limit: new, required",))


def suspended(version=1):
    return told.KataSuspended(version=version, runs=("r1", "r2", "r3"))


def enabled(version=1, letter="a"):
    return told.KataEnabled(version=version, digest=digest(letter))


def rolled_back(version=1, before=2, letter="a"):
    return told.KataRolledBack(version=version, before=before, digest=digest(letter))
