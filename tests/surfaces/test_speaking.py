"""Commands speak the language that is asked for, that is set, or that Hermes speaks."""

import re

from tests.surfaces.test_cli import shell


def test_an_answer_comes_in_the_language_that_is_asked_for(lab):
    for words in (["--lang", "zh"], ["--lang=zh"], ["list", "--lang", "zh"]):
        assert re.search("[\u4e00-\u9fff]", shell(lab, *words)[1]), words


def test_what_is_misspelt_is_told_in_that_language_too(lab):
    assert "没有命令" in shell(lab, "--lang", "zh", "aprove")[2]
    assert "缺少" in shell(lab, "review", "--lang", "zh")[2]


def test_without_a_wish_the_language_is_the_one_of_the_environment(lab, monkeypatch):
    monkeypatch.setenv("HERMES_LANGUAGE", "zh_CN.UTF-8")
    assert "用法" in shell(lab, "list", "--help")[1]


def test_a_wrong_value_of_a_flag_is_told_with_what_is_right(lab):
    code, _, error = shell(lab, "runs", "--limit", "many")
    assert (code, "whole number" in error) == (2, True)
    assert "show, allow" in shell(lab, "run", "look", "x")[2]
