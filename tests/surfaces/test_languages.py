"""Every language has the same messages with the same places, nothing is left in English, and columns stay aligned."""

import re
import string
from pathlib import Path

import pytest

import kata.dashboard
from kata.service.settings import RULES
from kata.surfaces.paint import Page, columns, pad, width_of
from kata.surfaces.parser import VERBS
from kata.surfaces.text import CATALOGUES, EN, ZH, language_of, plural, say, speaking, spoken

OTHERS = {name: texts for name, texts in CATALOGUES.items() if texts is not EN}


def places(text):
    """Return the placeholders of a message, with conversion and format, sorted."""
    found = string.Formatter().parse(text)
    return sorted((name, conversion or "", form or "") for _, name, form, conversion in found if name)


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_missing(language):
    assert sorted(EN.keys() - OTHERS[language].keys()) == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_there_in_vain(language):
    assert sorted(OTHERS[language].keys() - EN.keys()) == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_the_same_places(language):
    texts = OTHERS[language]
    assert {key: places(texts[key]) for key in texts.keys() & EN.keys()} == {
        key: places(EN[key]) for key in texts.keys() & EN.keys()
    }


TYPED = (
    "plugins install as using because yes input name value branch main path shown approvers always changed seen human agent system slash cli"
    " dashboard hook tool approved finished step1 step2 NUMBER@DIGEST NAME TEXT PATH FILE KATA COMMAND key"
)
NAMES = "JSON Lines|Claude Code|kata_?|Kata|[Hh]ermes|Python|Codex|JSON|ISO|MB|token|[Ss]hell"
KEPT = re.compile(
    rf"`[^`]*`|\{{[^}}]*\}}|--[a-z-]+|\b({NAMES}|{'|'.join((*TYPED.split(), *VERBS))}|[a-z]?\d+[a-z]?)\b"
)
"""What is the same in every language: names, words that one types, units, and what stands in backticks or braces."""


@pytest.mark.parametrize("key", ZH)
def test_no_english_is_left_in_chinese(key):
    left = re.findall(r"[A-Za-z]{2,}", KEPT.sub(" ", ZH[key]))
    assert not left, ZH[key]


@pytest.mark.parametrize("key", ZH)
def test_chinese_is_written_with_its_own_marks(key):
    assert not re.search(r"[\u4e00-\u9fff][,;?()]|[,;?()][\u4e00-\u9fff]", ZH[key]), ZH[key]


def test_both_surfaces_name_states_effects_and_outcomes_alike():
    tab = (Path(kata.dashboard.__file__).parent / "src" / "words" / "zh.js").read_text(encoding="utf-8")
    words = dict(re.findall(r'^  "([a-z_.]+)": "(.*)",$', tab, re.MULTILINE))
    families = ("state.", "effect.", "outcome.", "surface.", "blocked.", "count.", "time.")
    shared = {key for key in ZH if key.startswith(families)} & words.keys()
    assert len(shared) > 50
    assert {key: ZH[key] for key in shared} == {key: words[key] for key in shared}


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("zh_CN.UTF-8", "zh"),
        ("ZH-Hant-TW", "zh"),
        ("en-GB", "en"),
        ("pt-BR", "en"),
        ("", "en"),
        ("---", "en"),
    ],
)
def test_the_nearest_language_is_spoken(tag, language):
    assert language_of(tag) == language


def test_a_language_is_spoken_for_a_while():
    with speaking("zh-CN"):
        assert (spoken(), plural(1, "count.call", "count.calls")) == ("zh", "1 次工具调用")
    assert (spoken(), plural(1, "count.call", "count.calls")) == ("en", "1 call")


def test_what_a_language_lacks_is_said_in_english(monkeypatch):
    monkeypatch.delitem(ZH, "pause.done")
    with speaking("zh"):
        assert say("pause.done") == EN["pause.done"]


def test_every_language_can_be_set():
    check, _ = RULES["language"]
    assert all(check(name) for name in ("auto", *CATALOGUES))
    assert not check("klingon")


@pytest.mark.parametrize("colour", [True, False])
def test_columns_align_with_wide_characters_and_colour(colour):
    page = Page(colour=colour)
    rows = columns(
        [
            [page.style("需复核", "yellow"), "a", "x"],
            [page.style("on", "dim"), "例行流程", "x"],
            ["", "é", "x"],
        ]
    )
    assert len({width_of(row) for row in rows}) == 1


def test_padding_counts_columns():
    assert pad("只读", 6) == "只读  "
