"""Which expression explains an argument: the table of the design, and the hard cases."""

import pytest

from kata.spec import Const, Input, Ref
from kata.templating import generalise

from .support import call, learned


def pairs(result, argument, values, tool="use"):
    """Examples of two calls: what the first answers and what the second is given are made of each value."""
    return [(call("find", {"q": "x"}, result(value)), call(tool, argument(value), {})) for value in values]


NAMES = ("alpha-71", "beta-22", "gamma-93")
PATHS = ("src/Alpha.py", "lib/deep/beta.ts", "gamma.md")


def test_the_same_value_every_time_is_a_constant():
    examples = pairs(lambda v: {"id": v}, lambda v: {"mode": "fast", "id": v}, NAMES)
    assert learned(examples) == '{mode: "fast", id: «step 1 · id»}'


def test_a_value_of_an_earlier_result_is_a_reference_at_any_depth():
    examples = pairs(lambda v: {"a": [{"b": {"c": v}}]}, lambda v: {"deep": {"list": [v]}}, NAMES)
    assert learned(examples) == "{deep: {list: [«step 1 · a[0].b.c»]}}"


def test_a_changing_value_that_nothing_explains_is_an_input():
    examples = pairs(lambda v: {"id": 7}, lambda v: {"text": v}, NAMES)
    assert learned(examples) == "{text: {text}}"


@pytest.mark.parametrize(
    ("values", "refused"),
    [
        (NAMES, {"minLength": 1}),
        (("", *NAMES), {}),
        ((None, *NAMES), {"minLength": 1}),
        ((3, 14, 15), {}),
    ],
)
def test_an_input_may_be_empty_only_where_an_empty_one_was_recorded(values, refused):
    (field,) = generalise(pairs(lambda v: {"id": 7}, lambda v: {"text": v}, values)).inputs
    assert {key: value for key, value in field.schema.items() if key != "type"} == refused


def test_so_may_the_elements_of_a_list():
    examples = pairs(lambda v: {"id": 7}, lambda v: {"texts": [v, "x"]}, NAMES)
    (field,) = generalise(examples).inputs
    assert field.schema["items"] == {"type": "string", "minLength": 1}


def test_a_whole_list_is_one_reference():
    examples = pairs(lambda v: {"rows": [v, v + "x"]}, lambda v: {"ids": [v, v + "x"]}, NAMES)
    assert learned(examples) == "{ids: «step 1 · rows»}"


def test_a_text_is_made_of_the_results_of_two_steps():
    examples = [
        (
            call("who", {}, {"owner": owner}),
            call("which", {}, {"repo": repo}),
            call("get", {"url": f"https://x.test/{owner}/{repo}/pulls"}),
        )
        for owner, repo in (("ana", "north"), ("bo", "south"), ("cy", "west"))
    ]
    assert learned(examples, 3) == "{url: https://x.test/«step 1 · owner»/«step 2 · repo»/pulls}"


@pytest.mark.parametrize(
    ("tool", "argument", "template"),
    [
        ("read", lambda v: {"path": f"conf-{v}.yaml"}, "{path: «step 1 · file»}"),
        ("terminal", lambda v: {"command": f"cat conf-{v}.yaml"}, "{command: cat «step 1 · file»}"),
        ("get", lambda v: {"url": f"conf-{v}.yaml?full=1"}, "{url: «step 1 · file»?full=1}"),
    ],
)
def test_one_whole_reference_goes_before_a_text_around_an_input(tool, argument, template):
    """The input of the first step stands in the value as well, between constant text."""
    examples = [
        (call("find", {"name": name}, {"file": f"conf-{name}.yaml"}), call(tool, argument(name)))
        for name in ("17x", "20y", "33z")
    ]
    assert learned(examples) == template


def test_a_number_and_a_path_stand_inside_a_command():
    examples = [
        (
            call("search", {"q": "x"}, {"hits": [{"path": path, "line": line}]}),
            call("terminal", {"command": f"sed -n {line}p {path}"}),
        )
        for path, line in zip(PATHS, (17, 230, 5), strict=True)
    ]
    assert learned(examples) == "{command: sed -n «step 1 · hits[0].line»p «step 1 · hits[0].path»}"


def test_a_basename_stands_inside_a_name():
    examples = pairs(lambda v: {"path": v}, lambda v: {"path": f"tests/test_{v.rpartition('/')[2]}"}, PATHS)
    assert learned(examples) == "{path: tests/test_«basename of step 1 · path»}"


@pytest.mark.parametrize(
    ("name", "cut"),
    [
        ("basename", lambda v: v.rpartition("/")[2]),
        ("stem", lambda v: v.rpartition("/")[2].rpartition(".")[0]),
        ("lower", str.lower),
        ("upper", str.upper),
    ],
)
def test_a_path_is_taken_apart_and_its_letter_case_changed(name, cut):
    examples = pairs(
        lambda v: {"path": v}, lambda v: {"x": cut(v)}, ("Src/Alpha.py", "Lib/Beta.ts", "Top/Gamma.md")
    )
    assert learned(examples) == f"{{x: «{name} of step 1 · path»}}"


def test_a_folder_is_the_dirname_of_a_path():
    examples = pairs(
        lambda v: {"path": v},
        lambda v: {"x": v.rpartition("/")[0]},
        ("src/a.py", "lib/deep/b.ts", "doc/c.md"),
    )
    assert learned(examples) == "{x: «dirname of step 1 · path»}"


def test_free_text_is_never_taken_apart():
    """Unsound in every rival: the last word of an output is no basename."""
    examples = pairs(
        lambda v: {"output": f"wrote 3 files to /tmp/out/{v}"},
        lambda v: {"name": v},
        ("a.txt", "b.txt", "c.txt"),
    )
    assert learned(examples) == "{name: {name}}"


def test_a_joined_list_is_joined_whatever_its_length():
    """Unsound in every rival: two index references fit recordings of one length and fail on all others."""
    lists = (["a.py"], ["b.py", "c d.py"], ["e.py", "f.py", "g.py"])
    examples = [
        (
            call("changed", {}, {"files": files}),
            call(
                "terminal",
                {
                    "command": "git add "
                    + " ".join(f"'{f}'" if " " in f else f for f in files)
                    + " && git status"
                },
            ),
        )
        for files in lists
    ]
    assert learned(examples) == '{command: git add «step 1 · files» joined by " " && git status}'


def test_a_joined_list_of_one_length_is_joined_too():
    lists = (["a.py", "b.py"], ["c.py", "d.py"], ["e.py", "f.py"])
    examples = pairs(
        lambda v: {"files": v}, lambda v: {"command": "git add " + " ".join(v)}, lists, "terminal"
    )
    assert learned(examples) == '{command: git add «step 1 · files» joined by " "}'


def test_words_that_are_no_whole_list_are_free_text_where_their_number_varies():
    commands = ("git add a.py && ls", "git add b.py c.py && ls", "git add d.py e.py f.py && ls")
    examples = pairs(lambda v: {"n": 2}, lambda v: {"command": v}, commands, "terminal")
    assert learned(examples) == "{command: git add {command} && ls}"


def test_every_hit_of_a_reference_is_marked():
    examples = pairs(lambda v: {"p": v}, lambda v: {"command": f"cp {v} {v}.bak"}, PATHS, "terminal")
    assert learned(examples) == "{command: cp «step 1 · p» «step 1 · p».bak}"


def test_an_element_at_a_varying_place_is_an_input():
    rows = [{"id": f"id-{n}"} for n in range(40, 44)]
    examples = [
        (call("list", {}, {"rows": rows}), call("get", {"id": rows[pick]["id"]})) for pick in (2, 0, 3)
    ]
    assert learned(examples) == "{id: {id}}"


def test_a_constant_that_equals_a_constant_field_stays_one_and_says_so():
    """Case B035: the reviewer must choose."""
    examples = pairs(lambda v: {"build": "b-101", "n": v}, lambda v: {"build": "b-101", "n": v}, NAMES)
    leaf = generalise(examples).steps[1].leaves[0]
    assert leaf.expression == Const("b-101")
    assert leaf.values == 1
    assert leaf.ambiguous == (Ref(1, ("build",)),)


def test_equal_by_accident_is_told_from_varying_together():
    """Case B036."""
    examples = pairs(
        lambda v: {"page": 1, "count": 1, "ok": True, "items": [{"id": v}]},
        lambda v: {"limit": 1, "id": v},
        ("7", "8", "9"),
    )
    limit, found = generalise(examples).steps[1].leaves
    assert limit.expression == Const(1)
    assert not limit.ambiguous
    assert found.expression == Ref(1, ("items", 0, "id"))


@pytest.mark.parametrize("value", ["", ".", "/", "0", "1", "true", 0, 1, True, None])
def test_a_weak_value_is_never_a_source(value):
    examples = [(call("a", {}, {"x": value}), call("b", {"y": value, "z": n})) for n in NAMES]
    leaf = generalise(examples).steps[1].leaves[0]
    assert leaf.expression == Const(value)
    assert not leaf.sources


def test_a_value_of_another_json_type_is_no_source():
    examples = pairs(lambda v: {"id": int(v)}, lambda v: {"id": v}, ("71", "82", "93"))
    assert learned(examples) == "{id: {id}}"


def test_ones_and_truths_are_different_constants():
    examples = [(call("a", {"x": value}),) for value in (1, 1.0, True)]
    assert isinstance(generalise(examples).steps[0].leaves[0].expression, Input)


def test_a_part_of_a_text_must_be_a_whole_token():
    examples = pairs(lambda v: {"id": v}, lambda v: {"note": f"see pre{v}fix now"}, ("abc", "bcd", "cde"))
    assert "step 1" not in learned(examples)


def test_a_part_of_a_text_must_vary_with_its_source():
    examples = pairs(lambda v: {"word": "deploy", "n": v}, lambda v: {"note": f"deploy {v} now"}, NAMES)
    assert learned(examples) == "{note: deploy «step 1 · n» now}"


def test_a_plain_word_amid_free_text_is_no_reference():
    words = ("order", "model", "index")
    texts = ("the order of things", "one model for all", "an index in books")
    examples = [
        (call("a", {}, {"label": w}), call("b", {"text": t})) for w, t in zip(words, texts, strict=True)
    ]
    assert learned(examples) == "{text: {text}}"


def test_a_constant_beginning_needs_three_observations_and_four_characters():
    assert learned([(call("a", {"x": f"TODO({n})"}),) for n in ("ab", "cd", "ef")], 1) == "{x: TODO({x})}"
    assert learned([(call("a", {"x": f"TODO({n})"}),) for n in ("ab", "cd")], 1) == "{x: {x}}"
    assert learned([(call("a", {"x": f"a/{n}"}),) for n in ("ab", "cd", "ef")], 1) == "{x: {x}}"


def test_two_inputs_that_are_always_equal_are_one():
    examples = [(call("a", {"branch": n}), call("b", {"ref": n, "text": f"about {n}!"})) for n in NAMES]
    assert learned(examples) == "{ref: {branch}, text: about {branch}!}"
    assert [field.name for field in generalise(examples).inputs] == ["branch"]


def test_two_flags_that_happen_to_be_equal_are_two():
    examples = [(call("a", {"x": flag, "y": flag}),) for flag in (True, False, True)]
    assert len(generalise(examples).inputs) == 2


def test_a_short_whole_text_is_a_source():
    examples = [
        (call("find_user", {"zip": z}, n), call("get_user", {"id": n}))
        for z, n in zip("123", NAMES, strict=True)
    ]
    assert learned(examples) == "{id: «step 1»}"


def test_a_reference_goes_through_a_wrapper_of_json_text():
    examples = pairs(lambda v: {"result": f'{{"id": "{v}"}}'}, lambda v: {"id": v}, NAMES)
    assert learned(examples) == "{id: «step 1 · result.id»}"


def test_calls_announced_together_cannot_feed_each_other():
    """Case B002."""
    examples = [
        (call("search", {"q": "TODO"}, {"path": n}, group="m1"), call("read", {"path": n}, group="m1"))
        for n in PATHS
    ]
    assert learned(examples) == "{path: {path}}"


def test_sources_that_stay_ambiguous_are_all_kept_in_a_fixed_order():
    examples = [
        (call("a", {}, {"z": n, "b": {"c": n}}), call("b", {}, {"y": n}), call("c", {"x": n})) for n in NAMES
    ]
    leaf = generalise(examples).steps[2].leaves[0]
    assert leaf.expression == Ref(1, ("z",))
    assert leaf.ambiguous == (Ref(1, ("b", "c")), Ref(2, ("y",)))
    assert leaf.values == 3


def test_one_more_example_separates_ambiguous_sources():
    examples = [(call("a", {}, {"z": n, "y": n}), call("b", {"x": n})) for n in NAMES]
    examples.append((call("a", {}, {"z": "other", "y": "delta-4"}), call("b", {"x": "delta-4"})))
    leaf = generalise(examples).steps[1].leaves[0]
    assert leaf.expression == Ref(1, ("y",))
    assert not leaf.ambiguous


def test_a_list_of_inputs_is_one_input():
    examples = [(call("a", {"urls": [n, n + "/x"]}),) for n in NAMES]
    assert learned(examples, 1) == "{urls: {urls}}"


def test_a_description_beside_a_command_is_ignored():
    examples = [
        (call("Bash", {"command": "git status", "description": n}), call("Bash", {"command": "git diff"}))
        for n in NAMES
    ]
    step = generalise(examples).steps[0]
    assert learned(examples, 1) == '{command: "git status"}'
    assert step.ignores == ("description",)


def test_a_masked_secret_is_a_reference_where_the_flow_is_seen():
    """Case B068."""
    marks = [f"⟦secret:token:{n * 10}⟧" for n in "abc"]
    examples = pairs(lambda v: {"access_token": v}, lambda v: {"header": f"Bearer {v}"}, marks)
    assert learned(examples) == "{header: Bearer «step 1 · access_token»}"


@pytest.mark.parametrize("marks", [["a"] * 3, ["a", "b", "c"]])
def test_a_masked_secret_is_an_input_and_never_a_constant(marks):
    """Case B067."""
    examples = [(call("login", {"token": f"⟦secret:token:{n * 10}⟧"}),) for n in marks]
    assert learned(examples, 1) == "{token: {token}}"


def test_a_masked_secret_inside_a_command_is_an_input_of_its_own():
    mark = f"⟦secret:token:{'d' * 10}⟧"
    examples = [
        (call("terminal", {"command": f"curl -H 'X-Key: {mark}' https://x.test/{n}"}),)
        for n in ("ab", "cd", "ef")
    ]
    assert learned(examples, 1) == "{command: curl -H 'X-Key: {command}' https://x.test/{command_2}}"
