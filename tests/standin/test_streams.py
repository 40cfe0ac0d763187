"""Stream hooks: threads of their own, slow consumers lose the oldest."""

import threading

from kata.clock import ManualClock
from kata.standin.hooks import HookBus
from kata.standin.streams import CAPACITY, Streams


def test_each_consumer_has_a_thread_of_its_own():
    bus = HookBus(ManualClock(), lambda: 30.0)
    streams = Streams(bus)
    seen = []
    bus.add("on_stream_delta", lambda delta, **_: seen.append((delta, threading.current_thread().name)))
    streams.fire("on_stream_delta", delta="a")
    streams.settle()
    assert seen == [("a", "plugin-stream-hook:on_stream_delta")]


def test_a_slow_consumer_loses_the_oldest_and_holds_up_nobody():
    bus = HookBus(ManualClock(), lambda: 30.0)
    streams = Streams(bus)
    seen, release = [], threading.Event()

    def slow(delta, **_):
        release.wait(30)
        seen.append(delta)

    bus.add("on_stream_delta", slow)
    for number in range(CAPACITY + 10):
        streams.fire("on_stream_delta", delta=number)
    release.set()
    streams.settle()
    assert seen[-1] == CAPACITY + 9
    assert len(seen) < CAPACITY + 10
