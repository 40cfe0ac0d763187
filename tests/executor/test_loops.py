"""Steps done once for each element of an earlier list (design 8)."""

import json

import pytest

from kata.spec import Const, Input, Item, Loop, Ref
from tests.executor.fake_host import Hang, spec_of, step

LIST = step("search_files", pattern="x")
GET = step("read_file", path=Item(("id",)))
PUT = step("write_file", path=Item(("id",)), content=Ref(2, ("text",)))
LOOP = Loop(over=Ref(1, ("items",)), limit=3, body=(GET, PUT))
SPEC = spec_of(LIST, LOOP)


def listing(world, *ids):
    world.tools.answers |= {
        "search_files": json.dumps({"items": [{"id": one} for one in ids]}),
        "read_file": lambda args: json.dumps({"text": f"of {args['path']}"}),
        "write_file": '{"bytes_written": 1}',
    }
    return world


def test_the_body_is_done_for_each_element_with_its_own_results(world):
    result = listing(world, "a", "b").run(SPEC)
    assert world.tools.made()[1:] == [
        ("read_file", {"path": "a"}),
        ("write_file", {"path": "a", "content": "of a"}),
        ("read_file", {"path": "b"}),
        ("write_file", {"path": "b", "content": "of b"}),
    ]
    assert result.output == [{"bytes_written": 1}, {"bytes_written": 1}]
    assert [(one.step, one.element) for one in result.trace] == [(1, None), (2, 0), (3, 0), (2, 1), (3, 1)]
    assert [one.element for one in world.log.intents] == [None, 0, 0, 1, 1]


def test_an_effect_inside_is_asked_and_written_for_each_element(world):
    listing(world, "a", "b", "c").run(SPEC)
    assert len(world.log.synced) == 3
    assert [tool for tool, _ in world.guard.asked].count("write_file") == 3


def test_a_longer_list_than_approved_stops_before_the_first_element(world):
    result = listing(world, *"abcd").run(SPEC)
    assert (result.outcome, result.code, result.failed_step) == ("failed", "precondition", 2)
    assert "4 elements, at most 3" in result.reason
    assert len(world.tools.calls) == 1


@pytest.mark.parametrize("found", [{"items": "text"}, {"items": {"a": 1}}, {}])
def test_what_is_no_list_stops_before_the_first_element(world, found):
    world.tools.answers = {"search_files": json.dumps(found)}
    result = world.run(SPEC)
    assert (result.outcome, result.code, result.failed_step) == ("failed", "precondition", 2)


def test_an_empty_list_does_nothing_and_succeeds(world):
    result = listing(world).run(SPEC)
    assert result.outcome == "succeeded"
    assert result.output == []
    assert len(world.tools.calls) == 1


def test_a_step_after_the_loop_goes_on_counting(world):
    spec = spec_of(LIST, LOOP, step("read_file", path=Input("last")), inputs={"last": {"type": "string"}})
    result = listing(world, "a").run(spec, {"last": "z"})
    assert result.trace[-1].step == 4
    assert world.tools.calls[-1].args == {"path": "z"}


def test_a_failing_element_stops_the_run_and_the_rest_is_told(world):
    listing(world, "a", "b", "c").tools.answers["write_file"] = ['{"bytes_written": 1}', '{"error": "full"}']
    result = world.run(spec_of(LIST, LOOP, step("read_file", path="end")))
    assert (result.outcome, result.failed_step) == ("failed", 3)
    assert len(world.tools.calls) == 5
    body = json.loads(result.answer)
    assert body["stopped_call"]["element"] == 1
    assert body["remaining"] == [
        {"step": 2, "tool": "read_file", "args": {"path": "c"}, "element": 2},
        {
            "step": 3,
            "tool": "write_file",
            "args": {"path": "c"},
            "still_needs": {"content": "«step 2 · text»"},
            "element": 2,
        },
        {"step": 4, "tool": "read_file", "args": {"path": "end"}},
    ]


def test_a_failure_in_the_middle_of_a_body_tells_the_rest_of_that_element(world):
    listing(world, "a", "b").tools.answers["read_file"] = ['{"text": "x"}', *['{"error": "gone"}'] * 2]
    body = json.loads(world.run(SPEC).answer)
    assert body["remaining"] == [
        {
            "step": 3,
            "tool": "write_file",
            "args": {"path": "b"},
            "still_needs": {"content": "«step 2 · text»"},
            "element": 1,
        }
    ]


def test_a_loop_that_was_not_reached_is_told_as_a_loop(world):
    world.tools.answers = {"search_files": '{"error": "no"}'}
    body = json.loads(world.run(SPEC).answer)
    assert body["remaining"] == [{"step": 2, "tool": "read_file", "for_each": "«step 1 · items»"}]


def test_an_unknown_element_is_not_followed_by_another(world):
    listing(world, "a", "b").tools.answers["write_file"] = Hang()
    result = world.run(SPEC)
    assert (result.outcome, result.failed_step) == ("unknown", 3)
    assert len(world.tools.calls) == 3


def test_elements_may_be_plain_values(world):
    world.tools.answers = {"search_files": '{"items": ["a", "b"]}', "read_file": '{"text": "x"}'}
    spec = spec_of(LIST, Loop(over=Ref(1, ("items",)), limit=3, body=(step("read_file", path=Item()),)))
    world.run(spec)
    assert [args for _, args in world.tools.made()[1:]] == [{"path": "a"}, {"path": "b"}]


def test_a_constant_loop_body_is_done_as_often_as_there_are_elements(world):
    body = (step("read_file", path=Const("same")),)
    listing(world, "a", "b").run(spec_of(LIST, Loop(over=Ref(1, ("items",)), limit=3, body=body)))
    assert len(world.tools.calls) == 3
