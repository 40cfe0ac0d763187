import pytest

from kata.spec import Array, Concat, Const, Input, Item, Join, Record, Ref, ShellWord
from kata.templating import decode_result, fetch, show
from kata.templating.hints import input_hint


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Const("src"), '"src"'),
        (Const(1.0), "1.0"),
        (Input("branch"), "{branch}"),
        (Ref(1, ("matches", 0, "path")), "«step 1 · matches[0].path»"),
        (Ref(2), "«step 2»"),
        (Ref(1, ("p",), "basename"), "«basename of step 1 · p»"),
        (Item(("id",)), "«element · id»"),
        (Item(), "«element»"),
        (Concat((Const("git push origin "), ShellWord(Input("branch")))), "git push origin {branch}"),
        (Concat((Const("n="), Const(3))), "n=3"),
        (Join(ShellWord(Ref(1, ("f",))), " "), '«step 1 · f» joined by " "'),
        (Record((("a", Array((Const(None), Input("x")))),)), "{a: [null, {x}]}"),
    ],
)
def test_an_expression_reads_well(expression, text):
    assert show(expression) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[1]", [1]),
        ("00501", "00501"),
        ("1", "1"),
        ("{broken", "{broken"),
        ('"x"', '"x"'),
        ("", ""),
    ],
)
def test_objects_and_lists_are_decoded_and_all_else_stays_text(text, value):
    assert decode_result(text) == value


def test_a_path_goes_on_inside_a_text_that_is_json():
    assert fetch({"result": '{"rows": [{"id": 7}]}'}, ("result", "rows", 0, "id")) == 7


@pytest.mark.parametrize(
    ("words", "texts", "hint"),
    [
        (["git", "push", "origin"], ["main"], "branch"),
        (["git", "push"], ["main"], "remote"),
        (["git", "-C", "/x", "commit", "-m"], ["'a b'"], "message"),
        (["npm", "run", "x", "--env"], ["prod"], "env"),
        (["npm", "run", "x"], ["--env=prod", "--env=dev"], "env"),
        (["make"], ["all"], "command"),
        (["head", "-5"], ["f"], "command"),
    ],
)
def test_an_input_is_named_by_its_place_and_never_by_a_value(words, texts, hint):
    assert input_hint("command", words, texts) == hint
