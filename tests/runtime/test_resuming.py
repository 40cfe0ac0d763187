"""``kata_resume`` in a host: offered, asked for, bound to its version, and gone with what it needs."""

import json
import time

import pytest

from kata.runtime import gate
from kata.runtime.resuming import step_of
from kata.standin import call, say

BRANCHES = ("login", "search", "billing")
PUSH = "git push origin"


@pytest.fixture
def active(host):
    """Return the stand-in with the routine approved as ``kata_send_branch``."""
    (host.workspace.root / "src").mkdir()
    for branch in BRANCHES:
        place = host.workspace.root / "src" / f"{branch}.py"
        place.write_text(f"# TODO: {branch}\n", encoding="utf-8")
        host.terminal.answer(f"wc -l {place}", f"1 {place}")
    remote_takes(host, True)
    for branch in BRANCHES:
        chat = host.conversation()
        chat.turn(
            f"send {branch}",
            [
                call("search_files", pattern=f"TODO: {branch}", path="src"),
                lambda request: call("terminal", command=f"wc -l {found(request)}"),
                call("terminal", command=f"{PUSH} {branch}"),
                say("done"),
            ],
        )
        chat.finalize()
    host.slash("/kata mine")
    host.slash("/kata review 1")
    host.slash("/kata approve 1 as send_branch pattern=branch")
    until(lambda: "kata_send_branch" in host.registry.get_all_tool_names())
    return host


def until(check, seconds=60.0):
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end
        time.sleep(0.02)


def found(request):
    return json.loads(request.results[-1])["matches"][0]["path"]


def remote_takes(host, takes):
    for branch in BRANCHES:
        host.terminal.answer(f"{PUSH} {branch}", "sent" if takes else "rejected", exit_code=0 if takes else 1)


def calling(host, tool, *choices, **args):
    """Have the agent call a tool; return what it was answered."""
    host.person.will_answer(*choices)
    chat = host.conversation()
    turn = chat.turn("go", [call(tool, args), say("done")])
    return json.loads(turn.calls[0].result)


def stopped(host):
    """Have the last step of a run fail; return the answer's way on."""
    remote_takes(host, False)
    return calling(host, "kata_send_branch", "once", branch="login")["resume"]


def test_a_mended_run_goes_on_at_the_step_that_stopped_it(active):
    told = stopped(active)
    remote_takes(active, True)
    before = len(active.terminal.ran)
    answer = calling(active, told["tool"], "once", handle=told["handle"])
    assert answer["ok"] is True
    assert active.terminal.ran[before:] == [f"{PUSH} login"]


def test_the_person_is_asked_as_for_the_kata_itself_and_told_what_remains(active):
    told = stopped(active)
    calling(active, told["tool"], "once", handle=told["handle"])
    asked = active.person.asked[-1].question.subject
    assert len(active.person.asked) == 2
    assert f"{PUSH} login" in asked
    assert "wc -l" not in asked


def test_a_person_who_says_no_is_heard_and_the_handle_stays(active):
    told = stopped(active)
    remote_takes(active, True)
    before = len(active.terminal.ran)
    assert "error" in calling(active, told["tool"], "deny", handle=told["handle"])
    assert active.terminal.ran[before:] == []
    assert calling(active, told["tool"], "once", handle=told["handle"])["ok"] is True


def test_a_made_up_handle_runs_nothing_and_asks_nobody(active):
    stopped(active)
    before = (len(active.terminal.ran), len(active.person.asked))
    answer = calling(active, "kata_resume", handle="0" * 24)
    assert answer["code"] == "unknown_handle"
    assert "by hand" in answer["error"]
    assert (len(active.terminal.ran), len(active.person.asked)) == before


def test_a_version_that_is_not_active_any_more_does_not_go_on(active):
    told = stopped(active)
    active.slash("/kata disable send_branch")
    answer = calling(active, told["tool"], "once", handle=told["handle"])
    assert answer["code"] == "not_active"


def test_a_step_that_would_be_left_out_is_refused_before_anybody_is_asked(active):
    told = stopped(active)
    answer = calling(active, told["tool"], handle=told["handle"], from_step=7)
    assert answer["code"] == "not_resumable"
    assert len(active.person.asked) == 1


def test_a_step_that_is_no_number_is_told(active):
    told = stopped(active)
    answer = active.registry.dispatch("kata_resume", {"handle": told["handle"], "from_step": "three"})
    assert json.loads(answer)["code"] == "bad_arguments"


def test_after_unloading_no_run_goes_on(active):
    told = stopped(active)
    handler = active.registry.get_entry("kata_resume").handler
    active.unload()
    assert json.loads(handler({"handle": told["handle"]}))["code"] == "unknown_handle"


def test_the_trace_names_the_run_that_it_went_on_from(active):
    told = stopped(active)
    remote_takes(active, True)
    calling(active, told["tool"], "once", handle=told["handle"])
    ran = json.loads(active.slash("/kata runs --json"))["data"]["runs"]
    shown = json.loads(active.slash(f"/kata run show {ran[0]['run_id']} --json"))["data"]
    assert shown["run"]["resumes"] == ran[1]["run_id"]
    assert ran[1]["run_id"][-12:] in active.slash(f"/kata run show {ran[0]['run_id'][-12:]}")


def test_a_fault_of_the_gate_holds_a_resume_back():
    def broken(args):
        raise RuntimeError

    one = gate.Gate(waits=None, fresh=str, refused=print, resuming=broken)
    assert one.pre_tool_call(tool_name="kata_resume", args={})["action"] == "block"


@pytest.mark.parametrize("value", [True, "3", 2.5, [1]])
def test_only_a_whole_number_is_a_step(value):
    with pytest.raises(ValueError, match="whole number"):
        step_of({"from_step": value})
