"""The conversations that both hosts hold."""

from typing import Any

from kata.standin import Reply, call, calls, fail, say

from .scenario import Finalize, New, Say, Scenario

FILES = {"a": "alpha\n", "b": "beta\n"}
LONG = {"a": "alpha\nbeta\ngamma\n"}


def once(name: str, *script: Reply, **options: Any) -> Scenario:
    """One turn of one conversation."""
    children = options.pop("children", ())
    return Scenario(name, (Say("go on", script, children),), **options)


def note(text: str) -> Reply:
    return call("observer_note", {"text": text})


def give(*values: Any, tool: str | None = None) -> tuple[dict[str, Any], ...]:
    return tuple({"give": value, **({"tool": tool} if tool else {})} for value in values)


def block(message: str = "not here") -> dict[str, str]:
    return {"action": "block", "message": message}


ASK = {"action": "approve", "message": "the observer asks", "rule_key": "observer:ask"}

DIRECT = (
    once("a lone read", call("read_file", {"path": "a"}), say("read"), files=FILES),
    once("a missing file", call("read_file", {"path": "nowhere.txt"}), say("no file")),
    once(
        "reads together",
        calls(("read_file", {"path": "a"}), ("search_files", {"pattern": "alpha"})),
        say("both"),
        files=FILES,
        together=True,
    ),
    once(
        "two notes in one answer",
        calls(("observer_note", {"text": "1"}), ("observer_note", {"text": "2"})),
        say("2"),
    ),
    *(
        once(f"a handler that gives {what}", note(what), say("so"))
        for what in ("raise", "list", "plain", "null error")
    ),
    once("a handler that dispatches", note("inner"), say("inner")),
    once("an unknown tool", call("zzqqxx_nowhere", {}), say("unknown")),
    once(
        "an unknown tool beside a known",
        calls(("zzqqxx", {}), ("observer_note", {"text": "x"})),
        say("mixed"),
    ),
    once("a nearly right name", call("observer_notes", {"text": "x"}), say("repaired")),
    once("arguments that are no JSON", call("observer_note", '{"text": oops}'), note("ok"), say("again")),
    once("wrong argument names", call("observer_note", {"words": "x"}), say("wrong")),
    once("a tool of the agent itself", call("todo_list", {"todos": []}), say("noted")),
    once("an edit", call("write_file", {"path": "fresh-1.txt", "content": "x"}), say("written")),
    once(
        "the same read thrice",
        *(call("read_file", {"path": "a"}) for _ in range(3)),
        say("read"),
        files=FILES,
    ),
    once(
        "the same read after another tool",
        call("read_file", {"path": "a"}),
        call("terminal", {"command": "true"}),
        call("read_file", {"path": "a"}),
        call("terminal", {"command": "true"}),
        call("read_file", {"path": "a"}),
        say("read"),
        files=FILES,
    ),
    once("the end of a file", call("read_file", {"path": "a", "offset": 2}), say("read"), files=LONG),
    once(
        "part of a file", call("read_file", {"path": "a", "offset": 1, "limit": 1}), say("read"), files=LONG
    ),
    once(
        "the same search again and again",
        *(call("search_files", {"pattern": "alpha"}) for _ in range(5)),
        say("so"),
        files=FILES,
    ),
    once(
        "files by name",
        call("search_files", {"pattern": "named*", "target": "files"}),
        say("so"),
        files={"named.txt": "x"},
    ),
    *(
        once(
            f"a search {where}",
            call("search_files", {"pattern": "alpha", "path": path}),
            say("so"),
            files=FILES,
        )
        for where, path in (("here", "."), ("in one file", "a"))
    ),
    once("a search in vain", call("search_files", {"pattern": "zzqqxx"}), say("so"), files=FILES),
    once(
        "a file overwritten unread", call("write_file", {"path": "a", "content": "x"}), say("so"), files=FILES
    ),
    once(
        "a file read, then overwritten",
        call("read_file", {"path": "a"}),
        call("write_file", {"path": "a", "content": "x"}),
        say("so"),
        files=FILES,
    ),
    once(
        "another directory",
        call("terminal", {"command": "mkdir -p deeper && cd deeper && pwd"}),
        call("terminal", {"command": "pwd"}),
        call("write_file", {"path": "near.txt", "content": "x"}),
        say("so"),
    ),
    once(
        "a command in a given directory",
        call("terminal", {"command": "pwd", "workdir": "/"}),
        call("terminal", {"command": "pwd"}),
        say("so"),
    ),
    once(
        "a command that finds nothing", call("terminal", {"command": "grep zzqqxx a"}), say("so"), files=FILES
    ),
    once("a command that is not there", call("terminal", {"command": "zzqqxx"}), say("so")),
    once("a command", call("terminal", {"command": "echo hi"}), say("ran")),
    once("a command that fails", call("terminal", {"command": "echo hi; exit 3"}), say("failed")),
    once("a text beside a call", call("observer_note", {"text": "x"}, text="I will note it."), say("noted")),
    once("a refused request", fail(400, "bad request")),
    once("a blocked call", note("x"), say("blocked"), answers={"pre_tool_call": give(block())}),
    once(
        "a block without a message",
        note("x"),
        say("ran"),
        answers={"pre_tool_call": give({"action": "block"})},
    ),
    once("a guard that raises", note("x"), say("blocked"), answers={"pre_tool_call": ({"raise": "oops"},)}),
    once(
        "a changed call",
        note("x"),
        say("changed"),
        answers={"pre_tool_call": give({"action": "modify", "args": {"text": "changed", "more": 1}})},
    ),
    once(
        "a block among reads",
        calls(("read_file", {"path": "a"}), ("search_files", {"pattern": "alpha"})),
        say("half"),
        files=FILES,
        together=True,
        answers={"pre_tool_call": give(block(), tool="read_file")},
    ),
    *(
        once(
            f"a question answered {choice}",
            note("x"),
            say("asked"),
            choices=(choice,),
            answers={"pre_tool_call": give(ASK)},
        )
        for choice in ("once", "deny")
    ),
    once(
        "a question answered for the session",
        note("x"),
        note("y"),
        say("asked once"),
        choices=("session",),
        answers={"pre_tool_call": give(ASK)},
    ),
    once(
        "a result transformed", note("x"), say("seen"), answers={"transform_tool_result": give("transformed")}
    ),
    once(
        "an output transformed",
        call("terminal", {"command": "echo hi"}),
        say("seen"),
        answers={"transform_terminal_output": give("transformed")},
    ),
    once("an answer transformed", say("plain"), answers={"transform_llm_output": give("fancy")}),
    once("an answer not transformed", say("plain"), answers={"transform_llm_output": give("")}),
    once("context from a dict", say("heard"), answers={"pre_llm_call": give({"context": "It is Friday."})}),
    once("context from a text", say("heard"), answers={"pre_llm_call": give("It is Friday.")}),
    Scenario(
        "context stays",
        (Say("one", (say("1"),)), Say("two", (say("2"),))),
        answers={"pre_llm_call": give({"context": "It is Friday."})},
    ),
    Scenario(
        "three turns and a new session",
        (
            Say("one", (note("1"), say("1"))),
            Say("two", (say("2"),)),
            New(),
            Say("three", (say("3"),)),
            Finalize(),
        ),
        answers={"on_session_finalize": give("told at the end")},
    ),
    once("three unknown tools in a row", call("zzqqxx1"), call("zzqqxx2"), call("zzqqxx3")),
    once("arguments that never are JSON", *(call("observer_note", '{"text": oops}') for _ in range(5))),
    once(
        "an edit that a plugin is not done with",
        call("write_file", {"path": "fresh-2.txt", "content": "x"}),
        say("written"),
        *(say("still") for _ in range(3)),
        answers={"pre_verify": give({"action": "continue", "message": "Look again."})},
    ),
    once(
        "a dangerous command allowed",
        call("terminal", {"command": "rm -rf ./nothing-here"}),
        say("gone"),
        choices=("once",),
    ),
    once(
        "a dangerous command refused",
        call("terminal", {"command": "rm -rf ./nothing-here"}),
        say("refused"),
        choices=("deny",),
    ),
    Scenario("stop during a request", (Say("wait", (say("never seen"),), stop=True),)),
)
SEARCHING = (
    once(
        "a plugin's tool through the bridge",
        call("tool_call", {"calls": [{"name": "observer_note", "arguments": {"text": "x"}}]}),
        say("so"),
    ),
    once(
        "two through the bridge",
        call(
            "tool_call",
            {"calls": [{"name": "observer_note", "arguments": {"text": t}} for t in "xy"]},
        ),
        say("two"),
    ),
    once("a look-up", call("tool_search", {"query": "repeat a text"}), say("found")),
    once("a description", call("tool_describe", {"name": "observer_note"}), say("described")),
    once("a deferred tool called directly", call("observer_note", {"text": "x"}), say("refused")),
    once(
        "a tool out of scope",
        call("tool_call", {"calls": [{"name": "zzqqxx", "arguments": {}}]}),
        say("refused"),
    ),
    once(
        "a listed tool through the bridge",
        call("tool_call", {"calls": [{"name": "read_file", "arguments": {"path": "a"}}]}),
        say("refused"),
    ),
    once("a bridge call without a name", call("tool_call", {"calls": []}), say("refused")),
    once(
        "missing arguments through the bridge",
        call("tool_call", {"calls": [{"name": "observer_note", "arguments": {}}]}),
        say("refused"),
    ),
)
SINGLE = (
    once("a question with nobody there", note("x"), say("refused"), answers={"pre_tool_call": give(ASK)}),
    once(
        "a sub-agent",
        call("delegate_task", {"goal": "note something"}),
        say("delegated"),
        children=((note("child"), say("child done")),),
    ),
    once("out of requests", note("1"), note("2"), say("the summary"), max_turns=2),
    Scenario("a resumed session", (Say("one", (note("1"), say("1"))), Say("two", (say("2"),)))),
)
