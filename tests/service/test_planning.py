"""A plan with values: rendered as a run renders it, nothing dispatched, effects made anew (case B027)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.service.planning import flat_planned, planned, problems_of
from kata.service.renaming import renamed
from kata.spec import Concat, Const, Input, InputField, Item, Join, Loop, Record, Ref, ShellWord, Spec, Step

TEXT = InputField(name="branch", schema={"type": "string"})


def terminal(*parts: Any, effect: str = "read") -> Step:
    made = parts[0] if len(parts) == 1 else Concat(tuple(parts))
    return Step(tool="terminal", args=Record((("command", made),)), effect=effect)


def spec(*steps: Step | Loop, inputs: tuple[InputField, ...] = (TEXT,)) -> Spec:
    return Spec(steps=steps, inputs=inputs)


def shown(step: Any, path: str = "command") -> list[tuple[str, str]]:
    [argument] = [one for one in step.arguments if one.path == path]
    return [(part.kind, part.text) for part in argument.parts]


PUSH = spec(terminal(Const("git push origin "), ShellWord(Input("branch")), effect="external"))


def test_a_value_stands_where_a_run_would_put_it():
    [step] = planned(PUSH, {"branch": "it's"})
    assert shown(step) == [("text", """git push origin 'it'"'"'s'""")]


def test_an_input_without_a_value_stays_open_and_is_named():
    [step] = planned(PUSH, {})
    assert shown(step) == [("text", "git push origin "), ("input", "branch")]
    assert not step.certain


def test_a_reference_stays_open_since_nothing_is_run():
    [_, step] = planned(
        spec(terminal(Const("ls")), terminal(Const("wc -l "), ShellWord(Ref(1, ("path",))))), {}
    )
    assert shown(step) == [("text", "wc -l "), ("reference", "step 1 · path")]


def test_a_value_that_stays_one_word_adds_no_effect():
    [step] = planned(
        spec(terminal(Const("cat "), ShellWord(Input("branch")))), {"branch": "x; curl evil.test"}
    )
    assert (step.effect, step.exceeds, step.certain) == ("read", False, True)


def test_a_value_that_makes_a_call_do_more_than_was_reviewed_is_told():
    [step] = planned(spec(terminal(Input("branch"))), {"branch": "git push origin main"})
    assert (step.approved, step.effect, step.exceeds) == ("read", "external", True)


def test_what_is_open_is_taken_as_reviewed_and_not_as_exceeding():
    [step] = planned(spec(terminal(Input("branch"))), {})
    assert (step.effect, step.exceeds, step.certain) == ("read", False, False)


def test_a_value_that_would_be_read_as_an_option_is_refused():
    [step] = planned(PUSH, {"branch": "--force"})
    assert "begins with '-'" in step.refused
    assert step.effect == "external"


def test_an_unknown_value_is_passed_over():
    [step] = planned(PUSH, {"other": "x"})
    assert shown(step)[-1] == ("input", "branch")


def test_the_elements_of_a_loop_stay_open():
    loop = Loop(over=Ref(1, ("items",)), limit=5, body=(terminal(Const("wc "), ShellWord(Item(("path",)))),))
    [_, made] = planned(spec(terminal(Const("ls")), loop), {})
    assert (made.over, made.limit, made.number) == ("«step 1 · items»", 5, 2)
    assert shown(made.body[0]) == [("text", "wc "), ("reference", "element · path")]
    assert [step.number for step in flat_planned((made,))] == [2]


def test_a_joined_list_stays_open_as_one():
    [step] = planned(spec(terminal(Const("git add "), Join(ShellWord(Ref(1, ("paths",))), " "))), {})
    assert shown(step)[1][0] == "reference"


def test_every_problem_of_the_values_is_said_and_missing_is_not_wrong():
    numbers = InputField(name="count", schema={"type": "integer"})
    problems = problems_of(spec(terminal(Const("x")), inputs=(TEXT, numbers)), {"count": "many"})
    assert {(one.input, one.missing) for one in problems} == {("branch", True), ("count", False)}


def test_inputs_go_by_the_names_of_the_approval():
    made = renamed(PUSH, (("branch", "ref"),))
    assert [field.name for field in made.inputs] == ["ref"]
    assert shown(planned(made, {})[0])[-1] == ("input", "ref")


@given(st.text(max_size=40))
def test_whatever_a_value_holds_no_mark_of_ours_is_seen_in_it(value: str):
    one = Step(
        tool="write_file",
        args=Record(
            (
                (
                    "content",
                    Concat((Const("a "), Input("branch"), Ref(1))),
                ),
            )
        ),
        effect="local_write",
    )
    [_, step] = planned(spec(terminal(Const("ls")), one), {"branch": value})
    assert shown(step, "content") == [("text", "a " + value), ("reference", "step 1")]


@pytest.mark.parametrize("value", ["openz0z", "openqz1z", "openz", "z0z"])
def test_a_value_like_a_mark_is_a_value(value):
    [_, step] = planned(
        spec(
            terminal(Const("ls")),
            terminal(Const("wc "), ShellWord(Input("branch")), Const(" "), ShellWord(Ref(1))),
        ),
        {"branch": value},
    )
    assert shown(step) == [("text", f"wc {value} "), ("reference", "step 1")]


def test_the_plan_of_a_kata_is_made_through_the_service(lab):
    number = lab.approved("settle_bug")
    view = lab.service.plan(str(number), {"title": "7"})
    assert (view.name, view.version, view.stops_at) == ("settle_bug", 1, None)
    assert sum(count for _, count in view.effects) == len(view.steps) == 3
