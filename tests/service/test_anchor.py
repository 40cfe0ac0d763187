"""Where the log's end is not noted, nobody is told that all is well."""

import pytest

from kata.service.doctor import WARNING
from kata.store.anchor import ANCHOR_NAME
from kata.surfaces.show.reports import verified as shown
from tests.service.lab import ticket


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
