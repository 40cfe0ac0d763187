"""Whether a process may carry a person's decision: marks, ancestors, the terminal's other end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kata.surfaces.fences import MARKS, agent_mark

LOOK = "import sys; sys.path.insert(0, {root!r}); from kata.surfaces.fences import agent_mark; print(agent_mark())"
ROOT = str(Path.cwd())
linux = pytest.mark.skipif(
    not Path("/proc/self").is_dir(), reason="only Linux tells how a process was started"
)


def look(argv, **env):
    clean = {key: value for key, value in os.environ.items() if key not in MARKS}
    done = subprocess.run(argv, env={**clean, **env}, capture_output=True, text=True, check=True)
    return done.stdout.strip()


CODE = LOOK.format(root=ROOT)


@linux
@pytest.mark.skipif(agent_mark() is not None, reason="these tests themselves run under an agent's mark")
class TestMarks:
    def test_a_process_started_by_a_person_has_none(self):
        assert look([sys.executable, "-c", CODE]) == "None"

    @pytest.mark.parametrize("mark", MARKS)
    def test_a_process_started_with_a_mark_is_known(self, mark):
        assert look([sys.executable, "-c", CODE], **{mark: "1"}) == mark

    def test_taking_the_mark_off_does_not_help_while_the_ancestor_has_it(self):
        argv = ["sh", "-c", f'env -i "{sys.executable}" -c "$0"; true', CODE]
        assert look(argv, AI_AGENT="1") == "AI_AGENT"

    def test_a_mark_set_while_running_proves_nothing(self):
        assert look([sys.executable, "-c", "import os; os.environ['AI_AGENT'] = '1'; " + CODE]) == "None"

    def test_whoever_holds_the_other_end_of_the_terminal_is_looked_at_too(self):
        holder = (
            "import os, pty, sys\n"
            "out = []\n"
            "def read(fd):\n    data = os.read(fd, 1024); out.append(data); return data\n"
            f"pty.spawn(['env', '-i', {sys.executable!r}, '-c', {CODE!r}], read)\n"
        )
        assert "AI_AGENT" in look([sys.executable, "-c", holder], AI_AGENT="1")
