"""The twelve checks: each passes on a good version and fails when what it guards against is there."""

import attrs
import pytest

from kata.spec import Concat, Const, Input, InputField, Item, Loop, OneOf, Ref, ShellWord
from kata.validator import CHECKS, Status, Validator, learn_output, recorded_output
from tests.validator.build import (
    COUNT,
    COUNTED,
    SCHEMAS,
    TERMINAL,
    TEXT,
    check,
    checked,
    counted,
    example,
    spec_of,
    step,
    with_args,
)

SEED_NAMES = {
    "replay_matches_recorded",
    "holdout_fit",
    "executor_replay",
    "failure_handling",
    "timeout_handling",
    "input_schema",
    "output_schema",
    "no_secrets",
    "tools_available",
    "compilable_tools",
    "recorded_examples",
    "side_effects",
}


def test_there_are_the_twelve_checks():
    assert {one.__name__ for one in CHECKS} == SEED_NAMES
    assert len(CHECKS) == 12


def test_a_good_version_passes_every_check():
    report = checked(COUNT, COUNTED)
    assert [
        (one.name, one.status, one.detail) for one in report.checks if one.status is not Status.PASSED
    ] == []
    assert report.ok
    assert report.summary == "12 passed"


def test_the_report_is_the_same_every_time():
    assert checked(COUNT, COUNTED) == checked(COUNT, COUNTED)


def test_no_real_tool_is_called():
    used = []
    assert Validator(schemas=SCHEMAS, hold_out=lambda *_: used.append(1) or 1.0).check(COUNT, COUNTED).ok
    assert used == [1]


@pytest.mark.parametrize("name", sorted(SEED_NAMES))
def test_a_check_that_breaks_is_a_failed_one(name, monkeypatch):
    from kata.validator import validator as module

    def broken(_):
        raise ZeroDivisionError

    broken.__name__ = name
    monkeypatch.setattr(module, "CHECKS", tuple(broken if one.__name__ == name else one for one in CHECKS))
    assert check(name, COUNT, COUNTED).status is Status.FAILED


def test_a_version_that_does_not_render_a_recording_fails():
    wrong = with_args(COUNT, 1, pattern=Const("TODO(parser)"), path="src")
    wrong = attrs.evolve(wrong, inputs=())
    found = check("replay_matches_recorded", wrong, COUNTED)
    assert found.status is Status.FAILED
    assert "2, 3 of 3" in found.detail


def test_examples_that_do_not_generalise_fail_the_hold_out():
    found = check("holdout_fit", COUNT, COUNTED, hold_out=lambda *_: 0.66)
    assert found.status is Status.FAILED
    assert "66%" in found.detail


def test_a_hold_out_among_too_few_that_are_left_says_so_and_does_not_fail():
    found = check("holdout_fit", COUNT, COUNTED[:2], hold_out=lambda *_: 0.0, wanted=3)
    assert found.status is Status.WARNING
    assert found.detail.startswith(
        "the recordings that it was checked against were forgotten: 2 of 3 are left"
    )


def test_an_input_that_reaches_no_call_fails_the_replay():
    """Case B034: the parameter was found and then ignored."""
    spec = spec_of(step("send_message", "external", to=Const("ana@x.test"), text="hi"), inputs={"to": TEXT})
    recorded = example(("send_message", {"to": "ana@x.test", "text": "hi"}, {"ok": True}))
    report = checked(spec, [recorded])
    assert not report.ok


def test_every_input_is_tried_with_a_fresh_value():
    spec = spec_of(step("send_message", "unknown", to=Input("to"), text="hi"), inputs={"to": TEXT})
    recorded = [
        example(("send_message", {"to": who, "text": "hi"}, {"ok": True}))
        for who in ("ana@x.test", "bo@y.test")
    ]
    found = check("executor_replay", spec, recorded)
    assert (found.status, found.detail) == (
        Status.PASSED,
        "the recorded calls are issued in order, and fresh values follow",
    )


def test_a_constant_that_a_result_always_gave_is_told():
    """Case B035: same value in all sessions because nothing changed that week."""
    spec = spec_of(
        step("read_file", path="build.json"),
        step("terminal", command="deploy --build b-101", effect="unknown"),
    )
    spec = with_args(spec, 2, command=Const("b-101"))
    recorded = [
        example(
            ("read_file", {"path": "build.json"}, {"build": "b-101"}),
            ("terminal", {"command": "b-101"}, TERMINAL),
        )
    ] * 3
    found = check("executor_replay", spec, recorded)
    assert found.status is Status.WARNING
    assert "step 2.command is always 'b-101', which step 1 · build gave" in found.detail


def test_a_reference_follows_a_mutated_result():
    found = check("executor_replay", COUNT, COUNTED)
    assert found.status is Status.PASSED


def test_an_effect_that_recordings_exceed_fails_the_replay_and_the_effects():
    spec = spec_of(step("terminal", "read", command=Const("git push origin main")))
    recorded = [example(("terminal", {"command": "git push origin main"}, TERMINAL))]
    assert check("executor_replay", spec, recorded).status is Status.FAILED
    found = check("side_effects", spec, recorded)
    assert found.status is Status.FAILED
    assert "external" in found.detail


def test_side_effects_are_counted_and_flags_told():
    spec = spec_of(
        step("terminal", "unknown", command="python3 -c 'print(1)'"),
        step("write_file", "local_write", path="a", content="b"),
    )
    found = check("side_effects", spec, [])
    assert found.status is Status.WARNING
    assert found.detail.startswith("1 local_write, 1 unknown")
    assert "step 1 runs inline" in found.detail


def test_a_secret_that_flows_is_rehearsed_although_only_its_mark_was_kept():
    mark = "⟦secret:bearer:0123456789⟧"
    spec = spec_of(
        step("read_file", path="token.json"),
        step("terminal", "unknown", command=Concat((Const("call "), ShellWord(Ref(1, ("token",)))))),
    )
    recorded = [
        example(
            ("read_file", {"path": "token.json"}, {"token": mark}),
            ("terminal", {"command": f"call {mark}"}, TERMINAL),
        )
    ]
    report = checked(spec, recorded)
    assert [
        one.detail for one in report.checks if one.name == "executor_replay" and one.status is Status.FAILED
    ] == []


@pytest.mark.parametrize(
    "content",
    [
        "KEY=sk-a…9f3d\n",
        "DB=postgres://u:***@h/d",
        "[REDACTED]",
        "⟦secret:token:0123456789⟧",
        "ghp_" + "A" * 36,
    ],
)
def test_a_constant_with_a_secret_or_a_mask_fails(content):
    """Case B072."""
    spec = spec_of(step("write_file", "local_write", path="f", content=content))
    found = check("no_secrets", spec, [])
    assert found.status is Status.FAILED
    assert "step 1.content" in found.detail


def test_a_placeholder_in_a_sample_file_is_for_the_reviewer():
    spec = spec_of(step("write_file", "local_write", path="conf/.env.example", content="API_KEY=***\n"))
    assert check("no_secrets", spec, []).status is Status.WARNING


def test_a_secret_in_a_part_of_a_text_or_a_precondition_fails():
    token = "ghp_" + "A" * 36
    part = spec_of(
        step("terminal", command=Concat((Const(f"curl -H {token} "), Input("url")))), inputs={"url": TEXT}
    )
    assert check("no_secrets", part, []).status is Status.FAILED
    guarded = spec_of(
        step("read_file", path="f"), step("read_file", path="g", requires=(OneOf(1, ("x",), (token,)),))
    )
    assert check("no_secrets", guarded, []).status is Status.FAILED


def test_a_secret_in_a_schema_fails():
    spec = spec_of(
        step("read_file", path=Input("p")), inputs={"p": {"type": "string", "default": "ghp_" + "A" * 36}}
    )
    assert check("no_secrets", spec, []).status is Status.FAILED


@pytest.mark.parametrize(
    "tool",
    [
        "todo_list",
        "memory",
        "clarify",
        "delegate_task",
        "tool_search",
        "tool_call",
        "tool_describe",
        "kata_x",
        "todo",
    ],
)
def test_a_tool_that_cannot_be_replayed_is_refused(tool):
    found = check("compilable_tools", spec_of(step("read_file", path="x"), step(tool, "unknown")), [])
    assert found.status is Status.FAILED
    assert found.detail.startswith("step 2")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("hermes kata approve 2", "Kata"),
        ("cat ⟦truncated:300000:0123456789⟧", "cut"),
        ("less notes.txt", "terminal"),
    ],
)
def test_a_command_that_cannot_be_replayed_is_refused(command, words):
    found = check("compilable_tools", spec_of(step("terminal", "unknown", command=command)), [])
    assert found.status is Status.FAILED
    assert words in found.detail


def test_a_tool_that_is_not_here_fails():
    found = check("tools_available", COUNT, COUNTED, schemas={**SCHEMAS, "terminal": None})
    assert (found.status, found.detail) == (Status.FAILED, "terminal is not here")
    assert check("tools_available", COUNT, COUNTED, schemas={}).status is Status.FAILED


def test_a_schema_that_changed_and_still_takes_the_calls_is_told():
    wider = {**SCHEMAS["terminal"], "properties": {"command": TEXT, "timeout": {"type": "integer"}}}
    found = check("tools_available", COUNT, COUNTED, schemas={**SCHEMAS, "terminal": wider})
    assert found.status is Status.WARNING


def test_a_schema_that_no_longer_takes_the_calls_fails():
    stricter = {**SCHEMAS["terminal"], "required": ["command", "timeout"]}
    found = check("tools_available", COUNT, COUNTED, schemas={**SCHEMAS, "terminal": stricter})
    assert found.status is Status.FAILED
    assert "timeout" in found.detail
    assert (
        check("tools_available", COUNT, [], schemas={**SCHEMAS, "terminal": stricter}).status is Status.FAILED
    )


def test_an_input_schema_that_rejects_a_recording_fails():
    spec = attrs.evolve(COUNT, inputs=(InputField(name="topic", schema={"type": "integer"}),))
    assert check("input_schema", spec, COUNTED).status is Status.FAILED


def test_an_input_schema_that_cannot_be_used_fails():
    spec = attrs.evolve(COUNT, inputs=(InputField(name="topic", schema={"type": 5}),))
    assert check("input_schema", spec, COUNTED).status is Status.FAILED


def test_an_output_schema_that_rejects_a_recording_fails():
    spec = attrs.evolve(COUNT, output={"type": "object", "required": ["nothing"]})
    found = check("output_schema", spec, COUNTED)
    assert found.status is Status.FAILED
    assert "nothing" in found.detail


def test_other_calls_than_the_versions_are_no_examples_of_it():
    found = check("recorded_examples", COUNT, [counted("a", "b")[:1]])
    assert found.status is Status.FAILED


def test_without_recordings_seven_checks_still_run():
    """Case B042."""
    report = checked(COUNT, [], wanted=3)
    assert report.ok
    assert report.ran == 7
    assert "(7 of 12 checks run)" in report.summary
    assert {one.detail for one in report.checks if one.status is Status.NOT_RUN} == {"no example is left"}


def test_an_expired_example_is_told():
    found = check("recorded_examples", COUNT, COUNTED[:2], wanted=3)
    assert (found.status, found.detail) == (Status.WARNING, "2 of 3 examples are still kept")


FILES = {"files": [{"name": "a"}, {"name": "b"}]}
LOOP = spec_of(
    step("search_files", pattern="x"),
    Loop(over=Ref(1, ("files",)), limit=5, body=(step("read_file", path=Item(("name",))),)),
)


def listed(*names):
    return example(
        ("search_files", {"pattern": "x"}, {"files": [{"name": one} for one in names]}),
        *(("read_file", {"path": one}, {"content": one}) for one in names),
    )


def test_a_loop_is_checked_over_lists_of_different_lengths():
    examples = [listed("aa", "bb"), listed("cc"), listed("dd", "ee", "ff")]
    spec = attrs.evolve(LOOP, output=learn_output(LOOP, examples))
    report = checked(spec, examples)
    assert report.ok
    assert report.ran == 12
    assert recorded_output(LOOP, examples[0]) == [{"content": "aa"}, {"content": "bb"}]


def test_a_loop_is_rehearsed_without_recordings():
    report = checked(LOOP, [], wanted=3)
    assert report.ran == 7
    assert report.ok


def test_a_version_that_cannot_be_rehearsed_says_so():
    spec = spec_of(step("terminal", "read", command=Input("command")), inputs={"command": TEXT})
    found = check("failure_handling", spec, [])
    assert found.status is Status.NOT_RUN
    assert "effect" in found.detail or "approved" in found.detail


def test_free_text_arguments_that_the_version_leaves_out_do_not_count():
    spec = spec_of(step("terminal", command="git status", ignores=("description",)))
    recorded = [
        example(("terminal", {"command": "git status", "description": words}, TERMINAL))
        for words in ("look", "see")
    ]
    assert check("replay_matches_recorded", spec, recorded).status is Status.PASSED
    assert check("executor_replay", spec, recorded).status is Status.PASSED
