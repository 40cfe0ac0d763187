"""What the recordings always showed (case B041)."""

from kata.spec import Concat, Const, Length, NonEmpty, OneOf, Record, Ref
from kata.templating.guards import first_of_many, holds, learn_guards


def guards(expression, results, effect="read"):
    return learn_guards(Record((("x", expression),)), effect, {1: results})


def test_a_list_that_always_had_one_element_must_have_one():
    results = [{"hits": [{"p": n}]} for n in "abc"]
    assert guards(Ref(1, ("hits", 0, "p")), results) == (Length(1, ("hits",), 1),)


def test_a_list_of_varying_length_is_first_of_many():
    results = [{"hits": [1] * n} for n in (1, 2, 3)]
    assert guards(Ref(1, ("hits", 0)), results) == ()
    assert first_of_many(Ref(1, ("hits", 0)), results)
    assert not first_of_many(Ref(1, ("hits",)), results)


def test_what_becomes_a_part_of_a_text_must_not_be_empty():
    results = [{"p": n} for n in "abc"]
    assert guards(Concat((Const("rm "), Ref(1, ("p",)))), results) == (NonEmpty(1, ("p",)),)
    assert guards(Ref(1, ("p",)), results) == ()


def test_a_state_is_one_of_those_seen_before_a_step_that_rests_on_it():
    results = [{"status": "open", "id": n} for n in "abcd"]
    assert guards(Ref(1, ("id",)), results) == (OneOf(1, ("status",), ("open",)),)


def test_a_state_is_one_of_those_seen_before_a_step_with_an_effect():
    results = [{"state": state} for state in ("b", "a", "b", "a")]
    assert guards(Const(1), results, "external") == (OneOf(1, ("state",), ("a", "b")),)
    assert guards(Const(1), results, "read") == ()


def test_states_that_were_nearly_all_different_are_no_rule():
    assert guards(Const(1), [{"status": state} for state in "abc"], "external") == ()


def test_other_fields_that_never_changed_are_no_rule():
    assert guards(Const(1), [{"currency": "EUR"}] * 4, "external") == ()


def test_guards_are_checked_as_they_were_learned():
    assert holds(Length(1, ("a",), 1), {1: {"a": [0]}})
    assert not holds(Length(1, ("a",), 1), {1: {"a": [0, 1]}})
    assert not holds(NonEmpty(1, ("a",)), {1: {}})
    assert holds(OneOf(1, ("s",), ("x",)), {1: {"s": "x"}})
    assert not holds(OneOf(1, ("s",), (1,)), {1: {"s": True}})
