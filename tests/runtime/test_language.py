"""Chat and shell speak the language that Hermes speaks, or the one that is set."""

import re

import pytest

from kata import register
from kata.standin import StandIn, call, say
from kata.standin.modules import installed
from kata.surfaces import fences

CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def speaking(tmp_path, monkeypatch):
    """Return a maker of stand-ins with Kata, which speak as a configuration says."""
    monkeypatch.setattr(fences, "agent_mark", lambda *_: None)
    monkeypatch.delenv("HERMES_LANGUAGE", raising=False)
    made = []

    def make(display=None, **settings):
        own = {"plugins": {"entries": {"kata": {"settings": settings}}}}
        config = own | ({"display": {"language": display}} if display else {})
        host = StandIn(tmp_path, config=config)
        scope = installed(host)
        scope.__enter__()
        made.append((host, scope))
        host.load(register)
        return host

    yield make
    for host, scope in made:
        host.unload()
        scope.__exit__(None, None, None)


def test_without_a_wish_it_is_english(speaking):
    assert not CHINESE.search(speaking().slash("/kata status"))


def test_it_is_the_language_that_hermes_speaks(speaking):
    assert CHINESE.search(speaking("zh-CN").slash("/kata status"))


def test_the_environment_goes_before_the_configuration(speaking, monkeypatch):
    monkeypatch.setenv("HERMES_LANGUAGE", "zh")
    assert CHINESE.search(speaking("en").slash("/kata status"))


def test_a_setting_of_its_own_goes_before_both(speaking, monkeypatch):
    monkeypatch.setenv("HERMES_LANGUAGE", "zh")
    assert not CHINESE.search(speaking("zh", language="en").slash("/kata status"))


def test_a_shell_speaks_it_too(speaking):
    assert CHINESE.search(speaking("zh").cli(["kata", "status"]).out)


def test_an_attempt_to_decide_is_refused_in_that_language(speaking):
    host = speaking("zh")
    chat = host.conversation()
    chat.turn("do", [call("terminal", command="hermes kata approve 1 as mine"), say("done")])
    assert "批准必须由人做出" in str(chat.session.messages)


def test_a_language_that_is_not_there_is_english(speaking):
    assert not CHINESE.search(speaking("eo").slash("/kata status"))
