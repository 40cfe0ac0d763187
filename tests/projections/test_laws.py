"""Whatever happens, views depend on the log alone: not on pages, nor on when they were fed."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kata.events import catalogue as told
from kata.projections import PROJECTIONS, Projector
from tests.machines.support import (
    approved,
    deferred,
    enabled,
    proposed,
    revised,
    rolled_back,
    suspended,
    went_stale,
)

from . import support as so

SESSIONS = st.sampled_from(["s1", "s2", "s3"])
TURNS = st.sampled_from(["t1", "t2", "t3"])
CALLS = st.sampled_from(["a", "b", ""])
TOOLS = st.sampled_from(["read_file", "write_file", "memory", "tool_search", "kata_x"])
REQUESTS = st.sampled_from(["", "q1", "q2"])
STREAMS = st.sampled_from(["kata/1", "kata/2"])
RUNS = st.sampled_from(["r1", "r2"])
ACTORS = st.sampled_from([so.PERSON, so.KATA, so.AGENT])

OBSERVED = st.one_of(
    st.builds(so.turn_started, SESSIONS, TURNS),
    st.builds(so.turn_ended, SESSIONS, TURNS),
    st.builds(so.answered, SESSIONS, TURNS, REQUESTS, st.lists(st.tuples(CALLS, TOOLS), max_size=3)),
    st.builds(
        lambda session, turn, tool, request, call, task, key: so.returned(
            session, turn, tool, {key: 1}, "x", request=request, call=call, task=task
        ),
        SESSIONS,
        TURNS,
        TOOLS,
        REQUESTS,
        CALLS,
        st.sampled_from(["task", "replay"]),
        st.sampled_from(["path", "name"]),
    ),
    st.builds(so.linked, SESSIONS, st.none() | SESSIONS, st.just("compression"), st.none() | st.just("job")),
    st.builds(
        lambda session, child: told.SubagentStarted(
            session_id=session, turn_id="t", child_session_id=child, role=""
        ),
        SESSIONS,
        SESSIONS,
    ),
    st.just(told.RecordingPaused(until=None)),
    st.just(told.RecordingResumed()),
    st.just(told.ObservationsLost(count=2, reason="disk full")),
    st.builds(
        lambda digest: told.ToolDescribed(
            tool="read_file", schema={"d": digest}, digest=digest, toolset="file", surface="cli"
        ),
        st.sampled_from("ab"),
    ),
)
LIVED = st.one_of(
    st.builds(proposed, st.integers(1, 3)),
    st.builds(revised, st.integers(2, 3)),
    st.builds(approved, st.integers(1, 3)),
    st.builds(rolled_back, st.integers(1, 3)),
    st.sampled_from(
        [
            deferred(),
            went_stale(),
            suspended(),
            enabled(),
            told.KataDisabled(),
            told.KataRejected(),
            told.KataReconsidered(),
            told.DecisionRefused(verb="approve", kata="kata/1", code="refused", why="stale", where="shell"),
            so.evidence("e1"),
            so.evidence("e2"),
        ]
    ),
)
RAN = st.one_of(
    st.builds(lambda run: so.run_started(run, kata="kata/1"), RUNS),
    st.builds(so.step_started, RUNS),
    st.builds(so.step_finished, RUNS),
    st.builds(so.run_finished, RUNS, st.sampled_from(told.RunOutcome), st.sampled_from(["", "step_failed"])),
    st.builds(lambda run: told.RunAcknowledged(run_id=run), RUNS),
    st.builds(
        lambda run: told.StepAnsweredLate(
            run_id=run, index=1, outcome=told.StepOutcome.SUCCEEDED, result=1, after_ms=9
        ),
        RUNS,
    ),
)
ENTRY = st.one_of(
    st.tuples(st.just("tell"), OBSERVED | RAN, ACTORS, st.none()),
    st.tuples(st.just("tell"), LIVED, ACTORS, STREAMS),
    st.tuples(st.just("raw"), st.sampled_from(["kata.archived", "odd.one"]), ACTORS, STREAMS),
    st.tuples(st.just("erase"), st.integers(0, 9), st.integers(0, 9), st.none()),
)


def write(diary, entry):
    kind, one, two, stream = entry
    if kind == "tell":
        diary.tell(one, two, stream)
    elif kind == "raw":
        diary.tell_raw(one, stream, actor=two)
    else:
        erase(diary, one, two)


def erase(diary, back, length):
    head = diary.log.head().position
    first = max(1, head - back)
    positions = [
        event.position
        for event in diary.log.read(first - 1, limit=length)
        if not event.type.startswith("history.")
    ]
    if positions:
        diary.erase(*((position, position) for position in positions))


def dumps(store):
    return {one.name: store.dump(one) for one in PROJECTIONS}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ENTRY, max_size=30), st.data())
def test_feeding_as_it_happens_in_pages_of_any_size_equals_a_rebuild_at_the_end(entries, data):
    diary = so.Diary()
    live = so.memory_views()
    for entry in entries:
        write(diary, entry)
        if data.draw(st.booleans(), label="feed now"):
            page = data.draw(st.integers(1, 5), label="page")
            known = data.draw(st.integers(0, diary.log.head().position), label="not at hand")
            at_hand = tuple(diary.log.read(known))
            Projector(diary.log, live, PROJECTIONS, page=page).catch_up(at_hand=at_hand)
    projector = Projector(diary.log, live, PROJECTIONS)
    projector.catch_up()
    rebuilt, _ = diary.views(page=data.draw(st.integers(1, 40), label="rebuild page"))
    assert dumps(live) == dumps(rebuilt)
    assert projector.check() == ()
    so.close_all()
