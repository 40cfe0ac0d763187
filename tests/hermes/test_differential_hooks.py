"""Shell hooks and gateway hooks of the stand-in decide as those of the real Hermes do."""

import json
from pathlib import Path

import attrs
import pytest

from kata.standin.gateway import GatewayHooks
from kata.standin.shellhooks.consent import script_of
from kata.standin.shellhooks.run import ScriptRun, judge
from kata.standin.shellhooks.spec import ShellHook, read_hooks
from kata.standin.shellhooks.wire import payload
from tests.hermes.support import HermesHome, ScriptedModel

REAL = Path(__file__).with_name("differential") / "real_hooks.py"
GUARD = {"event": "pre_tool_call", "command": "/guard.sh"}
CLOSED = {**GUARD, "fail_closed": True}
VERIFY = {"event": "pre_verify", "command": "/verify.sh"}
CONTEXT = {"event": "pre_llm_call", "command": "/context.sh"}

READ = (
    {
        "pre_tool_call": [
            {"command": " /x.sh ", "matcher": " terminal ", "timeout": 5, "fail_closed": True, "odd": 1}
        ]
    },
    {
        "pre_tool_call": [
            {"command": "/x", "timeout": given} for given in (0, 1, 300, 301, "7", "soon", None, 2.5)
        ]
    },
    {"pre_llm_call": [{"command": "/x", "matcher": "a", "fail_closed": True}], "post_tool_call": None},
    {
        "pre_tool_call": [
            {"command": "/x", "failClosed": True},
            {"command": "/y", "fail_closed": "yes"},
            {"matcher": 3},
        ]
    },
    {
        "pre_tool_cal": [{"command": "/x"}],
        "transform_api_error_classification": [{"command": "/x"}],
        "outbound": [],
    },
    {
        "post_tool_call": {"command": "/x"},
        "on_session_end": ["/x", {"command": ""}, {"command": "/x", "matcher": 1}],
    },
    {},
    None,
)
WANTS = [
    [{**GUARD, "matcher": matcher}, tool]
    for matcher in ("", "terminal", "term", "write_file|patch", "(", ".*")
    for tool in ("terminal", "patch", "(", None)
]
OUTPUTS = (
    "",
    "{}",
    "[1]",
    "no json",
    '{"action": "block", "message": "a", "reason": "b"}',
    '{"decision": "block", "message": "a", "reason": "b"}',
    '{"decision": "block"}',
    '{"action": "block", "message": 3}',
    '{"action": "modify", "args": {"a": 1}}',
    '{"decision": "modify", "tool_input": {"a": 1}}',
    '{"action": "modify", "args": []}',
    '{"action": "approve", "message": " sure? ", "rule_key": " "}',
    '{"decision": "approve"}',
    '{"action": "continue", "message": " more "}',
    '{"decision": "block", "reason": "more"}',
    '{"context": "It is Friday."}',
    '{"context": " "}',
    '{"context": 3}',
)
RUNS = (
    *(ScriptRun(0, text) for text in OUTPUTS),
    *(
        ScriptRun(code, text, "careful\n")
        for code in (2, 3)
        for text in ("", '{"decision": "block", "reason": "b"}', "x")
    ),
    ScriptRun(2, ""),
    ScriptRun(timed_out=True, seconds=5.0),
    ScriptRun(error="command not found"),
)
JUDGE = [(hook, ran) for hook in (GUARD, CLOSED, VERIFY, CONTEXT) for ran in RUNS]
PAYLOAD = (
    ["pre_tool_call", {"tool_name": "terminal", "args": {"command": "x"}, "session_id": "s", "task_id": "t"}],
    ["subagent_stop", {"parent_session_id": "p", "child_role": None, "duration_ms": 3}],
    ["pre_llm_call", {"session_id": "", "user_message": "hé", "args": "no dict"}],
)
COMMANDS = (
    "/a/x.sh --y",
    "python3 ~/x.py a/b",
    "node tool",
    "/usr/bin/env tool /etc/x",
    "tool",
    "'unbalanced",
)
FOLDERS = {
    "a": ("name: first\ndescription: One\nevents: [agent:start, 'command:*']", "return 'a', context['x']"),
    "b": ("events:\n  - command:model\n", "return {'decision': 'deny'}"),
    "c": ("name: no-events", "return 1"),
    "d": ("events: [agent:start]", "raise ValueError('oops')"),
    "e": ("events: [agent:start]", "return None"),
}
EMITS = [[event, {"x": 1}] for event in ("agent:start", "command:model", "command:x", "command", "agent:end")]


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    with ScriptedModel() as model:
        home = HermesHome(tmp_path_factory.mktemp("real"), model)
    _folders(home.home)
    cases = {
        "read": READ,
        "wants": WANTS,
        "judge": [(hook, _real_run(ran)) for hook, ran in JUDGE],
        "payload": PAYLOAD,
        "script": COMMANDS,
    }
    ran = home.run(str(home.python), str(REAL), stdin=json.dumps({"shell": cases, "gateway": EMITS}))
    assert ran.code == 0, ran.err
    return {**json.loads(ran.out), "cwd": str(home.workspace)}


def _real_run(ran: ScriptRun):
    return {
        "returncode": ran.exit_code,
        "stdout": ran.stdout,
        "stderr": ran.stderr,
        "timed_out": ran.timed_out,
        "elapsed_seconds": ran.seconds,
        "error": ran.error or None,
    }


def _folders(home: Path) -> None:
    for name, (manifest, body) in FOLDERS.items():
        folder = home / "hooks" / name
        folder.mkdir(parents=True)
        (folder / "HOOK.yaml").write_text(manifest)
        (folder / "handler.py").write_text(f"async def handle(event_type, context):\n    {body}\n")


@pytest.mark.parametrize("at", range(len(READ)))
def test_the_configuration_is_read_alike(real, at):
    assert [attrs.asdict(each) for each in read_hooks(READ[at])] == real["shell"]["read"][at]


def test_tools_are_matched_alike(real):
    assert [ShellHook(**hook).wants(tool) for hook, tool in WANTS] == real["shell"]["wants"]


@pytest.mark.parametrize("at", range(len(JUDGE)))
def test_a_run_is_judged_alike(real, at):
    hook, ran = JUDGE[at]
    assert judge(ShellHook(**hook), ran) == real["shell"]["judge"][at]


def test_scripts_read_the_same(real, monkeypatch):
    monkeypatch.chdir(real["cwd"])
    assert [json.loads(payload(event, told, "default")) for event, told in PAYLOAD] == real["shell"][
        "payload"
    ]


def test_the_script_of_a_command_is_found_alike(real):
    theirs = [str(Path(path).expanduser()) for path in real["shell"]["script"]]
    assert [str(script_of(command)) for command in COMMANDS] == theirs


def test_gateway_hooks_are_loaded_and_fired_alike(real, tmp_path):
    _folders(tmp_path)
    hooks = GatewayHooks(tmp_path / "hooks")
    hooks.discover_and_load()
    mine = {
        "loaded": [[hook.name, hook.description, list(hook.events)] for hook in hooks.loaded],
        "answers": [hooks.emit(event, context) for event, context in EMITS],
    }
    assert json.loads(json.dumps(mine)) == real["gateway"]
