"""What a chat may carry and what a phone may type, whatever it is (ux 5)."""

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kata.surfaces.actors import Chat
from kata.surfaces.paint import ELLIPSIS, LONGEST, OPERATOR, cut, width_of
from kata.surfaces.parser import SHELL_ONLY, VERBS
from kata.surfaces.slash import run_slash, short
from kata.surfaces.text import CATALOGUES, say, speaking
from kata.surfaces.typed import KEYWORDS, split

CHAT = Chat(platform="telegram", user_id="42", session="dm")
COMMAND = st.lists(
    st.text("abc -/.例\u0301", max_size=40)
    | st.sampled_from(["|", "||", "&&", "&", ";", ">", ">>", "<", "$(", "`", "2>&1", "⏎"]),
    max_size=30,
).map("".join)
LINES = st.lists(
    st.tuples(st.integers(0, 900), st.characters(codec="utf-8", exclude_characters="\n")), max_size=200
).map(lambda parts: "\n".join(char * count for count, char in parts))

LONG = st.lists(st.integers(0, LONGEST), min_size=1, max_size=9).map(
    lambda sizes: "\n".join("x" * size for size in sizes * (LONGEST // (sum(sizes) + len(sizes)) + 2))
)


@given(LINES, st.sampled_from(list(CATALOGUES)))
@settings(deadline=None)
def test_an_answer_is_never_longer_than_a_messenger_carries(text, language):
    with speaking(language):
        assert len(short(text, "review")) <= LONGEST


@given(LONG)
@settings(deadline=None)
def test_lines_are_left_out_whole_and_the_last_ones_stay(text):
    shown = short(text, "list").split("\n")
    lines = text.split("\n")
    at = shown.index(say("cut", verb="list"))
    head, tail = shown[:at], shown[at + 1 :]
    assert head == lines[:at]
    assert tail == lines[len(lines) - len(tail) :]
    assert tail or len(lines[-1]) + 1 > LONGEST // 2


def test_a_line_that_is_too_long_alone_is_left_out_not_cut():
    assert short("git add . | tee " + "x" * LONGEST, "review") == say("cut", verb="review")


@given(COMMAND, st.integers(8, 60))
def test_a_cut_hides_no_operator(command, width):
    shown = cut(command, width)
    if shown != command:
        assert OPERATOR.findall(shown.replace(ELLIPSIS, " ")) == OPERATOR.findall(command)


@given(COMMAND, st.integers(8, 60))
def test_a_cut_fits_or_there_is_none(command, width):
    shown = cut(command, width)
    assert shown == command or width_of(shown) <= width


WORD = st.text("abcxyz019_./@:=#", min_size=1, max_size=8)
FULL_WIDTH = {ord(char): ord(char) + 0xFEE0 for char in "0123456789@:=/._"}


@given(st.sampled_from(sorted(VERBS)), st.lists(WORD, max_size=4))
def test_full_width_characters_mean_the_plain_ones(verb, words):
    typed = " ".join([verb, *words])
    assert split(typed.translate(FULL_WIDTH).replace(" ", "\u3000")) == split(typed)


@given(st.sampled_from(["“{}”", "„{}“", "«{}»", "＂{}＂", "‘{}’", "‚{}‘"]), WORD, WORD)
def test_curly_quotes_keep_words_together(quotes, one, other):
    assert split("plan 2 " + quotes.format(f"{one} {other}"))[2:] == [f"{one} {other}"]


@pytest.mark.parametrize("dash", ["—", "―", "––", "−−", "--"])
def test_long_dashes_mean_two_short_ones(dash):
    assert split(f"list {dash}all {dash}Json") == ["list", "--all", "--json"]


@given(st.sampled_from(sorted(KEYWORDS)), st.sampled_from([str.title, str.upper, str.lower]))
def test_capitals_of_a_phone_mean_nothing_in_words_of_its_own(word, written):
    assert split(f"{written(word)} 2") == [word, "2"]


@given(st.text(max_size=60))
def test_a_reason_is_taken_whatever_it_holds(reason):
    assume(reason.strip())
    words = split(f"reject 2 because {reason}")
    assert words[:3] == ["reject", "2", "because"]
    assert len(words) <= 4


def test_a_value_keeps_its_capitals():
    assert split("Plan 2 branch=Feature/X") == ["plan", "2", "branch=Feature/X"]


def test_a_name_that_a_phone_wrote_with_a_capital_is_taken(lab):
    number = lab.proposed()
    run_slash(f"Review {number}", lab.service, CHAT, mark=lambda: None)
    answer = run_slash(f"Approve {number} As Settle_Bug", lab.service, CHAT, mark=lambda: None)
    assert "settle_bug" in answer
    assert lab.state(number) == "active"


LONG = "cat " + "deep/" * 400 + "file | sort > out && rm -r old"


def long_ticket(number):
    """A routine whose constant argument no chat can carry beside another one."""
    found = {"tickets": [{"id": f"T-{number:05d}"}]}
    return [
        ("find_ticket", {"title": f"bug {number}"}, found),
        ("close_ticket", {"id": f"T-{number:05d}", "state": LONG}, {"closed": True}),
        ("close_ticket", {"id": f"T-{number:05d}", "state": LONG + " "}, {"closed": True}),
    ]


def test_what_a_chat_cannot_carry_whole_is_not_approved_there(lab):
    number = lab.proposed(long_ticket)
    shown = run_slash(f"review {number}", lab.service, CHAT, mark=lambda: None)
    assert len(shown) <= LONGEST
    assert "approve" not in shown
    assert shown.splitlines()[-1] == say("review.too_long", number=number)
    run_slash(f"approve {number} as settle_bug", lab.service, CHAT, mark=lambda: None)
    assert lab.state(number) == "candidate"


def test_a_long_command_stands_whole_or_not_at_all(lab):
    number = lab.proposed(long_ticket)
    for words in (f"review {number}", f"plan {number}", f"why {number}", "list", ""):
        shown = run_slash(words, lab.service, CHAT, mark=lambda: None)
        if "deep/deep" in shown:
            assert "| sort > out && rm -r old" in shown, words


def test_no_json_is_cut(lab):
    number = lab.proposed(long_ticket)
    answer = run_slash(f"review {number} --json", lab.service, CHAT, mark=lambda: None)
    assert re.fullmatch(r"\d+ characters of JSON are too long.*\n.*hermes kata review --json", answer)


@given(
    st.sampled_from([*sorted(VERBS.keys() - SHELL_ONLY - {"forget"}), "", "nonsense"]),
    st.lists(
        st.sampled_from(["1", "2", "x", "yes", "--all", "--json", "as", "because", "“", "例"]), max_size=3
    ),
    st.sampled_from(list(CATALOGUES)),
)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_typed_is_answered_within_the_bounds(lab, verb, words, language):
    if not lab.reads.katas.all():
        lab.proposed(long_ticket)
    typed = " ".join((verb, *words))
    answer = run_slash(typed, lab.service, CHAT, mark=lambda: None, language=language)
    assert 0 < len(answer) <= LONGEST
    assert "Traceback" not in answer
    assert say("error.unexpected", error="")[:20] not in answer
