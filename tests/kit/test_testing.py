import logging

import pytest

from kata.kit import RegistrationSummary, command, hook, middleware, plugin_skill, register_plugin, tool
from kata.kit.testing import RecordingContext, undeclared

pytestmark = pytest.mark.usefixtures("no_hermes")


@tool(toolset="clock")
async def clock_add(hours: int, *, session_id: str = ""):
    """Add hours."""
    return {"sum": hours + 1, "session": session_id}


@hook("on_session_start")
async def began(session_id, **payload):
    return session_id


@command("clock", args_hint="[zone]")
async def clock(raw_args):
    """Tell the time."""
    return f"noon {raw_args}"


@command("clock", type="cli", setup_fn=lambda parser: parser.add_argument("--zone", default="utc"))
def clock_cli(args):
    """Tell the time."""
    return args.zone


@pytest.fixture
def ctx():
    made = RecordingContext("clock")
    register_plugin(made, [clock_add, began, clock, clock_cli])
    return made


def test_what_is_registered_can_be_used_as_the_host_would(ctx):
    assert ctx.call_tool("clock_add", {"hours": "2"}, session_id="s", task_id="t")["data"] == {
        "sum": 3,
        "session": "s",
    }
    assert ctx.fire("on_session_start", session_id="s", model="m") == ["s"]
    assert ctx.fire("on_session_end") == []
    assert ctx.run_command("clock", "utc") == "noon utc"
    assert ctx.run_cli("clock", "--zone", "cet") == "cet"


def test_registrations_are_kept_by_name(ctx):
    assert ctx.names("tool") == ("clock_add",)
    assert ctx.registered("tool:clock_add")["is_async"] is True
    assert [call.key for call in ctx.calls] == [
        "command:clock",
        "cli_command:clock",
        "tool:clock_add",
        "hook:on_session_start",
    ]
    with pytest.raises(KeyError, match="tool:other"):
        ctx.registered("tool:other")


def test_a_call_that_hermes_would_not_take_fails():
    made = RecordingContext()
    with pytest.raises(TypeError, match="nickname"):
        made.register_tool(name="x", toolset="x", schema={}, handler=print, nickname="y")
    with pytest.raises(AttributeError):
        made.register_moon("x")


def test_other_registrars_are_recorded_too(tmp_path):
    path = tmp_path / "SKILL.md"
    path.touch()
    made = RecordingContext()
    register_plugin(
        made, [middleware("tool_request")(lambda **payload: None)], [plugin_skill("a", path, "A.")]
    )
    assert [call.key for call in made.live] == ["middleware:tool_request", "skill:a"]


def test_settings_are_read_by_key():
    made = RecordingContext(settings={"limit": 3})
    assert (made.get_config("limit"), made.get_config("other", 5)) == (3, 5)


def test_an_unload_disposes_in_reverse(ctx):
    order = []
    ctx.on_unload(lambda: order.append("first"))
    ctx.on_unload(lambda: order.append("last"))
    ctx.unload()
    ctx.unload()
    assert order[:2] == ["last", "first"]
    assert ctx.disposed == ["hook:on_session_start", "tool:clock_add", "cli_command:clock", "command:clock"]
    assert ctx.live == []


def test_a_handle_is_disposed_of_once():
    made = RecordingContext()
    handle = made.register_hook("on_session_start", print)
    assert handle.active
    handle.dispose()
    handle.dispose()
    assert not handle.active
    assert made.disposed == ["hook:on_session_start"]


def test_what_a_manifest_does_not_declare_is_named(caplog):
    caplog.set_level(logging.CRITICAL)
    summary = RegistrationSummary(tools=("a", "b"), hooks=("h",), middlewares=("tool_request",))
    manifest = {
        "provides_tools": ["b"],
        "provides_hooks": ["h", "g"],
        "provides_middleware": ["tool_request"],
    }
    assert undeclared(summary, manifest) == (
        "provides_tools lacks a",
        "provides_hooks names g, which is not registered",
    )
    assert undeclared(summary, {})[0] == "provides_tools lacks a"
