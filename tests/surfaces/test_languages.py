"""Every language has the same messages with the same places, nothing is left in English, and columns stay aligned."""

import functools
import re
import string
from pathlib import Path

import pytest

import kata.dashboard
from kata.effects import Effect
from kata.machines import RunState
from kata.service import errors
from kata.service.settings import RULES
from kata.surfaces.paint import Page, columns, fold, pad, width_of
from kata.surfaces.parser import VERBS
from kata.surfaces.show.parts import EFFECT_WIDTH, outcome_word, painted_effect
from kata.surfaces.text import CATALOGUES, EN, ZH, explain, language_of, plural, say, speaking, spoken
from kata.surfaces.text.told import HOLE, TOLD

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
NAMES = "JSON Lines|Claude Code|kata_?|Kata|[Hh]ermes|Python|pip|Codex|JSON|ISO|MB|token|[Ss]hell"
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


@functools.cache
def sources():
    """Return the text of the inner rooms, on one line, its string literals joined as Python joins them."""
    root = Path(kata.dashboard.__file__).parents[1]
    inner = (
        "service",
        "importer",
        "machines",
        "executor",
        "store",
        "miner",
        "schemas",
        "templating",
        "validator",
        "effects",
    )
    files = [path for room in inner for path in sorted((root / room).rglob("*.py"))]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    return re.sub(r"\"\s*\n\s*f?\"", "", text)


@pytest.mark.parametrize("sentence", [english for english, _ in TOLD["zh"]])
def test_every_sentence_that_is_translated_is_one_of_the_inner_rooms(sentence):
    pieces = [
        piece.strip(" :.,") for piece in re.split("1 value|distinct values|" + HOLE.pattern, sentence)[::2]
    ]
    assert not [piece for piece in pieces if len(piece) > 3 and piece not in sources()]


@pytest.mark.parametrize(("english", "other"), TOLD["zh"])
def test_a_sentence_keeps_its_places(english, other):
    assert sorted(HOLE.findall(english)) == sorted(HOLE.findall(other))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("there is no kata '7'", "没有 kata '7'"),
        ("step 1 · matches has exactly 2 elements", "step 1 · matches 恰好有 2 个元素"),
        (
            "kata 2 changed while you were reading: x: required is new",
            "在您阅读时 kata 2 发生了变化: x：新成为必需",
        ),
        ("no example is left; search_files is not here", "没有留下示例；这里没有 search_files"),
        ("text made as a, {b}, 3 distinct values", "文本组成为 a, {b}，有 3 个不同的值"),
        ("22 events; `verify` re-reads every byte", "22 条事件；`verify` 会重读每个字节"),
        ("nobody wrote this sentence", "nobody wrote this sentence"),
        ("git push origin main; rm x", "git push origin main; rm x"),
        ("no example is left; rm x", "no example is left; rm x"),
    ],
)
def test_what_the_inner_rooms_explain_is_said_in_chinese(text, shown):
    with speaking("zh"):
        assert explain(text) == shown
    assert explain(text) == text


def test_only_what_explains_is_said_in_another_way():
    with speaking("zh"):
        assert say("run.given", args="step 1 exists").endswith("step 1 exists")
        assert say("review.requires", what="step 1 · x exists").endswith("step 1 · x 存在")


ERRORS = (
    errors.UnknownKataError("7", ("note_task",)),
    errors.UnknownKataError("7"),
    errors.UnknownRunError("abc"),
    errors.UnknownPositionError(9, 3),
    errors.UnknownVersionError(1, 9, 2),
    errors.StaleDigestError(1, "a", "b", ("step 1 · x is not empty",)),
    errors.NotReviewedError(1),
    errors.BadInputNameError("title"),
    errors.SecretNameError(),
    errors.ValidationFailedError(1, ()),
    errors.ConflictError(1, "active", "ana"),
    errors.NobodyMayError("approve"),
    errors.NotAnInputError("x", ("branch",)),
    errors.NotAnInputError("x", ("branch",), taken=True),
)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_refusal_of_the_service_is_said_in_chinese(error):
    with speaking("zh"):
        for text in filter(None, (str(error), error.hint)):
            assert re.search("[\u4e00-\u9fff]", explain(text)), text


@pytest.mark.parametrize("state", RunState)
def test_every_state_of_a_run_has_a_word(state):
    assert state is RunState.NONE or outcome_word(state)


@pytest.mark.parametrize("language", CATALOGUES)
def test_the_word_of_every_effect_fills_its_column(language):
    with speaking(language):
        widths = {width_of(painted_effect(effect, Page(colour=True), EFFECT_WIDTH)) for effect in Effect}
    assert widths == {EFFECT_WIDTH}


def test_help_is_folded_by_columns():
    assert fold("例行流程", 4) == ["例行", "流程"]
    assert fold("one two three", 7) == ["one two", "three"]
    assert fold("", 5) == [""]
