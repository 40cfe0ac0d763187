"""Placeholders that others wrote are known as such (case B072)."""

import pytest

from kata.redact import Keeper, find_masks, has_host_mask, host_masks
from tests.redact.corpus import shaped

MASKED = (
    "KEY=sk-a…9f3d\n",
    "KEY=sk-proj-ab...wxyz",
    "DB=postgres://u:***@h/d",
    "[REDACTED]",
    "token: [REDACTED]",
    "«redacted:ghp_…»",
    "password=***",
    "Authorization: Bearer ***",
    "Authorization: ***",
    "ghp_ab...1234",
    "***",
    "<redacted>",
    "https://***:***@h.test/",
    "API_KEY=sk-pro...EFGH and more",
    '"api_key": "***"',
)
HONEST = (
    "",
    "plain text",
    "**bold** and *** a rule ***",
    "wait... what",
    "see foo...bar",
    "range 1...10",
    "a…b",
    "git log main...feature",
    "5 * 3 ** 2",
    "glob **/*.py",
    "the word redacted appears",
    "key: value",
)


@pytest.mark.parametrize("text", MASKED)
def test_a_placeholder_is_seen(text):
    assert has_host_mask({"content": text})


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_is_not_taken_for_a_placeholder(text):
    assert not has_host_mask({"content": text})


def test_placeholders_are_listed_by_path():
    assert host_masks({"a": ["x", "[REDACTED]"], "b": {"c": "password=***"}}) == (("a", 1), ("b", "c"))


def test_placeholders_in_keys_count():
    assert has_host_mask({"[REDACTED]": 1})


def test_katas_own_marks_are_no_placeholders_of_the_host():
    kept = Keeper(b"k" * 32).keep({"t": shaped()["github_token"]}).value
    assert not has_host_mask(kept)
    assert find_masks(kept)


def test_a_placeholder_is_not_masked_again():
    value = {"token": "***", "password": "[REDACTED]", "k": "KEY=sk-a…9f3d"}
    assert Keeper(b"k" * 32).keep(value).value == value
