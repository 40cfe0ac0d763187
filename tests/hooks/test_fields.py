"""What is kept of a hook's keywords."""

import math

from kata.hooks.fields import observed_fields, session_of
from kata.redact import Keeper

KEEPER = Keeper(b"k" * 32)


def kept(texts=False, **keywords):
    return observed_fields(keywords, KEEPER, texts=texts)


def test_scalars_are_kept_as_they_are():
    assert kept(turn_id="t:1", attempt=2, coding=False, seconds=0.5, max_tokens=None) == {
        "turn_id": "t:1",
        "attempt": 2,
        "coding": False,
        "seconds": 0.5,
        "max_tokens": None,
    }


def test_lists_objects_and_numbers_that_are_no_json_are_left_out():
    assert kept(args={"a": 1}, changed_paths=["a"], seconds=math.nan, error=ValueError("x")) == {}


def test_a_text_is_kept_as_length_and_fingerprint():
    assert kept(user_message="hello") == {
        "user_message.length": 5,
        "user_message.fingerprint": KEEPER.fingerprint("hello"),
    }


def test_what_has_a_blank_in_it_is_a_text_under_any_name():
    assert set(kept(surprise="two words")) == {"surprise.length", "surprise.fingerprint"}


def test_what_is_too_long_for_a_name_is_a_text():
    assert set(kept(surprise="x" * 201)) == {"surprise.length", "surprise.fingerprint"}


def test_texts_are_kept_where_they_are_wanted():
    assert kept(texts=True, user_message="two words") == {"user_message": "two words"}


def test_secrets_are_masked_in_texts_and_in_words():
    secret = "ghp_" + "A" * 36
    fields = kept(texts=True, user_message=f"use {secret} now", alias=secret)
    assert secret not in str(fields)


def test_the_session_is_the_hooks_own_or_its_parents():
    assert session_of({"session_id": "a", "parent_session_id": "b"}) == "a"
    assert session_of({"session_id": "", "parent_session_id": "b"}) == "b"
    assert session_of({}) == ""
