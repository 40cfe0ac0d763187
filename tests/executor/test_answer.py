"""What the agent gets: nothing that the host would take for a failure, and nothing lost (design 8)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.executor.fake_host import World, spec_of, step

ONE = spec_of(step("read_file", path="x"))

MARKED = [
    {"output": "ok", "exit_code": 0, "error": None},
    {"failed": 0, "Error": ""},
    {"results": [{"url": "u", "error": None}]},
    {"results": [{"url": "u", "error": "404"}]},
    {"level": "error"},
    {"Failed": {"deep": [1]}, "success": True},
    ["error", "failed"],
    "error",
    {"error": {}, "items": []},
]


def looks_failed(text):
    """How the host tells a failed result from a text (first 500 characters)."""
    start = text[:500].lower()
    return '"error"' in start or '"failed"' in start or text.startswith("Error")


def keys_of(value):
    if isinstance(value, dict):
        yield from map(str.lower, value)
        for one in value.values():
            yield from keys_of(one)
    elif isinstance(value, list):
        for one in value:
            yield from keys_of(one)


@pytest.mark.parametrize("result", MARKED, ids=str)
def test_a_success_never_looks_like_a_failure(world, result):
    world.tools.answers = {"read_file": json.dumps(result)}
    ran = world.run(ONE)
    assert ran.outcome == "succeeded"
    assert not looks_failed(ran.answer)
    assert not {"error", "failed"} & set(keys_of(json.loads(ran.answer)))


@pytest.mark.parametrize("result", MARKED, ids=str)
def test_the_output_keeps_what_the_answer_left_out(world, result):
    world.tools.answers = {"read_file": json.dumps(result)}
    assert world.run(ONE).output == (result if not isinstance(result, str) else json.dumps(result))


@settings(max_examples=40, deadline=None)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=8)
        | st.sampled_from(["error", "failed"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["error", "failed", "a", "Error"]), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_no_success_looks_like_a_failure_whatever_its_result(result):
    world = World()
    world.tools.answers = {"read_file": json.dumps({"success": True, "result": result, "x": 1})}
    try:
        ran = world.run(ONE)
        assert ran.outcome != "succeeded" or not looks_failed(ran.answer)
    finally:
        world.end()


def test_a_failure_always_looks_like_one(world):
    world.tools.answers = {"read_file": '{"success": false}'}
    ran = world.run(ONE)
    assert looks_failed(ran.answer)
    assert json.loads(ran.answer)["error"]


def test_bad_arguments_are_to_be_given_anew_and_nothing_by_hand(world):
    body = json.loads(world.run(ONE, {"more": 1}).answer)
    assert body["advice"].startswith("Nothing was done. Call again")
    assert "remaining" not in body


def test_after_a_refusal_the_agent_is_told_to_wait_and_after_a_failure_to_go_on_by_hand(world):
    world.tools.answers = {"read_file": '{"status": "denied"}'}
    assert "wait" in json.loads(world.run(ONE).answer)["advice"]
    world.tools.answers = {"read_file": '{"error": "no"}'}
    assert "by hand" in json.loads(world.run(ONE).answer)["advice"]


def test_a_plain_text_result_is_answered_as_it_is(world):
    world.tools.answers = {"read_file": "1|hello é 世界"}
    assert json.loads(world.run(ONE).answer)["result"] == "1|hello é 世界"
    assert "世界" in world.run(ONE).answer


def test_a_lone_surrogate_does_not_break_the_answer(world):
    world.tools.answers = {"read_file": "caf\udce9"}
    answer = world.run(ONE).answer
    answer.encode()
    assert json.loads(answer)["result"] == "caf\udce9"


def test_a_value_that_is_no_json_does_not_break_the_answer(world):
    world.tools.answers = {"read_file": lambda args: {"_multimodal": True, "content": [b"png"]}}
    assert json.loads(world.run(ONE).answer)["ok"] is True
