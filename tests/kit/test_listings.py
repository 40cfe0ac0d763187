"""Plugins written for the older kit work when their import line is changed (and only that)."""

import json
import logging
import sys
import types

import pytest

from kata.kit import spec_of
from kata.kit.testing import RecordingContext
from tests.kit.listings import load

pytestmark = pytest.mark.usefixtures("no_hermes")


@pytest.fixture
def listing(tmp_path, monkeypatch):
    def run(name, **given):
        module = load(name, tmp_path, **given)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return module

    yield run
    for name in [name for name in sys.modules if name.startswith("listing_")]:
        del sys.modules[name]


def test_the_thread_reader_reads_and_answers_in_the_old_words(listing):
    ctx = RecordingContext("discord")
    module = listing("thread_reader", read_thread=lambda thread, limit: [thread, limit])
    assert module.register(ctx).tools == ("discord_read_thread",)
    assert ctx.call_tool("discord_read_thread", {"thread_id_or_url": "1", "limit": 5})["data"] == {
        "messages": ["1", 5]
    }
    assert ctx.call_tool("discord_read_thread", {}) == {
        "success": False,
        "error": "thread_id_or_url is required (e.g. '123456789012345678')",
    }
    registered = ctx.registered("tool:discord_read_thread")
    assert registered["description"].endswith("Required: `thread_id_or_url` (e.g. '123456789012345678').")
    assert registered["requires_env"] == ["DISCORD_BOT_TOKEN"]


def test_the_legacy_schema_stays_as_it_is_and_its_handler_checks(listing):
    service = types.SimpleNamespace(write=lambda args: {"wrote": args})
    module = listing("legacy_schema", legacy_service=service)
    assert spec_of(module.workspace_write_entry).schema == module.LEGACY_WRITE_SCHEMA
    assert json.loads(module.workspace_write_entry({}))["data"] == {"wrote": {}}


def test_the_valdris_set_is_registered_and_works(listing):
    ctx = RecordingContext("temporal-awareness")
    latencies = []
    module = listing(
        "valdris",
        build_status=lambda raw: f"status {raw}",
        run_valdris_cli=lambda scope: 0 if scope == "all" else 1,
        normalize_workspace=lambda given: given or "/home",
        record_tool_latency=lambda name, seconds: latencies.append(name),
        build_context=sorted,
    )
    summary = module.register(ctx)
    assert (summary.commands, summary.cli_commands) == (("valdris-status",), ("valdris",))
    assert summary.middlewares == ("tool_execution", "tool_request")
    assert (summary.hooks, summary.skipped_optional_skills) == (("pre_llm_call",), ("temporal-awareness",))
    assert ctx.run_command("valdris-status", " x") == "status  x"
    assert (ctx.run_cli("valdris"), ctx.run_cli("valdris", "--scope", "one")) == (0, 1)
    assert ctx.fire("pre_llm_call", message="m") == [{"context": ["message"]}]
    request = ctx.registered("middleware:tool_request")["callback"]
    assert request(tool_name="x", args={"a": 1}) == {
        "args": {"a": 1, "workspace": "/home"},
        "source": "valdris",
    }
    execution = ctx.registered("middleware:tool_execution")["callback"]
    assert execution(tool_name="x", args={"a": 1}, next_call=lambda args: args["a"]) == 1
    assert latencies == ["x"]


def test_the_valdris_skill_is_registered_where_its_file_is(listing, tmp_path):
    (tmp_path / "SKILL.md").write_text("# Temporal awareness\n")
    ctx = RecordingContext("temporal-awareness")
    assert listing("valdris").register(ctx).skills == ("temporal-awareness",)


@pytest.mark.parametrize(("authored", "tools"), [(True, ("workspace_write_entry",)), (False, ())])
def test_the_gated_memory_sync_registers_what_is_active(listing, caplog, authored, tools):
    caplog.set_level(logging.INFO)
    ctx = RecordingContext("some-manifest", config={"authored": authored})
    assert listing("memory_sync", build_context=len).register(ctx).tools == tools
    (receipt,) = [record for record in caplog.records if record.levelname == "INFO"]
    assert receipt.name == "memory-sync"
    assert "; plugin=memory-sync;" in receipt.getMessage()


def test_the_voice_memo_is_delivered_to_the_conversation_at_hand(listing, fake_module, tmp_path):
    sent = []
    values = {"HERMES_SESSION_PLATFORM": "telegram", "HERMES_SESSION_CHAT_ID": "8670382527"}
    fake_module("gateway.session_context", get_session_env=lambda name, default="": values.get(name, default))
    fake_module(
        "tools.send_message_tool", send_message_tool=lambda args, **_: sent.append(args) or {"success": True}
    )
    fake_module("hermes_cli.plugins", resolve_pre_tool_block=lambda *args, **ids: None)
    (tmp_path / "memo.ogg").write_bytes(b"OggS")
    module = listing("voice_memo")
    ctx = RecordingContext("voice")
    module.register(ctx)
    result = module.deliver_voice_memo(str(tmp_path / "memo.ogg"), session_id="s")
    assert (result.success, result.requested_target) == (True, "origin")
    assert sent[0]["message"] == f"[[audio_as_voice]]\nMEDIA:{tmp_path / 'memo.ogg'}"
    assert ctx.fire("transform_llm_output", response_text="done", session_id="s") == ["NO_REPLY"]
    assert ctx.fire("on_session_end", session_id="s", completed=True) == []
