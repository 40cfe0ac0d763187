"""The routine that the tests on the real Hermes are about: push a branch whose TODO was found and counted."""

import json
import shutil
import subprocess
import time
from pathlib import Path

from tests.hermes.support import call, say

BRANCHES = ("login", "search", "billing")
FILES = {"login": "session.py", "search": "index.py", "billing": "ledger.py", "invoices": "pdf.py"}
NAME = "send_branch"
TOOL = f"kata_{NAME}"


def make_repository(home) -> Path:
    """Make a git repository in the workspace with a branch for each task, and a remote that takes them."""
    remote = home.workspace.parent / "remote.git"
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "init.defaultBranch=main"]
    run = lambda *words: subprocess.run([*git, *words], cwd=home.workspace, check=True)  # noqa: E731
    run("init", "-q", "--bare", str(remote))
    run("init", "-q", ".")
    for branch, name in FILES.items():
        (home.workspace / name).write_text(f"# TODO: {branch}\n", encoding="utf-8")
    run("add", ".")
    run("commit", "-q", "-m", "begin")
    run("remote", "add", "origin", str(remote))
    for branch in FILES:
        run("branch", branch)
    return remote


def pushed(remote: Path) -> set[str]:
    """Return the branches that the remote took."""
    listed = subprocess.run(
        ["git", "branch", "--list"], cwd=remote, capture_output=True, text=True, check=True
    )
    return set(listed.stdout.split())


def found_path(request) -> str:
    """Return the path of the first match in the last search's result."""
    result = next(one for one in reversed(request.results) if "matches" in one)
    return json.loads(result[: result.rindex("}") + 1])["matches"][0]["path"]


def by_hand(model, session, branch: str) -> None:
    """Have the routine done step by step in a conversation."""
    model.then(
        call("search_files", {"pattern": f"TODO: {branch}", "path": "."}),
        lambda request: call("terminal", {"command": f"wc -l {found_path(request)}"}),
        call("terminal", {"command": f"git push origin {branch}"}),
        say("done"),
    )
    assert session.say(f"push {branch}").answer == "done"


def practise(model, home) -> list[str]:
    """Do the routine in three conversations of one process; return what their ends told the person."""
    told = []
    with home.session() as session:
        for branch in BRANCHES:
            by_hand(model, session, branch)
            told += session.finalize() if branch == BRANCHES[-1] else session.new()
    return told


def wait_for_proposal(home, seconds: float = 60) -> dict:
    """Return kata 1 once the mining process has proposed it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        katas = home.cli("kata", "list", "--json").json["data"]["katas"]
        if katas:
            return katas[0]
        time.sleep(0.5)
    raise AssertionError(home.log())


def approve_in_a_shell(home) -> str:
    """Approve kata 1 as a person at a terminal does, its input renamed to ``branch``."""
    with home.shell("kata", "approve", "1", "as", NAME, "pattern=branch") as terminal:
        terminal.wait_for("Type the name")
        terminal.type(NAME)
        assert terminal.wait_end() == 0
        return terminal.text


class Seasons:
    """Data folders of Kata at two points of the story, made once and copied into each home that asks."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def candidate(self, model, home) -> Path:
        """Bring a home to where the routine is proposed; return the remote of its repository."""
        return self._bring("candidate", model, home, self._practised)

    def active(self, model, home) -> Path:
        """Bring a home to where the routine is approved; return the remote of its repository."""
        return self._bring("active", model, home, self._approved)

    def _bring(self, name: str, model, home, make) -> Path:
        remote = make_repository(home)
        kept = self._folder / name
        if kept.exists():
            shutil.copytree(kept, home.data, dirs_exist_ok=True)
        else:
            make(model, home)
            shutil.copytree(home.data, kept)
        return remote

    def _practised(self, model, home) -> None:
        practise(model, home)
        wait_for_proposal(home)
        model.forget()

    def _approved(self, model, home) -> None:
        self._practised(model, home)
        approve_in_a_shell(home)
