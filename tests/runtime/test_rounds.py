"""What the end of a session tells, and whom."""

from types import SimpleNamespace

import pytest

from kata.runtime.notices import Notices, Untold
from kata.runtime.rounds import Rounds
from kata.surfaces import fences


@pytest.mark.parametrize(("mark", "told"), [(None, 1), ("AI_AGENT", 0)])
def test_a_hermes_that_an_agent_started_uses_no_notice_up(monkeypatch, mark, told):
    monkeypatch.setattr(fences, "agent_mark", lambda *_: mark)
    written = []
    observer = SimpleNamespace(record=lambda *event: written.append(event))
    notices = Notices()
    notices.found([Untold(event_id="e1", number=1, name="settle_bug", steps="a → b")])
    parts = SimpleNamespace(ctx=None, notices=notices, observer=observer)
    said = Rounds(parts, gate=None, compiled=None).tell()
    assert (len(written), said is not None) == (told, bool(told))
