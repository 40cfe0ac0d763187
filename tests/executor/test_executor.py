"""A straight run: what is called, what is written, what is answered (design 8)."""

import json
import shlex
import threading
from contextvars import ContextVar

import attrs
import pytest

from kata.effects import Effect
from kata.errors import KataError
from kata.events.catalogue import RunOutcome, StepOutcome, StepStarted
from kata.executor import Caller, Limits, Verdict
from kata.spec import Concat, Const, Exists, Input, Length, NonEmpty, OneOf, Ref, ShellWord, Spec
from kata.templating import Call, generalise
from tests.executor.fake_host import Hang, Masks, spec_of, step

FOUND = json.dumps({"total_count": 1, "matches": [{"path": "a.py"}]})
WROTE = json.dumps({"bytes_written": 3})
TEXT = {"text": {"type": "string"}}

SEARCH = step("search_files", pattern=Input("text"))
READ = step("read_file", path=Ref(1, ("matches", 0, "path")))
WRITE = step("write_file", path=Ref(1, ("matches", 0, "path")), content=Input("text"))
THREE = spec_of(SEARCH, READ, WRITE, inputs=TEXT)


def answered(world):
    world.tools.answers |= {"search_files": FOUND, "read_file": '{"content": "x"}', "write_file": WROTE}
    return world


def test_a_run_issues_the_rendered_calls_in_order(world):
    answered(world).run(THREE, {"text": "hi"})
    assert world.tools.made() == [
        ("search_files", {"pattern": "hi"}),
        ("read_file", {"path": "a.py"}),
        ("write_file", {"path": "a.py", "content": "hi"}),
    ]


def test_the_answer_of_a_success_is_the_last_result_and_one_line_a_step(world):
    result = answered(world).run(THREE, {"text": "hi"})
    body = json.loads(result.answer)
    assert body["ok"] is True
    assert body["result"] == {"bytes_written": 3} == result.output
    assert len(body["steps"]) == 3


def test_intent_comes_before_act_and_outcome_after(world):
    kinds = []
    world.tools.before = lambda issued: kinds.append(type(world.log.events[-1]).__name__)
    answered(world).run(THREE, {"text": "hi"})
    assert kinds == ["StepStarted"] * 3
    names = [type(one).__name__ for one in world.log.events]
    assert names == ["RunStarted", *["StepStarted", "StepFinished"] * 3, "RunFinished"]


def test_only_the_intent_of_an_effect_is_synced(world):
    answered(world).run(THREE, {"text": "hi"})
    assert [(type(one), one.step) for one in world.log.synced] == [(StepStarted, 3)]


def test_one_fresh_task_serves_the_whole_run_and_is_prepared_and_closed(world):
    caller = Caller(session_id="s", task_id="mine")
    answered(world).run(THREE, {"text": "hi"}, caller=caller)
    (task,) = {one.task_id for one in world.tools.calls}
    assert task not in ("mine", "")
    assert world.tools.prepared == [(task, caller, ("search_files", "read_file", "write_file"))]
    assert world.log.started.task_id == task
    assert world.tools.closed == 1
    answered(world).run(THREE, {"text": "hi"})
    assert world.tools.calls[-1].task_id != task


def test_steps_run_on_one_reused_thread_that_is_not_the_callers(world):
    answered(world).run(THREE, {"text": "hi"})
    answered(world).run(THREE, {"text": "hi"})
    (thread,) = {one.thread for one in world.tools.calls}
    assert thread != threading.get_ident()


SESSION = ContextVar("session", default="nobody")


def test_a_step_sees_the_context_of_the_caller(world):
    seen = []
    world.tools.before = lambda issued: seen.append(SESSION.get())
    for name in ("ana", "bo"):
        token = SESSION.set(name)
        answered(world).run(spec_of(READ_ALONE))
        SESSION.reset(token)
    assert seen == ["ana", "bo"]


READ_ALONE = step("read_file", path=Const("x"))


def test_the_dispatcher_carries_the_run_to_the_worker(world):
    answered(world).run(THREE, {"text": "hi"})
    assert world.tools.carried == [threading.get_ident()]


def test_events_hold_masked_values_and_the_answer_live_ones(world):
    secret = Masks.secret
    world.tools.answers = {
        "search_files": json.dumps({"matches": [{"path": secret}]}),
        "read_file": json.dumps({"content": secret}),
        "write_file": json.dumps({"error": f"no room for {secret}"}),
    }
    result = world.run(THREE, {"text": secret})
    assert secret not in repr(world.log.events)
    assert secret in result.answer
    assert world.tools.calls[1].args == {"path": secret}


def test_arguments_that_do_not_meet_the_schema_are_told_and_nothing_is_done(world):
    result = world.run(THREE, {"text": 3, "more": 1})
    assert (result.outcome, result.code) == ("blocked", "bad_arguments")
    assert "text" in result.reason
    assert "more" in result.reason
    assert world.tools.calls == world.tools.prepared == []
    assert world.log.finished.code == "bad_arguments"


@pytest.mark.parametrize(
    ("recorded", "outcome"), [(("a", "b", "c"), "blocked"), (("", "b", "c"), "succeeded")]
)
def test_an_empty_text_is_refused_before_the_first_step_unless_one_was_recorded(world, recorded, outcome):
    template = generalise([(Call("search_files", {"pattern": text}, {}),) for text in recorded])
    spec = Spec(steps=(attrs.evolve(SEARCH, args=template.steps[0].args),), inputs=template.inputs)
    result = answered(world).run(spec, {"pattern": ""})
    assert result.outcome == outcome
    assert len(world.tools.calls) == (outcome == "succeeded")


@pytest.mark.parametrize("value", [float("nan"), {1, 2}])
def test_arguments_that_are_no_json_are_told_and_nothing_is_done(world, value):
    result = world.run(spec_of(READ_ALONE, inputs={"a": {}}), {"a": value})
    assert (result.outcome, result.code) == ("blocked", "bad_arguments")
    assert world.tools.calls == []


def test_a_learned_default_stands_in_for_a_missing_input(world):
    spec = spec_of(
        step("read_file", path=Input("path")), inputs={"path": {"type": "string", "default": "README"}}
    )
    inputs = tuple(attrs.evolve(one, required=False) for one in spec.inputs)
    answered(world).run(attrs.evolve(spec, inputs=inputs))
    assert world.tools.calls[0].args == {"path": "README"}


FAILING = ['{"error": "nested"}', "[TOOL_ERROR] boom", '{"success": false}', '{"output": "", "exit_code": 2}']


@pytest.mark.parametrize("answer", FAILING)
def test_a_failing_step_stops_the_run_and_skips_every_later_one(world, answer):
    answered(world).tools.answers["read_file"] = answer
    result = world.run(THREE, {"text": "hi"})
    assert (result.outcome, result.code, result.failed_step) == ("failed", "step_failed", 2)
    assert "write_file" not in [tool for tool, _ in world.tools.made()]
    assert [one.outcome for one in result.trace] == ["succeeded", "failed", "skipped"]
    assert world.log.finished.outcome is RunOutcome.FAILED


def test_the_answer_of_a_failure_holds_what_was_done_what_stopped_and_what_remains(world):
    answered(world).tools.answers["read_file"] = '{"error": "no such file"}'
    body = json.loads(world.run(THREE, {"text": "hi"}).answer)
    assert next(iter(body)) == "error"
    assert "no such file" in body["error"]
    assert body["finished"] == [
        {"step": 1, "tool": "search_files", "args": {"pattern": "hi"}, "result": json.loads(FOUND)}
    ]
    assert body["stopped_call"]["args"] == {"path": "a.py"}
    assert body["remaining"] == [{"step": 3, "tool": "write_file", "args": {"path": "a.py", "content": "hi"}}]
    assert "blindly" in body["advice"]


def test_a_tool_that_raises_is_a_failed_step(world):
    answered(world).tools.answers["read_file"] = RuntimeError("boom")
    result = world.run(THREE, {"text": "hi"})
    assert result.code == "step_failed"
    assert "RuntimeError" in result.reason


def test_a_failed_read_is_tried_once_more_after_a_pause(world):
    answered(world).tools.answers["read_file"] = ['{"error": "busy"}', '{"content": "x"}']
    result = world.run(THREE, {"text": "hi"})
    assert result.outcome == "succeeded"
    assert world.slept == [0.5]
    assert [(one.step, one.attempt) for one in world.log.intents] == [(1, 1), (2, 1), (2, 2), (3, 1)]
    assert [one.index for one in world.log.steps] == [1, 2, 3, 4]
    assert len(result.trace) == 3


def test_a_failed_step_with_an_effect_is_never_tried_again(world):
    answered(world).tools.answers["write_file"] = '{"error": "disk full"}'
    world.run(THREE, {"text": "hi"})
    assert [tool for tool, _ in world.tools.made()].count("write_file") == 1


@pytest.mark.parametrize("effect", list(Effect))
@pytest.mark.parametrize("retries", [0, 1, 3])
def test_only_reads_are_retried(world, effect, retries):
    world.limits = Limits(poll_s=0.01, read_retries=retries)
    world.tools.answers = {"read_file": '{"error": "no"}'}
    world.run(spec_of(step("read_file", effect.value, path=Const("x"))))
    assert len(world.tools.calls) == (1 + retries if effect <= Effect.NETWORK_READ else 1)


BLOCKED = [
    ('{"status": "pending_approval", "approval_pending": true, "error": null}', "approval_pending"),
    (
        '{"output": "", "exit_code": -1, "error": "BLOCKED: User denied this command.", "status": "blocked"}',
        "denied",
    ),
    ('{"error": "BLOCKED: Command timed out without user response.", "status": "blocked"}', "denied"),
    (
        '{"error": "BLOCKED: x but single-query mode. set approvals.single_query_mode: approve", "status": "blocked"}',
        "unattended",
    ),
    ('{"error": "BLOCKED: again", "guardrail_refusal": true}', "refused"),
    ('{"error": "Refusing to overwrite", "stale_write_blocked": true}', "refused"),
]


@pytest.mark.parametrize(("answer", "code"), BLOCKED)
def test_a_refusal_inside_a_step_blocks_the_run_and_is_no_failure(world, answer, code):
    answered(world).tools.answers["read_file"] = answer
    result = world.run(THREE, {"text": "hi"})
    assert (result.outcome, result.code, result.failed_step) == ("blocked", code, 2)
    assert len(world.tools.calls) == 2
    assert "wait" in json.loads(result.answer)["advice"]


VERDICTS = [
    ("block", "vetoed"),
    ("modify", "vetoed"),
    ("denied", "denied"),
    ("unattended", "unattended"),
    ("something new", "guard_unavailable"),
]


@pytest.mark.parametrize(("kind", "code"), VERDICTS)
@pytest.mark.parametrize("tool", ["read_file", "write_file"])
def test_what_the_guard_does_not_allow_is_not_done(world, kind, code, tool):
    world.guard.verdicts[tool] = Verdict(kind=kind, message="policy says no")
    result = answered(world).run(THREE, {"text": "hi"})
    assert (result.outcome, result.code) == ("blocked", code)
    assert result.reason == "policy says no"
    assert tool not in [name for name, _ in world.tools.made()]


def test_where_the_guard_cannot_be_asked_reads_go_on_and_effects_do_not(world):
    world.guard.verdicts = {
        tool: Verdict(kind="unavailable") for tool in ("search_files", "read_file", "write_file")
    }
    result = answered(world).run(THREE, {"text": "hi"})
    assert [tool for tool, _ in world.tools.made()] == ["search_files", "read_file"]
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "guard_unavailable", 3)


def test_the_guard_sees_the_rendered_call_before_its_intent_is_written(world):
    answered(world).run(THREE, {"text": "hi"})
    assert world.guard.asked == world.tools.made()


def test_an_effect_whose_intent_cannot_be_written_is_not_done(world):
    world.log.broken = (StepStarted,)
    result = answered(world).run(THREE, {"text": "hi"})
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "not_recorded", 3)
    assert [tool for tool, _ in world.tools.made()] == ["search_files", "read_file"]


def test_a_read_is_done_although_the_log_cannot_be_written(world):
    world.log.broken = (object,)
    assert answered(world).run(spec_of(READ_ALONE)).outcome == "succeeded"


def test_a_run_that_cannot_be_put_into_its_directory_is_blocked(world):
    world.tools.unprepared = KataError("no such directory")
    result = answered(world).run(THREE, {"text": "hi"})
    assert (result.outcome, result.code, result.reason) == ("blocked", "not_prepared", "no such directory")
    assert world.tools.calls == []


def test_a_repeat_after_an_unknown_run_needs_a_person_where_something_is_changed(world):
    result = answered(world).run(THREE, {"text": "hi"}, unacknowledged="run-7")
    assert (result.outcome, result.code) == ("blocked", "unacknowledged")
    assert "run-7" in result.reason
    assert world.tools.calls == []
    assert answered(world).run(spec_of(READ_ALONE), unacknowledged="run-7").outcome == "succeeded"


def test_equal_arguments_have_equal_fingerprints_whatever_their_order(world):
    spec = spec_of(READ_ALONE, inputs={"a": {}, "b": {}})
    answered(world).run(spec, {"a": 1, "b": 2})
    first = world.log.started.inputs_fingerprint
    answered(world).run(spec, {"b": 2, "a": 1})
    assert world.log.started.inputs_fingerprint == first


def shell(text):
    command = Concat((Const("ls "), ShellWord(Input("where"))))
    return spec_of(step("terminal", "read", command=command), inputs={"where": {"type": "string"}}), {
        "where": text
    }


@pytest.mark.parametrize(
    "text", ["main; rm x", "$(id)", "`id`", "it's", "a b", "a\nb", "*", "", 'a"b', "x > y", "é"]
)
def test_a_hostile_value_stays_one_word(world, text):
    world.tools.answers = {"terminal": '{"output": "", "exit_code": 0, "error": null}'}
    result = world.run(*shell(text))
    assert result.outcome == "succeeded"
    assert shlex.split(world.tools.calls[0].args["command"]) == ["ls", text]


@pytest.mark.parametrize("text", ["--force", "-", "-rf", "a\x00b"])
def test_a_value_that_the_command_would_read_as_an_option_is_refused(world, text):
    result = world.run(*shell(text))
    assert (result.outcome, result.code) == ("blocked", "refused_value")
    assert world.tools.calls == []


def test_a_rendered_command_above_its_approved_class_is_not_run(world):
    spec = spec_of(step("terminal", "read", command=Input("command")), inputs={"command": {"type": "string"}})
    result = world.run(spec, {"command": "git push origin main"})
    assert (result.outcome, result.code) == ("blocked", "effect_exceeded")
    assert world.tools.calls == []


def test_a_call_that_reaches_for_katas_own_decisions_is_not_made(world):
    spec = spec_of(
        step("terminal", "unknown", command=Input("command")), inputs={"command": {"type": "string"}}
    )
    result = world.run(spec, {"command": "hermes kata approve 2 as x"})
    assert (result.outcome, result.code) == ("blocked", "reaches_kata")


@pytest.mark.parametrize(
    "masked", ["KEY=sk-a…9f3d", "postgres://u:***@h/d", "[REDACTED]", "⟦secret:x:0123456789⟧"]
)
def test_a_placeholder_is_never_replayed(world, masked):
    world.tools.answers = {"read_file": json.dumps({"content": masked})}
    spec = spec_of(READ_ALONE, step("write_file", path=Const("f"), content=Ref(1, ("content",))))
    result = world.run(spec)
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "masked_value", 2)


def test_a_constant_that_only_looks_like_a_mask_is_written_as_approved(world):
    spec = spec_of(step("write_file", path=Const(".env.example"), content=Const("KEY=***")))
    assert answered(world).run(spec).outcome == "succeeded"


ONE = {"matches": [{"path": "a.log"}], "kind": "log"}
REQUIRES = [
    (Length(1, ("matches",), 1), {"matches": [1, 2, 3]}, "3 elements"),
    (Length(1, ("matches",), 1), {"matches": []}, "0 elements"),
    (Length(1, ("matches",), 1), {"matches": "text"}, "no list"),
    (Exists(1, ("kind",)), {"matches": [1]}, "missing"),
    (NonEmpty(1, ("kind",)), {"matches": [1], "kind": ""}, "empty"),
    (OneOf(1, ("kind",), ("log", 1)), {"kind": True}, "never seen"),
    (OneOf(1, ("kind",), ("log", 1)), {"kind": "txt"}, "never seen"),
]


@pytest.mark.parametrize(("requires", "result", "words"), REQUIRES)
def test_a_broken_precondition_stops_the_run_before_its_step(world, requires, result, words):
    world.tools.answers = {"search_files": json.dumps(result)}
    spec = spec_of(
        step("search_files", pattern="*.log"), step("write_file", path=Const("f"), requires=(requires,))
    )
    ended = world.run(spec)
    assert (ended.outcome, ended.code, ended.failed_step) == ("failed", "precondition", 2)
    assert words in ended.reason
    assert [tool for tool, _ in world.tools.made()] == ["search_files"]


@pytest.mark.parametrize("requires", [one for one, _, _ in REQUIRES])
def test_a_precondition_that_holds_lets_the_step_through(world, requires):
    world.tools.answers = {"search_files": json.dumps(ONE), "write_file": WROTE}
    spec = spec_of(
        step("search_files", pattern="*.log"), step("write_file", path=Const("f"), requires=(requires,))
    )
    assert world.run(spec).outcome == "succeeded"


def test_a_reference_that_leads_nowhere_is_a_broken_precondition(world):
    answered(world).tools.answers["search_files"] = '{"matches": []}'
    result = world.run(THREE, {"text": "hi"})
    assert (result.outcome, result.code, result.failed_step) == ("failed", "precondition", 2)
    body = json.loads(result.answer)
    assert body["remaining"] == [
        {
            "step": 3,
            "tool": "write_file",
            "args": {"content": "hi"},
            "still_needs": {"path": "«step 1 · matches[0].path»"},
        }
    ]


def test_a_value_through_a_wrapped_text_reaches_the_next_step(world):
    world.tools.answers = {"search_files": json.dumps({"result": json.dumps({"id": "7"})})}
    spec = spec_of(step("search_files", pattern="x"), step("read_file", path=Ref(1, ("result", "id"))))
    world.run(spec)
    assert world.tools.calls[1].args == {"path": "7"}


def test_a_step_may_end_with_the_exit_code_of_its_recordings(world):
    world.tools.answers = {"terminal": '{"output": "", "exit_code": 1, "error": null}'}
    assert (
        world.run(spec_of(step("terminal", "read", accepts=(1,), command="diff a b"))).outcome == "succeeded"
    )
    assert world.log.steps[-1].exit_code == 1
    world.tools.answers = {"terminal": '{"output": "", "exit_code": 2, "error": null}'}
    assert world.run(spec_of(step("terminal", "read", accepts=(1,), command="diff a b"))).outcome == "failed"


def test_skipped_steps_say_why(world):
    answered(world).tools.answers["search_files"] = '{"error": "no"}'
    world.run(THREE, {"text": "hi"})
    skipped = [one for one in world.log.steps if one.outcome is StepOutcome.SKIPPED]
    assert [(one.step, one.reason) for one in skipped] == [
        (2, "not done: step 1 failed"),
        (3, "not done: step 1 failed"),
    ]


def test_a_guard_that_raises_blocks_the_call(world):
    world.guard.verdicts["read_file"] = ZeroDivisionError("guard")
    result = answered(world).run(THREE, {"text": "hi"})
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "guard_unavailable", 2)


def test_a_dispatcher_that_cannot_be_watched_ends_the_run(world):
    world.tools.before = lambda issued: setattr(world.tools, "stop", RuntimeError("no such thread"))
    world.tools.answers = {"write_file": Hang()}
    result = world.run(spec_of(step("write_file", path="x")))
    assert (result.outcome, result.code) == ("unknown", "internal")


def test_a_keeper_that_fails_leaves_the_value_out_of_the_log(world):
    world.keeper.broken = True
    result = answered(world).run(THREE, {"text": "hi"})
    assert result.outcome == "succeeded"
    assert {one.args for one in world.log.intents} == {None}
