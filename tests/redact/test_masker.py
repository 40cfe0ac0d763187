"""Marks keep equal secrets equal; values keep their form (cases B066 to B068, B050)."""

import json
import marshal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.redact import Keeper, Masker, find_masks, is_masked
from kata.redact.keeper import MOST_REPEATED
from kata.redact.marks import mark_spans
from tests.redact.corpus import PLAIN, private_key, shaped

KEY = b"k" * 32
TOKEN = shaped()["github_token"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def mask(value):
    return Masker(KEY).mask(value)


def test_equal_secrets_have_equal_marks_in_every_process():
    assert mask({"token": TOKEN}).value == Masker(KEY).mask({"token": TOKEN}).value


def test_different_secrets_have_different_marks():
    other = shaped()["github_oauth"]
    assert mask(TOKEN).value != mask(other).value


def test_another_key_gives_other_marks():
    assert mask(TOKEN).value != Masker(b"x" * 32).mask(TOKEN).value


def test_a_mark_names_kind_and_fingerprint():
    masked = mask(f"use {TOKEN} now")
    (finding,) = masked.found
    assert masked.value == f"use ⟦secret:github_token:{finding.fingerprint}⟧ now"
    assert len(finding.fingerprint) == 10


def test_the_tail_behind_headers_is_kept():
    value = {"headers": {"Authorization": ["Bearer x1", "Bearer y2"], "z": 1}, "tail": "kept"}
    masked = mask(value).value
    assert masked["tail"] == "kept"
    assert masked["headers"]["z"] == 1
    assert json.loads(json.dumps(masked)) == masked


def test_what_was_masked_is_listed_by_path():
    paths = [finding.path for finding in mask({"a": [{"password": PLAIN}], "b": f"x {TOKEN}"}).found]
    assert paths == [("a", 0, "password"), ("b",)]


def test_a_secret_in_a_key_is_masked_in_value_and_path():
    masked = mask({TOKEN: {"password": PLAIN}})
    assert TOKEN not in repr(masked)
    assert all(is_masked(finding.path[0]) for finding in masked.found)


def test_paths_that_hold_a_prefix_are_untouched():
    value = {"paths": ["/w/task-01", "/w/disk-util"]}
    assert mask(value) == (value, ())


def test_flow_through_a_secret_stays_visible():
    """Case B068: the response's token is the same mark in the next request's header."""
    response = mask({"access_token": PLAIN}).value
    request = mask({"headers": {"Authorization": f"Bearer {PLAIN}"}}).value
    assert request["headers"]["Authorization"] == "Bearer " + response["access_token"]


def test_flow_is_visible_from_result_to_address_and_command():
    mark = mask({"password": PLAIN}).value["password"]
    assert mask(f"postgres://u:{PLAIN}@db/x").value == f"postgres://u:{mark}@db/x"
    assert mask(f"mysql -p{PLAIN} db").value == f"mysql -p{mark} db"
    assert mask(f"export DB_PASSWORD={PLAIN}").value == f"export DB_PASSWORD={mark}"
    assert mask(f'curl -H "X-Api-Key: {PLAIN}"').value == f'curl -H "X-Api-Key: {mark}"'


def test_a_secret_named_once_is_masked_everywhere_in_the_value():
    masked = mask({"note": f"I typed {PLAIN}", "password": PLAIN})
    assert PLAIN not in repr(masked)


def test_a_short_plain_password_does_not_blank_out_words():
    assert (
        mask({"note": "read the hunter story", "password": "hunter"}).value["note"] == "read the hunter story"
    )


def test_lone_surrogates_are_kept_and_the_secret_behind_them_is_found():
    masked = mask(f"caf\udce9 ok \ud83d{TOKEN}")
    assert masked.value.startswith("caf\udce9 ok \ud83d⟦secret:")
    assert len(masked.found) == 1


def test_the_value_given_is_not_changed():
    value = {"password": PLAIN, "list": [TOKEN]}
    copy = json.loads(json.dumps(value))
    mask(value)
    assert value == copy


def test_a_value_without_secrets_comes_back_as_it_is():
    value = {"a": [1, {"b": "text"}]}
    assert mask(value).value is value


def test_numbers_and_flags_keep_their_type():
    assert (
        mask({"a": 1, "b": 1.0, "c": True, "d": None, "e": TOKEN}).value.items()
        >= {"a": 1, "b": 1.0, "c": True, "d": None}.items()
    )


def test_a_here_document_keeps_its_command():
    key, _ = private_key()
    masked = mask(f"cat > k.pem <<'E'\n{key}\nE\nchmod 600 k.pem").value
    assert masked.startswith("cat > k.pem <<'E'\n⟦secret:")
    assert masked.endswith("⟧\nE\nchmod 600 k.pem")


def test_a_list_of_hundreds_of_secrets_is_masked_as_a_whole():
    masked = mask("\n".join(f"api_token_{number}={PLAIN}{number}" for number in range(2000)))
    assert PLAIN not in masked.value
    assert len(masked.value) < 100


def test_deep_values_are_cut_and_do_not_break():
    value = TOKEN
    for _ in range(5000):
        value = [value]
    masked = mask({"x": value, "password": PLAIN})
    assert TOKEN not in repr(masked)
    assert PLAIN not in repr(masked)


@given(json_values)
def test_masking_is_idempotent_and_gives_json(value):
    once = mask(value)
    assert mask(once.value).value == once.value
    json.dumps(once.value)


@given(
    json_values, st.sampled_from(list(shaped().values())), st.text(alphabet=" \n\t\"'=:,;()[]{}", max_size=3)
)
def test_a_token_is_found_wherever_it_stands(value, token, blank):
    blank = blank or " "
    masked = mask({"before": value, "text": f"x{blank}{token}{blank}y", token: [value, token]})
    assert token not in json.dumps(masked.value, ensure_ascii=False)


@given(st.text())
def test_marks_in_any_text_are_where_they_say(text):
    masked = mask(f"{text} {TOKEN}").value
    for start, end in mark_spans(masked):
        assert masked[start] == "⟦"
        assert masked[end - 1] == "⟧"
    assert find_masks(masked)


@pytest.mark.parametrize("value", [None, True, 3, 2.5, "", [], {}, "plain"])
def test_simple_values_pass_through(value):
    assert mask(value) == (value, ())


def test_a_keeper_fingerprints_as_its_marks_do():
    keeper = Keeper(KEY)
    assert keeper.fingerprint(TOKEN) in keeper.keep(TOKEN).value


def test_what_is_remembered_of_earlier_values_holds_no_secret():
    keeper = Keeper(KEY)
    for value in ({"path": "src/a.py"}, {"path": TOKEN}, {"password": "hunter2-hunter2"}):
        keeper.keep(value)
    assert keeper._plain == {marshal.dumps({"path": "src/a.py"}, 0)}


def test_a_secret_is_masked_after_plain_values_with_the_same_keys():
    keeper = Keeper(KEY)
    keeper.keep({"path": "src/a.py"})
    assert keeper.keep({"path": TOKEN}) == Keeper(KEY).keep({"path": TOKEN})
    assert keeper.keep({"path": "src/a.py"}).value == {"path": "src/a.py"}


def test_values_that_are_equal_and_not_the_same_are_kept_apart():
    keeper = Keeper(KEY)
    for value in (1, True, 1.0, "1", [1], {"a": 1, "b": 2}, {"b": 2, "a": 1}):
        assert repr(keeper.keep(value).value) == repr(keeper.keep(value).value) == repr(value)


def test_what_is_remembered_is_bounded():
    keeper = Keeper(KEY)
    for number in range(MOST_REPEATED + 10):
        keeper.keep({"path": f"src/{number}.py"})
    assert len(keeper._plain) == 10
