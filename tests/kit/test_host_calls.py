"""Calls that the real Hermes makes through the kit (rows M7, M9, M11, M13, M14, M15)."""

import json

import pytest

from kata.kit import MiddlewareKind, command, hook, middleware, register_plugin, str_arg, tool
from tests.kit.support import plugin_of

pytestmark = pytest.mark.hermes


def returning(name, value):
    return tool(toolset="probe", name=name, description="Probe.")(lambda args, **context: value)


def judged():
    import model_tools
    from tools.registry import registry

    _, ctx = plugin_of("probe")
    data = {"error": None, "failed": 0, "status": "failed"}
    register_plugin(
        ctx,
        [returning("probe_ok", data), returning("probe_old", json.dumps({"success": True, "data": data}))],
    )
    texts = [registry.dispatch(name, {}) for name in ("probe_ok", "probe_old")]
    failure = registry.dispatch("probe_ok", ["no object"])
    seen = [model_tools._tool_result_observer_fields("probe", text)[0] for text in (*texts, failure)]
    return [seen, json.loads(texts[0]) == json.loads(texts[1])]


def test_a_success_is_a_success_to_hermes_whatever_its_data_are_called(on_host):
    assert on_host(judged) == [["ok", "error", "error"], True]


def dispatched():
    from tools.registry import registry

    _, ctx = plugin_of("probe")

    @tool(toolset="probe")
    async def probe_wait(thread: str, limit: int = 5, *, session_id: str = ""):
        """Wait."""
        return [thread, limit, session_id]

    @tool(toolset="probe", params={"q": str_arg("Q", required=True)})
    def probe_find(args, **context):
        """Find."""
        return sorted(context)

    register_plugin(ctx, [probe_wait, probe_find])
    context = {"task_id": "t", "session_id": "s", "user_task": "u"}
    return [
        json.loads(registry.dispatch("probe_wait", {"thread": "x", "limit": "7"}, **context)),
        json.loads(registry.dispatch("probe_find", {}, **context)),
        json.loads(registry.dispatch("probe_find", {"q": "x"}, **context)),
    ]


def test_async_and_sync_tools_are_dispatched_with_the_hosts_context(on_host):
    assert on_host(dispatched) == [
        {"success": True, "data": ["x", 7, "s"]},
        {"success": False, "error": "q is required"},
        {"success": True, "data": ["session_id", "task_id", "user_task"]},
    ]


def offered():
    import os

    from tools.registry import invalidate_check_fn_cache, registry

    _, ctx = plugin_of("probe")

    @tool(toolset="probe", requires_env=["PROBE_KEY"], params={"q": str_arg("Q", required=True, example="x")})
    def probe_find(args, **context):
        """Find."""

    register_plugin(ctx, [probe_find])
    hidden = registry.get_definitions({"probe_find"})
    os.environ["PROBE_KEY"] = "1"
    invalidate_check_fn_cache()
    return [hidden, registry.get_definitions({"probe_find"})]


def test_a_tool_without_its_environment_is_hidden_and_one_with_it_shows_its_arguments(on_host):
    hidden, (shown,) = on_host(offered)
    assert hidden == []
    assert shown["function"] == {
        "name": "probe_find",
        "description": "Find. Required: `q` (e.g. 'x').",
        "parameters": {
            "type": "object",
            "properties": {"q": {"type": "string", "description": "Q"}},
            "additionalProperties": False,
            "required": ["q"],
        },
    }


def unchanged_schema():
    from tools.schema_sanitizer import sanitize_tool_schemas

    from tests.kit.test_typed import discord_read

    schema = discord_read.spec.schema
    (sent,) = sanitize_tool_schemas([{"type": "function", "function": schema}])
    return [schema["parameters"], sent["function"]["parameters"]]


def test_the_model_sees_a_typed_schema_as_it_was_declared(on_host):
    declared, sent = on_host(unchanged_schema)
    del (
        sent["properties"]["authors"]["items"]["required"],
        declared["properties"]["authors"]["items"]["required"],
    )
    assert sent == declared


def overriding():
    import tools.file_tools
    from hermes_cli.plugins import PluginToolOverrideError

    assert tools.file_tools
    _, ctx = plugin_of("probe")
    declared = tool(toolset="file", name="read_file", description="Read.", override=True)(
        lambda args, **context: {}
    )
    try:
        register_plugin(ctx, [declared])
    except PluginToolOverrideError as error:
        return type(error).__name__
    return "taken"


def test_an_override_is_the_operators_to_allow(on_host):
    assert on_host(overriding) == "PluginToolOverrideError"


def hooked():
    manager, ctx = plugin_of("probe")
    seen = []

    @hook("pre_llm_call")
    def narrow(session_id):
        return {"context": session_id}

    @hook("on_session_end")
    async def later(session_id, **payload):
        seen.append(session_id)

    register_plugin(ctx, [narrow, later])
    results = manager.invoke_hook("pre_llm_call", session_id="s", task_id="t", model="m")
    manager.invoke_hook("on_session_end", session_id="s", completed=True)
    return [results, seen, narrow(session_id="s", task_id="t", anything=1)]


def test_narrow_and_async_hooks_are_fired(on_host):
    assert on_host(hooked) == [[{"context": "s"}], ["s"], {"context": "s"}]


def guarding():
    from hermes_cli.plugins import resolve_pre_tool_block

    def broken(**payload):
        raise ValueError("no")

    outcomes = []
    for options in ({}, {"on_error": "ignore"}):
        _, ctx = plugin_of("probe")
        summary = register_plugin(ctx, [hook("pre_tool_call", **options)(broken)])
        outcomes.append(resolve_pre_tool_block("terminal", {"command": "ls"}) is not None)
        summary.dispose()
    return outcomes


def test_an_observer_that_fails_blocks_no_tool_when_it_says_so(on_host):
    assert on_host(guarding) == [True, False]


def rewritten():
    from hermes_cli.middleware import apply_tool_request_middleware

    _, ctx = plugin_of("probe")

    @middleware(MiddlewareKind.TOOL_REQUEST)
    def narrow(args):
        return {"args": {**args, "workspace": "/w"}, "source": "probe"}

    register_plugin(ctx, [narrow])
    result = apply_tool_request_middleware("terminal", {"command": "ls"}, session_id="", task_id="t")
    return [result.payload, result.trace]


def test_narrow_middleware_rewrites_a_request(on_host):
    assert on_host(rewritten) == [{"command": "ls", "workspace": "/w"}, [{"source": "probe"}]]


def executed():
    import logging

    from hermes_cli.middleware import run_tool_execution_middleware

    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logging.getLogger(__name__).addHandler(handler)
    _, ctx = plugin_of("probe")

    @middleware(MiddlewareKind.TOOL_EXECUTION)
    def passing(args, next_call, **payload):
        return next_call(args)

    summary = register_plugin(ctx, [passing])
    error = KeyError("private")

    def fails(args):
        raise error

    try:
        run_tool_execution_middleware("terminal", {}, fails)
    except KeyError as caught:
        same = caught is error
    ok = run_tool_execution_middleware("terminal", {"a": 1}, lambda args: args["a"])
    summary.dispose()
    register_plugin(ctx, [middleware(MiddlewareKind.TOOL_EXECUTION)(lambda args, next_call, **payload: None)])
    lost = run_tool_execution_middleware("terminal", {}, lambda args: "result")
    return [same, ok, lost, [line for line in lines if "raised" in line or "None" in line]]


def test_execution_middleware_keeps_failures_as_they_are_and_tells_a_lost_result(on_host):
    same, ok, lost, lines = on_host(executed)
    assert (same, ok, lost) == (True, 1, None)
    assert "error_type=KeyError" in lines[0]
    assert lines[1] == "tool_execution middleware: returned None, which takes the place of the result"


def picked():
    from hermes_cli.commands_platforms import telegram_menu_commands

    manager, ctx = plugin_of("probe")
    hints = {
        "probe-may": {"args_hint": "[scope]"},
        "probe-must": {"args_hint": "<scope>"},
        "probe-pick": {"argument_mode": "options"},
    }
    declared = [command(name, "Probe.", **options)(lambda raw: raw) for name, options in hints.items()]
    register_plugin(ctx, declared)
    menu = [name for name, _ in telegram_menu_commands()[0]]
    modes = {name: manager._plugin_commands[name]["argument_mode"] for name in hints}
    return [[name for name in ("probe_may", "probe_must") if name in menu], modes]


def test_a_hint_decides_over_telegrams_menu_and_a_mode_reaches_the_pickers(on_host):
    assert on_host(picked) == [
        ["probe_may"],
        {"probe-may": "text", "probe-must": "text", "probe-pick": "options"},
    ]


def typed_command():
    from hermes_cli.plugins import get_plugin_command_handler, resolve_plugin_command_result

    _, ctx = plugin_of("probe")

    @command("probe-later")
    async def later(raw_args):
        """Do it later."""
        return f"<{raw_args}>"

    register_plugin(ctx, [later])
    return resolve_plugin_command_result(get_plugin_command_handler("probe-later")(" a  b "))


def test_an_async_slash_command_is_answered(on_host):
    assert on_host(typed_command) == "< a  b >"
