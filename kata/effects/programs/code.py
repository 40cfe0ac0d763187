"""Programs that run code."""

from ..classes import RUNS_CODE, UNKNOWN, Classification
from ..rules import Call, Spec, each


def interpreter(call: Call) -> Classification:
    """Tell a script in a file from code that stands in the line or comes through a pipe (case B080)."""
    inline = not call.words or call.words[0].text.startswith("-")
    if inline:
        return call.verdict(UNKNOWN, "runs code given in the line", RUNS_CODE)
    return call.verdict(UNKNOWN, "runs a script")


PROGRAMS: dict[str, Spec] = {
    **each("python python3 node deno bun perl ruby php lua Rscript", interpreter),
}
