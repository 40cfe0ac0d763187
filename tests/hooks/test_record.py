"""What a hook writes without dependencies is byte for byte what the event log's own encoding writes."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import kata
from kata.events import Actor, ActorKind, NewEvent, Surface, known_types
from kata.events.codec import CODEC
from kata.events.record import encode_new
from kata.hooks.claude import Desk, claude_events
from kata.hooks.hermes import gateway_event, shell_event
from kata.hooks.record import Told, line, lost
from kata.json import dumps
from kata.redact import Keeper
from kata.store.segment import frame, parse

KEEPER = Keeper(b"k" * 32)
NOW = datetime(2026, 11, 30, 12, 30, 15, tzinfo=UTC)
FRESH = "01a22d68-45d1-7049-9fba-406659813ac4"
ODD = "line\u2028 \ud800 ⟦ü"


def firings(tmp_path) -> list[Told]:
    desk = Desk(tmp_path, KEEPER, texts=False)
    common = {"session_id": "5b1c", "transcript_path": "/t.jsonl", "cwd": "/w", "tool_use_id": "toolu_1"}
    call = {"tool_name": "Bash", "tool_input": {"command": ODD, "n": 1.5}, "tool_response": {"stdout": ODD}}
    names = ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "Notification", "SessionEnd")
    return [
        shell_event(
            {
                "hook_event_name": "post_tool_call",
                "tool_name": "t",
                "session_id": "s",
                "extra": {"turn_id": "t1", "tool_call_id": "c", "result": ODD, "ok": True, "seconds": 0.5},
            },
            KEEPER,
            texts=True,
        ),
        gateway_event("agent:start", {"session_id": ODD, "message": "hi", "n": None}, KEEPER, texts=False),
        lost("shell_hook: no JSON"),
        *(
            event
            for name in names
            for event in claude_events({"hook_event_name": name, "prompt": "do", **common, **call}, desk)
        ),
    ]


def as_event(told: Told) -> NewEvent:
    kind, actor, surface = told.actor
    event_id = told.event_id or FRESH
    return NewEvent(
        stream=told.stream,
        event_id=event_id,
        payload=CODEC.decode_payload(told.type, 1, dumps(told.payload).encode("ascii")),
        occurred_at=NOW,
        actor=Actor(kind=ActorKind(kind), id=actor, surface=Surface(surface)),
        correlation_id=told.turn or event_id,
    )


def test_both_write_the_same_bytes(tmp_path):
    for each in firings(tmp_path):
        assert line(each, NOW, FRESH) == frame(encode_new(as_event(each)))


def test_every_type_that_is_told_is_tried_here(tmp_path):
    assert {each.type for each in firings(tmp_path)} == {
        "hook.observed",
        "observations.lost",
        "session.started",
        "session.finalized",
        "turn.started",
        "turn.ended",
        "tool.returned",
    }


def test_a_line_is_read_back_by_the_drain(tmp_path):
    for each in firings(tmp_path):
        assert parse(line(each, NOW, FRESH).rstrip(b"\n")).type == each.type


def test_what_a_hook_runs_imports_no_dependency():
    observe = Path(kata.__file__).parent / "observe.py"
    script = (
        f"import runpy, sys; runpy.run_path({str(observe)!r})['taking']();"
        "print({name.partition('.')[0] for name in sys.modules} & {'attr', 'attrs', 'cattrs', 'transitions'})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_schema_of_what_is_told_is_still_the_first(tmp_path):
    types = known_types()
    assert {types[each.type].schema for each in firings(tmp_path)} == {1}
