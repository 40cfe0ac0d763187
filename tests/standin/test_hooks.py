"""The hook bus: order, isolation, threads, time limits."""

import asyncio
import contextvars
import threading

import pytest

from kata.clock import ManualClock
from kata.standin.hooks import SUPPRESSED_SECONDS, TIMED_OUT, HookBus

COLOUR = contextvars.ContextVar("colour", default="none")


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def bus(clock):
    return HookBus(clock, lambda: 0.2)


def test_callbacks_run_in_order_of_registration_and_none_is_left_out(bus):
    bus.add("post_llm_call", lambda **_: 1)
    bus.add("post_llm_call", lambda **_: None)
    bus.add("post_llm_call", lambda **_: 3)
    assert bus.fire("post_llm_call") == [1, 3]


def test_a_callback_that_raises_does_not_disturb_the_others(bus, caplog):
    def broken(**_):
        raise ValueError("oops")

    bus.add("post_tool_call", broken)
    bus.add("post_tool_call", lambda **_: "fine")
    assert bus.fire("post_tool_call") == ["fine"]
    assert bus.fire("post_tool_call") == ["fine"]
    assert caplog.text.count("oops") == 1


def test_sys_exit_in_a_callback_is_contained(bus):
    def leave(**_):
        raise SystemExit(1)

    bus.add("on_session_finalize", leave)
    assert bus.fire("on_session_finalize") == []


def test_pre_tool_call_that_raises_blocks(bus):
    def guard(**_):
        raise RuntimeError("no key")

    bus.add("pre_tool_call", guard)
    [answer] = bus.fire("pre_tool_call", tool_call_id="1")
    assert answer["action"] == "block"
    assert "guard raised RuntimeError: no key" in answer["message"]


def test_keywords_are_narrowed_to_what_a_callback_takes(bus):
    seen = []

    def narrow(tool_name):
        seen.append(tool_name)

    bus.add("post_tool_call", narrow)
    bus.fire("post_tool_call", tool_name="terminal", args={})
    assert seen == ["terminal"]


def test_every_firing_carries_the_schema_version_but_platform_events(bus):
    seen = []
    bus.add("on_session_start", lambda **keywords: seen.append(keywords))
    bus.add("gateway_platform_event", lambda **keywords: seen.append(keywords))
    bus.fire("on_session_start")
    bus.fire("gateway_platform_event")
    assert seen == [{"telemetry_schema_version": "hermes.observer.v1"}, {}]


def test_bounded_hooks_run_on_a_throw_away_daemon_thread_with_the_callers_context(bus):
    seen = []

    def listen(**_):
        thread = threading.current_thread()
        seen.append((thread.name, thread.daemon, COLOUR.get()))

    bus.add("post_tool_call", listen)
    bus.add("on_session_finalize", listen)
    COLOUR.set("red")
    bus.fire("post_tool_call")
    bus.fire("on_session_finalize")
    assert seen == [
        ("hermes-hook-listen", True, "red"),
        (threading.current_thread().name, threading.current_thread().daemon, "red"),
    ]


def test_async_callbacks_run_to_their_end(bus):
    async def listen(**_):
        await asyncio.sleep(0)
        return "done"

    bus.add("on_session_finalize", listen)
    bus.add("post_llm_call", listen)
    assert bus.fire("on_session_finalize") == ["done"]
    assert bus.fire("post_llm_call") == ["done"]


def _hanging(bus, hook):
    release = threading.Event()
    bus.add(hook, lambda **_: release.wait(30) and "late")
    return release


def test_a_hanging_observer_is_skipped_and_left_alone_for_a_minute(bus, clock):
    release = _hanging(bus, "post_tool_call")
    assert bus.fire("post_tool_call", tool_call_id="1") == []
    release.set()
    assert bus.fire("post_tool_call", tool_call_id="2") == []
    clock.advance(seconds=SUPPRESSED_SECONDS)
    assert bus.fire("post_tool_call", tool_call_id="3") == ["late"]


def test_a_hanging_guard_blocks_every_call_for_a_minute(bus, clock):
    release = _hanging(bus, "pre_tool_call")
    blocked = [{"action": "block", "message": TIMED_OUT}]
    assert bus.fire("pre_tool_call", tool_call_id="1") == blocked
    release.set()
    assert bus.fire("pre_tool_call", tool_call_id="2") == blocked
    clock.advance(seconds=SUPPRESSED_SECONDS)
    assert bus.fire("pre_tool_call", tool_call_id="3") == ["late"]


def test_three_hanging_workers_of_one_callback_are_enough(bus, clock):
    release = _hanging(bus, "post_tool_call")
    for number in range(3):
        assert bus.fire("post_tool_call", tool_call_id=str(number)) == []
        clock.advance(seconds=SUPPRESSED_SECONDS)
    before = threading.active_count()
    assert bus.fire("post_tool_call", tool_call_id="4") == []
    assert threading.active_count() == before
    release.set()


def test_the_same_call_is_not_told_twice_at_once_but_another_is(bus):
    inside, release, told = threading.Event(), threading.Event(), []

    def listen(tool_call_id, **_):
        told.append(tool_call_id)
        if len(told) == 1:
            inside.set()
            release.wait(30)

    slow = HookBus(ManualClock(), lambda: 30.0)
    slow.add("post_tool_call", listen)
    thread = threading.Thread(target=slow.fire, args=("post_tool_call",), kwargs={"tool_call_id": "a"})
    thread.start()
    inside.wait(30)
    slow.fire("post_tool_call", tool_call_id="a")
    slow.fire("post_tool_call", tool_call_id="b")
    release.set()
    thread.join()
    assert told == ["a", "b"]


def test_no_limit_runs_callbacks_on_the_callers_thread():
    bus = HookBus(ManualClock(), lambda: 0.0)
    seen = []
    bus.add("post_tool_call", lambda **_: seen.append(threading.current_thread()))
    bus.fire("post_tool_call")
    assert seen == [threading.current_thread()]


def test_a_removed_callback_is_gone(bus):
    remove = bus.add("post_llm_call", lambda **_: 1)
    assert bus.has("post_llm_call")
    remove()
    remove()
    assert not bus.has("post_llm_call")
    assert bus.fire("post_llm_call") == []
