"""The audit trail: who did what, found by facet and by word."""

from datetime import timedelta

import pytest

from kata.events import Actor, ActorKind, Surface
from kata.events import catalogue as told
from kata.events.registry import known_types
from kata.projections import FACETS, Audit, AuditFilter, Plane, plane_of
from tests.machines.support import approved, deferred, proposed

from .support import KATA, PERSON, START, TOOL, Diary, evidence, run_finished, run_started, step_started

ABC, DEF = "kata/abc", "kata/def"
BOB = Actor(kind=ActorKind.HUMAN, id="telegram:bob", surface=Surface.SLASH)
READ = ("read_file", {"path": "a"}, {"content": "x"})


@pytest.fixture
def diary():
    begun = Diary()
    begun.turn("s1", [READ])
    begun.tell(proposed(1, name="deploy"), KATA, ABC)
    begun.tell(proposed(2, name="sync", key="other"), KATA, DEF)
    begun.tell(approved(name="deploy", note="Looks Fine"), PERSON, ABC)
    begun.tell(told.KataRejected(note="no, too risky"), BOB, DEF)
    return begun


def audit(diary):
    return Audit(diary.views()[0], diary.log)


def types(diary, **wanted):
    return [entry.type for entry in audit(diary).page(AuditFilter(**wanted)).entries]


def test_observations_stay_out_until_asked_for(diary):
    assert types(diary) == ["kata.rejected", "kata.approved", "kata.proposed", "kata.proposed"]
    assert "tool.returned" in types(diary, observations=True)
    assert types(diary, observations=True, text="read_file ok") == ["tool.returned"]


def test_an_entry_tells_who_what_when_and_about_which_kata(diary):
    entry = audit(diary).page(AuditFilter()).entries[1]
    assert (entry.actor, entry.kata, entry.number, entry.name) == (PERSON, ABC, 1, "deploy")
    assert entry.fields["note"] == "Looks Fine"
    assert entry.at == entry.recorded_at
    assert entry.plane == Plane.LIFECYCLE


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"actor": "ada"}, ["kata.approved"]),
        ({"actor": "human"}, ["kata.rejected", "kata.approved"]),
        ({"actor": "human:telegram:bob"}, ["kata.rejected"]),
        ({"channel": "slash"}, ["kata.rejected"]),
        ({"action": "kata.approved"}, ["kata.approved"]),
        ({"action": "approved"}, ["kata.approved"]),
        ({"action": "kata"}, ["kata.rejected", "kata.approved", "kata.proposed", "kata.proposed"]),
        ({"action": "kat"}, []),
        ({"kata": DEF}, ["kata.rejected", "kata.proposed"]),
        ({"text": "RISKY"}, ["kata.rejected"]),
        ({"text": "risky no"}, ["kata.rejected"]),
        ({"text": "risky fine"}, []),
        ({"text": "deploy human"}, []),
        ({"text": "sync rejected"}, ["kata.rejected"]),
        ({"day": "2026-01-01", "kata": DEF, "actor": "system"}, ["kata.proposed"]),
        ({"day": "2026-01-02"}, []),
    ],
)
def test_filters_narrow_and_combine(diary, wanted, expected):
    assert types(diary, **wanted) == expected


def test_since_and_until_go_by_the_time_of_occurrence(diary):
    moment = diary.clock.now()
    assert types(diary, since=moment) == ["kata.rejected"]
    assert len(types(diary, until=moment)) == 3
    assert types(diary, since=moment + timedelta(seconds=1)) == []


def test_pages_follow_each_other_without_gap_or_twin(diary):
    view = audit(diary)
    first = view.page(AuditFilter(), limit=3)
    second = view.page(AuditFilter(), before=first.next_before, limit=3)
    assert (first.total, len(first.entries), len(second.entries), second.next_before) == (4, 3, 1, None)
    positions = [entry.position for entry in (*first.entries, *second.entries)]
    assert positions == sorted(set(positions), reverse=True)


def test_a_tail_sees_what_comes_after_oldest_first(diary):
    view = audit(diary)
    last = view.page(AuditFilter()).entries[-1].position
    assert [entry.type for entry in view.after(last, AuditFilter())] == [
        "kata.proposed",
        "kata.approved",
        "kata.rejected",
    ]


def test_facets_count_what_fits(diary):
    facets = audit(diary).facets(AuditFilter(action="kata"))
    assert facets["action"][0] == ("kata.proposed", 2)
    assert facets["kata"] == (("1", 2), ("2", 2))
    assert facets["channel"] == (("hook", 2), ("cli", 1), ("slash", 1))
    assert facets["day"] == (("2026-01-01", 4),)
    assert ("human:ada", 1) in facets["actor"]
    assert facets.keys() == FACETS.keys()


def test_facets_can_be_used_as_filters(diary):
    for actor, count in audit(diary).facets(AuditFilter())["actor"]:
        assert len(types(diary, actor=actor)) == count


def test_the_steps_of_a_run_belong_to_its_kata(diary):
    diary.tell(run_started(kata=ABC), TOOL)
    diary.tell(step_started(), TOOL)
    diary.tell(run_finished(), TOOL)
    seen = types(diary, kata=ABC, observations=True)
    assert seen[:3] == ["run.finished", "step.started", "run.started"]


def test_the_steps_of_a_run_are_shown_only_when_observations_are_asked_for(diary):
    diary.tell(run_started(kata=ABC), TOOL)
    diary.tell(step_started(), TOOL)
    assert types(diary, kata=ABC)[0] == "run.started"


@pytest.mark.parametrize("typed", ["2", "2@9f3c", "sync", "kata_sync", DEF])
def test_a_refusal_is_found_by_the_kata_that_was_meant(diary, typed):
    refused = told.DecisionRefused(verb="approve", kata=typed, code="human_needed", why="an agent asked")
    diary.tell(refused, TOOL)
    assert types(diary, kata=DEF)[0] == "decision.refused"
    assert audit(diary).page(AuditFilter()).entries[0].number == 2


def test_a_refusal_about_no_kata_is_still_there(diary):
    diary.tell(told.DecisionRefused(verb="approve", kata="nobody", code="not_found", why="none"), PERSON)
    entry = audit(diary).page(AuditFilter()).entries[0]
    assert (entry.number, entry.kata, entry.fields["kata"]) == (None, "nobody", "nobody")


def test_values_of_calls_are_never_in_the_trail(diary):
    diary.tell(run_started(kata=ABC), TOOL)
    diary.tell(step_started(), TOOL)
    diary.tell(evidence(), KATA, ABC)
    for entry in audit(diary).page(AuditFilter(observations=True)).entries:
        assert not {"args", "result", "inputs", "spec", "schema", "calls"} & entry.fields.keys()


def test_groups_and_moments_are_plain_json(diary):
    diary.tell(deferred("date", date=START), PERSON, ABC)
    assert audit(diary).page(AuditFilter()).entries[0].fields["until"] == {
        "kind": "date",
        "seen": None,
        "date": START.isoformat(),
    }


def test_an_event_of_a_newer_kata_is_shown_by_its_header(diary):
    diary.tell_raw("kata.archived", ABC)
    entry = audit(diary).page(AuditFilter()).entries[0]
    assert (entry.type, entry.plane, entry.number, entry.fields) == ("kata.archived", "unknown", 1, {})


def test_a_forgotten_event_keeps_its_header(diary):
    store, projector = diary.views()
    position = diary.log.head().position
    diary.erase((position, position))
    projector.catch_up()
    view = Audit(store, diary.log)
    assert view.page(AuditFilter(text="risky")).entries == ()
    forgotten = view.page(AuditFilter(action="rejected")).entries[0]
    assert (forgotten.fields, forgotten.actor, forgotten.number) == ({}, BOB, 2)
    assert projector.check() == ()


def test_what_was_told_is_not_told_again(diary):
    view = audit(diary)
    first, second = view.untold(["kata.proposed"])
    diary.tell(told.NoticeShown(about=(first.event_id,), surface="cli"), KATA)
    assert [entry.event_id for entry in audit(diary).untold(["kata.proposed"])] == [second.event_id]
    assert audit(diary).untold(["kata.disabled"]) == ()


def test_every_event_type_has_a_plane():
    assert {plane_of(name) for name in known_types()} == set(Plane) - {Plane.UNKNOWN}
    assert plane_of("recording.paused") is Plane.KEEPING
