"""Schemas that live processes saw."""

import pytest

from kata.events import catalogue as told
from kata.projections import Tools

from .support import KATA, Diary


def described(tool, letter, surface="cli"):
    schema = {"type": "object", "title": letter}
    return told.ToolDescribed(tool=tool, schema=schema, digest=letter, toolset="file", surface=surface)


@pytest.fixture
def diary():
    begun = Diary()
    for tool, letter in (("read_file", "a"), ("read_file", "b"), ("terminal", "c")):
        begun.tell(described(tool, letter), KATA)
    return begun


def tools(diary):
    return Tools(diary.views()[0])


def test_the_newest_schema_of_each_tool_counts(diary):
    view = tools(diary)
    assert [(name, one.digest) for name, one in view.newest().items()] == [
        ("read_file", "b"),
        ("terminal", "c"),
    ]
    assert view.newest_of("read_file").schema == {"type": "object", "title": "b"}
    assert view.newest_of("web_search") is None


def test_an_old_schema_is_still_found_by_its_digest(diary):
    view = tools(diary)
    assert view.described("read_file", "a").schema["title"] == "a"
    assert view.described("read_file", "z") is None


def test_a_schema_that_comes_back_is_the_newest_again(diary):
    diary.tell(described("read_file", "a", "gateway"), KATA)
    newest = tools(diary).newest_of("read_file")
    assert (newest.digest, newest.surface) == ("a", "gateway")


def test_a_tool_that_hermes_would_not_take_is_kept_with_the_reason(diary):
    diary.tell(told.ToolRegistrationFailed(number=2, name="ship", why="name exists"), KATA)
    diary.tell(told.ToolRegistrationFailed(number=2, name="ship", why="still there"), KATA)
    assert {number: one.why for number, one in tools(diary).refused().items()} == {2: "still there"}


def test_a_forgotten_schema_gives_way_to_the_one_before(diary):
    store, projector = diary.views()
    diary.erase((2, 2))
    projector.catch_up()
    assert Tools(store).newest_of("read_file").digest == "a"
    assert projector.check() == ()
