"""Words keep their place and their quotes; signatures name programs and sub-commands."""

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.effects import command_signature, words
from kata.effects.shell import parse


def quoted(value):
    return "'" + value.replace("'", "'\\''") + "'"


def texts(command):
    return [(word.text_raw, word.quoting) for word in words(command)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git checkout main", [("git", "bare"), ("checkout", "bare"), ("main", "bare")]),
        ("echo 'a b' \"c d\"", [("echo", "bare"), ("'a b'", "single"), ('"c d"', "double")]),
        ("echo a'b'c", [("echo", "bare"), ("a'b'c", "mixed")]),
        ("echo 'a''b'", [("echo", "bare"), ("'a''b'", "mixed")]),
        ('echo "a""b"', [("echo", "bare"), ('"a""b"', "mixed")]),
        ("echo a\\ b", [("echo", "bare"), ("a\\ b", "mixed")]),
        ('echo "a\\"b"', [("echo", "bare"), ('"a\\"b"', "double")]),
        ("echo $'a\\nb'", [("echo", "bare"), ("$'a\\nb'", "mixed")]),
        ("echo ''", [("echo", "bare"), ("''", "single")]),
        ("cat <<E > f\nbody\nE", [("cat", "bare"), ("f", "bare")]),
        ("A=1 ls", [("1", "bare"), ("ls", "bare")]),
        ("for i in a b; do ls; done", [("a", "bare"), ("b", "bare"), ("ls", "bare")]),
        ("echo `ls x`", [("echo", "bare"), ("`ls x`", "bare")]),
    ],
)
def test_words_are_listed_with_their_quotes(command, expected):
    assert texts(command) == expected


def test_a_word_around_a_substitution_comes_before_the_words_inside():
    assert [raw for raw, _ in texts('echo "$(cat a)" b')] == ["echo", '"$(cat a)"', "cat", "a", "b"]


def test_offsets_count_characters_also_behind_other_scripts():
    command = "echo 'é 你好 \udce9' x"
    assert [command[word.start : word.end] for word in words(command)] == ["echo", "'é 你好 \udce9'", "x"]


@pytest.mark.parametrize("command", ["echo 'a", "if x", "a ||", "ls )", "exec 3<>f"])
def test_a_line_that_is_not_understood_has_no_words_and_no_signature(command):
    assert words(command) is None
    assert command_signature(command) == ()


@given(st.text(alphabet=st.characters(exclude_characters="\0")))
def test_a_quoted_value_is_one_word_and_reads_back_as_itself(value):
    found = words(f"printf %s {shlex.quote(value)}; rm x")
    assert found is not None
    assert found[2].text == value
    assert [word.text_raw for word in found[3:]] == ["rm", "x"]


@given(st.lists(st.text(alphabet="ab '\"\\$`;|&<>(){}#*?!~=\n-", max_size=6), min_size=1, max_size=4))
def test_any_words_quoted_are_the_words_read(values):
    command = "f " + " ".join(map(quoted, values))
    assert [word.value for word in words(command)] == ["f", *values]


@given(st.text(alphabet="ab '\"\\$`;|&<>(){}#*?!~=\n-[]", max_size=40))
def test_words_never_lie_about_where_they_stand(command):
    for word in words(command) or ():
        assert command[word.start : word.end] == word.text_raw


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git status", ("git status",)),
        ("git -C /r --no-pager log -3", ("git log",)),
        ("cat a | wc -l", ("cat", "wc")),
        ("cd x && git remote set-url origin U", ("cd", "git remote set-url")),
        ("sudo -u a systemctl --no-pager restart y", ("sudo systemctl restart",)),
        ("find . -name x | xargs -0 grep y", ("find", "xargs")),
        ("timeout 5 git push", ("timeout git push",)),
        ("FOO=1 npm run build", ("npm run",)),
        ("docker compose -f c.yml up -d", ("docker compose up",)),
        ("kubectl -n x get pods", ("kubectl get",)),
        ("/usr/bin/git push", ("git push",)),
        ("./deploy.sh a", ("deploy.sh",)),
        ("$X a", ("$",)),
        ("frob nicate", ("frob",)),
        ("A=1", ()),
        ("echo $(git rev-parse HEAD)", ("echo", "git rev-parse")),
        ("git st", ("git",)),
    ],
)
def test_a_signature_names_programs_and_their_sub_commands(command, expected):
    assert command_signature(command) == expected


def test_a_signature_does_not_hang_on_arguments():
    assert command_signature("git push origin main") == command_signature("git push --force other 'x y'")


def test_statements_keep_what_belongs_together():
    line = parse("a | b; c && { d; e; } > f")
    assert [
        (simple.statement, [word.text for word in simple.words]) for simple in line.commands if simple.words
    ] == [
        (1, ["a"]),
        (1, ["b"]),
        (2, ["c"]),
        (3, ["d"]),
        (3, ["e"]),
    ]


@pytest.mark.parametrize("depth", [10, 2000])
def test_deep_nesting_is_refused_and_does_not_break(depth):
    line = parse("echo " + "$(echo " * depth + "x" + ")" * depth)
    assert bool(line.problem) is (depth > 100)
