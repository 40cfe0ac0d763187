"""What else a plugin finds on its context."""

import asyncio

import pytest

from kata.standin import StandIn


@pytest.fixture
def ctx(host):
    return host.load(lambda ctx: None, "own")


def test_settings_are_read_live_and_written_to_the_configuration(host, ctx):
    assert ctx.get_config("min_support", 3) == 3
    host.settings.set("plugins.entries.own.config.min_support", 4)
    assert ctx.get_config("min_support", 3) == 4
    ctx.set_config("min_support", 5)
    ctx.set_config("retry.policy", "slow")
    assert ctx.get_config("min_support") == 5
    assert host.settings.get("plugins.entries.own.settings.retry.policy") == "slow"


@pytest.mark.parametrize("key", ["", "model.default", "plugins", "../x", "a..b", None])
def test_a_setting_outside_the_plugins_own_is_refused(ctx, key):
    with pytest.raises(ValueError, match="plugin-relative"):
        ctx.get_config(key)


def test_state_lasts(tmp_path):
    StandIn(tmp_path).load(lambda ctx: ctx.state.set("seen", [1]), "own")
    ctx = StandIn(tmp_path).load(lambda ctx: None, "own")
    assert ctx.state.get("seen") == [1]
    assert ctx.state.get("other", 7) == 7


@pytest.mark.parametrize(("key", "value"), [("../x", 1), ("", 1), ("x", {1, 2}), ("big", "x" * 11_000_000)])
def test_state_refuses_what_it_cannot_keep(ctx, key, value):
    with pytest.raises(ValueError, match=r"key|JSON|quota"):
        ctx.state.set(key, value)


def test_who_the_plugin_is(host, ctx):
    assert (ctx.plugin_id, ctx.profile_name, ctx.manifest.name) == ("own", "default", "own")
    assert ctx.has_plugin("own")
    assert not ctx.has_plugin("other")
    assert not ctx.has_capability("tools.override")
    host.settings.set("plugins.entries.own.granted_capabilities", ["gateway.platform_actions"])
    assert ctx.has_capability("gateway.platform_actions")


def test_dispatch_tool_fires_no_tool_hooks(host, ctx, recorder):
    assert '"output": "hi"' in ctx.dispatch_tool("terminal", {"command": "echo hi"}, task_id="t")
    assert recorder.names() == ["transform_terminal_output"]


def test_events_reach_subscribers_in_order_with_payloads_of_their_own(host, ctx):
    heard = []

    def first(words):
        words.append("changed")

    ctx.subscribe("own:said", first)
    ctx.subscribe("own:said", lambda words: heard.append(list(words)))
    ctx.subscribe("own:said", lambda **_: 1 / 0)
    assert ctx.emit("said", {"words": ["a"]}) == 3
    assert ctx.emit("unheard") == 0
    host.plugins.bus.settle()
    assert heard == [["a"]]


def test_events_of_a_subscriber_that_answers_itself_stop_somewhere(host, ctx):
    heard = []

    def echo():
        heard.append(1)
        ctx.emit("ping")

    ctx.subscribe("own:ping", echo)
    ctx.emit("ping")
    host.plugins.bus.settle()
    assert len(heard) == 8


@pytest.mark.parametrize("event", ["", "hermes:x", "other:x"])
def test_a_plugin_emits_bare_names_only(ctx, event):
    with pytest.raises(ValueError, match="bare event names"):
        ctx.emit(event)


def test_async_subscribers_are_awaited(host, ctx):
    heard = []

    async def listen(x):
        await asyncio.sleep(0)
        heard.append(x)

    ctx.subscribe("own:said", listen)
    ctx.emit("said", {"x": 1})
    host.plugins.bus.settle()
    assert heard == [1]


def test_a_task_needs_a_running_loop_and_ends_with_the_plugin(host, ctx):
    async def forever():
        await asyncio.Event().wait()

    async def main():
        task = ctx.spawn_task(forever())
        host.unload("own")
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert asyncio.run(main())


def test_skills_need_a_plain_name_and_a_file(ctx, tmp_path):
    skill = tmp_path / "SKILL.md"
    skill.write_text("# Skill")
    assert ctx.register_skill("greet", skill).key == "own:greet"
    with pytest.raises(ValueError, match="invalid skill name"):
        ctx.register_skill("own:greet", skill)
    with pytest.raises(FileNotFoundError):
        ctx.register_skill("other", tmp_path / "nowhere.md")


def test_prompt_sections_stand_in_the_system_prompt(host, ctx):
    ctx.register_system_prompt_section("own.rules", lambda info: " Be kind. ")
    ctx.register_system_prompt_section("own.broken", lambda info: 1 / 0)
    assert "## Plugin Context: own.rules\nBe kind." in host.conversation().system_prompt
    assert "own.broken" not in host.conversation().system_prompt
    with pytest.raises(ValueError, match=r"own\.rules"):
        ctx.register_system_prompt_section("own.rules", "again")


def test_messages_are_injected_into_the_running_turn_alone(host, ctx):
    assert not ctx.inject_message("hello")
    assert not ctx.inject_message("hello", session_key="other")
    assert host.injected == [("user", "hello")]


def test_middleware_rewrites_requests_and_wraps_calls(host, ctx, recorder):
    from kata.standin import call, say

    ctx.register_middleware("tool_request", lambda args, **_: {"args": {**args, "command": "echo rewritten"}})
    ctx.register_middleware("tool_request", lambda **_: 1 / 0)
    ctx.register_middleware("tool_execution", lambda args, next_call, **_: f"[{next_call(args)}]")
    turn = host.conversation().turn("go", [call("terminal", command="echo hi"), say("so")])
    assert "rewritten" in turn.results[0]
    assert turn.results[0].startswith("[{")
    assert recorder.of("pre_tool_call")[0]["args"] == {"command": "echo rewritten"}
    assert len(recorder.of("pre_tool_call")[0]["middleware_trace"]) == 1
