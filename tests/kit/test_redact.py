import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.kit import redact, redact_text
from kata.kit.redact import is_secret_key, preview, secrets_in


@pytest.mark.parametrize(
    "key",
    [
        *(
            "api_token",
            "Authorization",
            "PASSWORD_HINT",
            "passwd",
            "client-secret",
            "API_KEY",
            "apiKey",
            "tokens",
        ),
        *(
            "pwd",
            "Cookie",
            "bearer",
            "credentials",
            "private_key",
            "auth",
            "oauth_state",
            "access-key",
            "x-api-key",
        ),
        "author_token",
    ],
)
def test_a_key_that_contains_a_secret_word_hides_its_value(key):
    assert redact({key: "visible"}) == {key: "***"}


@pytest.mark.parametrize(
    "key", ["author", "authors", "co_author", "tokens_used", "max_tokens", "prompt_tokens", "path", "limit"]
)
def test_a_key_that_only_looks_alike_shows_its_value(key):
    assert not is_secret_key(key)


def test_secrets_are_hidden_at_any_depth():
    value = {"a": [{"token": "t"}, ({"b": {"secret": {"deep": 1}}},)], "n": 1}
    assert redact(value) == {"a": [{"token": "***"}, [{"b": {"secret": "***"}}]], "n": 1}


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_" + "A" * 36,
        "sk-" + "a1" * 12,
        "xoxb-" + "1" * 20,
        "AKIA" + "B" * 16,
        "eyJ" + "a" * 12 + "." + "b" * 12 + "." + "c" * 8,
    ],
)
def test_what_is_recognisable_as_a_credential_is_hidden_in_text(secret):
    assert redact_text(f"got {secret}, sorry") == "got ***, sorry"


def test_credentials_of_a_url_and_of_a_header_are_hidden():
    assert redact_text("GET https://me:hunter2@host/x?token=abc") == "GET https://***@host/x?token=***"
    assert redact_text("Authorization: Bearer abc.def-123") == "Authorization: Bearer ***"


@pytest.mark.parametrize(
    "text", ["unexpected token: }", "password: must not be blank", "author=Bob", "limit=3", "https://host/x"]
)
def test_ordinary_prose_stays(text):
    assert redact_text(text) == text


@pytest.mark.parametrize(
    "text", ["{'password': 'hunter two'}", "secret=x", "api_key: abc123", '"token": "q"']
)
def test_a_value_that_is_given_is_hidden(text):
    assert "***" in redact_text(text)


def test_known_secrets_are_taken_out_of_text():
    known = secrets_in(
        {"token": "swordfish", "nested": [{"password": {"old": ["open sesame"], "n": 1}}], "pin": "1234"}
    )
    assert redact_text("swordfish and open sesame, 1234", known) == "*** and ***, 1234"


def test_a_preview_is_cut_after_it_is_redacted():
    shown = preview({"token": "x" * 500, "text": "y" * 500})
    assert len(shown) == 201
    assert shown.startswith('{"token": "***", "text": "yyy')
    assert shown.endswith("y…")


def test_a_preview_shows_what_json_does_not_know():
    assert preview({"where": pytest}).startswith('{"where": "<module')


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_redacting_twice_is_redacting_once(value):
    once = redact(value)
    assert redact(once) == once
    json.dumps(once)
