import json

import pytest

from kata.kit import invoke_host_tool

IDS = ("task_id", "session_id", "tool_call_id", "turn_id", "api_request_id")


class Host:
    """Stand in for Hermes: a sender, a guard and an observer that keep what they were asked."""

    def __init__(self, fake_module):
        self.answer = '{"success": true}'
        self.block = None
        self.sent, self.guarded, self.seen = [], [], []
        fake_module("tools.send_message_tool", send_message_tool=self.send)
        fake_module(
            "hermes_cli.plugins",
            resolve_pre_tool_block=self.guard,
            has_hook=self.has_hook,
            invoke_hook=self.observe,
        )

    def send(self, args, **context):
        self.sent.append((args, context))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def guard(self, name, args, **ids):
        self.guarded.append((name, args, ids))
        return self.block

    def has_hook(self, name):
        return name == "post_tool_call"

    def observe(self, name, **outcome):
        self.seen.append(outcome)


@pytest.fixture
def host(fake_module):
    return Host(fake_module)


def test_only_what_the_host_manages_can_be_called(host):
    with pytest.raises(ValueError, match=r"unsupported host tool 'terminal'; supported: send_message"):
        invoke_host_tool("terminal", {})
    assert host.guarded == []


def test_arguments_are_a_dict(host):
    with pytest.raises(TypeError, match="host tool args must be a dict"):
        invoke_host_tool("send_message", [])
    invoke_host_tool("send_message")
    assert host.sent[0][0] == {}


def test_a_host_without_the_tool_is_told(fake_module):
    fake_module("tools.send_message_tool")
    with pytest.raises(RuntimeError, match=r"tools\.send_message_tool\.send_message_tool"):
        invoke_host_tool("send_message", {})


def test_an_import_error_of_the_host_goes_on(no_hermes):
    with pytest.raises(ImportError):
        invoke_host_tool("send_message", {})


def test_without_a_guard_nothing_is_sent(fake_module):
    sent = []
    fake_module("tools.send_message_tool", send_message_tool=lambda args, **_: sent.append(args))
    with pytest.raises(RuntimeError, match="guard API is unavailable; host invocation refused"):
        invoke_host_tool("send_message", {})
    assert sent == []


def test_the_guard_is_asked_once_with_every_id(host):
    args = {"target": "x"}
    invoke_host_tool("send_message", args, task_id="t", session_id="s", other=1)
    assert host.guarded == [
        (
            "send_message",
            args,
            {"task_id": "t", "session_id": "s", "tool_call_id": "", "turn_id": "", "api_request_id": ""},
        )
    ]


def test_the_host_gets_the_arguments_and_the_context_as_they_are(host):
    args = {"target": "x"}
    assert invoke_host_tool("send_message", args, task_id="t", other=1) == '{"success": true}'
    assert host.sent == [(args, {"task_id": "t", "other": 1})]
    assert host.sent[0][0] is args


def test_a_blocked_call_is_not_made_and_observers_are_told(host):
    host.block = "not to strangers"
    assert invoke_host_tool("send_message", {"a": 1}) == '{"error": "not to strangers"}'
    assert host.sent == []
    (seen,) = host.seen
    assert (seen["status"], seen["error_type"], seen["error_message"]) == (
        "blocked",
        "plugin_block",
        "not to strangers",
    )
    assert seen["duration_ms"] == 0


def test_observers_are_told_of_a_success_as_hermes_tells_them(host):
    invoke_host_tool("send_message", {"a": 1}, session_id="s")
    (seen,) = host.seen
    assert isinstance(seen.pop("duration_ms"), int)
    assert seen == {
        "tool_name": "send_message",
        "args": {"a": 1},
        "result": '{"success": true}',
        "status": "ok",
        "error_type": None,
        "error_message": None,
        "middleware_trace": [],
        **dict.fromkeys(IDS, ""),
        "session_id": "s",
    }


@pytest.mark.parametrize(
    ("result", "status", "message"),
    [
        ({"error": "no route"}, "error", "no route"),
        ({"error": None}, "ok", None),
        ({"success": False}, "error", "host tool returned an unsuccessful result"),
        ({"ok": False}, "error", "host tool returned an unsuccessful result"),
        ([], "ok", None),
        ("plain text", "ok", None),
    ],
)
def test_a_result_is_judged(host, result, status, message):
    host.answer = result if isinstance(result, str) else json.dumps(result)
    invoke_host_tool("send_message", {})
    (seen,) = host.seen
    assert (seen["status"], seen["error_message"]) == (status, message)
    assert seen["error_type"] == (None if status == "ok" else "host_tool_error")


def test_a_result_that_is_no_text_is_encoded(host):
    host.answer = {"success": True, "to": "ü"}
    assert invoke_host_tool("send_message", {}) == '{"success": true, "to": "ü"}'


def test_a_host_that_raises_is_told_by_its_type_alone(host, logged):
    host.answer = ValueError("token=abc123 for +15551234567")
    assert invoke_host_tool("send_message", {}) == '{"error": "send_message host handler failed: ValueError"}'
    assert logged()[-1].startswith(
        "ERROR send_message: host operation raised; error_type=ValueError\nTraceback"
    )
    assert "abc123" not in logged()[-1]


def test_an_observer_that_fails_does_not_lose_the_result(host, logged):
    host.observe = None
    host.has_hook = lambda name: 1 / 0
    import sys

    sys.modules["hermes_cli.plugins"].has_hook = host.has_hook
    assert invoke_host_tool("send_message", {}) == '{"success": true}'
    assert logged()[-1] == "WARNING send_message: post_tool_call observers failed"


def test_nobody_is_told_when_nobody_listens(host):
    host.has_hook = lambda name: False
    import sys

    sys.modules["hermes_cli.plugins"].has_hook = host.has_hook
    invoke_host_tool("send_message", {})
    assert host.seen == []


def test_what_a_guard_changes_is_what_is_sent_and_told(host, fake_module):
    fake_module(
        "hermes_cli.plugins",
        _dispatch_pre_tool_call_hooks=lambda name, args, **ids: (None, {**args, "target": "telegram:1"}),
        has_hook=host.has_hook,
        invoke_hook=host.observe,
    )
    args = {"target": "telegram:2", "message": "x"}
    invoke_host_tool("send_message", args)
    assert host.sent[0][0] is args
    assert args == {"target": "telegram:1", "message": "x"}
    assert host.seen[0]["args"] == {"target": "telegram:1", "message": "x"}


def test_first_party_observers_are_told_too_where_the_host_has_them(host, fake_module):
    told = []
    fake_module(
        "hermes_cli.lifecycle", has_hook=lambda name: True, invoke_hook=lambda name, **seen: told.append(name)
    )
    invoke_host_tool("send_message", {})
    assert told == ["post_tool_call"]
    assert host.seen == []
