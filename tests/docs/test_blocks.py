import pytest

from tests.docs.blocks import Command, commands, missing

PAGE = """Words.

```console
$ first --option
one
  two

$ second \\
> more
```

```python
$ not a command
```

<!-- not run: it needs a person -->
```console
$ third
```
"""


def test_a_page_yields_its_commands_with_what_they_print():
    assert list(commands(PAGE)) == [
        Command(4, "first --option", ("one", "two")),
        Command(8, "second \\\nmore"),
        Command(18, "third", not_run="it needs a person"),
    ]


def test_a_block_that_is_not_run_needs_a_reason():
    with pytest.raises(AssertionError, match="needs a reason"):
        list(commands("<!-- not run: -->\n```console\n$ x\n```\n"))


def test_a_console_block_begins_with_a_command():
    with pytest.raises(AssertionError, match="begins with a command"):
        list(commands("```console\noutput\n```\n"))


@pytest.mark.parametrize(
    ("shown", "printed", "first_missing"),
    [
        (("a", "c"), "a\nb\nc\n", ""),
        (("c", "a"), "a\nb\nc\n", "a"),
        (("run … took … s",), "run 12 took 0.3 s\n", ""),
        (("a", "…", "c"), "a\nb\nc\n", ""),
        (("[x]",), "x\n", "[x]"),
        (("[x]",), "[x]\n", ""),
        ((), "anything", ""),
    ],
)
def test_shown_lines_must_be_printed_in_their_order(shown, printed, first_missing):
    assert missing(shown, printed) == first_missing
