"""Every sequence of up to three steps, each ending in every way there is, as reads and as effects."""

import itertools
import json

import pytest

from kata.executor import Limits, ending
from kata.executor.ending import PRECONDITION, STEP_FAILED
from kata.machines import FAILURE_CODES
from tests.executor.fake_host import Hang, World, spec_of, state_of, step

ENDS = {
    "ok": ('{"ok": true}', "succeeded", "succeeded"),
    "fails": ('{"error": "no"}', "failed", "failed"),
    "raises": (ValueError("no"), "failed", "failed"),
    "refused": ('{"status": "blocked"}', "blocked", "blocked"),
    "pending": ('{"approval_pending": true}', "blocked", "blocked"),
    "cut short": ('{"status": "interrupted"}', "blocked", "unknown"),
    "unsure": ('{"status": "timeout"}', "failed", "unknown"),
    "hangs": (Hang(), "unknown", "unknown"),
}
"""What a step answers, and how the run then ends: for a read, for an effect."""

SCRIPTS = [script for length in (1, 2, 3) for script in itertools.product(ENDS, repeat=length)]
TRIED_AGAIN = {"fails", "raises", "unsure"}


def rehearsed(tool, script):
    world = World(limits=Limits(poll_s=0.001))
    world.tools.answers = {tool: lambda args: ENDS[script[args["path"]]][0]}
    try:
        return world, world.run(spec_of(*(step(tool, path=number) for number in range(len(script)))))
    finally:
        world.end()


@pytest.mark.parametrize("first", ENDS)
@pytest.mark.parametrize(("tool", "column"), [("read_file", 1), ("write_file", 2)], ids=["reads", "effects"])
def test_a_run_stops_at_the_first_step_that_did_not_succeed(tool, column, first):
    for script in (one for one in SCRIPTS if one[0] == first):
        world, result = rehearsed(tool, script)
        stop = next((at for at, end in enumerate(script) if end != "ok"), None)
        done = len(script) if stop is None else stop + 1
        again = column == 1 and stop is not None and script[stop] in TRIED_AGAIN
        assert result.outcome == ("succeeded" if stop is None else ENDS[script[stop]][column]), script
        assert result.failed_step == (None if stop is None else stop + 1), script
        assert [args["path"] for _, args in world.tools.made()] == [
            *range(done),
            *([stop] if again else []),
        ], script
        assert [one.outcome for one in result.trace[done:]] == ["skipped"] * (len(script) - done), script
        assert len(result.trace) == len(script), script
        assert state_of(world.log.events) == result.outcome, script
        assert (result.code in FAILURE_CODES) == (result.outcome == "failed"), script
        assert bool(json.loads(result.answer).get("error")) == (stop is not None), script


def test_the_codes_of_a_failed_run_are_those_that_count_towards_suspension():
    assert {STEP_FAILED, PRECONDITION} == FAILURE_CODES


def test_every_code_is_told_with_its_outcome_and_reason():
    codes = {value for name, value in vars(ending).items() if name.isupper() and isinstance(value, str)}
    table = {line.split()[0] for line in ending.__doc__.splitlines() if len(line.split()) > 3}
    assert codes <= table
