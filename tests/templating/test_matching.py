"""From calls back to inputs, and never to inputs that would issue other calls."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kata.json import same
from kata.spec import Concat, Const, Input, Item, Loop, Record, Ref, ShellWord, Spec, Step
from kata.templating import Scope, generalise, match, render_step

from .support import call, spec_of


def step(tool, **args):
    return Step(tool=tool, args=Record(tuple(args.items())), effect="read")


def test_inputs_are_recovered_from_values_and_texts():
    command = Concat((Const("git push origin "), ShellWord(Input("branch"))))
    spec = Spec(steps=(step("a", n=Input("n")), step("terminal", command=command)))
    calls = [call("a", {"n": 3}), call("terminal", {"command": "git push origin 'a b'"})]
    assert match(spec, calls) == {"n": 3, "branch": "a b"}


def test_a_text_between_two_inputs_is_read_by_what_is_known_of_one():
    text = Concat((Input("a"), Const(" in "), Input("b")))
    spec = Spec(steps=(step("x", t=text), step("y", a=Input("a"))))
    assert match(spec, [call("x", {"t": "p in q in r"}), call("y", {"a": "p in q"})]) == {
        "a": "p in q",
        "b": "r",
    }


@pytest.mark.parametrize(
    "calls",
    [
        [call("a", {"n": 3})],
        [call("a", {"n": 3}), call("c", {"n": 3})],
        [call("a", {"n": 3}), call("b", {"n": 4})],
        [call("a", {"n": 3}), call("b", {"n": 3, "more": 1})],
        [call("a", {"n": 3}), call("b", {"n": 3}), call("b", {"n": 3})],
        [call("a", {"n": 3}), call("b", {"n": 3.0})],
    ],
)
def test_other_calls_do_not_match(calls):
    assert match(Spec(steps=(step("a", n=Input("n")), step("b", n=Input("n")))), calls) is None


def test_a_loop_takes_a_round_for_each_element():
    body = (step("get", id=Item(("id",))), step("mark", ok=Ref(2, ("ok",)), who=Input("who")))
    spec = Spec(steps=(step("list"), Loop(over=Ref(1, ("rows",)), limit=9, body=body), step("end")))
    rows = [{"id": 5}, {"id": 6}]
    rounds = [
        one
        for n in (5, 6)
        for one in (call("get", {"id": n}, {"ok": n}), call("mark", {"ok": n, "who": "x"}))
    ]
    calls = [call("list", {}, {"rows": rows}), *rounds, call("end", {})]
    assert match(spec, calls) == {"who": "x"}
    assert match(spec, [*calls[:3], calls[-1]]) is None


def test_a_list_beyond_the_limit_is_no_match():
    spec = Spec(steps=(step("list"), Loop(over=Ref(1), limit=2, body=(step("get", id=Item()),))))
    calls = [call("list", {}, [1, 2, 3]), *(call("get", {"id": number}) for number in (1, 2, 3))]
    assert match(spec, calls) is None
    assert match(spec, calls[:3]) is None


def test_what_a_loop_answered_is_a_list_behind_it():
    spec = Spec(
        steps=(
            step("list"),
            Loop(over=Ref(1), limit=9, body=(step("get", id=Item()),)),
            step("sum", all=Ref(2)),
        )
    )
    calls = [
        call("list", {}, [1, 2]),
        call("get", {"id": 1}, 5),
        call("get", {"id": 2}, 6),
        call("sum", {"all": [5, 6]}),
    ]
    assert match(spec, calls) == {}


def test_a_loop_over_nothing_makes_no_calls():
    spec = Spec(steps=(step("list"), Loop(over=Ref(1), limit=9, body=(step("get"),))))
    assert match(spec, [call("list", {}, [])]) == {}
    assert match(spec, [call("list", {}, "none")]) is None


def test_a_reference_is_looked_up_in_the_calls_own_results():
    spec = Spec(steps=(step("a"), step("b", x=Ref(1, ("id",)))))
    assert match(spec, [call("a", {}, {"id": 7}), call("b", {"x": 7})]) == {}
    assert match(spec, [call("a", {}, {"id": 8}), call("b", {"x": 7})]) is None
    assert match(spec, [call("a", {}, {}), call("b", {"x": 7})]) is None


words = st.text(st.sampled_from("ab-_/.1 '\"$;=:"), max_size=7)
results = st.fixed_dictionaries({"id": words, "n": st.integers(0, 99), "rows": st.lists(words, max_size=3)})


@st.composite
def examples(draw):
    """Examples of two calls with arguments made from a result, from inputs, and from nothing."""
    shape = draw(
        st.sampled_from(
            ["x {id} y", "{id}", "run {id} --n={n} '{free}'", "{free}/{id}", 'say "{free}"', "{rows}"]
        )
    )
    found = []
    for _ in range(draw(st.integers(2, 5))):
        result, free = draw(results), draw(words)
        text = shape.format(id=result["id"], n=result["n"], free=free, rows=" ".join(result["rows"]))
        args = {
            "command": text,
            "deep": {"n": draw(st.sampled_from([result["n"], 5])), "list": result["rows"]},
        }
        found.append((call("find", {"q": free}, result), call(draw(st.just("terminal")), args)))
    return found


@given(examples())
@settings(max_examples=150, deadline=None)
def test_every_example_is_reproduced_by_the_template_learned_from_it(given_examples):
    template = generalise(given_examples)
    spec = spec_of(template)
    for example in given_examples:
        inputs = match(spec, example)
        assert inputs is not None
        for number, one in enumerate(spec.steps):
            scope = Scope(inputs=inputs, results={1: example[0].result})
            assert same(render_step(one, scope), dict(example[number].args))


@given(examples())
@settings(max_examples=100, deadline=None)
def test_the_template_names_no_input_that_it_does_not_use(given_examples):
    spec = spec_of(generalise(given_examples))
    inputs = match(spec, given_examples[0])
    assert inputs is not None
    assert set(inputs) == {field.name for field in spec.inputs}
