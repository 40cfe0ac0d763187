"""Inputs and results invented for a rehearsal without recordings (case B042)."""

import pytest

from kata.schemas import accepts
from kata.spec import (
    Array,
    Concat,
    Const,
    Exists,
    Input,
    Item,
    Join,
    Length,
    Loop,
    NonEmpty,
    OneOf,
    Ref,
    ShellWord,
)
from kata.validator.invent import invent_inputs, invent_results
from kata.validator.rehearsal import rehearse
from tests.validator.build import TEXT, record, spec_of, step

READ = step("read_file", path="x")

SPECS = {
    "a field": spec_of(READ, step("read_file", path=Ref(1, ("a", "b")))),
    "an element": spec_of(READ, step("read_file", path=Ref(1, ("list", 2, "name")))),
    "a whole result": spec_of(READ, step("read_file", path=Ref(1))),
    "nested": spec_of(READ, step("read_file", path="y", more=record(deep=Array((Ref(1, ("a",)), Const(1)))))),
    "a word": spec_of(READ, step("terminal", command=Concat((Const("cat "), ShellWord(Ref(1, ("p",))))))),
    "a joined list": spec_of(
        READ, step("terminal", command=Concat((Const("cat "), Join(ShellWord(Ref(1, ("files",))), " "))))
    ),
    "a transform": spec_of(READ, step("read_file", path=Ref(1, ("p",), "basename"))),
    "exactly three": spec_of(READ, step("read_file", path="y", requires=(Length(1, ("l",), 3),))),
    "exactly one": spec_of(
        READ,
        step("read_file", path=Ref(1, ("l", 0, "p")), requires=(Length(1, ("l",), 1), NonEmpty(1, ("l",)))),
    ),
    "a state": spec_of(READ, step("read_file", path="y", requires=(OneOf(1, ("s",), ("done", "ok")),))),
    "a field that exists": spec_of(READ, step("read_file", path="y", requires=(Exists(1, ("s", "t")),))),
    "a text that is not empty": spec_of(READ, step("read_file", path="y", requires=(NonEmpty(1, ("s",)),))),
    "a loop": spec_of(
        READ, Loop(over=Ref(1, ("l",)), limit=9, body=(step("read_file", path=Item(("p", "q"))),))
    ),
    "a loop of one": spec_of(
        READ, Loop(over=Ref(1, ("l",)), limit=1, body=(step("read_file", path=Item()),))
    ),
    "a loop with a body of two": spec_of(
        READ,
        Loop(
            over=Ref(1, ("l",)),
            limit=9,
            body=(step("read_file", path=Item(("p",))), step("read_file", path=Ref(2, ("t",)))),
        ),
        READ,
    ),
}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_invented_results_carry_a_run_to_its_end(spec):
    made = rehearse(spec, invent_inputs(spec), invent_results(spec))
    assert made.result.outcome == "succeeded", made.result.reason


SCHEMAS = [
    TEXT,
    {"type": "integer"},
    {"type": "number"},
    {"type": "boolean"},
    {"type": "array", "items": TEXT},
    {"type": ["null", "string"]},
    {"enum": ["fast", "slow"]},
    {"type": "string", "default": "main"},
    {"type": "string", "pattern": "^([^-]|$)"},
    {},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_an_invented_input_meets_its_schema(schema):
    spec = spec_of(step("read_file", path=Input("p")), inputs={"p": schema})
    assert accepts(spec.input_schema(), invent_inputs(spec))
