"""Watch Kata's whole story run, without a model, a key or a network: the real plugin on a stand-in Hermes.

Every state that is shown is read back from the log by a second process. Exits with 1 when a step does not end as told.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NEEDS = ("attrs", "cattrs", "transitions", "jsonschema_rs")
COMMAND = "python3 -m venv .venv && .venv/bin/pip install tox && .venv/bin/tox -e demo"


def missing() -> list[str]:
    """Return the packages that are not here."""
    from importlib.util import find_spec

    return [name for name in NEEDS if find_spec(name) is None]


if __name__ == "__main__" and missing():
    print(f"The demo needs {', '.join(missing())}, which this Python does not have. Type:\n\n  {COMMAND}")
    sys.exit(2)

sys.path.insert(0, str(ROOT))

from kata import register  # noqa: E402 - after the look for what is missing
from kata.standin import ModelRequest, StandIn, call, say  # noqa: E402
from kata.standin.modules import installed  # noqa: E402
from kata.surfaces import fences  # noqa: E402

BRANCHES = ("login", "search", "billing")
NEW = "invoices"
PATIENCE = 60.0
"""Seconds that Kata has to find the routine by itself."""

FILES = {"login": "src/session.py", "search": "src/index.py", "billing": "src/ledger.py", NEW: "src/pdf.py"}
BOLD, DIM, GREEN, RED, PLAIN = (
    ("\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[31m", "\x1b[0m") if sys.stdout.isatty() else ("",) * 5
)


class NotAsToldError(Exception):
    """Say that a step of the story did not end as it was told."""


def expect(what: str, holds: bool) -> None:
    """Tell whether something holds, and stop the story when it does not."""
    print(f"  {GREEN}✓{PLAIN} {what}" if holds else f"  {RED}✗ {what}{PLAIN}")
    if not holds:
        raise NotAsToldError(what)


class Story:
    """The stand-in, the plugin on it, and what the scenes hand on to one another."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.host = StandIn(home, config={"tools": {"tool_search": {"enabled": "off"}}})
        self.requests_by_hand = 0
        (self.host.workspace.root / "src").mkdir()
        for branch, path in FILES.items():
            place = self.host.workspace.root / path
            place.write_text(f"# TODO: {branch}\nprint('{branch}')\n", encoding="utf-8")
            self.host.terminal.answer(f"wc -l {place}", f"2 {place}")
        self.remote_takes(True)

    def remote_takes(self, takes: bool) -> None:
        """Let the remote take what is pushed, or refuse it."""
        for branch in FILES:
            answer = f" * {branch} -> {branch}" if takes else "remote: rejected"
            self.host.terminal.answer(f"git push origin {branch}", answer, exit_code=0 if takes else 1)

    def type(self, line: str) -> str:
        """Type a command in the chat and show both sides of it."""
        print(f"\n  {BOLD}› {line}{PLAIN}")
        answer = self.host.slash(line)
        print("".join(f"    {text}\n" for text in answer.splitlines()), end="")
        return answer

    def state(self) -> dict[str, Any]:
        """Return kata 1 as a second process reads it from the log; empty before it is proposed."""
        katas = self.shell("list", "--json")["data"]["katas"]
        return next((one for one in katas if one["number"] == 1), {})

    def wait_for_proposal(self) -> dict[str, Any]:
        """Return kata 1 once the pass that the last conversation's end started has proposed it; empty if none comes."""
        end = time.monotonic() + PATIENCE
        while not (found := self.state()) and time.monotonic() < end:
            time.sleep(0.2)
        return found

    def shell(self, *words: str) -> dict[str, Any]:
        """Run ``hermes kata …`` in a process of its own over the same data folder."""
        folder = self.host.data_dir("kata")
        ran = subprocess.run(
            [sys.executable, str(ROOT / "scripts" / "look.py"), str(folder), *words],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        if not ran.stdout.startswith("{"):
            raise NotAsToldError(ran.stderr or ran.stdout or "the second process said nothing")
        answer: dict[str, Any] = json.loads(ran.stdout)
        answer["exit"] = ran.returncode
        return answer

    def expect_state(self, state: str) -> None:
        """Expect kata 1 to be in a state, as the second process sees it."""
        seen = self.state().get("state")
        expect(f"a second process reads from the log: {state}", seen == state)


def first_match(request: ModelRequest) -> str:
    """Return the path that the model just read in a search's result."""
    return str(json.loads(request.results[-1])["matches"][0]["path"])


def by_hand(story: Story, branch: str) -> None:
    """Let the agent do the routine step by step."""
    chat = story.host.conversation()
    before = len(story.host.requests)
    chat.turn(
        f"please deploy a preview of {branch}",
        [
            call("search_files", pattern=f"TODO: {branch}", path="src"),
            lambda request: call("terminal", command=f"wc -l {first_match(request)}"),
            call("terminal", command=f"git push origin {branch}"),
            say("done"),
        ],
    )
    story.requests_by_hand = len(story.host.requests) - before
    for notice in chat.finalize():
        print(f"    {DIM}{notice}{PLAIN}")


def three_conversations(story: Story) -> None:
    """The same routine, by hand, in three conversations."""
    for branch in BRANCHES:
        by_hand(story, branch)
        print(f"  {branch}: search_files → terminal → terminal, {story.requests_by_hand} model requests")
    status = story.shell("status", "--json")["data"]
    expect("nine calls in three conversations are recorded", status["recording"]["calls"] == 9)
    expect("and none was lost", status["recording"]["lost"] == 0)


def proposal(story: Story) -> None:
    """At the end of the third conversation Kata looked for routines by itself, and proposes one."""
    kata = story.wait_for_proposal()
    story.type("/kata audit --action kata.proposed")
    story.type("/kata")
    expect(
        "one routine is proposed, of all three steps",
        [step["tool"] for step in kata.get("steps", ())] == ["search_files", "terminal", "terminal"],
    )
    expect(
        "seen in three conversations, confidence 0.78",
        (kata["support"], round(kata["confidence"], 2)) == (3, 0.78),
    )
    expect(
        "nothing is registered yet",
        not [
            name
            for name in story.host.registry.get_all_tool_names()
            if name.startswith("kata_") and name not in ("kata_list", "kata_resume")
        ],
    )
    story.expect_state("candidate")


def review(story: Story) -> None:
    """A person reads what it would do."""
    text = story.type("/kata review 1")
    expect("the review shows the input inside the command", "git push origin {" in text)
    expect("and that the path comes from the search", "matches[0].path" in text)
    expect("and that it asks on every run", "asks for approval on every run" in text)


def approval(story: Story) -> None:
    """The person approves; only now is there a tool."""
    found = story.shell("review", "1", "--json")["data"]["kata"]["inputs"]["properties"]
    story.type(f"/kata approve 1 as deploy_preview {next(iter(found))}=branch")
    story.expect_state("active")
    expect("the tool is registered", "kata_deploy_preview" in story.host.registry.get_all_tool_names())


def run(story: Story, branch: str, choice: str = "once") -> Any:
    """Let the agent call the compiled tool once."""
    chat = story.host.conversation()
    story.host.person.will_answer(choice)
    before = len(story.host.requests)
    turn = chat.turn(f"deploy {branch}", [call("kata_deploy_preview", branch=branch), say("done")])
    turn_requests = len(story.host.requests) - before
    if not turn.calls:
        raise NotAsToldError("the agent has no tool kata_deploy_preview")
    chat.finalize()
    return json.loads(turn.calls[0].result), turn_requests


def one_call(story: Story) -> None:
    """The agent uses it, with a value that it never saw."""
    answer, requests = run(story, NEW)
    print("".join(f"    {text}\n" for text in json.dumps(answer, indent=2).splitlines()), end="")
    expect("the new branch was pushed", story.host.terminal.ran[-1] == f"git push origin {NEW}")
    expect(
        f"{requests} model requests instead of {story.requests_by_hand}",
        (requests, story.requests_by_hand) == (2, 4),
    )
    expect("the person was asked once", len(story.host.person.asked) == 1)
    story.type("/kata runs")
    runs = story.shell("runs", "--json")["data"]["runs"]
    expect("one run, succeeded", [one["outcome"] for one in runs] == ["succeeded"])


def failing_step(story: Story) -> None:
    """A step fails: the run stops there and says so."""
    story.remote_takes(False)
    answer, _ = run(story, "login")
    expect("the agent is told which step failed", "error" in answer)
    trace = story.shell("runs", "--json")["data"]["runs"][0]
    story.type(f"/kata run show {trace['run_id'][-12:]}")
    expect("the trace names step 3", (trace["outcome"], trace["failed_step"]) == ("failed", 3))
    story.expect_state("active")


def suspension(story: Story) -> None:
    """Two more failures in a row, and Kata suspends it by itself."""
    run(story, "search")
    run(story, "billing")
    story.expect_state("suspended")
    expect("the tool is gone", "kata_deploy_preview" not in story.host.registry.get_all_tool_names())


def enabling(story: Story) -> None:
    """The cause is mended; the person turns it on again."""
    story.remote_takes(True)
    story.type("/kata enable deploy_preview")
    story.expect_state("active")
    answer, _ = run(story, "login")
    expect("and it works", "error" not in answer)


def schema_change(story: Story) -> None:
    """A tool changes: the kata is stale, and a revised version waits."""
    story.undo_schema = story.host.change_schema("search_files", _demand_limit)  # type: ignore[attr-defined]
    chat = story.host.conversation()
    chat.turn("look around", [call("search_files", pattern="print", path="src", limit=5), say("there")])
    chat.finalize()
    story.type("/kata")
    story.expect_state("stale")
    expect("a revised version is prepared", story.state()["pending_version"] == 2)
    story.type("/kata review 1")
    story.type("/kata approve 1")
    story.expect_state("active")
    expect("as version 2", story.state()["version"] == 2)


def _demand_limit(schema: dict[str, Any]) -> dict[str, Any]:
    properties = {**schema["properties"], "limit": {"type": "integer"}}
    return {**schema, "properties": properties, "required": [*schema.get("required", ()), "limit"]}


def rollback(story: Story) -> None:
    """The tool is as it was; the person goes back to version 1."""
    story.undo_schema()  # type: ignore[attr-defined]
    chat = story.host.conversation()
    chat.turn("look again", [call("search_files", pattern="print", path="src"), say("there")])
    chat.finalize()
    story.type("/kata rollback deploy_preview 1")
    story.type("/kata rollback deploy_preview 1 yes")
    expect("version 1 is active again", story.state()["version"] == 1)
    story.expect_state("active")


def audit(story: Story) -> None:
    """Who did what, and when."""
    story.type("/kata audit")
    rows = story.shell("audit", "--limit", "200", "--json")["data"]["rows"]
    decisions = [
        row for row in rows if row["action"] in ("kata.approved", "kata.enabled", "kata.rolled_back")
    ]
    expect(
        "every decision names a person",
        decisions != [] and all(row["actor"]["kind"] == "human" for row in decisions),
    )
    own = [
        row
        for row in rows
        if row["action"] in ("kata.proposed", "kata.suspended", "kata.went_stale", "kata.revised")
    ]
    expect("what Kata did by itself is marked so", {row["actor"]["kind"] for row in own} == {"system"})


def replay(story: Story) -> None:
    """Rebuild everything from the log and compare."""
    checked = story.shell("replay", "--check", "--json")
    for name, rows, digest in checked["data"]["tables"]:
        print(f"    {name:<10} {rows:>5} rows  {digest[:16]}")
    expect(
        "the rebuilt state is the same, byte for byte", checked["exit"] == 0 and not checked["data"]["drift"]
    )
    verified = story.shell("verify", "--json")
    expect(
        f"{verified['data']['events']} events, every stored byte as it was written", verified["data"]["ok"]
    )


Scene = Callable[[Story], None]
SCENES: tuple[Scene, ...] = (
    three_conversations,
    proposal,
    review,
    approval,
    one_call,
    failing_step,
    suspension,
    enabling,
    schema_change,
    rollback,
    audit,
    replay,
)


def tell(home: Path, scenes: tuple[Scene, ...] = SCENES) -> int:
    """Tell the story in a folder; return 0, or 1 when a scene does not end as told."""
    story = Story(home)
    with installed(story.host):
        story.host.load(register)
        try:
            for number, scene in enumerate(scenes, 1):
                print(f"\n{BOLD}{number}. {(scene.__doc__ or scene.__name__).strip()}{PLAIN}")
                scene(story)
        except NotAsToldError as error:
            print(f"\n{RED}Not as told: {error}{PLAIN}")
            return 1
        finally:
            story.host.unload()
    print(f"\n{GREEN}The story ended as told.{PLAIN} Its log lay in {home}.")
    return 0


def main() -> int:
    """Tell the story in a temporary folder."""
    fences.agent_mark = lambda *_: None  # the people of this story are made up, whoever started it
    fences.WATCH = fences.UNWATCHED
    with tempfile.TemporaryDirectory(prefix="kata-demo-") as home:
        return tell(Path(home))


if __name__ == "__main__":
    sys.exit(main())
