import pytest

from kata.errors import UsageError
from kata.spec import Array, Concat, Const, Item, Loop, Record, Ref, ShellWord, Spec, Step
from kata.templating import read_source, rewire, show


def step(**args):
    return Step(tool="t", args=Record(tuple(args.items())), effect="read")


SPEC = Spec(
    steps=(
        step(),
        Loop(over=Ref(1, ("rows",)), limit=5, body=(step(id=Item(())), step(id=Ref(1, ("z",))))),
        step(
            a=Const("b-1"),
            b=Array((Ref(1, ("x",)),)),
            c=Concat((Const("ls "), ShellWord(Ref(1, ("p",), "basename")))),
        ),
    )
)


@pytest.mark.parametrize("text", ["step1.items[0].path", "step 1 · items[0].path", "step 1.items[0].path"])
def test_a_source_is_read_as_written_and_as_shown(text):
    assert read_source(text) == Ref(1, ("items", 0, "path"))


def test_a_whole_result_is_a_source():
    assert read_source("step2") == Ref(2)


@pytest.mark.parametrize("text", ["", "input x", "step", "step1..", "step1.a]"])
def test_what_is_no_source_is_refused(text):
    with pytest.raises(UsageError):
        read_source(text)


def test_a_constant_gives_way_to_a_reference():
    assert show(rewire(SPEC, 4, "a", Ref(1, ("build",))).steps[2].args.fields[0][1]) == "«step 1 · build»"


def test_a_leaf_is_found_at_any_depth():
    assert show(rewire(SPEC, 4, "b[0]", Ref(1, ("y",))).steps[2].args.fields[1][1]) == "[«step 1 · y»]"


def test_the_one_reference_of_a_text_keeps_its_quotes_and_transform():
    changed = rewire(SPEC, 4, "c", Ref(1, ("q",))).steps[2].args.fields[2][1]
    assert changed == Concat((Const("ls "), ShellWord(Ref(1, ("q",), "basename"))))


def test_steps_of_a_body_are_counted():
    assert rewire(SPEC, 3, "id", Ref(1, ("y",))).steps[1].body[1].args.fields[0][1] == Ref(1, ("y",))


@pytest.mark.parametrize(
    ("number", "leaf", "source"), [(4, "nope", Ref(1)), (9, "a", Ref(1)), (4, "a", Ref(4)), (1, "a", Ref(1))]
)
def test_what_does_not_fit_is_refused(number, leaf, source):
    with pytest.raises(UsageError):
        rewire(SPEC, number, leaf, source)


def test_a_text_without_a_reference_has_none_to_choose():
    spec = Spec(steps=(step(), step(c=Concat((Const("x"),)))))
    with pytest.raises(UsageError, match="0 references"):
        rewire(spec, 2, "c", Ref(1))
