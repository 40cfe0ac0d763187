"""sed: which of its commands write, and which run programs."""

import re

import attrs

from ..classes import LOCAL_WRITE, READ, RUNS_CODE, UNKNOWN, Classification, Effect
from ..rules import Call, Spec, listed, split
from ..word import Word

_VALUED = frozenset({"-e", "--expression", "-f", "--file", "-l", "--line-length"})
_ADDRESS = re.compile(
    r"(?:[\s;,!+~{}]|\d+|\$|/(?:\\.|\[\^?\]?[^\]/\n]*\]|[^/\\\n\[])*/[IM]*|\\(?P<mark>[^\\\n\w])(?:\\.|(?!(?P=mark))[^\\\n\[])*(?P=mark)[IM]*)*"
)
_IN_PLACE = re.compile(r"(-[nErszu]*i).")
_TO_LINE_END = re.compile(r"(?:\\.|[^\n\\])*", re.DOTALL)
_LABEL = re.compile(r"[^;\n}]*")
_SUBSTITUTION_FLAGS = re.compile(r"[gpiIm0-9M]*")
_PLAIN = frozenset("=dDgGhHlnNpPqQxz")


_KNOWN = listed(
    "-e --expression -l --line-length -n --quiet --silent -E -r --regexp-extended -i --in-place -z --null-data -s --separate -u --unbuffered"
    " --posix --debug --sandbox --follow-symlinks --zero-terminated"
)


class _OddScriptError(ValueError):
    pass


def sed(call: Call) -> Classification:
    """Read the script; one in a file, or one that is not understood, is unknown (case B076)."""
    given, operands = split(map(_without_suffix, call.words), _VALUED)
    odd = next((option.name for option in given if option.name not in _KNOWN), None)
    if odd is not None:
        return call.verdict(UNKNOWN, f"has an option that loads a script or is not known to Kata: {odd}")
    scripts = [option.value for option in given if option.name in {"-e", "--expression"}] or operands[:1]
    verdict = call.verdict(READ)
    for script in scripts:
        effect = UNKNOWN if script is None or script.value is None else script_effect(script.text)
        verdict = verdict.raised(effect, f"`sed` is given a script that {_WHY[effect]}")
    if any(option.name in {"-i", "--in-place"} for option in given):
        verdict = verdict.raised(LOCAL_WRITE, "`sed -i` changes files")
    if any(word.may_be_option for word in call.words):
        verdict = verdict.raised(LOCAL_WRITE, "`sed` may be given options that the shell fills in")
    return verdict.flagged(RUNS_CODE) if verdict.effect is UNKNOWN else verdict


def _without_suffix(word: Word) -> Word:
    """Cut the suffix of backups off ``-i``."""
    match = _IN_PLACE.match(word.text)
    return attrs.evolve(word, text=match[1]) if match else word


_WHY = {READ: "only reads", LOCAL_WRITE: "writes a file", UNKNOWN: "runs programs, or is not understood"}


def script_effect(script: str) -> Effect:
    """Classify a sed script by its commands; comments and unknown commands make it unknown."""
    effect, position = READ, 0
    try:
        while True:
            position = _end(_ADDRESS, script, position)
            if position >= len(script):
                return effect
            position, found = _command(script, position)
            effect = max(effect, found, key=lambda item: item.rank)
    except _OddScriptError:
        return UNKNOWN


def _command(script: str, position: int) -> tuple[int, Effect]:
    """Read one command; return where it ends and what it does."""
    letter = script[position]
    position += 1
    if letter in _PLAIN:
        return position, READ
    if letter in "btTv:":
        return _end(_LABEL, script, position), READ
    if letter in "aicrRF#":
        return _end(_TO_LINE_END, script, position), READ
    if letter in "wW":
        return _end(_TO_LINE_END, script, position), LOCAL_WRITE
    if letter == "y":
        return _delimited(script, position, 2), READ
    if letter == "s":
        return _substitution(script, position)
    raise _OddScriptError(letter)


def _substitution(script: str, position: int) -> tuple[int, Effect]:
    position = _end(_SUBSTITUTION_FLAGS, script, _delimited(script, position, 2))
    letter = script[position : position + 1]
    if letter == "w":
        return _end(_TO_LINE_END, script, position), LOCAL_WRITE
    if letter and letter not in ";}\n# \t":
        raise _OddScriptError(letter)
    return position, READ


def _delimited(script: str, position: int, parts: int) -> int:
    """Skip ``/a/b/`` with any delimiter."""
    mark = script[position : position + 1]
    if mark in {"", "\\", "\n"}:
        raise _OddScriptError(mark)
    position += 1
    for part in range(parts):
        position = _part(script, position, mark, brackets=part == 0)
    return position


def _part(script: str, position: int, mark: str, *, brackets: bool) -> int:
    """Skip up to the next delimiter; one inside ``[...]`` would not end the part, so that is left alone."""
    while position < len(script):
        character = script[position]
        if character == mark:
            return position + 1
        if character == "\\":
            position += 2
        elif character == "[" and brackets:
            position = _bracket(script, position, mark)
        else:
            position += 1
    raise _OddScriptError(script)


def _bracket(script: str, position: int, mark: str) -> int:
    end = script.find("]", position + (3 if script.startswith("[^", position) else 2))
    if end < 0 or mark in script[position:end]:
        raise _OddScriptError(script)
    return end + 1


def _end(pattern: re.Pattern[str], script: str, position: int) -> int:
    match = pattern.match(script, position)
    assert match is not None
    return match.end()


PROGRAMS: dict[str, Spec] = {"sed": sed, "gsed": sed}
