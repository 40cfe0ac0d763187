"""Shell hooks: the configuration, the scripts, the consent, the commands."""

import json
import os
from datetime import UTC, datetime

import pytest

from kata.clock import ManualClock
from kata.standin import StandIn, call, say
from kata.standin.shellhooks import ShellHook, read_hooks

QUIET = {"tools": {"tool_search": {"enabled": False}}}


@pytest.fixture
def shell(tmp_path):
    return Shell(tmp_path)


class Shell:
    """A home with scripts in it."""

    def __init__(self, home):
        self.home = home

    def script(self, name, body):
        path = self.home / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return str(path)

    def host(self, hooks, environ=None, **config):
        environ = {"PATH": os.environ["PATH"], **(environ or {})}
        return StandIn(
            self.home, config={**QUIET, "hooks": hooks, **config}, environ=environ, clock=ManualClock()
        )


def once(host, command="echo hi"):
    return host.conversation().turn("go", [call("terminal", command=command), say("so")]).results[0]


# -- the configuration --


def test_an_entry_is_read_with_its_defaults():
    assert read_hooks({"pre_tool_call": [{"command": " /x.sh --a "}]}) == [
        ShellHook("pre_tool_call", "/x.sh --a")
    ]


def test_unknown_keys_are_ignored_and_reserved_ones_are_no_events():
    block = {"output_spill": {"a": 1}, "outbound": [], "post_tool_call": [{"command": "/x", "colour": "red"}]}
    assert read_hooks(block) == [ShellHook("post_tool_call", "/x")]


@pytest.mark.parametrize(
    ("block", "warning"),
    [
        ({"pre_tool_cal": [{"command": "/x"}]}, "did you mean 'pre_tool_call'"),
        ({"zzz": []}, "unknown hook event 'zzz'"),
        ({"transform_api_error_classification": []}, "Python plugins only"),
        ({"pre_tool_call": {"command": "/x"}}, "must be a list"),
        ({"pre_tool_call": ["/x"]}, "missing a non-empty 'command'"),
        ({"pre_tool_call": [{"command": "  "}]}, "missing a non-empty 'command'"),
    ],
)
def test_what_is_wrong_is_skipped_with_a_warning(caplog, block, warning):
    assert read_hooks(block) == []
    assert warning in caplog.text


@pytest.mark.parametrize(("given", "used"), [(5, 5), ("7", 7), (301, 300), (0, 60), ("soon", 60), (None, 60)])
def test_the_timeout_is_a_number_from_1_to_300(caplog, given, used):
    [hook] = read_hooks({"pre_tool_call": [{"command": "/x", "timeout": given}]})
    assert hook.timeout == used
    assert bool(caplog.text) == (str(given) != str(used))


def test_a_matcher_is_for_tool_events_only(caplog):
    [hook] = read_hooks({"pre_llm_call": [{"command": "/x", "matcher": "terminal"}]})
    assert hook.matcher == ""
    assert "ignored" in caplog.text


def test_fail_closed_is_for_the_guard_only(caplog):
    [guard] = read_hooks({"pre_tool_call": [{"command": "/x", "failClosed": True}]})
    [other] = read_hooks({"post_tool_call": [{"command": "/x", "fail_closed": True}]})
    [odd] = read_hooks({"pre_tool_call": [{"command": "/x", "fail_closed": "yes"}]})
    assert (guard.fail_closed, other.fail_closed, odd.fail_closed) == (True, False, False)
    assert caplog.text.count("fail_closed is ignored") == 2


@pytest.mark.parametrize(
    ("matcher", "tool", "wanted"),
    [
        ("", "terminal", True),
        ("write_file|patch", "patch", True),
        ("write_file|patch", "patches", False),
        ("term", "terminal", False),
        (".*", None, False),
        ("(", "(", True),
        ("(", "terminal", False),
    ],
)
def test_a_matcher_covers_the_whole_name(matcher, tool, wanted):
    assert ShellHook("pre_tool_call", "/x", matcher).wants(tool) is wanted


# -- the scripts --


def test_a_script_reads_the_firing_as_json(shell):
    seen = shell.home / "seen.json"
    host = shell.host({"post_tool_call": [{"command": shell.script("see.sh", f"cat > {seen}")}]})
    host.shell_hooks.register(accept=True)
    once(host)
    told = json.loads(seen.read_text())
    assert told["hook_event_name"] == "post_tool_call"
    assert (told["tool_name"], told["tool_input"]) == ("terminal", {"command": "echo hi"})
    assert told["profile"] == "default"
    assert told["extra"]["status"] == "ok"
    assert told["extra"]["tool_call_id"] == "call_0001"


def test_hooks_without_a_tool_have_none_and_odd_values_become_text(shell):
    seen = shell.home / "seen.json"
    host = shell.host({"post_api_request": [{"command": shell.script("see.sh", f"cat > {seen}")}]})
    host.shell_hooks.register(accept=True)
    host.conversation().turn("go", [say("so")])
    told = json.loads(seen.read_text())
    assert told["tool_name"] is None
    assert told["tool_input"] is None
    assert told["extra"]["assistant_message"].startswith("NormalizedResponse(")


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ('{"decision": "block", "reason": "no"}', "no"),
        ('{"action": "block", "message": "no"}', "no"),
        ('{"action": "block", "reason": "no"}', "no"),
        ('{"decision": "block"}', "Blocked by shell hook."),
    ],
)
def test_both_forms_of_a_block_are_read(shell, output, message):
    host = shell.host({"pre_tool_call": [{"command": shell.script("no.sh", f"echo '{output}'")}]})
    host.shell_hooks.register(accept=True)
    assert json.loads(once(host)) == {"error": message}


def test_a_script_may_change_the_call_or_ask_the_person(shell):
    modify = shell.script(
        "modify.sh", """echo '{"decision": "modify", "tool_input": {"command": "echo other"}}'"""
    )
    ask = shell.script("ask.sh", """echo '{"action": "approve", "message": "sure?", "rule_key": "x"}'""")
    host = shell.host({"pre_tool_call": [{"command": modify}, {"command": ask}]})
    host.shell_hooks.register(accept=True)
    host.person.will_answer("once")
    assert "other" in once(host)
    assert host.person.asked[0].question.description == "sure?"


def test_claude_codes_approve_lets_pass_without_asking(shell):
    host = shell.host(
        {"pre_tool_call": [{"command": shell.script("yes.sh", """echo '{"decision": "approve"}'""")}]}
    )
    host.shell_hooks.register(accept=True)
    assert "hi" in once(host)
    assert host.person.asked == []


def test_context_reaches_the_model(shell):
    host = shell.host(
        {"pre_llm_call": [{"command": shell.script("day.sh", """echo '{"context": "It is Friday."}'""")}]}
    )
    host.shell_hooks.register(accept=True)
    request = host.conversation().turn("hello", [say("so")]).requests[0]
    assert request.messages[-1]["content"] == "hello\n\nIt is Friday."


@pytest.mark.parametrize(
    ("body", "warning"),
    [
        ("echo not json", "no valid JSON"),
        ("echo '[1]'", ""),
        ("exit 3", "exited 3"),
        ("exec sleep 60", "timed out"),
        ("", ""),
    ],
)
def test_a_script_that_fails_only_warns(shell, caplog, body, warning):
    host = shell.host({"pre_tool_call": [{"command": shell.script("bad.sh", body), "timeout": 1}]})
    host.shell_hooks.register(accept=True)
    assert "hi" in once(host)
    assert warning in caplog.text


def test_a_command_that_is_not_there_only_warns(shell, caplog):
    text = shell.home / "plain.txt"
    text.write_text("no script")
    odd = [{"command": "/nowhere.sh"}, {"command": str(text)}, {"command": "'unbalanced"}]
    host = shell.host({"pre_tool_call": odd})
    host.shell_hooks.register(accept=True)
    assert "hi" in once(host)
    for warning in ("command not found", "command not executable", "cannot be parsed"):
        assert warning in caplog.text


def test_exit_code_2_blocks_with_the_error_text(shell):
    host = shell.host({"pre_tool_call": [{"command": shell.script("two.sh", "echo careful >&2; exit 2")}]})
    host.shell_hooks.register(accept=True)
    assert json.loads(once(host)) == {"error": "careful"}


@pytest.mark.parametrize("body", ["exit 3", "echo oops", "exec sleep 60"])
def test_a_script_that_fails_closed_blocks(shell, body):
    hook = {"command": shell.script("guard.sh", body), "fail_closed": True, "timeout": 1}
    host = shell.host({"pre_tool_call": [hook]})
    host.shell_hooks.register(accept=True)
    assert "failed closed" in once(host)


def test_no_shell_reads_the_command_line(shell):
    seen = shell.home / "seen"
    script = shell.script("args.sh", f'printf "%s\\n" "$@" > {seen}')
    host = shell.host({"post_tool_call": [{"command": f"{script} '$HOME' a;b | c"}]})
    host.shell_hooks.register(accept=True)
    once(host)
    assert seen.read_text().splitlines() == ["$HOME", "a;b", "|", "c"]


def test_python_plugins_decide_before_scripts(shell):
    host = shell.host(
        {"pre_tool_call": [{"command": shell.script("no.sh", """echo '{"decision": "block"}'""")}]}
    )
    host.load(
        lambda ctx: ctx.register_hook("pre_tool_call", lambda **_: {"action": "block", "message": "python"}),
        "own",
    )
    host.shell_hooks.register(accept=True)
    assert json.loads(once(host)) == {"error": "python"}


# -- the consent --


def hooks_of(shell):
    return {
        "pre_tool_call": [
            {"command": shell.script("no.sh", """echo '{"decision": "block", "reason": "no"}'""")}
        ]
    }


def test_without_consent_a_script_is_left_out_with_a_warning(shell, caplog):
    host = shell.host(hooks_of(shell))
    assert host.shell_hooks.register() == []
    assert "not allowlisted" in caplog.text
    assert "hi" in once(host)


@pytest.mark.parametrize("way", ["flag", "environment", "configuration"])
def test_three_ways_lead_past_the_question(shell, way):
    environ = {"HERMES_ACCEPT_HOOKS": "1"} if way == "environment" else {}
    config = {"hooks_auto_accept": True} if way == "configuration" else {}
    host = shell.host(hooks_of(shell), environ, **config)
    assert host.shell_hooks.register(accept=way == "flag")
    assert "no" in once(host)


def test_an_approval_is_remembered_for_the_exact_command(shell):
    hooks = hooks_of(shell)
    command = hooks["pre_tool_call"][0]["command"]
    asked = []
    host = shell.host(hooks)
    host.shell_hooks.register(ask=lambda event, line: asked.append((event, line)) or True)
    assert asked == [("pre_tool_call", command)]
    assert shell.host(hooks).shell_hooks.register()
    assert not shell.host({"pre_tool_call": [{"command": f"{command} --more"}]}).shell_hooks.register()
    [kept] = json.loads(host.shell_hooks.consent.path.read_text())["approvals"]
    assert kept["approved_at"] == "2026-01-01T09:00:00Z"
    assert kept.keys() == {"event", "command", "approved_at", "script_mtime_at_approval"}


def test_a_person_may_say_no(shell):
    host = shell.host(hooks_of(shell))
    assert host.shell_hooks.register(ask=lambda event, line: False) == []
    assert host.shell_hooks.consent.find("pre_tool_call", "no.sh") is None


def test_registering_twice_changes_nothing_and_a_reload_registers_again(shell):
    host = shell.host(hooks_of(shell))
    assert host.shell_hooks.register(accept=True)
    assert host.shell_hooks.register(accept=True) == []
    assert len(host.hooks.callbacks("pre_tool_call")) == 1
    host.reload()
    assert len(host.hooks.callbacks("pre_tool_call")) == 1


def test_an_edited_script_is_trusted_but_seen(shell):
    hooks = hooks_of(shell)
    command = hooks["pre_tool_call"][0]["command"]
    host = shell.host(hooks)
    host.shell_hooks.register(accept=True)
    later = datetime(2100, 1, 1, tzinfo=UTC).timestamp()
    shell.script("no.sh", """echo '{"decision": "block", "reason": "edited"}'""")
    os.utime(command, (later, later))
    assert "edited" in once(host)
    assert "modified since approval" in host.cli(["hooks", "list"]).out
    assert "modified since approval" in host.cli(["hooks", "doctor"]).out


def test_safe_mode_runs_nothing(shell):
    assert shell.host(hooks_of(shell), {"HERMES_SAFE_MODE": "1"}).shell_hooks.register(accept=True) == []


# -- the commands --


def test_list_shows_matcher_time_and_consent(shell):
    script = shell.script("no.sh", "true")
    host = shell.host({"pre_tool_call": [{"command": script, "matcher": "terminal", "timeout": 5}]})
    assert host.cli(["hooks", "list"]).out == (
        f"[pre_tool_call] {script} matcher='terminal' (timeout=5s, not allowlisted)\n"
    )
    host.shell_hooks.register(accept=True)
    assert "(timeout=5s, allowed)" in host.cli(["hooks", "list"]).out
    assert "No shell hooks" in shell.host({"pre_tool_call": []}).cli(["hooks", "list"]).out


def test_test_fires_a_sample_and_shows_what_it_means(shell):
    script = shell.script(
        "echo.sh", """grep -q write_file && echo '{"decision": "block", "reason": "no"}' || exit 4"""
    )
    host = shell.host({"pre_tool_call": [{"command": script, "matcher": "write_file|terminal"}]})
    blocked = host.cli(["hooks", "test", "pre_tool_call", "--for-tool", "write_file"]).out
    assert '"action": "block"' in blocked
    assert "exit=4" in host.cli(["hooks", "test", "pre_tool_call"]).out
    assert "No shell hooks" in host.cli(["hooks", "test", "pre_tool_call", "--for-tool", "patch"]).out
    assert "Unknown event" in host.cli(["hooks", "test", "nonsense"]).out


def test_test_takes_a_payload_from_a_file(shell):
    sample = shell.home / "sample.json"
    sample.write_text(json.dumps({"tool_name": "patch", "extra_words": "yes"}))
    host = shell.host({"post_tool_call": [{"command": shell.script("see.sh", f"cat > {shell.home}/seen")}]})
    host.cli(["hooks", "test", "post_tool_call", "--payload-file", str(sample)])
    assert json.loads((shell.home / "seen").read_text())["extra"]["extra_words"] == "yes"


def test_revoke_forgets_every_approval_of_a_command(shell):
    script = shell.script("both.sh", "true")
    host = shell.host({"pre_tool_call": [{"command": script}], "post_tool_call": [{"command": script}]})
    host.shell_hooks.register(accept=True)
    assert "Removed 2" in host.cli(["hooks", "revoke", script]).out
    assert "No allowlist entry" in host.cli(["hooks", "revoke", script]).out


def test_doctor_finds_what_is_wrong(shell):
    plain = shell.home / "plain.sh"
    plain.write_text("#!/bin/sh\n")
    odd = shell.script("odd.sh", "echo oops")
    host = shell.host(
        {
            "pre_tool_call": [{"command": odd}, {"command": str(plain)}, {"command": f"sh {plain}"}],
            "post_tool_call": [{"command": shell.script("slow.sh", "exec sleep 60"), "timeout": 1}],
        }
    )
    assert host.cli(["hooks", "doctor"]).out.count("not allowlisted") == 4
    host.shell_hooks.register(accept=True)
    lines = host.cli(["hooks", "doctor"]).out.splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == [
        "stdout is no valid JSON",
        "script missing or not executable",
        "fine",
        "timed out after 1.0s",
        "3 issue(s) found.",
    ]


def test_doctor_is_content_when_all_is_well(shell):
    host = shell.host({"pre_tool_call": [{"command": shell.script("good.sh", "echo '{}'")}]})
    host.shell_hooks.register(accept=True)
    assert "look healthy" in host.cli(["hooks", "doctor"]).out
