"""How a call ended, from structured values alone (design 8; cases B012, B015, B018, B024)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.events.catalogue import Outcome
from kata.executor.judge import judge, judge_recorded

NO_MATCH = {
    "output": "",
    "exit_code": 1,
    "error": None,
    "exit_code_meaning": "No matches found (not an error)",
}

SUCCESSES = [
    "",
    "plain text",
    "the log says error: everything failed, [TOOL_ERROR] too",
    {"output": "", "exit_code": 0, "error": None},
    {"output": "error: nothing", "exit_code": 0, "error": None},
    NO_MATCH,
    {"output": "", "exit_code": 1, "error": None, "exit_code_meaning": "No matches found"},
    {"success": True, "failed": 0},
    {"results": [{"url": "u", "error": None}]},
    {"results": [{"url": "u", "error": "404"}]},
    {"status": "running"},
    {"status": "dispatched"},
    {"status": "cancelled", "order_id": "7"},
    {"status": "pending", "order_id": "7"},
    {"success": True, "status": "failed", "build": "b-1"},
    {"ok": True, "status": "blocked", "task": 3},
    {"exit_code": True},
    {"exit_code": None, "error": None, "status": "yielded_to_background"},
    {"_multimodal": True, "content": []},
    {"result": "text that says error"},
    {"result": {"id": 1}},
    [],
    None,
    3,
]
FAILURES = [
    "[TOOL_ERROR] Tool execution failed: ValueError: x",
    {"error": "needs a parent agent context"},
    {"error": {"message": "no", "code": 3}},
    {"error": True},
    {"success": False},
    {"ok": False, "reason": "no"},
    {"isError": True},
    {"status": "error"},
    {"status": "failed"},
    {"output": "", "exit_code": -1, "status": "degraded", "reason": "host is down"},
    {"output": "", "exit_code": 2, "error": None},
    {"output": "", "exit_code": 7, "error": None, "exit_code_meaning": "Failed to connect to host"},
    {"output": "", "exit_code": 1, "error": None, "exit_code_meaning": "Non-zero exit (often normal)"},
    {"result": '{"error": "nested"}'},
    {"result": {"success": False}},
]
REFUSALS = [
    {"output": "", "exit_code": -1, "error": "BLOCKED: User denied this command.", "status": "blocked"},
    {"error": "BLOCKED: write to protected agent-instruction file(s)"},
    {"status": "error", "error": "BLOCKED: execute_code runs", "user_summary": "You denied it."},
    {"error": "BLOCKED: again", "guardrail_refusal": True},
    {"error": "Refusing to overwrite f", "stale_write_blocked": True},
    {"status": "denied", "message": "no"},
]
PENDING = [
    {"status": "pending_approval", "approval_pending": True, "error": None},
    {"output": "", "exit_code": -1, "error": "", "status": "pending_approval", "approval_pending": True},
    {"approval_pending": True, "success": True},
    {"status": "approval_required"},
]
TIMEOUTS = [{"status": "timeout"}, {"output": "", "exit_code": 124, "error": None}]

TABLE = [
    *((one, Outcome.OK) for one in SUCCESSES),
    *((one, Outcome.FAILED) for one in FAILURES),
    *((one, Outcome.BLOCKED) for one in REFUSALS),
    *((one, Outcome.PENDING) for one in PENDING),
    *((one, Outcome.UNKNOWN) for one in TIMEOUTS),
    ({"status": "interrupted"}, Outcome.CANCELLED),
]


@pytest.mark.parametrize(("result", "outcome"), TABLE, ids=lambda one: str(one)[:60])
def test_a_result_is_judged_by_its_values(result, outcome):
    assert judge(result).outcome is outcome


@pytest.mark.parametrize(("result", "outcome"), TABLE, ids=lambda one: str(one)[:60])
def test_a_result_as_text_is_judged_like_its_value(result, outcome):
    text = result if isinstance(result, str) else json.dumps(result)
    assert judge(text).outcome is outcome
    assert judge(json.dumps(text) if text.startswith("{") else text).outcome is outcome


def test_every_outcome_but_success_says_why():
    for result, outcome in TABLE:
        assert bool(judge(result).reason) == (outcome is not Outcome.OK)


def test_a_hint_after_the_json_does_not_hide_an_error():
    assert judge('{"error": "no such file"}\n\n[hint: try another path]').outcome is Outcome.FAILED


def test_a_code_of_the_recordings_is_accepted_and_another_is_not():
    ended = {"output": "", "exit_code": 1, "error": None}
    assert judge(ended, accepts=(1,)).ok
    assert judge(ended, accepts=(0, 1)).ok
    assert not judge({**ended, "exit_code": 2}, accepts=(0, 1)).ok
    assert not judge({**ended, "exit_code": 0}, accepts=(1,)).ok


def test_the_exit_code_is_told_for_success_and_failure():
    assert judge(NO_MATCH).exit_code == 1
    assert judge({"exit_code": 2, "error": "x"}).exit_code == 2
    assert judge({"output": ""}).exit_code is None


def test_a_reason_stays_one_short_line():
    reason = judge({"error": "line one\nline two " + "x" * 1000}).reason
    assert "\n" not in reason
    assert len(reason) <= 300


@pytest.mark.parametrize(
    ("status", "error_type", "result", "outcome"),
    [
        ("blocked", "plugin_block", {"output": "", "note": "policy"}, Outcome.BLOCKED),
        ("cancelled", "user_interrupt", {"output": ""}, Outcome.CANCELLED),
        ("timeout", "tool_timeout", "", Outcome.UNKNOWN),
        ("error", "tool_error", {"output": "", "exit_code": 0, "error": None}, Outcome.OK),
        ("error", None, {"results": [{"error": None}]}, Outcome.OK),
        ("error", "invalid_tool_arguments", {"x": 1}, Outcome.FAILED),
        ("error", "ValueError", "", Outcome.FAILED),
        ("error", "tool_error", "Error: user not found", Outcome.FAILED),
        ("ok", None, '{"error": "needs a parent"}', Outcome.FAILED),
        ("ok", None, {"status": "pending_approval", "approval_pending": True}, Outcome.PENDING),
        ("", None, NO_MATCH, Outcome.OK),
    ],
)
def test_a_recorded_call_is_judged_anew_where_the_host_only_guessed(status, error_type, result, outcome):
    assert judge_recorded(result, status=status, error_type=error_type).outcome is outcome


@given(st.text(max_size=40))
def test_any_text_is_judged_without_a_crash(text):
    assert judge(text).outcome in Outcome
