"""Fixtures of the stand-in's tests."""

import pytest

from kata.clock import ManualClock
from kata.standin import StandIn

from .support import Recorder


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def host(tmp_path, clock):
    return StandIn(tmp_path, clock=clock, config={"tools": {"tool_search": {"enabled": False}}})


@pytest.fixture
def recorder(host):
    recorder = Recorder()
    host.load(recorder.register, "recorder")
    return recorder
