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


@pytest.mark.parametrize("kind", ["not run", "typed", "the agent calls"])
def test_a_remark_above_a_block_needs_its_words(kind):
    with pytest.raises(AssertionError, match="needs its words"):
        list(commands(f"<!-- {kind}: -->\n```console\n$ x\n```\n"))


def test_a_remark_says_what_a_person_types():
    assert list(commands("<!-- typed: yes -->\n```console\n$ x\n```\n")) == [Command(3, "x", typed="yes")]


def test_a_remark_says_what_the_agent_does_in_the_first_command():
    page = '<!-- the agent calls: kata_x {"a": 1} -->\n```console\n$ x\n$ y\n```\n'
    assert list(commands(page)) == [Command(3, "x", calls='kata_x {"a": 1}'), Command(4, "y")]


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
