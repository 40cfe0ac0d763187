"""find: what it does with what it found (cases B076, B079)."""

from ..classes import LOCAL_WRITE, READ, RUNS_CODE, UNKNOWN, Classification, together
from ..rules import Call, Spec, each, listed, split
from ..word import Word, literal

_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_WRITES = frozenset({"-delete", "-fprint", "-fprint0", "-fprintf", "-fls"})
_FOUND = literal("./found")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})


def find(call: Call) -> Classification:
    """Classify what stands behind ``-exec``, and the actions that write."""
    parts = [call.verdict(READ)]
    index = 0
    while index < len(call.words):
        word = call.words[index]
        if word.text in _RUNS:
            inner, index = _inner(call.words, index + 1)
            parts.append(_run(call, inner))
        elif word.text in _WRITES:
            parts.append(call.verdict(LOCAL_WRITE, f"{word.text} changes files"))
        elif word.may_be_option:
            parts.append(call.verdict(UNKNOWN, "is given words that the shell fills in"))
        index += 1
    return together(parts)


def _inner(words: tuple[Word, ...], start: int) -> tuple[tuple[Word, ...], int]:
    """Return the command behind ``-exec`` and the index of its end mark."""
    end = start
    while end < len(words) and words[end].text not in {";", "+"}:
        end += 1
    return words[start:end], end


def _run(call: Call, inner: tuple[Word, ...]) -> Classification:
    """Classify the command with a file's name in place of ``{}``."""
    shell = bool(inner) and inner[0].text.rpartition("/")[2] in _SHELLS
    if shell and any("{}" in word.text and word.text != "{}" for word in inner):
        return call.verdict(UNKNOWN, "puts file names into code", RUNS_CODE)
    return call.judge.command(tuple(_FOUND if word.text == "{}" else word for word in inner))


def _fd(call: Call) -> Classification:
    given, _ = split(
        call.words,
        listed("-e -E -t -d -D -S -o -c -j -g --extension --exclude --type --max-depth --changed-within"),
    )
    runs = any(option.name in {"-x", "-X"} or option.name.startswith("--exec") for option in given)
    if runs or any(word.may_be_option for word in call.words):
        return call.verdict(UNKNOWN, "runs a command for each file")
    return call.verdict(READ)


PROGRAMS: dict[str, Spec] = {**each("find gfind", find), **each("fd fdfind", _fd)}
