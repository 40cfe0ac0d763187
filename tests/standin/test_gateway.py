"""The gateway: its hooks, its commands, who may talk, and the order of sessions."""

import pytest

from kata.standin import Gateway, GatewayHooks, MessageEvent, Source, call, say

CHAT = Source("telegram", "42", user_id="7")


def message(text, source=CHAT, **options):
    return MessageEvent(text, source, **options)


@pytest.fixture
def heard(host):
    """Write every gateway event down, with the keys of its context."""
    folder = host.home / "hooks" / "all"
    folder.mkdir(parents=True)
    events = ["gateway:startup", "session:*", "agent:*", "command:*"]
    lines = "\n".join(f"  - {event}" for event in events)
    (folder / "HOOK.yaml").write_text(f"name: all\ndescription: Hear all\nevents:\n{lines}\n")
    (folder / "handler.py").write_text(
        "HEARD = []\nasync def handle(event_type, context):\n    HEARD.append((event_type, dict(context)))\n"
    )

    def read():
        import sys

        return sys.modules["hermes_hook_all"].HEARD

    return read


@pytest.fixture
def gateway(host, heard):
    gateway = Gateway(host)
    gateway.start()
    return gateway


def test_a_turn_tells_its_beginning_each_step_and_its_end(gateway, heard):
    gateway.receive(message("hello"), [call("todo_list"), say("done")])
    assert [event for event, _context in heard()] == [
        "gateway:startup",
        "session:start",
        "agent:start",
        "agent:step",
        "agent:step",
        "agent:end",
    ]
    told = dict(heard())
    assert told["gateway:startup"] == {"platforms": ["telegram"]}
    assert told["session:start"].keys() == {"platform", "user_id", "session_id", "session_key"}
    assert told["agent:start"]["message"] == "hello"
    assert told["agent:step"]["iteration"] == 2
    assert told["agent:step"]["tool_names"] == ["todo_list"]
    assert told["agent:end"]["response"] == "done"
    assert gateway.adapters["telegram"].sent == [("42", "done")]


def test_a_second_message_goes_on_with_the_session(gateway, heard):
    gateway.receive(message("one"), [say("1")])
    gateway.receive(message("two"), [say("2")])
    assert [event for event, _context in heard()].count("session:start") == 1


def test_new_ends_the_old_session_before_the_new_one_starts(gateway, host, heard, recorder):
    gateway.receive(message("one"), [say("1")])
    old = gateway.chat(CHAT).session_id
    gateway.receive(message("/new"))
    gateway.receive(message("two"), [say("2")])
    new = gateway.chat(CHAT).session_id
    hooks = [
        (each.hook, each.keywords["session_id"])
        for each in recorder.fired
        if each.hook in {"on_session_finalize", "on_session_reset", "on_session_start"}
    ]
    assert hooks == [
        ("on_session_start", old),
        ("on_session_finalize", old),
        ("on_session_reset", new),
        ("on_session_start", new),
    ]
    assert recorder.of("on_session_reset")[0]["old_session_id"] == old
    events = [event for event, _context in heard()]
    assert events[events.index("command:new") :] == [
        "command:new",
        "session:end",
        "session:reset",
        "session:start",
        "agent:start",
        "agent:step",
        "agent:end",
    ]


def test_a_command_of_a_plugin_is_answered_in_the_chat(gateway, host, heard, recorder):
    host.load(lambda ctx: ctx.register_command("kata", lambda raw: f"heard {raw}"), "kata")
    assert gateway.receive(message("/kata list all")) == "heard list all"
    [(event, context)] = heard()[1:]
    assert event == "command:kata"
    assert (context["command"], context["args"]) == ("kata", "list all")
    assert recorder.of("pre_command")[0]["surface"] == "gateway"


@pytest.mark.parametrize(
    ("decision", "answer"),
    [
        ("{'decision': 'deny', 'message': 'no'}", "no"),
        ("{'decision': 'handled'}", None),
        ("{'decision': 'rewrite', 'command_name': '/kata', 'raw_args': 'other'}", "heard other"),
        ("'noise'", "heard list"),
    ],
)
def test_a_gateway_hook_may_decide_about_a_command(host, decision, answer):
    folder = host.home / "hooks" / "policy"
    folder.mkdir(parents=True)
    (folder / "HOOK.yaml").write_text("events: ['command:kata']")
    (folder / "handler.py").write_text(f"def handle(event_type, context):\n    return {decision}\n")
    host.load(lambda ctx: ctx.register_command("kata", lambda raw: f"heard {raw}"), "kata")
    gateway = Gateway(host)
    gateway.start()
    assert gateway.receive(message("/kata list")) == answer


def dispatching(*answers):
    def register(ctx):
        for answer in answers:
            ctx.register_hook("pre_gateway_dispatch", lambda answer=answer, **_: answer)

    return register


def test_a_skipped_message_gets_no_answer(gateway, host, recorder):
    host.load(dispatching({"action": "skip", "reason": "quiet"}), "own")
    assert gateway.receive(message("hello")) is None
    assert "pre_llm_call" not in recorder.names()


def test_a_rewritten_message_goes_on_as_rewritten(gateway, host, recorder):
    host.load(dispatching(None, "noise", {"action": "rewrite", "text": "other"}, {"action": "skip"}), "own")
    assert gateway.receive(message("hello"), [say("so")]) == "so"
    assert recorder.of("pre_llm_call")[0]["user_message"] == "other"


def test_the_first_recognised_answer_wins(gateway, host):
    host.load(dispatching({"action": "allow"}, {"action": "skip"}), "own")
    assert gateway.receive(message("hello"), [say("so")]) == "so"


def test_internal_messages_pass_every_filter(gateway, host):
    host.load(dispatching({"action": "skip"}), "own")
    assert gateway.receive(message("process ended", internal=True), [say("so")]) == "so"


def test_a_plugin_that_raises_stops_no_message(gateway, host):
    host.load(lambda ctx: ctx.register_hook("pre_gateway_dispatch", lambda **_: 1 / 0), "own")
    assert gateway.receive(message("hello"), [say("so")]) == "so"


def test_strangers_get_a_pairing_code_in_direct_chats_and_nothing_in_groups(host):
    gateway = Gateway(host, ["telegram"], allowed=["7"])
    assert gateway.receive(message("hello"), [say("so")]) == "so"
    assert "Pairing code" in gateway.receive(message("hello", Source("telegram", "43", user_id="8")))
    assert gateway.receive(message("hello", Source("telegram", "44", user_id="8", chat_type="group"))) is None


def test_a_plugin_may_take_an_admitted_message_over(gateway, host):
    answer = {"action": "handled", "reply": "the owner will write to you"}
    host.load(lambda ctx: ctx.register_hook("post_gateway_admission", lambda **_: answer), "own")
    assert gateway.receive(message("hello")) == "the owner will write to you"


def test_questions_in_a_chat_are_asked_there(gateway, host, recorder):
    ask = {"action": "approve", "message": "sure?"}
    host.load(lambda ctx: ctx.register_hook("pre_tool_call", lambda **_: ask), "own")
    host.person.will_answer("once")
    gateway.receive(message("hello"), [call("terminal", command="true"), say("so")])
    assert recorder.of("pre_approval_request")[0]["surface"] == "gateway"
    assert recorder.of("on_human_input_request")[0]["platform"] == "telegram"


# -- the hook folders --


def folder_of(tmp_path, name, manifest, handler):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "HOOK.yaml").write_text(manifest)
    (folder / "handler.py").write_text(handler)


def test_broken_folders_are_left_out_and_the_rest_is_loaded(tmp_path, caplog):
    good = "def handle(event_type, context):\n    return context['x']\n"
    folder_of(tmp_path, "a-no-events", "name: a", good)
    folder_of(tmp_path, "b-no-handle", "events: [x]", "def other(): pass\n")
    folder_of(tmp_path, "c-broken", "events: [x]", "raise ValueError('oops')\n")
    folder_of(tmp_path, "d-good", "events: [x]", good)
    (tmp_path / "e-empty").mkdir()
    hooks = GatewayHooks(tmp_path)
    hooks.discover_and_load()
    assert [hook.name for hook in hooks.loaded] == ["d-good"]
    assert hooks.emit("x", {"x": 1}) == [1]
    assert caplog.text.count("left out") == 3


def test_exact_handlers_come_before_wildcards_and_errors_are_contained(tmp_path, caplog):
    folder_of(tmp_path, "a", "events: ['command:*']", "def handle(event, context):\n    return 'wildcard'\n")
    folder_of(
        tmp_path, "b", "events: ['command:model']", "async def handle(event, context):\n    return 'exact'\n"
    )
    folder_of(
        tmp_path,
        "c",
        "events: ['command:model']",
        "def handle(event, context):\n    raise ValueError('oops')\n",
    )
    hooks = GatewayHooks(tmp_path)
    hooks.discover_and_load()
    assert hooks.emit("command:model", {}) == ["exact", "wildcard"]
    assert hooks.emit("command", {}) == []
    assert "oops" in caplog.text


def test_no_folder_is_no_hooks(tmp_path):
    hooks = GatewayHooks(tmp_path / "nowhere")
    hooks.discover_and_load()
    assert hooks.loaded == []


def test_a_plugin_may_write_to_a_chat_and_take_a_message_in_silently(gateway):
    import asyncio

    asyncio.run(gateway.adapters["telegram"].send("42", "the owner was told"))
    gateway.session_store.append_to_transcript("s", {"role": "user", "content": "hello"})
    assert gateway.adapters["telegram"].sent == [("42", "the owner was told")]
    assert gateway.session_store.transcripts == {"s": [{"role": "user", "content": "hello"}]}
