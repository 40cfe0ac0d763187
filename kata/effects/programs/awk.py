"""awk: a language of its own, so anything beyond reading and printing is looked for (case B076)."""

import re

from ..classes import LOCAL_WRITE, READ, RUNS_CODE, UNKNOWN, Classification, Effect
from ..rules import Call, Spec, split

_VALUED = frozenset({"-F", "-v", "-f", "--field-separator", "--assign", "--file", "-e", "-E", "-i", "-l"})
_PLAIN = frozenset(
    {"-F", "-v", "--field-separator", "--assign", "--posix", "-P", "-S", "--sandbox", "-n", "-b", "-W"}
)
_TOKENS = re.compile(r'"(?:\\.|[^"\\\n])*"|(?<![\w)\]$ \t"+-])[ \t]*/(?:\\.|[^/\\\n])*/|#[^\n]*')
"""Texts, patterns and comments; a slash behind a value divides."""
_RUNS = re.compile(r"\bsystem\b|(?<!\|)\|(?!\|)|\|&|@")
_WRITES = re.compile(r"\bprintf?\b[^;}\n]*>")


def awk(call: Call) -> Classification:
    """Read the program text; files of code, pipes and ``system`` make it unknown."""
    given, operands = split(call.words, _VALUED)
    odd = next((option.name for option in given if option.name not in _PLAIN), None)
    if odd is not None:
        return call.verdict(UNKNOWN, f"has an option that loads code or is not known: {odd}", RUNS_CODE)
    program = operands[0] if operands else None
    if program is None or program.value is None:
        return call.verdict(UNKNOWN, "is given a program that the shell makes up", RUNS_CODE)
    effect = program_effect(program.text)
    why = {READ: "", LOCAL_WRITE: "prints into a file", UNKNOWN: "may run other programs"}[effect]
    return call.verdict(effect, why, *([RUNS_CODE] if effect is UNKNOWN else []))


def program_effect(program: str) -> Effect:
    """Classify awk code."""
    bare = _TOKENS.sub(" ", program)
    unclear = bare.count("/") > 1 and '"' in program
    if unclear or "/inet" in program or _RUNS.search(bare):
        return UNKNOWN
    return LOCAL_WRITE if _WRITES.search(bare) else READ


PROGRAMS: dict[str, Spec] = dict.fromkeys(("awk", "gawk", "mawk", "nawk"), awk)
