"""Each form is told by looking, and says the same of the same calls."""

import pytest

from kata.importer import FORMS, ImportedCall, recognise
from tests.importer import hand

HISTORIES = {
    "plain": hand.plain(),
    "hermes": [hand.exported("h1", hand.rows())],
    "trajectory": [hand.trajectory()],
    "claude": hand.claude(),
    "codex": hand.codex(),
}


def calls_of(name, values):
    form = next(one for one in FORMS if one.name == name)
    return [one for one in form.read(hand.lines(*values)) if isinstance(one, ImportedCall)]


@pytest.mark.parametrize("name", HISTORIES)
def test_a_form_is_recognised_by_its_first_lines(name):
    form = recognise(hand.lines(*HISTORIES[name]))
    assert form is not None
    assert form.name == name


@pytest.mark.parametrize("name", HISTORIES)
def test_no_line_fits_two_forms(name):
    for value in HISTORIES[name]:
        assert sum(bool(form.fits(value)) for form in FORMS) <= 1


@pytest.mark.parametrize("name", HISTORIES)
def test_every_form_tells_the_same_calls_in_order(name):
    calls = calls_of(name, HISTORIES[name])
    assert [(one.tool, one.args, one.result) for one in calls] == hand.TICKETS
    assert len({(one.session, one.turn) for one in calls}) == 1


def test_what_is_no_history_is_not_recognised():
    assert recognise(hand.lines({"a": 1}, [1], "x", None)) is None
    assert recognise([b"no json\n"]) is None
    assert recognise([]) is None


def test_a_broken_line_at_the_head_hides_no_form():
    form = recognise([b"{broken\n", *hand.lines(*hand.plain())])
    assert form is not None
    assert form.name == "plain"


@pytest.mark.parametrize("name", HISTORIES)
@pytest.mark.parametrize(
    "junk", [None, 1, "x", [], {}, {"type": "user"}, {"conversations": 3}, {"messages": 3}]
)
def test_junk_between_the_lines_breaks_no_reader(name, junk):
    head, *rest = HISTORIES[name]
    assert len(calls_of(name, [head, junk, *rest])) == len(hand.TICKETS)


@pytest.mark.parametrize("name", ["trajectory", "claude", "codex", "hermes"])
def test_a_source_without_a_status_or_duration_gets_none(name):
    assert {(one.ok, one.duration_ms) for one in calls_of(name, HISTORIES[name])} == {(None, None)}
