"""A run that stopped goes on once things are mended: where, with what, and where never (design 8)."""

import json

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.events.catalogue import RunResumed
from kata.executor import Handles, Limits, NotResumableError, UnknownHandleError, Verdict
from kata.executor.handles import MOST_KEPT, VALID_S
from kata.spec import Const, Input, Item, Length, Loop, Ref
from tests.executor.fake_host import Hang, Masks, World, spec_of, state_of, step

TEXT = {"text": {"type": "string"}}
SEARCH = step("search_files", pattern=Input("text"))
READ = step("read_file", path=Ref(1, ("path",)))
WRITE = step("write_file", path=Ref(1, ("path",)), content=Ref(2, ("content",)))
LAST = step("write_file", path="done", content=Input("text"))
FOUR = spec_of(SEARCH, READ, WRITE, LAST, inputs=TEXT)
FULL = '{"error": "disk full"}'
WROTE = '{"bytes_written": 3}'


def failing(world, *wrote):
    world.tools.answers = {
        "search_files": '{"path": "a.py"}',
        "read_file": '{"content": "x"}',
        "write_file": list(wrote),
    }
    return world.run(FOUR, {"text": "hi"})


def offer(result):
    return json.loads(result.answer).get("resume")


def kept(world, result):
    return world.handles.peek(offer(result)["handle"])


def test_the_answer_of_a_failed_run_says_how_it_goes_on(world):
    told = offer(failing(world, FULL))
    assert (told["tool"], told["from_step"], told["valid_minutes"]) == ("kata_resume", 3, 30)
    assert "Mend" in told["how"]


def test_it_goes_on_at_the_step_that_stopped_with_the_values_that_were(world):
    stopped = failing(world, FULL, WROTE, WROTE)
    world.tools.calls.clear()
    result = world.resume(stopped)
    assert result.outcome == "succeeded"
    assert world.tools.made() == [
        ("write_file", {"path": "a.py", "content": "x"}),
        ("write_file", {"path": "done", "content": "hi"}),
    ]


def test_a_value_that_is_a_secret_goes_on_live_and_is_written_masked(world):
    world.tools.answers = {
        "search_files": '{"path": "a.py"}',
        "read_file": json.dumps({"content": Masks.secret}),
        "write_file": [FULL, WROTE, WROTE],
    }
    world.resume(world.run(FOUR, {"text": "hi"}))
    assert world.tools.calls[-2].args["content"] == Masks.secret
    assert Masks.secret not in repr(world.log.events)


def test_each_resume_is_a_run_of_its_own_that_names_the_one_before(world):
    first = failing(world, FULL, WROTE, WROTE)
    second = world.resume(first)
    [told] = world.log.of(RunResumed)
    assert told == RunResumed(run_id=second.run_id, resumes=first.run_id, step=3)
    assert world.log.started.inputs_fingerprint
    assert [one.outcome for one in second.trace] == ["skipped", "skipped", "succeeded", "succeeded"]
    assert first.run_id in second.trace[0].reason


def test_the_run_machine_allows_every_event_of_a_resumed_run(world):
    second = world.resume(failing(world, FULL, WROTE, WROTE))
    assert state_of([one for one in world.log.events if one.run_id == second.run_id]) == "succeeded"


def test_a_resumed_run_that_fails_again_goes_on_again(world):
    second = world.resume(failing(world, FULL, FULL, WROTE, WROTE))
    assert (second.outcome, offer(second)["from_step"]) == ("failed", 3)
    assert world.resume(second).outcome == "succeeded"


def test_the_answer_of_a_resumed_run_that_fails_tells_of_all_that_was_done(world):
    second = world.resume(failing(world, FULL, FULL))
    assert [one["step"] for one in json.loads(second.answer)["finished"]] == [1, 2]


def test_a_handle_is_good_for_one_run(world):
    stopped = failing(world, FULL, WROTE, WROTE)
    world.resume(stopped)
    with pytest.raises(UnknownHandleError):
        world.resume(stopped)


def test_a_handle_expires(world):
    stopped = failing(world, FULL)
    world.clock.advance(seconds=VALID_S - 1)
    assert kept(world, stopped)
    world.clock.advance(seconds=1)
    with pytest.raises(UnknownHandleError, match="never replayed"):
        kept(world, stopped)


def test_handles_cannot_be_guessed():
    handles = {Handles().keep(object()) for _ in range(50)}
    assert len(handles) == 50
    assert {len(one) for one in handles} == {24}


def test_only_so_many_are_kept():
    handles = Handles()
    first, *_ = [handles.keep(object()) for _ in range(MOST_KEPT + 1)]
    with pytest.raises(UnknownHandleError):
        handles.peek(first)


def test_what_is_cleared_is_gone(world):
    stopped = failing(world, FULL)
    world.handles.clear()
    with pytest.raises(UnknownHandleError):
        kept(world, stopped)


def test_a_step_that_was_done_by_hand_is_left_out(world):
    stopped = failing(world, FULL, WROTE)
    result = world.resume(stopped, 4)
    assert result.outcome == "succeeded"
    assert world.tools.calls[-1].args == {"path": "done", "content": "hi"}
    assert result.trace[2].reason == "done by hand"


def test_a_step_whose_answer_is_needed_cannot_be_done_by_hand(world):
    world.tools.answers = {"search_files": '{"path": "a.py"}', "read_file": [FULL, FULL]}
    stopped = kept(world, world.run(FOUR, {"text": "hi"}))
    with pytest.raises(NotResumableError, match="step 3 needs what step 2 answers"):
        stopped.cursor(3)


def test_after_the_last_step_nothing_remains(world):
    stopped = kept(world, failing(world, WROTE, FULL))
    with pytest.raises(NotResumableError, match="nothing remains"):
        stopped.cursor(5)


@pytest.mark.parametrize("wanted", [0, -1, 5, 99])
def test_no_step_is_left_out(world, wanted):
    stopped = kept(world, failing(world, FULL))
    with pytest.raises(NotResumableError, match="stopped at step 3"):
        stopped.cursor(wanted)


def test_reads_may_be_looked_at_again(world):
    once = step("write_file", path=Ref(1, ("path",)), content="x", requires=(Length(1, ("found",), 1),))
    world.tools.answers = {
        "search_files": ['{"path": "a", "found": [1, 2]}', '{"path": "b", "found": [1]}'],
        "write_file": WROTE,
    }
    stopped = world.run(spec_of(SEARCH, once, inputs=TEXT), {"text": "hi"})
    assert stopped.code == "precondition"
    assert world.resume(stopped, 1).outcome == "succeeded"
    assert world.tools.calls[-1].args["path"] == "b"


def test_an_effect_that_did_its_work_is_never_repeated(world):
    stopped = kept(world, failing(world, WROTE, FULL))
    with pytest.raises(NotResumableError, match="step 3 has done its work"):
        stopped.cursor(2)


def test_an_unknown_step_is_never_issued_again(world):
    world.limits = Limits(poll_s=0.01, step_timeout_s=5)
    result = failing(world, Hang())
    assert (result.outcome, offer(result)["from_step"]) == ("unknown", 4)
    stopped = kept(world, result)
    for wanted in (None, 1, 2, 3):
        with pytest.raises(NotResumableError, match="never issued again"):
            stopped.cursor(wanted)


def test_after_an_unknown_step_the_rest_goes_on(world):
    world.limits = Limits(poll_s=0.01, step_timeout_s=5)
    result = failing(world, Hang(), WROTE)
    world.tools.calls.clear()
    assert world.resume(result, 4).outcome == "succeeded"
    assert world.tools.made() == [("write_file", {"path": "done", "content": "hi"})]


def test_where_the_rest_needs_an_unknown_answer_there_is_no_handle(world):
    world.limits = Limits(poll_s=0.01, step_timeout_s=5)
    spec = spec_of(LAST, step("read_file", path=Ref(1, ("path",))), inputs=TEXT)
    world.tools.answers = {"write_file": Hang()}
    assert offer(world.run(spec, {"text": "hi"})) is None


@pytest.mark.parametrize("kind", ["denied", "block", "unattended", "modify"])
def test_what_was_refused_is_not_offered_again(world, kind):
    world.guard.verdicts = {"write_file": Verdict(kind=kind)}
    assert offer(failing(world)) is None


def test_bad_arguments_get_no_handle(world):
    assert offer(world.run(FOUR, {})) is None


def test_the_guard_is_asked_of_every_call_that_remains(world):
    stopped = failing(world, FULL, WROTE, WROTE)
    world.guard.asked.clear()
    world.resume(stopped)
    assert [tool for tool, _ in world.guard.asked] == ["write_file", "write_file"]


def test_a_guard_that_says_no_stops_a_resumed_run_too(world):
    stopped = failing(world, FULL)
    world.guard.verdicts = {"write_file": Verdict(kind="denied", message="no")}
    result = world.resume(stopped)
    assert (result.outcome, result.code) == ("blocked", "denied")


def test_an_unacknowledged_run_stops_a_resumed_run_too(world):
    result = world.resume(failing(world, FULL), unacknowledged="r9")
    assert (result.outcome, result.code) == ("blocked", "unacknowledged")


def test_a_resumed_run_that_cannot_begin_says_so_of_the_rest_alone(world):
    stopped = failing(world, FULL)
    world.tools.unprepared = OSError("no directory")
    result = world.resume(stopped)
    assert [(one.step, "not done" in one.reason) for one in result.trace] == [
        (1, False),
        (2, False),
        (3, True),
        (4, True),
    ]


LIST = step("search_files", pattern="x")
GET = step("read_file", path=Item(("id",)))
PUT = step("write_file", path=Item(("id",)), content=Ref(2, ("text",)))
AFTER = step("write_file", path="end", content=Const("x"))
LOOPED = spec_of(LIST, Loop(over=Ref(1, ("items",)), limit=9, body=(GET, PUT)), AFTER)


def looped(world, *wrote, spec=LOOPED):
    world.tools.answers = {
        "search_files": json.dumps({"items": [{"id": one} for one in "abc"]}),
        "read_file": lambda args: json.dumps({"text": f"of {args['path']}"}),
        "write_file": list(wrote),
    }
    return world.run(spec)


def written(world):
    return [args["path"] for tool, args in world.tools.made() if tool == "write_file"]


def test_a_loop_goes_on_at_the_element_where_it_stopped(world):
    stopped = looped(world, WROTE, FULL, WROTE, WROTE, WROTE)
    world.tools.calls.clear()
    result = world.resume(stopped)
    assert result.outcome == "succeeded"
    assert world.tools.made() == [
        ("write_file", {"path": "b", "content": "of b"}),
        ("read_file", {"path": "c"}),
        ("write_file", {"path": "c", "content": "of c"}),
        ("write_file", {"path": "end", "content": "x"}),
    ]
    [told] = world.log.of(RunResumed)
    assert (told.step, told.element) == (3, 1)


def test_the_answers_of_a_loop_that_went_on_are_all_there(world):
    spec = attrs.evolve(LOOPED, steps=LOOPED.steps[:2])
    stopped = looped(world, '{"n": 1}', FULL, '{"n": 2}', '{"n": 3}', spec=spec)
    assert world.resume(stopped).output == [{"n": 1}, {"n": 2}, {"n": 3}]


def test_an_element_that_was_done_by_hand_is_left_out(world):
    stopped = looped(world, WROTE, FULL, WROTE, WROTE)
    assert world.resume(stopped, 4).outcome == "succeeded"
    assert written(world) == ["a", "b", "c", "end"]


def test_inside_an_element_reads_may_be_looked_at_again(world):
    stopped = looped(world, WROTE, FULL, WROTE, WROTE, WROTE)
    assert world.resume(stopped, 2).outcome == "succeeded"
    assert written(world) == ["a", "b", "b", "c", "end"]


def test_a_loop_that_wrote_something_is_not_begun_again(world):
    stopped = kept(world, looped(world, WROTE, FULL))
    with pytest.raises(NotResumableError, match="step 3 has done its work"):
        stopped.cursor(1)


def test_a_loop_whose_list_is_missing_cannot_be_done_by_hand_in_part(world):
    world.tools.answers = {"search_files": '{"items": 3}'}
    stopped = kept(world, world.run(LOOPED))
    assert stopped.cursor().step == 2
    with pytest.raises(NotResumableError, match="stopped at step 2"):
        stopped.cursor(3)


@given(fails=st.lists(st.booleans(), min_size=1, max_size=12), looping=st.booleans())
def test_whatever_fails_and_goes_on_each_effect_succeeds_once_and_in_order(fails, looping):
    world = World()
    script = [FULL if bad else WROTE for bad in fails] + [WROTE] * 9
    stopped = looped(world, *script) if looping else failing(world, *script)
    while stopped.outcome != "succeeded":
        stopped = world.resume(stopped)
    wanted = ["a", "b", "c", "end"] if looping else ["a.py", "done"]
    did = [path for path, answer in zip(written(world), script, strict=False) if answer == WROTE]
    assert did == wanted
    world.end()
