"""Time-outs, waiting for a person, and the user's stop (design 8; cases B020, B025). No test really waits."""

import json
import threading

import pytest

from kata.executor import Limits, Verdict
from kata.executor.stopwatch import Stopwatch
from tests.executor.fake_host import Hang, spec_of, state_of, step

READ = step("read_file", path="x")
WRITE = step("write_file", path="x")
LAST = step("search_files", pattern="x")


def late_of(world):
    for _ in range(500):
        if world.log.late:
            return world.log.late[0]
        threading.Event().wait(0.01)
    raise AssertionError("no late answer was written")


@pytest.mark.parametrize("first", [READ, WRITE], ids=["read", "effect"])
def test_a_step_that_does_not_answer_in_time_leaves_the_run_unknown_and_is_not_repeated(world, first):
    world.tools.answers = {first.tool: Hang()}
    result = world.run(spec_of(first, LAST))
    assert (result.outcome, result.code, result.failed_step) == ("unknown", "timeout", 1)
    assert "60 s" in result.reason
    assert len(world.tools.calls) == 1
    assert [one.outcome for one in result.trace] == ["unknown", "skipped"]
    assert "ask the user" in json.loads(result.answer)["advice"]


def test_a_late_answer_is_attached_to_its_run(world):
    world.tools.answers = {"write_file": Hang('{"bytes_written": 9}')}
    result = world.run(spec_of(WRITE))
    assert world.log.late == []
    world.tools.released.set()
    late = late_of(world)
    assert (late.run_id, late.index, late.outcome) == (result.run_id, 1, "succeeded")
    assert late.result == {"bytes_written": 9}
    assert late.after_ms >= 60_000
    assert state_of(world.log.events) == "unknown"


def test_a_late_failure_is_told_as_one(world):
    world.tools.answers = {"write_file": Hang('{"error": "disk full"}')}
    world.run(spec_of(WRITE))
    world.tools.released.set()
    assert late_of(world).outcome == "failed"


def test_a_late_answer_is_judged_by_the_accepted_codes_of_its_step(world):
    world.tools.answers = {"terminal": Hang('{"output": "", "exit_code": 1, "error": null}')}
    world.run(spec_of(step("terminal", "read", accepts=(1,), command="diff a b")))
    world.tools.released.set()
    assert late_of(world).outcome == "succeeded"


def test_the_run_after_a_time_out_has_a_thread_of_its_own(world):
    world.tools.answers = {"write_file": Hang()}
    world.run(spec_of(WRITE))
    assert world.run(spec_of(READ)).outcome == "succeeded"
    assert world.tools.calls[0].thread != world.tools.calls[1].thread


def test_the_clocks_stand_still_while_a_person_is_waited_for(world):
    world.tools.waiting = True

    def answer_after_hours(issued):
        world.clock.advance(hours=5)
        threading.Event().wait(0.05)

    world.tools.before = answer_after_hours
    result = world.run(spec_of(WRITE, LAST))
    assert result.outcome == "succeeded"
    assert [one.duration_ms for one in result.trace] == [0, 0]


def guarded(world, ask):
    world.guard = type("Guard", (), {"ask": staticmethod(ask)})()
    return world


def test_a_prompt_of_the_guard_does_not_use_up_the_time(world):
    world.tools.waiting = True

    def asks(tool, args, task_id, caller):
        world.clock.advance(seconds=290)
        threading.Event().wait(0.05)
        return Verdict(kind="allow")

    assert guarded(world, asks).run(spec_of(READ, READ, READ)).outcome == "succeeded"


def test_a_guard_that_never_answers_blocks_the_run_in_the_end(world):
    def hangs(tool, args, task_id, caller):
        world.clock.advance(seconds=10_000)
        world.tools.released.wait(20)
        return Verdict(kind="allow")

    result = guarded(world, hangs).run(spec_of(WRITE))
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "out_of_time", 1)
    world.tools.released.set()
    threading.Event().wait(0.05)
    assert world.tools.calls == []
    assert world.log.intents == []


def test_a_preparation_that_never_ends_blocks_the_run_in_the_end(world):
    def hangs():
        world.clock.advance(seconds=10_000)
        world.tools.released.wait(20)

    world.tools.preparing = hangs
    result = world.run(spec_of(WRITE))
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "out_of_time", None)
    assert [one.outcome for one in result.trace] == ["skipped"]


def test_a_stop_while_the_guard_is_asked_blocks_the_run(world):
    def asks(tool, args, task_id, caller):
        world.tools.stop = True
        threading.Event().wait(0.05)
        world.clock.advance(seconds=5)
        world.tools.released.wait(20)
        return Verdict(kind="allow")

    result = guarded(world, asks).run(spec_of(WRITE))
    assert (result.outcome, result.code) == ("blocked", "stopped")
    assert world.tools.calls == []


def test_a_slow_guard_that_asks_nobody_does(world):
    def slow(tool, args, task_id, caller):
        world.clock.advance(seconds=200)
        return Verdict(kind="allow")

    result = guarded(world, slow).run(spec_of(READ, READ, READ))
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "out_of_time", 3)


def test_the_whole_run_stays_below_its_limit(world):
    world.tools.before = lambda issued: world.clock.advance(seconds=50)
    result = world.run(spec_of(*[READ] * 8))
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "out_of_time", 7)


def test_a_step_gets_no_more_time_than_the_run_has_left(world):
    world.limits = Limits(poll_s=0.01, step_timeout_s=60, total_s=100)
    world.tools.before = lambda issued: world.clock.advance(seconds=55)
    world.tools.answers = {"write_file": Hang()}
    result = world.run(spec_of(READ, WRITE))
    assert "45 s" in result.reason


def test_a_stop_before_a_step_blocks_the_run(world):
    def stop(issued):
        world.tools.stop = True

    world.tools.before = stop
    result = world.run(spec_of(READ, WRITE))
    assert (result.outcome, result.code, result.failed_step) == ("blocked", "stopped", 2)
    assert len(world.tools.calls) == 1


def test_a_stop_during_the_last_step_that_still_succeeds_is_a_success(world):
    def stop(issued):
        world.tools.stop = True

    world.tools.before = stop
    assert world.run(spec_of(WRITE)).outcome == "succeeded"


def hang_then(world, first, answer=None):
    """Run a step during which the user stops the agent; it answers in the grace, or never."""

    def stop(issued):
        world.tools.stop = True
        threading.Event().wait(0.05)

    world.tools.before = stop
    world.tools.answers = {first.tool: answer or Hang()}
    return world.run(spec_of(first, LAST))


@pytest.mark.parametrize(
    ("first", "outcome"), [(READ, "blocked"), (WRITE, "unknown")], ids=["read", "effect"]
)
def test_a_stop_during_a_step_that_does_not_answer_is_unknown_for_an_effect_alone(world, first, outcome):
    result = hang_then(world, first)
    assert (result.outcome, result.code) == (outcome, "stopped")


@pytest.mark.parametrize(
    ("first", "outcome"), [(READ, "blocked"), (WRITE, "unknown")], ids=["read", "effect"]
)
@pytest.mark.parametrize("answer", ['{"output": "", "exit_code": 130}', '{"status": "interrupted"}'])
def test_a_tool_that_ends_early_because_of_the_stop_has_not_failed(world, first, outcome, answer):
    result = hang_then(world, first, answer)
    assert (result.outcome, result.code) == (outcome, "stopped")


@pytest.mark.parametrize(("first", "outcome"), [(READ, "failed"), (WRITE, "unknown")], ids=["read", "effect"])
@pytest.mark.parametrize(
    "answer", ['{"status": "timeout"}', '{"output": "", "exit_code": 124, "error": null}']
)
def test_a_tool_that_timed_out_itself_leaves_an_effect_unknown_and_a_read_failed(
    world, first, outcome, answer
):
    world.tools.answers = {first.tool: answer}
    assert world.run(spec_of(first)).outcome == outcome


def test_no_retry_begins_after_a_stop(world):
    def fail(args):
        world.tools.stop = True
        return '{"error": "busy"}'

    world.tools.answers = {"read_file": fail}
    world.run(spec_of(READ))
    assert len(world.tools.calls) == 1


class Interrupted(BaseException):
    pass


def test_an_interrupt_of_the_calling_thread_closes_the_run_and_goes_on_upwards(world):
    def interrupt(issued):
        world.tools.stop = Interrupted()

    world.tools.before = interrupt
    world.tools.answers = {"write_file": Hang()}
    with pytest.raises(Interrupted):
        world.run(spec_of(WRITE, LAST))
    assert [one.outcome for one in world.log.steps] == ["unknown", "skipped"]
    assert (world.log.finished.outcome, world.log.finished.code) == ("unknown", "stopped")
    assert world.tools.closed == 1
    world.tools.released.set()
    assert late_of(world).outcome == "succeeded"


def test_a_stopwatch_leaves_out_the_time_in_which_a_person_is_waited_for(world):
    watch = Stopwatch(world.clock)
    world.clock.advance(seconds=3)
    assert watch.tick(waiting=False) == watch.read() == 3
    world.clock.advance(seconds=100)
    assert watch.tick(waiting=True) == watch.read() == 3
    world.clock.advance(seconds=2)
    assert watch.read() == watch.tick(waiting=False) == 5


def test_that_a_run_begins_is_in_the_log_before_the_host_is_asked_for_anything(world):
    seen = []
    world.tools.preparing = lambda: seen.append(world.log.flushed)
    world.run(spec_of(READ))
    assert seen == [1]


def test_what_a_slow_read_is_about_to_do_is_in_the_log_while_it_runs(world):
    def wait_for_it(issued):
        for _ in range(500):
            if world.log.flushed == len(world.log.events):
                seen.append(world.log.events[world.log.flushed - 1])
                return
            threading.Event().wait(0.01)

    seen = []
    world.tools.before = wait_for_it
    world.run(spec_of(READ, LAST))
    assert [one.step for one in seen] == [1, 2]


def test_all_of_a_run_is_in_the_log_when_it_has_ended(world):
    world.run(spec_of(READ, WRITE, LAST))
    assert world.log.flushed == len(world.log.events) == 8


def test_a_late_answer_is_in_the_log_when_it_comes(world):
    world.tools.answers = {"read_file": Hang()}
    world.run(spec_of(READ))
    world.tools.released.set()
    late_of(world)
    for _ in range(500):
        if world.log.flushed == len(world.log.events):
            return
        threading.Event().wait(0.01)
    raise AssertionError("the late answer waits")
