"""Masking stays linear: twice the text is at most about twice the work, also on texts made to be slow.

Work is counted in calls of Python functions, which is the same on every machine.
"""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.redact import Keeper, Masker, contexts
from kata.redact.search import MOST, outside_marks
from kata.redact.survey import MAX_NODES, survey
from kata.redact.urls import find_in_urls
from kata.redact.values import Span
from tests.redact.slow import ITEMS, TABLED, UNITS, texts, values

KEY = b"k" * 32


MASK = Masker(KEY).mask


def calls(value, mask=MASK):
    """Count the calls that masking a value takes."""
    count = 0

    def counting(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(counting)
    try:
        mask(value)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_twice_the_text_is_at_most_twice_the_work(unit):
    half = unit * (4096 // len(unit))
    assert calls(half + half) <= 2.2 * calls(half) + 40 * MOST


def test_twice_as_many_beginnings_of_any_kind_are_at_most_twice_the_work():
    slow = []
    for unit in TABLED:
        half = unit * (2048 // len(unit))
        if calls(half + half) > 2.2 * calls(half) + 40 * MOST:
            slow.append(unit)
    assert slow == []


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_the_work_on_64_kib_is_bounded(unit):
    assert calls((unit * 65536)[:65536]) < 130_000


@pytest.mark.parametrize("run", ["a://b@", "a@", "token ", "a=", "?key="])
def test_many_secrets_with_a_long_run_behind_each_are_little_work(run):
    text = dict(texts(65536))[f"'pass: ' and some {run!r}, again"]
    assert calls(text, Keeper(KEY).keep) < 70_000


def test_only_the_word_behind_an_auth_token_is_looked_at():
    assert calls(("_authToken " + "a " * 32768)[:65536]) < 40_000


def test_addresses_that_hold_no_secret_are_no_work():
    text = ("https://docs.example.test/a/b git://x@y a://b@ " * 2000)[:65536]
    assert calls(text, lambda one: [*find_in_urls(one)]) < 20


class Reading:
    """Stands in for a pattern and counts the letters that it went over."""

    read = 0

    def __init__(self, pattern):
        self.pattern = pattern

    def match(self, *where):
        found = self.pattern.match(*where)
        Reading.read += len(found.group()) if found else 0
        return found


@pytest.mark.parametrize(
    "unit", ["password=$", "password=os.", "TOKEN={", "auth=(", "pass: <", "a_secret=xx"]
)
def test_what_is_no_secret_is_not_read_to_its_end_again_and_again(unit, monkeypatch):
    for name in ("_BARE", "_ENV"):
        monkeypatch.setattr(contexts, name, Reading(getattr(contexts, name)))
    monkeypatch.setattr(Reading, "read", 0)
    MASK((unit * 65536)[:65536])
    assert Reading.read < 16 * 65536


def test_each_secret_is_held_against_one_mark_and_not_against_all():
    text = "password: hunter22x " + "⟦secret:credential:0123456789⟧ " * 400
    half, whole = (calls(text * times, Keeper(KEY).keep) for times in (1, 2))
    spans, mark = (
        [Span(40 * at, 40 * at + 8, "credential") for at in range(400)],
        "⟦secret:credential:0123456789⟧ ",
    )
    assert whole <= 2.2 * half + 400
    assert calls(spans, lambda found: outside_marks(found, mark * 500)) < 4 * 400 + 100


@pytest.mark.parametrize("name", dict(values(1000)))
def test_the_work_on_a_list_or_object_of_64_kib_is_bounded(name):
    assert calls(dict(values(65536))[name], Keeper(KEY).keep) < 220_000


@pytest.mark.parametrize("name", ITEMS)
def test_twice_as_long_a_list_is_at_most_twice_the_work(name):
    short, long = ([ITEMS[name](number) for number in range(count)] for count in (1000, 2000))
    keep = Keeper(KEY).keep
    assert calls(long, keep) <= 2.2 * calls(short, keep) + 40 * MOST


def test_a_value_of_a_hundred_thousand_is_thinned_before_it_is_looked_at():
    value = {"state": "done", "rows": [{"a": number} for number in range(100_000)], "count": 100_000}
    kept = Keeper(KEY).keep(value)
    assert calls(value, Keeper(KEY).keep) < 60 * MAX_NODES
    assert kept.truncated
    assert survey(kept.value).nodes <= MAX_NODES + 8
    assert (kept.value["state"], kept.value["count"]) == ("done", 100_000)
    assert kept.value["rows"][:2] == [{"a": 0}, {"a": 1}]
    assert kept.value["rows"][-1].startswith("⟦truncated:100000:")


def test_what_follows_too_many_secrets_in_a_list_or_object_is_one_mark():
    secrets = [{"token": f"abc{number:07}", "row": number} for number in range(2 * MOST)]
    rows = Keeper(KEY).keep(secrets).value
    assert len(rows) == MOST + 1
    assert [row["row"] for row in rows[: MOST - 1]] == list(range(MOST - 1))
    assert rows[-1].startswith("⟦secret:unseen:")
    named = {f"token{number}": f"abc{number:07}" for number in range(2 * MOST)}
    kept = Keeper(KEY).keep(named).value
    assert len(kept) == MOST + 1
    assert list(kept)[-1] == kept[list(kept)[-1]] == rows[-1]


@given(st.text("passwordecretokenjwtpkeyauthcookieredsig_ ", max_size=60))
def test_every_word_of_a_secret_is_found_where_others_overlap_it(text):
    stems = contexts.STEMS[:-1]
    found = [at for at in range(len(text)) if text.startswith(stems, at)]
    assert contexts._stems(text) == found


@pytest.mark.deep
def test_no_text_that_was_made_to_be_slow_takes_more_than_bounded_work():
    slow = [name for name, text in texts(65536) if calls(text) > 200_000]
    assert slow == []


def test_no_run_behind_a_program_s_name_makes_a_pattern_go_back_and_forth():
    keep = Keeper(KEY).keep
    runs = [(name, text) for name, text in texts(16384) if " and " in name]
    for name, text in runs[::9]:
        assert keep(text).value, name


def test_a_megabyte_of_ordinary_text_takes_few_calls():
    text = "The quick brown fox jumps over the lazy dog. src/main.py:12: ordinary output\n" * 13_000
    assert calls(text[:1_000_000]) < 700_000


def test_an_ordinary_kilobyte_takes_few_calls():
    assert calls("The quick brown fox jumps over the lazy dog.\n" * 22) < 700


def test_the_room_needs_only_the_standard_library():
    code = "import sys; import kata.redact; assert not {'attr', 'attrs', 'cattrs', 'tree_sitter'} & set(sys.modules), sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
