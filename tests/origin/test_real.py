"""The same with real processes: a double fork with a terminal of its own, and a real tmux."""

import json
import os
import pty
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kata.origin import MARKS, agent_mark
from kata.origin.doubt import NOT_TYPED, STRANGER, UNATTENDED

pytestmark = [
    pytest.mark.skipif(
        not Path("/proc/self/stat").exists(), reason="only Linux tells how a process came to be"
    ),
    pytest.mark.skipif(agent_mark() is not None, reason="these tests themselves run under an agent's mark"),
]
has_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux here")

LOOK = """
import json, os, sys, time
sys.path.insert(0, {root!r})
from pathlib import Path
from kata.origin import Doubts, Record
doubts = Doubts(Record(Path({data!r}), lambda start, end: False))
found = doubts.at_terminal(os.getpid())
if len(sys.argv) > 1 and found is None:
    time.sleep(1.1)  # tmux tells of keys by the second
    since = time.time()
    Path(sys.argv[1]).write_text("asks")
    input()
    found = doubts.typed(os.getpid(), since)
Path({out!r}).with_suffix(".part").write_text(json.dumps(found and found.kind))
Path({out!r}).with_suffix(".part").rename({out!r})
"""
ORPHAN = """
import os, pty, sys
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
pid, _ = pty.fork()
if pid == 0: os.execve(sys.executable, [sys.executable, sys.argv[1]], {})
os.wait()
"""
WAIT_S = 30


class Lab:
    """A home with a Hermes in it that does nothing, and a program that writes down whether it is doubted."""

    def __init__(self, root: Path) -> None:
        self.root, self.out = root, root / "out"
        data = root / "home" / "plugin-data" / "kata"
        data.mkdir(parents=True)
        self.look, self.orphan, hermes = root / "look.py", root / "orphan.py", root / "hermes"
        self.look.write_text(LOOK.format(root=str(Path.cwd()), data=str(data), out=str(self.out)))
        self.orphan.write_text(ORPHAN)
        hermes.write_text("print(flush=True)\nimport sys\nsys.stdin.read()\n")
        self.agent = subprocess.Popen(
            [sys.executable, str(hermes), "chat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"HERMES_HOME": str(root / "home")},
        )
        assert self.agent.stdout is not None
        self.agent.stdout.readline()
        time.sleep(2 / os.sysconf("SC_CLK_TCK"))  # the kernel counts in ticks when something began

    def found(self) -> str | None:
        wait_for(self.out)
        return json.loads(self.out.read_text())

    def end(self) -> None:
        self.agent.communicate()


def wait_for(path: Path) -> None:
    end = time.monotonic() + WAIT_S
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} did not come"
        time.sleep(0.02)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path)
    yield made
    made.end()


def in_a_pty(words: list[str]) -> tuple[int, int]:
    """Start a program in a pseudo-terminal of this process, as any test harness does."""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(words[0], words, {**os.environ, "TERM": "xterm"})
    return pid, master


def test_a_double_fork_with_a_terminal_of_its_own_is_doubted(lab):
    subprocess.run([sys.executable, str(lab.orphan), str(lab.look)], env={}, check=True)
    assert lab.found() == STRANGER


def test_the_same_terminal_made_by_a_test_runner_is_not(lab):
    pid, master = in_a_pty([sys.executable, str(lab.look)])
    assert lab.found() is None
    os.waitpid(pid, 0)
    os.close(master)


def test_nor_is_the_double_fork_once_the_agent_has_ended(lab):
    lab.end()
    subprocess.run([sys.executable, str(lab.orphan), str(lab.look)], env={}, check=True)
    assert lab.found() is None


class Server:
    """A tmux server of its own, started with nothing in its environment, that goes away by itself."""

    def __init__(self, root: Path) -> None:
        self.words = (str(shutil.which("tmux")), "-f", "/dev/null", "-S", str(root / "socket"))

    def run(self, *words: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name not in MARKS}
        subprocess.run([*self.words, *words], env=environment, check=True, timeout=WAIT_S)


@pytest.fixture
def server(lab: Lab) -> Iterator[Server]:
    made = Server(lab.root)
    yield made
    subprocess.run([*made.words, "kill-server"], check=False, capture_output=True, timeout=WAIT_S)


def shell(lab: Lab, *more: Path) -> str:
    return " ".join(map(str, (sys.executable, lab.look, *more)))


@has_tmux
def test_a_tmux_session_that_nobody_is_attached_to_is_doubted(lab, server):
    server.run("new-session", "-d", shell(lab))
    assert lab.found() == UNATTENDED


@pytest.fixture
def attached(lab: Lab, server: Server) -> Iterator[int]:
    """Attach as a person does, to a session with a shell; yield the other end of their terminal."""
    server.run("new-session", "-d", "-s", "theirs", "sh")
    pid, master = in_a_pty([*server.words, "attach", "-t", "theirs"])
    os.read(master, 100)
    yield master
    server.run("kill-session", "-t", "theirs")
    os.waitpid(pid, 0)
    os.close(master)


@has_tmux
def test_the_same_session_with_a_person_attached_is_not(lab, server, attached):
    server.run("send-keys", "-t", "theirs", shell(lab), "Enter")
    assert lab.found() is None


@has_tmux
def test_another_session_of_the_same_server_still_is(lab, server, attached):
    server.run("new-session", "-d", shell(lab))
    assert lab.found() == UNATTENDED


@has_tmux
def test_what_a_program_types_for_the_person_attached_is_doubted(lab, server, attached):
    asks = lab.root / "asks"
    os.write(attached, f"{shell(lab, asks)}\n".encode())
    wait_for(asks)
    server.run("send-keys", "-t", "theirs", "yes", "Enter")
    assert lab.found() == NOT_TYPED


@has_tmux
def test_what_the_person_attached_types_is_not(lab, server, attached):
    asks = lab.root / "asks"
    os.write(attached, f"{shell(lab, asks)}\n".encode())
    wait_for(asks)
    os.write(attached, b"yes\n")
    assert lab.found() is None
