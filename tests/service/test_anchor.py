"""Where the log's end is not noted, nobody is told that all is well."""

import pytest

from kata.service.doctor import WARNING
from kata.store.anchor import ANCHOR_NAME
from kata.surfaces.show.reports import verified as shown
from tests.service.lab import PERSON, ticket
from tests.store.support import tamper_unseen


@pytest.fixture(params=["gone", "garbage"])
def unnoted(lab, request):
    lab.by_hand(ticket(1))
    lab.service.refresh()
    path = lab.folder / ANCHOR_NAME
    if request.param == "gone":
        path.unlink()
    else:
        path.write_text("{", encoding="ascii")
    return lab


def test_verify_says_that_a_cut_end_would_not_show(unnoted):
    report = unnoted.service.verify()
    assert (report.ok, report.anchored) == (True, False)
    assert "cannot be told" in "\n".join(shown(report))


def test_the_doctor_warns_of_it(unnoted):
    [one] = [one for one in unnoted.service.doctor().findings if one.name == "anchor"]
    assert one.status == WARNING


def test_with_its_note_and_in_an_empty_log_nothing_is_said(lab):
    assert lab.service.verify().anchored
    lab.by_hand(ticket(1))
    lab.service.refresh()
    assert lab.service.verify().anchored
    assert len(shown(lab.service.verify())) == 1
    assert not [one for one in lab.service.doctor().findings if one.name == "anchor"]


def cut_with_its_note(lab, kept):
    """Cut the log's end, and take the note of it away."""
    tables = ("events", "payloads")
    tamper_unseen(
        lab.folder / "data.db", *(f"DELETE FROM {table} WHERE position > {kept}" for table in tables)
    )
    (lab.folder / ANCHOR_NAME).unlink()


@pytest.fixture
def went_on(lab):
    """A log whose end was cut with its note, and that had one event more since."""
    lab.by_hand(ticket(1))
    kept = lab.store.log.head().position - 4
    cut_with_its_note(lab, kept)
    lab.service.pause(PERSON, None)
    return lab, kept


def test_a_cut_end_is_told_of_however_many_events_follow(went_on):
    lab, kept = went_on
    for _ in range(3):
        report = lab.service.verify()
        assert (report.ok, report.anchored, report.unproven) == (True, True, kept)
        assert f"behind event {kept}" in "\n".join(shown(report))
        [one] = [one for one in lab.service.doctor().findings if one.name == "anchor"]
        assert (one.status, f"event {kept}" in one.detail) == (WARNING, True)
        lab.service.resume(PERSON)


def test_a_person_settles_it(went_on):
    lab, _ = went_on
    lab.service.accept_end(PERSON, "the disk was full")
    assert len(shown(lab.service.verify())) == 1
    assert not [one for one in lab.service.doctor().findings if one.name == "anchor"]
    *_, event = lab.store.log.read(types=["log.restored"])
    assert event.actor == PERSON
    assert "the disk was full" in event.payload.reason
