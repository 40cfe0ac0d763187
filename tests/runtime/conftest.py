import logging

import pytest

from kata import register
from kata.standin import StandIn
from kata.standin.modules import installed
from kata.surfaces import fences


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A stand-in Hermes with Kata loaded, and a person in front of it."""
    monkeypatch.setattr(fences, "agent_mark", lambda *_: None)
    made = StandIn(tmp_path, config={"tools": {"tool_search": {"enabled": "off"}}})
    with installed(made):
        made.load(register)
        yield made
        made.unload()
    logging.getLogger("kata").setLevel(logging.NOTSET)
