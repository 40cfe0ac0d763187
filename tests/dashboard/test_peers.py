"""Which process is at the other end of a loopback connection, and whether an agent started it."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kata.dashboard import peers
from kata.dashboard.peers import AGENT, GONE, SESSION, agent_behind, holders, stranger_behind
from kata.origin import Record

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux tells who holds a connection"
)
CLIENT = """
import socket, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
print(connection.getsockname()[1], flush=True)
sys.stdin.read()
"""
LEAVES = """
import os, socket, sys
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
connection.sendall(b"POST / HTTP/1.1")
print(connection.getsockname()[1], flush=True)
os._exit(0)
"""


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def connected(port: int):
    """Let a process connect; return its port and its id."""
    started: list[subprocess.Popen[str]] = []

    def connect(*before: str, **environment: str) -> tuple[int, int]:
        clean = {key: value for key, value in os.environ.items() if key not in (SESSION, AGENT)}
        process = subprocess.Popen(
            [*before, sys.executable, "-c", CLIENT, str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**clean, **environment},
        )
        started.append(process)
        assert process.stdout is not None
        return int(process.stdout.readline()), process.pid

    yield connect
    for process in started:
        process.communicate(timeout=10)


@linux
def test_the_holder_of_the_client_end_is_found(port, connected):
    client, pid = connected()
    assert holders(client, port) == (pid,)


@linux
def test_a_person_s_program_shows_no_sign(port, connected):
    client, _ = connected()
    assert agent_behind(client, port, server=1) is None


@linux
def test_a_program_that_a_session_started_is_an_agent_s(port, connected):
    client, _ = connected(HERMES_SESSION_ID="20260101_talk")
    assert agent_behind(client, port, server=1) == SESSION


@linux
def test_a_program_below_one_that_a_session_started_is_an_agent_s(port, connected):
    client, _ = connected(
        "sh", "-c", 'env -u HERMES_SESSION_ID "$@"; true', "sh", HERMES_SESSION_ID="20260101_talk"
    )
    assert agent_behind(client, port, server=1) == SESSION


@linux
def test_another_agent_s_name_is_a_sign_and_hermes_own_is_not(port, connected):
    assert agent_behind(connected(AI_AGENT="some-agent")[0], port, server=1) == AGENT
    assert agent_behind(connected(AI_AGENT="hermes-agent")[0], port, server=1) is None


@linux
@pytest.mark.parametrize("attempt", range(5))
def test_a_sender_that_went_away_is_gone_and_no_person(port, attempt):
    words = [sys.executable, "-c", LEAVES, str(port)]
    sent = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    assert agent_behind(int(sent.stdout), port, server=1) == GONE


@linux
def test_a_sender_that_ends_while_it_is_looked_at_is_gone(port, connected, monkeypatch):
    client, pid = connected()
    ended = lambda _: (os.kill(pid, signal.SIGKILL), os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT))  # noqa: E731
    monkeypatch.setattr(peers.time, "sleep", ended)
    assert agent_behind(client, port, server=1) == GONE


@linux
def test_a_sender_that_closed_its_end_is_gone_though_its_program_lives(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        client = connection.getsockname()[1]
        connection.shutdown(socket.SHUT_WR)
        assert agent_behind(client, port, server=1) == GONE


def test_nobody_is_found_where_the_platform_does_not_tell(tmp_path):
    assert holders(1, 2, tmp_path) == ()
    assert agent_behind(1, 2, proc=tmp_path) is None


class FakeProc:
    """A process table, written by hand."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "net").mkdir()
        self.connection()

    def connection(self, client: str = "01", inode: int = 777, *, listed: bool = True) -> None:
        """Write the table of connections: the server's port, and the client's end if it is listed."""
        rest = "00000000:00000000 00:00000000 00000000  1000        0"
        lines = ["  sl  local_address rem_address", f"   0: 0100007F:239F 00000000:0000 0A {rest} 11 1"]
        if listed:
            lines.append(f"   1: 0100007F:C350 0100007F:239F {client} {rest} {inode} 1")
        (self.root / "net" / "tcp").write_text("\n".join(lines) + "\n", encoding="ascii")

    def process(
        self,
        pid: int,
        parent: int,
        *,
        began: int = 0,
        holds: bool = False,
        words: str = "x",
        **environment: str,
    ) -> None:
        folder = self.root / str(pid)
        (folder / "fd").mkdir(parents=True)
        rest = " ".join(["S", str(parent), *["0"] * 17, str(began), "0"])
        (folder / "stat").write_text(f"{pid} (a (strange) name) {rest}", encoding="ascii")
        (folder / "environ").write_text(
            "\0".join(f"{key}={value}" for key, value in environment.items()), encoding="ascii"
        )
        (folder / "cmdline").write_text(words.replace(" ", "\0"), encoding="ascii")
        if holds:
            (folder / "fd" / "3").symlink_to("socket:[777]")

    def behind(self, server: int) -> str | None:
        return agent_behind(50000, 9119, server=server, proc=self.root)


@pytest.fixture
def proc(tmp_path: Path) -> FakeProc:
    return FakeProc(tmp_path)


@pytest.mark.parametrize(
    "end",
    [
        {"inode": 0},
        {"client": "04", "inode": 0},
        {"client": "05"},
        {"client": "06", "inode": 0},
        {"client": "08"},
        {"listed": False},
    ],
)
def test_an_end_that_does_not_wait_any_more_is_gone(proc, end):
    proc.connection(**end)
    assert proc.behind(server=10) == GONE


def test_an_end_that_no_readable_process_holds_is_somebody_else_s(proc):
    proc.process(30, 1)
    assert proc.behind(server=10) is None


def test_a_holder_that_dropped_its_marks_as_it_ends_is_gone(proc):
    proc.process(30, 1, words="", holds=True)
    assert proc.behind(server=10) == GONE


def test_an_end_that_one_look_missed_is_seen_by_the_second(proc, monkeypatch):
    proc.process(30, 1, words="firefox", holds=True)
    proc.connection(listed=False)
    monkeypatch.setattr(peers.time, "sleep", lambda _: proc.connection())
    assert proc.behind(server=10) is None


def test_an_agent_that_only_the_second_look_sees_is_one(proc, monkeypatch):
    late = lambda _: proc.process(30, 1, holds=True, HERMES_SESSION_ID="s")  # noqa: E731
    monkeypatch.setattr(peers.time, "sleep", late)
    assert proc.behind(server=10) == SESSION


TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def test_the_browser_that_the_dashboard_opens_as_it_starts_is_a_person_s(proc):
    proc.process(10, 1, began=1000)
    proc.process(20, 10, began=1000 + 2 * TICK, holds=True, AI_AGENT="hermes-agent", HERMES_AGENT="true")
    assert proc.behind(server=10) is None


def test_what_the_dashboard_starts_later_is_its_agent_s(proc):
    proc.process(10, 1, began=1000)
    proc.process(20, 10, began=1000 + 60 * TICK, holds=True)
    assert proc.behind(server=10) == "the dashboard's own agent"


def test_the_server_s_own_connection_is_its_agent_s(proc):
    proc.process(10, 1, holds=True)
    assert proc.behind(server=10) == "the dashboard's own agent"


@pytest.mark.parametrize(
    "words",
    [
        "/usr/bin/python3 /home/a/bin/hermes chat",
        "hermes",
        "python -m hermes_cli.main gateway",
        "python3.11 -u /opt/hermes",
    ],
)
def test_what_descends_from_a_running_hermes_is_an_agent_s(proc, words):
    proc.process(10, 1)
    proc.process(30, 1, words=words)
    proc.process(31, 30, words="bash -c curl")
    proc.process(32, 31, words="curl", holds=True)
    assert proc.behind(server=10) == "a running Hermes"


@pytest.mark.parametrize("words", ["tmux new -s hermes", "vim hermes", "ssh hermes"])
def test_a_program_that_only_speaks_of_hermes_is_no_agent(proc, words):
    proc.process(30, 1, words=words)
    proc.process(31, 30, words="firefox", holds=True)
    assert proc.behind(server=10) is None


def test_a_process_table_that_goes_round_in_a_circle_ends(proc):
    proc.process(30, 31, holds=True)
    proc.process(31, 30)
    assert proc.behind(server=10) is None


class Strangers(FakeProc):
    """The same table, on a machine where an agent's turn was under way when everything began."""

    record = Record(Path("/nowhere"), lambda start, end: True)

    def process(self, pid: int, parent: int, *, program: str = "/usr/bin/curl", **more) -> None:
        super().process(pid, parent, **more)
        folder = self.root / str(pid)
        (folder / "status").write_text("Uid:\t1000\t1000\t1000\t1000\n", encoding="ascii")
        (folder / "exe").symlink_to(program)

    def stranger(self, server: int = 10) -> str | None:
        return stranger_behind(50000, 9119, self.record, server=server, proc=self.root)


@pytest.fixture
def strangers(tmp_path: Path) -> Strangers:
    made = Strangers(tmp_path)
    (tmp_path / "uptime").write_text("1000.0 1.0", encoding="ascii")
    made.process(10, 1, program="/usr/bin/python3")
    return made


def test_a_program_that_hangs_from_nothing_is_a_stranger(strangers):
    strangers.process(30, 1, holds=True)
    assert strangers.stranger() == "curl"


def test_so_is_one_below_such_a_program(strangers):
    strangers.process(30, 1, program="/bin/sh")
    strangers.process(31, 30, holds=True)
    assert strangers.stranger() == "sh"


@pytest.mark.parametrize(
    "program", ["/usr/lib/firefox/firefox", "/usr/bin/ssh", "/usr/sbin/sshd", "/usr/sbin/caddy"]
)
def test_a_browser_a_tunnel_and_a_proxy_are_none(strangers, program):
    strangers.process(30, 1, program=program, holds=True)
    assert strangers.stranger() is None


def test_a_program_in_a_person_s_terminal_is_none(strangers):
    strangers.process(29, 1, program="/usr/bin/xterm")
    strangers.process(30, 29, holds=True)
    assert strangers.stranger() is None


def test_what_the_dashboard_s_own_server_started_is_judged_elsewhere(strangers):
    strangers.process(30, 10, program="/opt/odd", holds=True)
    assert strangers.stranger() is None


def test_a_connection_that_no_readable_process_holds_has_no_stranger(strangers):
    assert strangers.stranger() is None
