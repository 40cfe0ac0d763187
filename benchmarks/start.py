"""Cold import and ``register``: with 200 active katas and 100,000 events, beside an empty profile."""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kata.clock import ManualClock, SystemIds  # noqa: E402
from kata.events import Actor, ActorKind, NewEvent, Surface  # noqa: E402
from kata.events import catalogue as told  # noqa: E402
from kata.events.record import encode_new  # noqa: E402
from kata.service import assemble  # noqa: E402
from kata.spec import Const, Input, InputField, Record, Spec, Step, digest_of, dump_spec  # noqa: E402
from kata.store import open_store  # noqa: E402

BAR = 2.0
PERSON = Actor(kind=ActorKind.HUMAN, id="ana", surface=Surface.CLI)
KATA = Actor(kind=ActorKind.SYSTEM, id="kata", surface=Surface.HOOK)

START = """
import sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from kata.standin import StandIn
from kata.standin.modules import installed
host = StandIn(Path({home!r}))
with installed(host):
    began = time.perf_counter()
    from kata import register
    host.load(register)
    took = time.perf_counter() - began
    print(took, len(host.registry.get_all_tool_names()))
    host.unload()
"""


def spec(number: int) -> Spec:
    """One small version, different for each number."""
    args = Record((("title", Input("title")), ("place", Const(f"shelf {number}"))))
    field = InputField(name="title", schema={"type": "string"})
    return Spec(
        steps=(Step(tool="find", args=args, effect="read"), Step(tool="keep", args=args, effect="read")),
        inputs=(field,),
    )


def approved(number: int) -> list[Any]:
    """The two events that make a kata active."""
    version = spec(number)
    digest = digest_of(version)
    proposed = told.KataProposed(
        number=number,
        key=f"key {number}",
        signatures=("find", "keep"),
        spec=dump_spec(version),
        digest=digest,
        name=f"routine_{number}",
        scores=told.Scores(support=3, occurrences=3, fit_rate=1.0, confidence=0.784),
        baseline=told.Baseline(recordings=3, model_requests=2.0, tokens=100.0, seconds=2.0),
        evidence=(),
        notes={},
    )
    return [proposed, told.KataApproved(version=1, digest=digest, name=f"routine_{number}")]


def fill(home: Path, katas: int, events: int) -> None:
    """Write a profile's log: katas, then observations, and bring the views up to date."""
    folder = home / "plugin-data" / "kata"
    clock, ids = ManualClock(), SystemIds()
    store = open_store(folder, clock=clock, ids=ids)

    def event(stream: str, payload: Any, actor: Actor) -> NewEvent:
        return NewEvent(
            stream=stream,
            event_id=ids.new(),
            payload=payload,
            occurred_at=clock.now(),
            actor=actor,
            correlation_id="c",
        )

    with store.log.transaction() as transaction:
        for number in range(1, katas + 1):
            proposed, approval = approved(number)
            stream = f"kata/{number:020x}"
            transaction.append(stream, 0, [event(stream, proposed, KATA), event(stream, approval, PERSON)])
    for start in range(0, events, 2000):
        payloads = [
            told.HookObserved(system="plugin", name="pre_command", session_id="s", fields={"n": n})
            for n in range(start, min(start + 2000, events))
        ]
        with store.log.transaction() as transaction:
            transaction.take([encode_new(event("session/s", payload, KATA)) for payload in payloads])
    service = assemble(folder, store=store, clock=clock, ids=ids)
    service.refresh()
    service.close()


def starts(home: Path, rounds: int) -> tuple[float, int]:
    """The median seconds of a cold import and ``register`` in a new process, and how many tools there were then."""
    taken, tools = [], 0
    for _ in range(rounds):
        code = START.format(root=str(ROOT), home=str(home))
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.split()
        taken.append(float(out[0]))
        tools = int(out[1])
    return statistics.median(taken), tools


def rows(*, smoke: bool = False) -> list[dict[str, Any]]:
    """Measure and return one row a comparison: name, reference, ratio, bar, ok."""
    katas, events, rounds = (5, 500, 1) if smoke else (200, 100_000, 7)
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder) / "empty", Path(folder) / "full"
        empty.mkdir()
        fill(full, katas, events)
        starts(empty, 1)
        none, few = starts(empty, rounds)
        many, all_of_them = starts(full, rounds)
    assert all_of_them - few == katas, (all_of_them, few)
    ratio = many / none
    name = f"import and register, {katas} active katas, {events:,} events: {many * 1000:.0f} ms"
    return [
        {
            "name": name,
            "reference": f"an empty profile: {none * 1000:.0f} ms",
            "ratio": round(ratio, 2),
            "bar": BAR,
            "ok": None if smoke else ratio <= BAR,
        }
    ]


if __name__ == "__main__":
    for one in rows(smoke="--smoke" in sys.argv):
        print(one)
