"""What differs between two versions, and why a version is as it is."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kata.service.comparing import input_changes, step_changes
from kata.spec import Concat, Const, Exists, Input, InputField, Loop, Record, Ref, Spec, Step
from tests.service.lab import SCHEMAS


def step(tool: str, effect: str = "read", **args: Any) -> Step:
    return Step(
        tool=tool, args=Record(tuple((key, Const(value)) for key, value in args.items())), effect=effect
    )


def spec(*steps: Any) -> Spec:
    return Spec(steps=steps)


def kinds(old: Spec, new: Spec) -> list[tuple[str, int | None, int | None]]:
    return [(one.kind, one.before, one.after) for one in step_changes(old, new)]


A, B, C = step("a", x=1), step("b", x=2), step("c", x=3)


def test_the_same_steps_are_the_same():
    assert kinds(spec(A, B), spec(A, B)) == [("same", 1, 1), ("same", 2, 2)]


def test_a_step_put_in_between_is_added_and_the_others_stay():
    assert kinds(spec(A, C), spec(A, B, C)) == [("same", 1, 1), ("added", None, 2), ("same", 2, 3)]


def test_a_step_taken_out_is_removed():
    assert kinds(spec(A, B, C), spec(A, C)) == [("same", 1, 1), ("removed", 2, None), ("same", 3, 2)]


def test_a_changed_argument_is_named_with_what_it_was_and_is():
    [one] = step_changes(spec(step("t", command="git push")), spec(step("t", command="git push --force")))
    assert (one.kind, one.changes[0].path) == ("changed", "command")
    assert (one.changes[0].before, one.changes[0].after) == ('"git push"', '"git push --force"')


def test_equal_steps_of_one_tool_are_paired_before_changed_ones():
    first, second, new = step("t", c="a"), step("t", c="b"), step("t", c="new")
    assert kinds(spec(first, second), spec(new, first, second)) == [
        ("added", None, 1),
        ("same", 1, 2),
        ("same", 2, 3),
    ]


def test_another_tool_is_no_change_of_a_step():
    assert kinds(spec(A), spec(B)) == [("removed", 1, None), ("added", None, 1)]


def test_an_effect_is_a_change_by_itself():
    [one] = step_changes(spec(step("t")), spec(step("t", "external")))
    assert (one.kind, one.effect_before, one.effect_after) == ("changed", "read", "external")


def test_what_is_no_argument_is_named_in_brackets():
    before = Step(tool="t", args=Record(()), effect="read")
    after = Step(tool="t", args=Record(()), effect="read", accepts=(0, 1), requires=(Exists(1, ("a",)),))
    [one] = step_changes(spec(before), spec(after))
    assert {change.path: change.after for change in one.changes} == {
        "(accepts)": "0, 1",
        "(requires)": "step 1 · a exists",
    }


def test_a_step_that_came_into_a_loop_is_changed():
    looped = Loop(over=Ref(1, ("items",)), limit=9, body=(B,))
    changes = step_changes(spec(A, B), spec(A, looped))
    assert [one.kind for one in changes] == ["same", "changed"]
    assert changes[1].changes[0].path == "(loop)"


def test_nested_arguments_and_parts_are_compared_by_leaf():
    def nested(last: Any) -> Spec:
        return spec(
            Step(
                tool="t", args=Record((("a", Record((("b", Concat((Const("x "), last))),))),)), effect="read"
            )
        )

    [one] = step_changes(nested(Input("n")), nested(Ref(1, ("id",))))
    assert [(change.path, change.before, change.after) for change in one.changes] == [
        ("a.b", "x {n}", "x «step 1 · id»")
    ]


def test_inputs_are_added_removed_and_changed():
    text, number = {"type": "string"}, {"type": "integer"}
    old = Spec(steps=(), inputs=(InputField(name="a", schema=text), InputField(name="b", schema=text)))
    new = Spec(
        steps=(),
        inputs=(InputField(name="b", schema=number), InputField(name="c", schema=text, required=False)),
    )
    assert {(one.path, bool(one.before), bool(one.after)) for one in input_changes(old, new)} == {
        ("a", True, False),
        ("b", True, True),
        ("c", False, True),
    }


STEPS = st.lists(st.builds(step, st.sampled_from("abc"), x=st.integers(0, 2)), max_size=7)


@given(STEPS, STEPS)
def test_every_step_of_both_stands_in_the_diff_once_and_in_order(old: list[Step], new: list[Step]):
    changes = step_changes(spec(*old), spec(*new))
    assert [one.before for one in changes if one.before is not None] == list(range(1, len(old) + 1))
    assert [one.after for one in changes if one.after is not None] == list(range(1, len(new) + 1))
    assert all(one.kind == "same" for one in changes) == (old == new)


def test_the_diff_of_a_kata_compares_what_waits_with_what_is_active(lab):
    number = lab.approved("settle_bug")
    schema = SCHEMAS["close_ticket"]
    properties = {**schema["properties"], "why": {"type": "string"}}
    lab.describe("close_ticket", {**schema, "properties": properties, "required": ["id", "why"]})
    lab.service.refresh()
    from kata.events import Surface

    lab.service.upkeep(Surface.HOOK)
    view = lab.service.diff(str(number))
    assert (view.before, view.after, view.same) == (1, 2, False)
    assert [one.path for one in view.inputs] == ["why"]


def test_why_names_each_argument_with_its_runners_up_and_the_evidence(lab):
    number = lab.proposed()
    view = lab.service.why(str(number))
    assert {one.became for one in view.arguments} >= {"constant", "reference"}
    assert len(view.evidence) == view.scores.support == 3
