"""Shells, here and on other machines, and what is fed to them (cases B079, B080)."""

import attrs

from ..classes import ELEVATED, EXTERNAL, INTERACTIVE, READ, RUNS_CODE, RUNS_SCRIPT, UNKNOWN, Classification
from ..rules import Call, Option, Spec, UnsureError, each, listed, split
from ..word import Word
from .wrappers import wrapper

_SHELLS = listed("sh bash zsh dash ksh ash")
_PLAIN = listed("--login --norc --noprofile --posix --restricted --verbose --noediting")


def _shell(call: Call) -> Classification:
    """Look into the text behind ``-c``; scripts and what comes through a pipe are unknown."""
    letters, operands = _taken_apart(call.words)
    if letters is None:
        return call.verdict(UNKNOWN, RUNS_SCRIPT)
    if "c" in letters:
        return _text(call, operands[0] if operands else None)
    fed = not operands or "s" in letters or operands[0].value is None
    if fed or operands[0].text in {"-", "/dev/stdin"}:
        return call.verdict(UNKNOWN, "runs what it is fed", RUNS_CODE)
    return call.verdict(READ, "checks a script") if "n" in letters else call.verdict(UNKNOWN, RUNS_SCRIPT)


def _taken_apart(words: tuple[Word, ...]) -> tuple[str | None, tuple[Word, ...]]:
    """Return the letters of the options (None where a long one may load a file) and what follows them."""
    letters, index = "", 0
    while index < len(words) and words[index].text[:1] in {"-", "+"} and len(words[index].text) > 1:
        text = words[index].text
        index += 1
        if text == "--":
            break
        if text.startswith("--"):
            if text not in _PLAIN:
                return None, ()
            continue
        letters += text[1:]
        index += text[-1] in "oO"
    return letters, words[index:]


def _text(call: Call, text: Word | None) -> Classification:
    if text is None or text.value is None:
        return call.verdict(UNKNOWN, "runs code that the shell makes up", RUNS_CODE)
    return call.judge.text(text.text)


_SSH_VALUED = listed("-b -B -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w")


def _ssh(call: Call) -> Classification:
    """A command on another machine is external; what it says counts too."""
    host = _host(call.words)
    if host is None:
        return call.verdict(UNKNOWN)
    given, _ = split(call.words[:host], _SSH_VALUED)
    if any(map(_runs_here, given)):
        return call.verdict(UNKNOWN, "is given a command to run here", RUNS_CODE)
    command = call.words[host + 1 :]
    command = command[1:] if command and command[0].text == "--" else command
    if not command or command[0].text.startswith("-"):
        return call.verdict(UNKNOWN, INTERACTIVE, INTERACTIVE)
    if any(word.value is None for word in command):
        return call.verdict(UNKNOWN, "runs a command there that the shell makes up", RUNS_CODE)
    inner = call.judge.text(" ".join(word.text for word in command))
    return inner.raised(EXTERNAL, "`ssh` runs a command on another machine")


def _host(words: tuple[Word, ...]) -> int | None:
    """Find the first word that is neither an option nor an option's value."""
    for end in range(1, len(words) + 1):
        _, operands = split(words[:end], _SSH_VALUED)
        if operands:
            return end - 1
    return None


def _runs_here(option: Option) -> bool:
    text = "" if option.value is None else option.value.text.lower()
    return option.name in {"-o", "-F", "-I"} and (
        option.name != "-o" or "command" in text or "provider" in text or "$" in text
    )


def _su(call: Call) -> Classification:
    given, _ = split(call.words, listed("-c --command -s --shell -g -G -w"))
    texts = [option.value for option in given if option.name in {"-c", "--command"}]
    if not texts:
        return call.verdict(UNKNOWN, INTERACTIVE, ELEVATED, INTERACTIVE)
    return _text(call, texts[-1]).flagged(ELEVATED)


_XARGS = wrapper(
    "-I -n -P -L -d -E -s -a -R -S -J --max-args --max-procs --max-chars --delimiter --arg-file",
    "-0 -r -t -x -p -i --null --no-run-if-empty --verbose --exit --max-lines --replace --eof",
    more=True,
)


def _xargs(call: Call) -> Classification:
    """Words from standard input go behind the command, or wherever the mark of ``-I`` stands."""
    try:
        inner = _XARGS.inner(call.words) or ()
    except UnsureError as error:
        return call.verdict(UNKNOWN, str(error))
    own = call.words[: len(call.words) - len(inner)]
    given, _ = split(own, _XARGS.valued)
    marks = [_mark(option) for option in given if option.name in {"-I", "-i", "--replace", "-J"}]
    if marks and any(word.text.rpartition("/")[2] in {*_SHELLS, "eval"} for word in inner):
        return call.verdict(UNKNOWN, "puts what it reads into code", RUNS_CODE)
    return _XARGS(attrs.evolve(call, words=(*own, *(_filled(word, marks) for word in inner))))


def _mark(option: Option) -> str:
    return "{}" if option.value is None or not option.value.text else option.value.text


def _filled(word: Word, marks: list[str]) -> Word:
    """Mark a word as filled in from standard input."""
    if not any(mark in word.text for mark in marks):
        return word
    return attrs.evolve(word, static=False, splits=any(word.text.startswith(mark) for mark in marks))


PROGRAMS: dict[str, Spec] = {
    **each(" ".join(sorted(_SHELLS)), _shell),
    "su": _su,
    "xargs": _xargs,
    "ssh": _ssh,
}
