"""The stand-in host does what the real Hermes does: the same conversations on both, compared."""

import re

import attrs
import pytest

from tests.hermes.differential import scenarios
from tests.hermes.differential.compare import Differs, differences
from tests.hermes.differential.hosts import Real, on_real_single, on_stand_in
from tests.hermes.support import ScriptedModel

DIRECT = {"tools": {"tool_search": {"enabled": "off"}}, "approvals": {"mode": "manual"}}
SEARCHING = {"tools": {"tool_search": {"enabled": "auto"}}, "approvals": {"mode": "manual"}}


@attrs.frozen
class Known:
    """One difference that is meant to be: a pattern for where, and why. ``sometimes``: it is a race."""

    where: str
    why: str
    scenario: str = ".*"
    sometimes: bool = False


RESULTS = r"(post_tool_call|transform_tool_result)\.result|sent"
KNOWN = (
    Known(
        r".*\.session_key",
        "The chat and the gateway bind a session key; an agent driven from Python has none, the stand-in always does.",
    ),
    Known(
        r"answers|post_llm_call\.assistant_response",
        "What the host itself says to the person is worded anew, or left out.",
        "a refused request|stop during a request|arguments that never are JSON|out of requests|"
        "a file overwritten unread",
    ),
    Known("sent", "The request for a summary is worded anew.", "out of requests"),
    Known(RESULTS, "What a sub-agent's run cost, and where its transcript lies, is left out.", "a sub-agent"),
    Known(
        "sent",
        "The host's hints to a model that goes in circles are left out.",
        "the same search again and again|the same read after another tool",
    ),
    Known(
        rf"{RESULTS}|transform_terminal_output\.output",
        "There is no shell that names itself and its line, and no hint where a program may be found.",
        "a command that is not there",
    ),
    Known(
        r"on_stream_end\.(final_text|finished|error type)|streams",
        "How much of the stream was there when the person pressed stop is chance.",
        "stop during a request",
        sometimes=True,
    ),
)
RAN: set[str] = set()
MET: set[Known] = set()


def assert_alike(scenario, mine, theirs):
    RAN.add(scenario.name)
    found = differences(mine, theirs, together=scenario.together)
    fresh = [each for each in found if not _known(scenario.name, each)]
    lines = (f"{each.where}\n  stand-in: {each.stand_in}\n  real:     {each.real}" for each in fresh)
    assert not fresh, "\n".join(lines)


def _known(name: str, each: Differs) -> bool:
    met = {known for known in KNOWN if _covers(known, name, each)}
    MET.update(met)
    return bool(met)


def _covers(known: Known, name: str, each: Differs) -> bool:
    return bool(re.fullmatch(known.where, each.where) and re.fullmatch(known.scenario, name))


def _real(config, tmp_path_factory):
    with ScriptedModel() as model:
        real = Real(model, tmp_path_factory.mktemp("real"), config)
        try:
            yield real
        finally:
            real.close()


@pytest.fixture(scope="module")
def direct(tmp_path_factory):
    yield from _real(DIRECT, tmp_path_factory)


@pytest.fixture(scope="module")
def searching(tmp_path_factory):
    yield from _real(SEARCHING, tmp_path_factory)


def _name(scenario):
    return scenario.name


@pytest.mark.parametrize("scenario", scenarios.DIRECT, ids=_name)
def test_a_chat_tells_plugins_the_same(scenario, direct, tmp_path):
    mine = on_stand_in(scenario, tmp_path, DIRECT)
    assert_alike(scenario, mine, direct.run(scenario))


@pytest.mark.parametrize("scenario", scenarios.SEARCHING, ids=_name)
def test_tool_search_tells_plugins_the_same(scenario, searching, tmp_path):
    mine = on_stand_in(scenario, tmp_path, SEARCHING)
    assert_alike(scenario, mine, searching.run(scenario))


@pytest.mark.parametrize("scenario", scenarios.SINGLE, ids=_name)
def test_a_single_query_tells_plugins_the_same(scenario, model, tmp_path):
    mine = on_stand_in(scenario, tmp_path / "stand-in", DIRECT, single=True)
    real = on_real_single(scenario, model, tmp_path / "real", DIRECT)
    assert_alike(scenario, mine, real)


def test_every_known_difference_is_still_there():
    names = [
        each.name for table in (scenarios.DIRECT, scenarios.SEARCHING, scenarios.SINGLE) for each in table
    ]
    assert len(names) == len(set(names))
    if set(names) != RAN:
        pytest.skip("only the whole suite, in one process, meets every difference")
    assert [known for known in KNOWN if known not in MET and not known.sometimes] == []
