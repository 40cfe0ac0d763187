"""A run that died stays in doubt, whatever anybody writes into the spool: only a person settles it (case B025)."""

import pytest

from kata.events import catalogue as told
from kata.executor import fingerprint_of
from kata.executor.protocols import Caller
from kata.runtime.journal import RunRecorder
from kata.store import open_store
from kata.store.sealed import may_end, run_id_for
from tests.service.lab import AGENT, PERSON

ARGUMENTS = {"title": "bug 9"}


@pytest.fixture
def one(lab):
    lab.approved()
    return lab.service.registered()[0]


@pytest.fixture
def recorder(lab):
    world = lab.service.world
    return RunRecorder(lab.service.spool, world.clock, world.ids, "turn")


def begin(lab, one, recorder):
    """Write what a run writes up to a call of its last step; return its id."""
    run_id = recorder.run_ids.new()
    recorder.record(
        told.RunStarted(
            run_id=run_id,
            kata=one.stream,
            number=one.number,
            name=one.name,
            version=one.version,
            digest=one.digest,
            inputs=ARGUMENTS,
            inputs_fingerprint=fingerprint_of(lab.service.world.keeper, ARGUMENTS),
            session_id="s",
            task_id="t",
            steps=3,
        )
    )
    recorder.record(
        told.StepStarted(run_id=run_id, index=1, step=3, tool="close_ticket", effect="external", args={})
    )
    recorder.flush()
    lab.service.refresh()  # segments of one millisecond come in any order
    return run_id


def step_done(run_id, outcome="succeeded"):
    return told.StepFinished(
        run_id=run_id,
        index=1,
        step=3,
        outcome=told.StepOutcome(outcome),
        reason="",
        exit_code=None,
        duration_ms=1,
        result="done",
    )


def run_done(one, run_id, outcome="succeeded"):
    return told.RunFinished(
        run_id=run_id,
        kata=one.stream,
        version=one.version,
        outcome=told.RunOutcome(outcome),
        code="",
        reason="",
        failed_step=None,
        duration_ms=1,
    )


def forge(lab, *payloads, stream=""):
    """Write events from another process's segment."""
    other = open_store(lab.folder, clock=lab.clock, ids=lab.ids)
    for payload in payloads:
        other.spool.write(lab.service.world.event(stream or f"run/{payload.run_id}", payload, AGENT))
    other.close()


def doubted(lab, one):
    return lab.service.begin_run(one, ARGUMENTS, Caller()).unacknowledged


@pytest.mark.parametrize("outcome", ["succeeded", "failed", "blocked"])
def test_an_end_that_another_process_spools_settles_no_run_that_died(lab, one, recorder, outcome):
    run_id = begin(lab, one, recorder)
    forge(lab, step_done(run_id), run_done(one, run_id, outcome))
    assert doubted(lab, one) == run_id
    lab.service.acknowledge(run_id, PERSON)
    assert doubted(lab, one) is None


def test_such_an_end_is_set_aside_and_told_of(lab, one, recorder):
    run_id = begin(lab, one, recorder)
    forge(lab, run_done(one, run_id))
    lab.service.refresh()
    assert len(lab.store.set_aside()) == 1
    lost = [event.payload for event in lab.store.log.read(types=["observations.lost"])]
    assert [one.reason for one in lost] == ["only the process that began a run can end it"]
    assert [one.status for one in lab.service.doctor().findings if one.name == "spool"] == ["warning"]


def test_nor_does_one_from_the_stream_of_another_run(lab, one, recorder):
    run_id, other = begin(lab, one, recorder), begin(lab, one, recorder)
    forge(lab, run_done(one, run_id), stream="run/elsewhere")
    assert doubted(lab, one) == other
    assert lab.service.run(run_id).row.outcome != "succeeded"


def test_what_was_unknown_stays_so_even_when_its_own_process_says_otherwise(lab, one, recorder):
    run_id = begin(lab, one, recorder)
    recorder.record(step_done(run_id, "unknown"))
    recorder.record(run_done(one, run_id, "unknown"))
    recorder.record(run_done(one, run_id))
    recorder.flush()
    assert doubted(lab, one) == run_id


def test_a_runs_own_end_comes_in_also_after_its_process_is_gone(lab, one, recorder):
    run_id = begin(lab, one, recorder)
    recorder.record(step_done(run_id))
    recorder.record(run_done(one, run_id))
    recorder.flush()
    lab.service.spool.rotate()
    assert doubted(lab, one) is None
    assert lab.service.run(run_id).row.outcome == "succeeded"


def test_a_late_answer_is_kept_and_settles_nothing(lab, one, recorder):
    run_id = begin(lab, one, recorder)
    recorder.record(step_done(run_id, "unknown"))
    recorder.record(run_done(one, run_id, "unknown"))
    recorder.record(
        told.StepAnsweredLate(
            run_id=run_id, index=1, outcome=told.StepOutcome.SUCCEEDED, result="sent", after_ms=9
        )
    )
    recorder.flush()
    assert doubted(lab, one) == run_id
    assert lab.reads.runs.steps(run_id)[0].late["result"] == "sent"


def test_only_one_event_can_end_a_run(lab):
    end = lab.ids.new()
    assert may_end(run_id_for(end), end)
    assert not may_end(run_id_for(end), lab.ids.new())
    assert not may_end(run_id_for(end), run_id_for(end))


def test_the_id_that_ends_a_run_is_in_nothing_that_is_written_before_its_end(lab, one, recorder):
    run_id = begin(lab, one, recorder)
    recorder.record(step_done(run_id))
    recorder.flush()
    end = recorder.run_ids.event_id(run_done(one, run_id))
    spooled = b"".join(path.read_bytes() for path in lab.store.spool.folder.iterdir())
    assert run_id.encode() in spooled
    assert end.encode() not in spooled
