"""Masking stays linear: twice the text is at most about twice the work, also on texts made to be slow.

Work is counted in calls of Python functions, which is the same on every machine.
"""

import subprocess
import sys

import pytest

from kata.redact import Masker
from kata.redact.commands import USAGES
from kata.redact.contexts import STEMS
from kata.redact.masker import MOST
from kata.redact.shapes import SHAPES

KEY = b"k" * 32
UNITS = {
    "blanks": " ",
    "letters": "a",
    "base62": "A0",
    "quotes": '"',
    "backslashes": "\\",
    "slashes": "/",
    "signs": "@",
    "addresses": "http://a:b",
    "addresses with signs": "http://a@",
    "percent": "%41",
    "percent words": "a%41 ",
    "unicode escapes": "\\u0041",
    "base64": "QUJD",
    "base64 words": "QUJDQUJDQUJDQUJDQUJDQUJD ",
    "base64 of secrets": "cGFzc3dvcmQ9YWJjZGVmMTIzNDU2Nzg5 ",
    "assignments": "password=",
    "fields": '{"password":"x"},',
    "escaped fields": '{\\"token\\":\\"abc12345\\"},',
    "quotes left open": 'password="',
    "defaults": "${PASSWORD:-",
    "headers": "authorization: bearer x ",
    "bearers": "bearer ",
    "key begins": "-----BEGIN PRIVATE KEY-----",
    "key ends": "-----END PRIVATE KEY-----\n",
    "key bodies": "-----BEGIN PRIVATE KEY-----\nAAAA",
    "token heads": "eyJaaaaaaaa.",
    "marks": "⟦secret:credential:0123456789⟧",
    "fed": "echo a | login ",
    "wide letters": "İ",
    "surrogates": "\ud83d",
}
TABLED = (
    *(shape.needle for shape in SHAPES),
    *(shape.needle + "0" * 14 + " " for shape in SHAPES),
    *(usage.program + " -p -u 'a:" for usage in USAGES),
    *(stem + "=a" for stem in STEMS),
    *(f"--{stem} a" for stem in STEMS),
)


def calls(text):
    """Count the calls that masking a text takes."""
    count = 0

    def counting(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    masker = Masker(KEY)
    sys.setprofile(counting)
    try:
        masker.mask(text)
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
    assert calls((unit * 65536)[:65536]) < 260_000


def test_a_megabyte_of_ordinary_text_takes_few_calls():
    text = "The quick brown fox jumps over the lazy dog. src/main.py:12: ordinary output\n" * 13_000
    assert calls(text[:1_000_000]) < 700_000


def test_an_ordinary_kilobyte_takes_few_calls():
    assert calls("The quick brown fox jumps over the lazy dog.\n" * 22) < 700


def test_the_room_needs_only_the_standard_library():
    code = "import sys; import kata.redact; assert not {'attr', 'attrs', 'cattrs', 'tree_sitter'} & set(sys.modules), sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
