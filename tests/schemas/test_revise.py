"""The mechanical revision of a routine by a changed schema (design 4)."""

import attrs

from kata.schemas import Call, matters, revise, schema_digest
from kata.spec import Concat, Const, Input, InputField, Loop, Record, Ref, Spec, Step, ToolDigest

OLD = {
    "type": "object",
    "properties": {
        "command": {"type": "string"},
        "mode": {"enum": ["fast", "slow"]},
        "old": {"type": "boolean"},
    },
    "required": ["command"],
}


def record(**fields):
    return Record(tuple(fields.items()))


def spec_of(*steps, inputs=()):
    return Spec(steps=steps, inputs=inputs, tools=(ToolDigest("terminal", schema_digest(OLD)),))


def step(**fields):
    return Step(tool="terminal", args=record(**fields), effect="read")


def revised(spec, new, *calls):
    return revise(spec, "terminal", new, matters(OLD, new, [Call(args=one) for one in calls]))


def without(name):
    return {**OLD, "properties": {key: one for key, one in OLD["properties"].items() if key != name}}


def test_a_removed_property_is_dropped_where_it_was_constant():
    spec = spec_of(step(command=Const("ls"), old=Const(True)))
    found = revised(spec, without("old"), {"command": "ls", "old": True})
    assert found.spec.steps == (step(command=Const("ls")),)
    assert found.edits == ("terminal.old is no longer given",)
    assert found.spec.tools == (ToolDigest("terminal", schema_digest(without("old"))),)


def test_a_removed_property_that_carried_a_value_has_no_mechanical_edit():
    spec = spec_of(step(command=Const("ls"), old=Ref(1, ("x",))))
    assert revised(spec, without("old"), {"command": "ls", "old": True}) is None


def test_an_input_that_nothing_uses_any_more_goes_too():
    spec = spec_of(
        step(command=Const("ls"), mode=Input("mode")), inputs=(InputField(name="mode", schema={}),)
    )
    assert revised(spec, without("mode"), {"command": "ls", "mode": "fast"}) is None


def test_a_new_required_property_becomes_an_input_with_its_schema():
    new = {
        **OLD,
        "properties": {**OLD["properties"], "target": {"type": "string"}},
        "required": ["command", "target"],
    }
    found = revised(spec_of(step(command=Const("ls"))), new, {"command": "ls"})
    assert found.spec.steps == (step(command=Const("ls"), target=Input("target")),)
    assert found.spec.inputs == (InputField(name="target", schema={"type": "string"}),)


def test_a_narrowed_constant_becomes_an_input():
    new = {**OLD, "properties": {**OLD["properties"], "mode": {"enum": ["fast"]}}}
    found = revised(
        spec_of(step(command=Const("ls"), mode=Const("slow"))), new, {"command": "ls", "mode": "slow"}
    )
    assert found.spec.steps == (step(command=Const("ls"), mode=Input("mode")),)
    assert found.spec.inputs[0].schema == {"enum": ["fast"]}


def test_a_narrowed_input_keeps_its_name_and_takes_the_new_schema():
    new = {**OLD, "properties": {**OLD["properties"], "mode": {"enum": ["fast"]}}}
    spec = spec_of(step(command=Const("ls"), mode=Input("how")), inputs=(InputField(name="how", schema={}),))
    found = revised(spec, new, {"command": "ls", "mode": "slow"})
    assert found.spec.steps == spec.steps
    assert found.spec.inputs == (InputField(name="how", schema={"enum": ["fast"]}),)


def test_a_new_input_takes_a_free_name():
    new = {**OLD, "properties": {**OLD["properties"], "mode": {"enum": ["fast"]}}}
    spec = spec_of(
        step(command=Concat((Const("ls "), Input("mode"))), mode=Const("slow")),
        inputs=(InputField(name="mode", schema={"type": "string"}),),
    )
    found = revised(spec, new, {"command": "ls x", "mode": "slow"})
    assert [one.name for one in found.spec.inputs] == ["mode", "mode_2"]


def test_steps_in_a_loop_are_revised_and_other_tools_are_left_alone():
    other = attrs.evolve(step(old=Const(True)), tool="read_file")
    inner = step(command=Const("ls"), old=Const(True))
    spec = spec_of(other, Loop(over=Ref(1, ("files",)), limit=5, body=(inner,)))
    found = revised(spec, without("old"), {"command": "ls", "old": True})
    assert found.spec.steps[0] == other
    assert found.spec.steps[1].body == (step(command=Const("ls")),)


def test_a_schema_that_cannot_be_used_has_no_edit():
    assert revised(spec_of(step(command=Const("ls"))), {"type": 5}, {"command": "ls"}) is None


def test_a_removed_property_of_a_schema_that_grew_strict_is_dropped_all_the_same():
    spec = spec_of(step(command=Const("ls"), old=Const(True)))
    found = revised(spec, {**without("old"), "additionalProperties": False}, {"command": "ls", "old": True})
    assert found.spec.steps == (step(command=Const("ls")),)
