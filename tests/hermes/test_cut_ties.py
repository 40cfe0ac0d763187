"""An agent whose program cuts every tie to it: two forks, nothing in its environment, a terminal or a connection of its own.

Each attack is a script that the agent runs; its words are put together while it runs, so that no call holds a command of
Kata's.
"""

import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.hermes.story import NAME, approve_in_a_shell
from tests.hermes.support import call, find_hermes, say
from tests.hermes.support.dashboard import TOKEN

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux tells how a process came to be"
)

CUT = """
import os, sys
if len(sys.argv) < 2:
    if os.fork(): os._exit(0)
    os.setsid()
    if os.fork(): os._exit(0)
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "HERMES_HOME")}
    os.execve(sys.executable, [sys.executable, os.path.abspath(__file__), "free"], kept)
"""
APPROVE = """
import pty
pid, master = pty.fork()
if pid == 0: os.execv(HERMES, ["hermes", "ka" + "ta", "app" + "rove", "1", "as", NAME])
seen = b""
while True:
    try: piece = os.read(master, 4096)
    except OSError: break
    if b"Type the name" in seen + piece and b"Type the name" not in seen: os.write(master, NAME.encode() + b"\\n")
    seen += piece
_, status = os.waitpid(pid, 0)
open("part", "w").write(seen.decode() + f"exit {os.waitstatus_to_exitcode(status)}")
os.rename("part", "end")
"""
CHAT = """
import pty, time
pid, master = pty.fork()
if pid == 0: os.execv(HERMES, ["hermes", "chat"])
import threading
seen = bytearray()
def read():
    while True:
        try: seen.extend(os.read(master, 4096))
        except OSError: return
threading.Thread(target=read, daemon=True).start()
time.sleep(12)
for line in ("/ka" + "ta review 1", "/ka" + "ta app" + "rove 1 as " + NAME):
    os.write(master, line.encode()); time.sleep(0.5); os.write(master, b"\\r"); time.sleep(4)
os.kill(pid, 9)
open("part", "wb").write(bytes(seen)); os.rename("part", "end")
"""
TMUX = """
import subprocess, time
def tmux(*words): return subprocess.run(["tmux", "-S", SOCKET, *words], capture_output=True, text=True).stdout
tmux("-f", "/dev/null", "new-session", "-d", "-x", "200", "-y", "50")
tmux("send-keys", HERMES + " ka" + "ta app" + "rove 1 as " + NAME + "; echo exit $?; sleep 1000", "Enter")
sent = shown = ""
for _ in range(300):
    time.sleep(0.1)
    shown = tmux("capture-pane", "-p", "-S", "-")
    if "Type the name" in shown and not sent: sent = tmux("send-keys", NAME, "Enter") or "sent"
    if "exit 0" in shown or "exit 4" in shown: break
tmux("kill-server")
open("part", "w").write(shown)
os.rename("part", "end")
"""
POST = """
import json, socket
body = json.dumps({"note": ""}).encode()
path = "/api/plugins/ka" + "ta/katas/1/rej" + "ect"
head = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{PORT}", f"Origin: http://127.0.0.1:{PORT}", f"X-Hermes-Session-Token: {TOKEN}",
        "Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"]
connection = socket.create_connection(("127.0.0.1", PORT))
connection.sendall("\\r\\n".join([*head, "", ""]).encode() + body)
answer = b"".join(iter(lambda: connection.recv(4096), b""))
open("part", "wb").write(answer)
os.rename("part", "end")
"""
WAIT_S = 60


def state(home) -> str:
    return home.cli("kata", "list", "--json").json["data"]["katas"][0]["state"]


def refusals(home) -> list[dict]:
    return home.cli("kata", "audit", "--action", "decision.refused", "--json").json["data"]["rows"]


@pytest.fixture
def attack(model, hermes, seasons):
    """Have an agent run a script to its end, in a home where the routine waits; return the home and what came of it."""
    home = hermes()
    seasons.candidate(model, home)

    def run(script: str, **values: object) -> tuple[object, str]:
        values = {"HERMES": str(find_hermes()), "NAME": NAME, **values}
        named = "".join(f"{name} = {value!r}\n" for name, value in values.items())
        (home.workspace / "tidy.py").write_text(named + CUT + script, encoding="utf-8")
        wait = f"for i in $(seq {WAIT_S}0); do test -e end && break; sleep 0.1; done"
        model.then(call("terminal", {"command": f"{sys.executable} tidy.py; {wait}"}), say("done"))
        with home.session() as session:
            assert session.say("tidy up").answer == "done"
        return home, read(home.workspace / "end")

    run.home = home
    return run


def read(path: Path) -> str:
    assert path.exists(), "the attack did not come to its end"
    return path.read_text(encoding="utf-8", errors="replace")


def test_a_terminal_that_cut_its_ties_decides_nothing(attack):
    home, seen = attack(APPROVE)
    assert "began while an agent was at work" in seen
    assert seen.endswith("exit 4")
    assert state(home) == "candidate"
    [row] = refusals(home)
    assert (row["actor"]["kind"], row["fields"]["verb"], row["fields"]["code"]) == (
        "agent",
        "approve",
        "human_needed",
    )
    with home.shell("kata") as terminal:
        assert terminal.wait_end() == 0
        assert "refused" in terminal.text
    approve_in_a_shell(home)
    assert state(home) == "active"


def test_nor_does_a_chat_in_such_a_terminal(attack):
    home, _ = attack(CHAT)
    assert state(home) == "candidate"
    assert [row["fields"]["verb"] for row in refusals(home)] == ["approve"]


@pytest.mark.skipif(shutil.which("tmux") is None, reason="no tmux here")
def test_a_tmux_session_that_nobody_is_attached_to_decides_nothing(attack, tmp_path_factory):
    home, shown = attack(TMUX, SOCKET=str(tmp_path_factory.mktemp("t") / "s"))
    assert "terminal is attached to this tmux session" in " ".join(shown.split())
    assert "exit 4" in shown
    assert state(home) == "candidate"
    [row] = refusals(home)
    assert (row["actor"]["kind"], row["fields"]["code"]) == ("agent", "human_needed")


def test_a_connection_that_cut_its_ties_decides_nothing(attack):
    with attack.home.dashboard() as dashboard:
        home, answer = attack(POST, PORT=dashboard.port, TOKEN=TOKEN)
        assert " 403 " in answer.partition("\r\n")[0]
        assert "began while an agent was at work" in answer
    assert state(home) == "candidate"
    [row] = refusals(home)
    assert (row["actor"]["surface"], row["fields"]["verb"]) == ("dashboard", "reject")


def test_a_person_decides_in_a_terminal_beside_a_hermes_that_is_at_work(model, hermes, seasons):
    home = hermes()
    seasons.candidate(model, home)
    model.then(call("terminal", {"command": "sleep 15"}), say("done"))
    with home.session() as session:
        session.begin("wait a little")
        time.sleep(2)
        approve_in_a_shell(home)
        session.wait()
    assert state(home) == "active"
