"""The catalogue: every message is used with the values it asks for, and words stay in the catalogue."""

import re
from pathlib import Path

import pytest

import kata.surfaces
from kata.surfaces.text import EN, say

SOURCES = list(Path(kata.surfaces.__file__).parent.rglob("*.py")) + list(
    (Path(kata.surfaces.__file__).parent.parent / "runtime").rglob("*.py")
)
CALL = re.compile(r"""say\(\s*f?["']([a-z_.{}]+)["']""")


def used():
    return {key for path in SOURCES for key in CALL.findall(path.read_text(encoding="utf-8"))}


def test_every_message_asked_for_is_there():
    assert not [key for key in used() if "{" not in key and key not in EN]


def test_a_message_without_its_values_is_an_error():
    with pytest.raises(KeyError):
        say("review.reject")


def test_nothing_in_the_catalogue_ends_in_a_space_but_questions():
    assert not [key for key, text in EN.items() if text.endswith(" ") and "ask" not in key.split(".")]
