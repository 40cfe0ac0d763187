"""A long answer on a terminal goes through the reader's own pager, where ``PAGER`` names one (ux 4)."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence

QUIET_LESS = "FRX"
"""How ``less`` is asked to behave: quit where one screen holds all, keep colour, leave the screen as it is."""

Run = Callable[[Sequence[str], str, Mapping[str, str]], bool]


def run_pager(words: Sequence[str], text: str, environment: Mapping[str, str]) -> bool:
    """Run a pager over a text; tell whether there was one."""
    try:
        subprocess.run(words, input=text, text=True, env=dict(environment), check=False)
    except OSError:
        return False
    return True


def paged(text: str, environment: Mapping[str, str] = os.environ, run: Run = run_pager) -> bool:
    """Show a text in the pager, if there is one and the text is longer than the screen; tell whether it was shown."""
    try:
        words = shlex.split(environment.get("PAGER", ""))
    except ValueError:
        return False
    if not words or words == ["cat"] or text.count("\n") + 1 < shutil.get_terminal_size((80, 24)).lines:
        return False
    return run(words, text + "\n", {"LESS": QUIET_LESS, **environment})
