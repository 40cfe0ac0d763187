"""One firing on standard input: an event in the spool, or the reason why not; the agent only ever sees ``{}``."""

import io
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import kata
from kata.hooks.standing import NAME, Standing, dump_standing, read_standing
from kata.hooks.taking import take_gateway, take_shell
from kata.store import open_store
from tests.service.lab import Lab

HERMES = {
    "hook_event_name": "post_tool_call",
    "tool_name": "terminal",
    "tool_input": {"command": "ls"},
    "session_id": "s1",
    "cwd": "/w",
    "extra": {"tool_call_id": "c1", "turn_id": "t1", "api_request_id": "r1", "result": "two words"},
}


@pytest.fixture
def data(tmp_path):
    return tmp_path / "kata"


def give(data, given):
    text = given if isinstance(given, bytes) else json.dumps(given).encode()
    answer = io.BytesIO()
    assert take_shell(["--data", str(data)], io.BytesIO(text), answer) == 0
    assert json.loads(answer.getvalue()) == {}


def log(data):
    store = open_store(data)
    store.drain()
    events = list(store.log.read())
    store.close()
    return events


def claude(name, **more):
    return {"session_id": "5b1c", "transcript_path": "/t.jsonl", "cwd": "/w", "hook_event_name": name, **more}


def used(call, tool="Bash", **more):
    given = {"tool_name": tool, "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}}
    return claude("PostToolUse", tool_use_id=call, **given | more)


def test_hermes_own_json_becomes_a_hook_observed(data):
    give(data, HERMES)
    [event] = log(data)
    assert (event.type, event.stream, event.correlation_id) == ("hook.observed", "session/s1", "t1")
    assert (event.payload.system, event.payload.name) == ("shell", "post_tool_call")
    assert event.payload.fields["tool_name"] == "terminal"
    assert event.payload.fields["result.length"] == 9


def test_a_firing_that_is_told_twice_is_one_event(data):
    give(data, HERMES)
    give(data, HERMES)
    assert len(log(data)) == 1


def test_the_same_call_id_in_another_request_is_another_event(data):
    give(data, HERMES)
    give(data, HERMES | {"extra": HERMES["extra"] | {"api_request_id": "r2"}})
    assert len(log(data)) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "no JSON"),
        (b"{", "no JSON"),
        (b"\xff\xfe\xfa", "no JSON"),
        (b"[1]", "no JSON object"),
        (b"{}", "no hook_event_name"),
        (b'{"hook_event_name": 7}', "no hook_event_name"),
    ],
)
def test_bad_input_is_counted_with_its_reason(data, text, reason):
    give(data, text)
    [event] = log(data)
    assert event.type == "observations.lost"
    assert event.payload.reason == f"shell_hook: {reason}"


def test_nothing_is_recorded_while_recording_is_paused(data):
    data.mkdir()
    (data / NAME).write_bytes(dump_standing(Standing(recording=False)))
    give(data, HERMES)
    take_gateway(data, "agent:start", {"session_id": "s"})
    assert log(data) == []


def test_a_pause_with_an_end_ends():
    until = datetime(2026, 1, 1, tzinfo=UTC)
    standing = Standing(recording=False, until=until.isoformat())
    assert not standing.records(until - timedelta(seconds=1))
    assert standing.records(until)


def test_where_the_standing_cannot_be_read_nothing_but_that_is_recorded(data):
    data.mkdir()
    (data / NAME).write_text("[", encoding="utf-8")
    give(data, HERMES)
    assert [event.type for event in log(data)] == ["observations.lost"]


def test_the_standing_is_read_back(data):
    data.mkdir()
    standing = Standing(recording=False, until="2026-01-01T00:00:00+00:00", texts=True)
    (data / NAME).write_bytes(dump_standing(standing))
    assert read_standing(data) == standing


def test_a_gateway_hook_becomes_a_hook_observed(data):
    take_gateway(data, "agent:start", {"session_id": "s", "platform": "telegram", "message": "hi"})
    [event] = log(data)
    assert (event.payload.system, event.payload.name) == ("gateway", "agent:start")
    assert event.payload.fields["platform"] == "telegram"
    assert "message" not in event.payload.fields


def test_a_gateway_hook_without_a_session_is_in_the_logs_own_stream(data):
    take_gateway(data, "gateway:startup", {"platforms": ["telegram"]})
    [event] = log(data)
    assert event.stream == "log"


def test_a_turn_of_claude_code_is_a_turn_of_calls(data):
    give(data, claude("UserPromptSubmit", prompt="look at it"))
    give(data, used("toolu_1"))
    give(data, used("toolu_2", tool="Read"))
    give(data, claude("Stop"))
    events = log(data)
    assert [event.type for event in events] == [
        "turn.started",
        "tool.returned",
        "tool.returned",
        "turn.ended",
    ]
    assert len({event.payload.turn_id for event in events}) == 1
    assert events[0].payload.text_length == 10
    assert events[1].payload.outcome == "ok"


def test_the_next_prompt_begins_another_turn_of_the_same_session(data):
    for call in ("toolu_1", "toolu_2"):
        give(data, claude("UserPromptSubmit", prompt="go"))
        give(data, used(call))
    started = [event.payload for event in log(data) if event.type == "turn.started"]
    assert [one.first for one in started] == [True, False]
    assert len({one.turn_id for one in started}) == 2
    assert {one.session_id for one in started} == {"claude-code:5b1c"}


def test_a_call_without_a_prompt_before_it_begins_a_turn(data):
    give(data, used("toolu_1"))
    assert [event.type for event in log(data)] == ["turn.started", "tool.returned"]


def test_a_call_of_claude_code_that_is_told_twice_is_one_call(data):
    give(data, used("toolu_1"))
    give(data, used("toolu_1"))
    assert [event.type for event in log(data)].count("tool.returned") == 1


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({"tool_response": {"is_error": True}}, "failed"),
        ({"tool_response": {"success": False}}, "failed"),
        ({"tool_response": {"stdout": "", "interrupted": True}}, "cancelled"),
        ({"hook_event_name": "PostToolUseFailure", "error": "no such file"}, "failed"),
    ],
)
def test_how_a_call_of_claude_code_ended(data, more, outcome):
    give(
        data,
        used("toolu_1", **{name: value for name, value in more.items() if name != "hook_event_name"}) | more,
    )
    assert log(data)[-1].payload.outcome == outcome


def test_an_unknown_hook_of_claude_code_is_observed(data):
    give(data, claude("PreCompact", trigger="auto"))
    [event] = log(data)
    assert (event.type, event.payload.name) == ("hook.observed", "PreCompact")
    assert event.payload.fields["trigger"] == "auto"


def test_the_script_runs_from_its_own_folder(data):
    observe = Path(kata.__file__).parent / "observe.py"
    done = subprocess.run(
        [sys.executable, str(observe), "--data", str(data)],
        input=json.dumps(HERMES),
        cwd=observe.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("{}\n", "")
    assert [event.type for event in log(data)] == ["hook.observed"]


def test_without_a_folder_named_the_script_writes_to_the_profile(tmp_path):
    observe = Path(kata.__file__).parent / "observe.py"
    subprocess.run(
        [sys.executable, str(observe)],
        input=json.dumps(HERMES),
        env={"HERMES_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [event.type for event in log(tmp_path / "plugin-data" / "kata")] == ["hook.observed"]


def test_the_calls_of_claude_code_are_history_that_finding_reads(tmp_path):
    lab = Lab(tmp_path / "kata")
    give(lab.folder, claude("UserPromptSubmit", prompt="look at it"))
    give(lab.folder, used("toolu_1"))
    give(lab.folder, used("toolu_2", tool="Read"))
    give(lab.folder, claude("Stop"))
    lab.service.refresh()
    assert lab.service.call_count() == 2
    assert lab.service.status().recording.conversations == 1
    lab.close()


def test_what_was_lost_is_in_the_health_line(tmp_path):
    lab = Lab(tmp_path / "kata")
    give(lab.folder, b"{")
    lab.service.refresh()
    health = lab.service.status().recording
    assert (health.lost, health.lost_reason) == (1, "shell_hook: no JSON")
    lab.close()
