"""The tab's source: what ships is what it builds, its words are complete, and it holds nothing that a page must not."""

import json
import re
from pathlib import Path

import pytest

from kata import __version__
from kata.surfaces.text.en import EN
from scripts.build_tab import DASHBOARD, BuildError, build, main

SOURCE = DASHBOARD / "src"
ENTRY = re.compile(r'^  "([^"]+)": "((?:[^"\\]|\\.)*)",$', re.MULTILINE)
PLACE = re.compile(r"\{(\w+)\}")
MODULES = sorted(path for path in SOURCE.glob("*.js"))


def words(language: str) -> dict[str, str]:
    return dict(ENTRY.findall((SOURCE / "words" / f"{language}.js").read_text(encoding="utf-8")))


def test_what_ships_is_what_the_source_builds():
    assert main(["--check"]) == 0


def test_what_differs_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("scripts.build_tab.DASHBOARD", tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.js").write_text("export const one = 1;\n", encoding="utf-8")
    (tmp_path / "src" / "style.css").write_text("", encoding="utf-8")
    assert main(["--check"]) == 1
    assert "is not what its source builds" in capsys.readouterr().err
    assert (main([]), main(["--check"])) == (0, 0)


@pytest.mark.parametrize(
    ("modules", "wrong"),
    [
        ({"main.js": 'import { a } from "./a.js";\n'}, "a.js, which is not there"),
        (
            {"main.js": 'import { a } from "./a.js";\n', "a.js": "export const b = 1;\n"},
            "imports a, which a.js does not declare",
        ),
        (
            {"main.js": 'import { a } from "./a.js";\nconst a = 2;\n', "a.js": "export const a = 1;\n"},
            "both declare a",
        ),
        (
            {"main.js": 'import { a } from "./a.js";\n', "a.js": 'import { b } from "./main.js";\n'},
            "import each other",
        ),
    ],
)
def test_a_source_that_does_not_fit_together_is_refused(tmp_path, modules, wrong):
    for name, text in modules.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(BuildError, match=re.escape(wrong)):
        build(tmp_path)


def test_both_languages_have_the_same_keys_in_the_same_order():
    assert list(words("zh")) == list(words("en"))


def test_both_languages_have_the_same_places():
    english, chinese = words("en"), words("zh")
    differ = {key for key in english if set(PLACE.findall(english[key])) != set(PLACE.findall(chinese[key]))}
    assert not differ


def test_words_that_chat_and_shell_have_too_are_the_same_there():
    shared = ("count.", "time.", "effect.", "state.", "outcome.", "surface.", "actor.", "blocked.", "done.")
    english = words("en")
    differ = {
        key: (english[key], EN[key])
        for key in english
        if key.startswith(shared) and EN.get(key, english[key]).lower() != english[key].lower()
    }
    assert not differ


def test_every_key_that_the_source_names_is_there():
    named = set()
    for path in MODULES:
        named |= set(re.findall(r'"((?:[a-z_]+\.)+[a-z_]+)"', path.read_text(encoding="utf-8")))
    files_and_events = re.compile(
        r".*\.js|kata\.keys|(evidence|step|run|notice|mining)\.(kept|started|finished|performed|shown|completed)"
    )
    assert {key for key in named if not files_and_events.fullmatch(key)} <= set(words("en"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_text_ever_becomes_markup(path: Path):
    text = path.read_text(encoding="utf-8")
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
    ):
        assert way not in text, way


def test_no_module_is_long():
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert max(lengths.values()) < 330, lengths


def test_colours_come_from_the_theme():
    """Fixed colours stand in fallbacks and shadows alone, and in the mark, which must never hide."""
    style = (SOURCE / "style.css").read_text(encoding="utf-8")
    bare = re.sub(r"var\(--[\w-]+, #[0-9a-f]+\)|rgb\(0 0 0 / [\d.]+\)|#1a1300", "", style)
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgb\(", bare)


def test_the_manifest_is_one_that_the_host_reads():
    manifest = json.loads((DASHBOARD / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["name"], manifest["version"], manifest["api"]) == ("kata", __version__, "plugin_api.py")
    for key in ("entry", "css"):
        assert (DASHBOARD / manifest[key]).is_file()
