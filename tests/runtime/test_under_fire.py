"""The hook thread under fire: many threads, odd payloads, a locked database, a host that takes no tool."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from kata.clock import SystemClock, SystemIds
from kata.events import catalogue as told
from kata.redact import Keeper
from kata.runtime.gate import Gate
from kata.runtime.observer import Observer
from kata.runtime.registry import Registry
from kata.runtime.waits import Waits
from kata.standin import call, say
from kata.store import open_store
from kata.store.pool import Pool


@pytest.fixture
def store(tmp_path):
    made = open_store(tmp_path)
    yield made
    made.close()


@pytest.fixture
def observer(store):
    return Observer(
        store.spool, Keeper(b"k" * 32), SystemClock(), SystemIds(), recording=lambda: True, wake=lambda: None
    )


def recorded(store):
    store.drain(seconds=60)
    return [event.payload for event in store.log.read(types=("tool.returned",))]


def a_call(number):
    return {
        "tool_name": "read_file",
        "args": {"path": f"{number}.txt"},
        "result": '{"content": "x"}',
        "session_id": "s",
        "turn_id": "t",
        "tool_call_id": f"c{number}",
        "status": "ok",
    }


def test_hooks_on_eight_threads_at_once_are_eight_events(observer, store):
    """Case B008: the host calls each hook on whatever thread it has."""
    start = threading.Barrier(8)

    def hook(number):
        start.wait()
        observer.post_tool_call(**a_call(number))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hook, range(8)))
    assert sorted(one.call_id for one in recorded(store)) == [f"c{number}" for number in range(8)]


def test_a_payload_of_another_host_is_kept_with_what_is_missing_left_empty(observer, store):
    """Case B011: unknown fields, missing ids, a result that is no text."""
    observer.post_tool_call(
        tool_name="x",
        args=None,
        result={"ok": True},
        telemetry_schema_version="hermes.observer.v9",
        new=object(),
    )
    [one] = recorded(store)
    assert (one.tool, one.args, one.result, one.session_id, one.duration_ms) == (
        "x",
        {},
        {"ok": True},
        "",
        None,
    )


@pytest.mark.parametrize(
    "junk", [{}, {"tool_name": 7}, {"tool_name": "x", "args": object()}, {"result": "\ud800"}]
)
def test_no_payload_makes_a_hook_raise(observer, store, junk):
    for hook in (
        observer.post_tool_call,
        observer.pre_llm_call,
        observer.post_api_request,
        observer.subagent_start,
    ):
        hook(**junk)
    store.drain(seconds=60)
    assert store.verify()


def test_what_cannot_be_decoded_is_counted_and_raises_nothing(observer, store):
    observer.observe(lambda _: 1 / 0, {})
    assert store.spool.lost == {"not_decoded": 1}


def test_no_hook_touches_the_database_even_where_another_process_holds_it(host, monkeypatch):
    """Case B009: a late hook would block every tool of the agent."""
    host.slash("/kata status")
    touched = []
    lend = Pool.lend

    def watched(pool):
        touched.append(threading.current_thread().name)
        return lend(pool)

    chat = host.conversation()
    other = sqlite3.connect(host.data_dir("kata") / "data.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(Pool, "lend", watched)
    answered = chat.turn("please", [call("terminal", command="echo hi"), say("done")])
    monkeypatch.undo()
    other.execute("ROLLBACK")
    other.close()
    assert answered.answer == "done"
    assert [name for name in touched if not name.startswith("kata-worker")] == []


def test_the_gate_answers_from_memory_and_lets_what_is_not_katas_pass():
    gate = Gate(Waits(), fresh=lambda: "f", refused=lambda *_: None)
    assert gate.pre_tool_call(tool_name="read_file", args={"path": "x"}) is None
    assert gate.pre_tool_call(tool_name="read_file", args=None) is None
    assert gate.pre_tool_call() is None


def test_a_gate_that_fails_blocks_katas_and_nothing_else():
    def broken(_):
        raise RuntimeError

    gate = Gate(Waits(), fresh=lambda: "f", refused=lambda *_: None, resuming=broken)
    assert gate.pre_tool_call(tool_name="kata_resume", args={})["action"] == "block"
    assert gate.pre_tool_call(tool_name="read_file", args={"path": "x"}) is None


def test_an_active_kata_that_the_host_does_not_take_is_told_once_and_stays_active(lab_of_one):
    """Case B057: what is registered follows from the state, never the other way round."""
    lab, offer = lab_of_one
    failures = []
    registry = Registry(Refuses(), lambda one, why: failures.append((one.name, why)))
    registry.align([offer])
    registry.align([offer])
    assert [name for name, _ in failures] == ["settle_bug"]
    assert registry.offered == ()
    assert lab.state(1) == "active"


class Refuses:
    """A host that takes no tool."""

    def register_tool(self, *_, **__):
        raise ValueError("name exists")


@pytest.fixture
def lab_of_one(tmp_path):
    from kata.runtime.registry import Offer
    from tests.service.lab import Lab

    lab = Lab(tmp_path / "kata")
    lab.approved("settle_bug")
    [one] = lab.service.registered()
    schema = {
        "name": "kata_settle_bug",
        "description": "Settle a bug",
        "parameters": {"type": "object", "properties": {}},
    }
    yield lab, Offer(registered=one, schema=schema, handler=lambda args, **_: "{}")
    lab.close()


def test_the_late_answer_of_an_abandoned_hook_keeps_its_own_time(observer, store):
    observer.post_tool_call(**a_call(1))
    before = store.drain(seconds=60).count
    observer.post_tool_call(**a_call(2))
    assert (before, store.drain(seconds=60).count) == (1, 1)
    first, second = store.log.read(types=("tool.returned",))
    assert first.occurred_at <= second.occurred_at <= second.recorded_at
    assert isinstance(second.payload, told.ToolReturned)
