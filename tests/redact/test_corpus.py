"""Every planted secret is masked, every harmless text is left alone."""

import json

import pytest

from kata.redact import Keeper, find_masks
from kata.redact.shapes import kind_of
from tests.redact.corpus import planted, shaped
from tests.redact.harmless import harmless

KEEPER = Keeper(b"k" * 32)
PLANTED = list(planted())


def forms(secret):
    """A secret as it stands, and as JSON would write it."""
    return {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}


def everything(kept):
    return json.dumps(kept.value, ensure_ascii=False) + repr(kept.value) + repr(kept.masked)


def test_the_corpus_is_as_large_as_promised():
    assert len(PLANTED) >= 130
    assert len({kind_of(secret) for secret in shaped().values()}) >= 26
    assert len({repr(each) for each in harmless()}) >= 280


@pytest.mark.parametrize(
    ("value", "secrets"), [case[1:] for case in PLANTED], ids=[case[0] for case in PLANTED]
)
def test_a_planted_secret_is_gone_from_value_and_findings(value, secrets):
    kept = KEEPER.keep(value)
    assert [secret for secret in secrets for form in forms(secret) if form in everything(kept)] == []
    assert kept.masked


@pytest.mark.parametrize(
    ("value", "secrets"), [case[1:] for case in PLANTED], ids=[case[0] for case in PLANTED]
)
def test_what_was_masked_is_listed_as_it_stands(value, secrets):
    kept = KEEPER.keep(value)
    assert set(find_masks(kept.value)) == set(kept.masked)


def test_masking_twice_changes_nothing_more():
    for name, value, _ in PLANTED:
        once = KEEPER.keep(value)
        assert KEEPER.keep(once.value).value == once.value, name


def test_harmless_texts_are_left_as_they_are():
    touched = [each for each in harmless() if KEEPER.keep(each) != (each, (), False)]
    assert touched == []


def test_harmless_texts_stay_harmless_in_one_value():
    value = {"all": [each for each in harmless() if isinstance(each, str) and "-----" not in each]}
    assert KEEPER.keep(value).masked == ()


@pytest.mark.parametrize(("kind", "secret"), shaped().items())
def test_a_secret_with_a_shape_has_the_same_mark_under_a_name(kind, secret):
    kept = KEEPER.keep(
        {"access_token": secret, "header": f"Bearer {secret}", "text": f"it is {secret}, they say"}
    ).value
    mark = kept["access_token"]
    assert kept["header"] == f"Bearer {mark}"
    assert kept["text"] == f"it is {mark}, they say"


def test_only_the_secret_is_replaced():
    token = shaped()["github_token"]
    kept = KEEPER.keep(f"curl -H 'Authorization: token {token}' https://h.test/x?y=1 -o f").value
    before, after = f"curl -H 'Authorization: token {token}' https://h.test/x?y=1 -o f".split(token)
    assert kept.startswith(before)
    assert kept.endswith(after)
