"""What is too long is cut by structure, says so, and holds no half secret (design 7, cases B014, B073)."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kata.redact import Keeper, is_truncated
from kata.redact.keeper import LOOK_AHEAD, MAX_EVENT, MAX_VALUE
from tests.redact.corpus import PLAIN, private_key, shaped

KEEPER = Keeper(b"k" * 32)
TOKEN = shaped()["github_token"]


def size(value):
    return len(json.dumps(value, separators=(",", ":")))


def test_a_long_text_keeps_its_beginning_and_says_how_long_it_was():
    kept = KEEPER.keep({"output": "line\n" * 60_000, "exit_code": 0})
    assert kept.truncated
    assert kept.value["exit_code"] == 0
    assert kept.value["output"].startswith("line\nline\n")
    assert is_truncated(kept.value["output"])
    assert "⟦truncated:300000:" in kept.value["output"]
    assert size(kept.value["output"]) <= MAX_VALUE


def test_what_fits_is_not_cut():
    value = {"a": "x" * 60_000, "b": ["y" * 60_000], "c": "z" * 60_000}
    assert KEEPER.keep(value) == (value, (), False)


def test_the_hash_tells_whether_two_long_texts_were_the_same():
    same = [KEEPER.keep("x" * 100_000).value, KEEPER.keep("x" * 100_000).value]
    other = KEEPER.keep("x" * 99_999 + "y").value
    assert same[0] == same[1] != other


@pytest.mark.parametrize("letter", ["a", "é", "\n", "\x00", "🙂", "\udce9"])
def test_a_text_of_any_letters_is_cut_to_size(letter):
    kept = KEEPER.keep({"text": letter * 200_000})
    assert size(kept.value) <= MAX_VALUE + 100


def test_the_longest_texts_go_first():
    value = {"short": "s" * 1000, "long": ["l" * 60_000 for _ in range(8)]}
    kept = KEEPER.keep(value)
    assert size(kept.value) <= MAX_EVENT
    assert kept.value["short"] == "s" * 1000
    assert len(kept.value["long"]) == 8
    assert all(is_truncated(item) for item in kept.value["long"])


def test_the_tail_of_a_list_goes_and_says_how_many_there_were():
    kept = KEEPER.keep({"items": list(range(200_000)), "last": True})
    assert size(kept.value) <= MAX_EVENT
    assert kept.value["items"][:3] == [0, 1, 2]
    assert kept.value["items"][-1].startswith("⟦truncated:200000:")
    assert kept.value["last"] is True


def test_a_small_list_beside_a_huge_one_stays_whole():
    kept = KEEPER.keep({"huge": [{"a": number} for number in range(100_000)], "small": [1, 2, 3]})
    assert kept.value["small"] == [1, 2, 3]
    assert size(kept.value) <= MAX_EVENT


def test_an_object_of_too_many_keys_loses_the_last_ones():
    kept = KEEPER.keep({f"key{number}": number for number in range(100_000)})
    assert size(kept.value) <= MAX_EVENT
    assert kept.value["key0"] == 0
    assert is_truncated(list(kept.value)[-1])


def test_a_huge_text_is_cut():
    kept = KEEPER.keep("A" * 20_000_000)
    assert size(kept.value) <= MAX_VALUE


@pytest.mark.parametrize("shift", range(-len(TOKEN) - 2, 3))
def test_no_half_token_stays_at_the_cut(shift):
    text = "x " * 50_000
    place = MAX_VALUE - 64 + shift
    kept = KEEPER.keep({"t": text[:place] + TOKEN + text[place:]}).value["t"]
    assert not any(TOKEN[:length] in kept for length in range(8, len(TOKEN)))


@pytest.mark.parametrize("shift", [-3000, -400, -200, -20, -2, 0])
def test_no_half_key_stays_at_the_cut(shift):
    key, body = private_key(lines=40)
    text = "x " * 60_000
    place = MAX_VALUE - 64 + shift
    kept = KEEPER.keep({"t": text[:place] + "\n" + key + "\n" + text[place:]}).value["t"]
    assert not any(line[:16] in kept for line in body)


def test_a_secret_that_is_shortened_by_its_mark_does_not_let_the_next_one_in_half():
    """What masking saves before the cut is not filled with text that was never looked at in full."""
    key, _ = private_key(lines=200)
    edge = MAX_VALUE + LOOK_AHEAD - 64 - len(key) - 10
    text = key + "\n" + "x" * edge + TOKEN + "y" * 100_000
    kept = KEEPER.keep(text).value
    assert not any(TOKEN[:length] in kept for length in range(8, len(TOKEN)))


def test_masks_that_make_a_value_longer_do_not_break_the_limit():
    value = {f"k{number}": {"password": "a1"} for number in range(12_000)}
    assert size(KEEPER.keep(value).value) <= MAX_EVENT


def test_a_mark_is_never_cut_in_two():
    value = {f"k{number}": f"{'x' * number} token={PLAIN} " * 400 for number in range(40)}
    for text in KEEPER.keep(value).value.values():
        assert text.count("⟦") == text.count("⟧")


def test_both_halves_of_a_call_share_the_size_and_the_secrets():
    args, result = KEEPER.keep_call(
        {"password": PLAIN, "x": "a" * 300_000}, {"output": f"hello {PLAIN} " + "b" * 300_000}
    )
    assert size(args.value) + size(result.value) <= MAX_EVENT
    assert PLAIN not in repr((args, result))
    assert args.truncated
    assert [finding.path for finding in args.masked] == [("password",)]
    assert [finding.path for finding in result.masked] == [("output",)]


SHAPES = st.recursive(
    st.integers() | st.text(max_size=5) | st.booleans(),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=6),
    max_leaves=30,
)


def grown(value):
    """The same value with every text five thousand times, and every list three times, as long."""
    if isinstance(value, str):
        return value * 5000
    if isinstance(value, list):
        return [grown(item) for item in value] * 3
    return {key: grown(item) for key, item in value.items()} if isinstance(value, dict) else value


@settings(max_examples=40, deadline=None)
@given(SHAPES)
def test_any_value_is_kept_within_the_limit(shape):
    value = grown(shape)
    kept = KEEPER.keep(value)
    assert size(kept.value) <= MAX_EVENT
    assert json.loads(json.dumps(kept.value)) == kept.value
    if not kept.truncated and not kept.masked:
        assert kept.value == value
