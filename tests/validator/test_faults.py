"""The fault checks see an executor that goes on, repeats or waits where it must not."""

import pytest

from kata.events.catalogue import StepOutcome
from kata.executor import executor as executing
from kata.executor import run as running
from kata.executor.attempt import Attempt
from kata.executor.ending import failed
from kata.validator import Status
from tests.validator.build import COUNT, COUNTED, check, example, spec_of, step

WRITES = spec_of(step("write_file", "local_write", path="a", content="b"), step("read_file", path="a"))
WRITTEN = [
    example(
        ("write_file", {"path": "a", "content": "b"}, {"bytes_written": 1}),
        ("read_file", {"path": "a"}, {"content": "b"}),
    )
] * 2


@pytest.mark.parametrize("name", ["failure_handling", "timeout_handling"])
@pytest.mark.parametrize(("spec", "examples"), [(COUNT, COUNTED), (WRITES, WRITTEN)], ids=["reads", "writes"])
def test_the_executor_as_it_is_passes(name, spec, examples):
    found = check(name, spec, examples)
    assert (found.status, found.detail) == (Status.PASSED, "tried at each of 2 calls")


def test_an_executor_that_takes_errors_for_successes_is_seen(monkeypatch):
    monkeypatch.setattr(running, "of_answer", lambda *_, **__: Attempt(StepOutcome.SUCCEEDED, result={}))
    assert check("failure_handling", WRITES, WRITTEN).status is Status.FAILED


def test_an_executor_that_repeats_effects_is_seen(monkeypatch):
    monkeypatch.setattr(running, "has_effect", lambda effect: False)
    found = check("failure_handling", WRITES, WRITTEN)
    assert found.status is Status.FAILED
    assert "2 calls were issued, not 1" in found.detail


def test_an_executor_that_calls_a_hung_step_failed_is_seen(monkeypatch):
    monkeypatch.setattr(executing, "of_let_go", lambda gone: failed("step_failed", "no answer"))
    found = check("timeout_handling", WRITES, WRITTEN)
    assert found.status is Status.FAILED
    assert "the run ended failed, not unknown" in found.detail
