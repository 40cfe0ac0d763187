"""The katas as the events tell them, found by number, name and stream."""

import pytest

from kata.events import catalogue as told
from kata.events.record import actor_of
from kata.machines import State, fold
from kata.projections import Evidence, Katas
from tests.machines.support import approved, deferred, digest, proposed, revised, went_stale

from .support import KATA, PERSON, Diary, evidence

ABC, DEF = "kata/abc", "kata/def"


@pytest.fixture
def diary():
    begun = Diary()
    begun.tell(proposed(), KATA, ABC)
    return begun


def katas(diary):
    return Katas(diary.views()[0])


def test_a_kata_reads_as_its_stream_folds(diary):
    diary.tell(deferred(), PERSON, ABC)
    diary.tell(approved(renamed=(("ref", "branch"),)), PERSON, ABC)
    diary.tell(revised(), KATA, ABC)
    diary.tell(went_stale(), KATA, ABC)
    assert katas(diary).streamed(ABC) == fold(diary.log.read_stream(ABC))


def test_a_kata_is_found_by_number_name_and_state(diary):
    view = katas(diary)
    (kata,) = view.all()
    assert view.numbered(1) == view.named("push_branch")[0] == view.in_state("candidate")[0] == kata
    assert (view.numbered(2), view.streamed("kata/none"), view.named("other")) == (None, None, ())


def test_of_two_katas_of_one_name_the_one_that_holds_it_comes_first(diary):
    diary.tell(proposed(number=2, key="other"), KATA, "kata/def")
    diary.tell(approved(), PERSON, "kata/def")
    assert [kata.number for kata in katas(diary).named("push_branch")] == [2, 1]


def test_only_an_active_katas_tool_should_exist(diary):
    assert katas(diary).registered() == ()
    diary.tell(approved(name="ship", renamed=(("ref", "branch"),)), PERSON, ABC)
    (tool,) = katas(diary).registered()
    assert (tool.number, tool.name, tool.version, tool.digest) == (1, "ship", 1, digest("a"))
    assert tool.renamed == (("ref", "branch"),)
    assert tool.spec["format"] == 1
    diary.tell(told.KataDisabled(), PERSON, ABC)
    assert katas(diary).registered() == ()


def test_a_revision_leaves_the_registered_version(diary):
    diary.tell(approved(), PERSON, ABC)
    diary.tell(revised(), KATA, ABC)
    assert katas(diary).registered()[0].digest == digest("a")


def test_everything_in_the_stream_counts_in_its_version(diary):
    diary.tell(evidence(), KATA, ABC)
    diary.tell_raw("note.written", ABC)
    assert katas(diary).streamed(ABC).stream_version == 3


def test_an_unknown_state_is_shown_as_it_is_and_not_registered(diary):
    diary.tell(approved(), PERSON, ABC)
    diary.tell_raw("kata.archived", ABC)
    view = katas(diary)
    assert view.numbered(1).state == "archived"
    assert view.registered() == ()


def test_a_decision_made_on_a_surface_of_a_newer_kata_is_a_decision(diary):
    watch = actor_of("human", "ada", "watch")
    diary.tell_raw("kata.rejected", ABC, b'{"note":"from the wrist"}', watch)
    diary.tell(revised(), KATA, DEF)
    kata = katas(diary).numbered(1)
    assert (kata.state, str(kata.changed_by.surface)) == ("rejected", "watch")
    assert kata == fold(diary.log.read_stream(ABC))


def test_nothing_is_registered_from_tables_of_another_version(diary):
    diary.tell(approved(), PERSON, ABC)
    store, _ = diary.views()
    with store.transaction():
        store.outdate(["katas"])
    assert Katas(store).registered() == ()


def test_forgetting_a_whole_kata_leaves_none(diary):
    diary.tell(approved(), PERSON, ABC)
    store, projector = diary.views()
    diary.erase((1, 2))
    projector.catch_up()
    assert Katas(store).all() == ()
    assert projector.check() == ()


def test_forgetting_evidence_takes_the_example_and_leaves_the_kata(diary):
    first = diary.tell(evidence("e1"), KATA, ABC)
    diary.tell(evidence("e2", "s2"), KATA, ABC)
    store, projector = diary.views()
    diary.erase((first, first))
    projector.catch_up()
    assert [one.evidence_id for one in Evidence(store).of(["e1", "e2"])] == ["e2"]
    assert Katas(store).numbered(1).state == State.CANDIDATE
    assert projector.check() == ()


def test_an_example_says_where_it_comes_from(diary):
    position = diary.tell(evidence("e1"), KATA, ABC)
    view = Evidence(diary.views()[0])
    (example,) = view.of(["e1", "e1", "gone"])
    assert (example.position, example.session_id, example.calls, example.occurred_on) == (
        position,
        "s1",
        1,
        "2026-01-01",
    )
    assert view.of_stream(ABC) == view.of_session("s1") == (example,)
