"""``POST forget``: what goes is shown first, then erased by its token; a person alone."""

import pytest

from tests.dashboard.conftest import PERSON
from tests.service.lab import ticket


@pytest.fixture
def told(lab):
    lab.practise(ticket, 2)
    lab.service.refresh()
    return lab


def test_a_preview_says_what_would_go_and_its_token_erases_that(api, told):
    shown = api.post("forget", {"session": "s1"}).json()["data"]
    assert (shown["events"], shown["sessions"], told.service.call_count()) == (8, ["s1"], 6)
    done = api.post("forget", {"session": "s1", "token": shown["token"], "note": "by wish"}).json()["data"]
    assert (done["events"], done["clean"], told.service.call_count()) == (8, True, 3)
    [event] = told.store.log.read(types=("history.forgotten",))
    assert (event.actor.surface, event.payload.note) == ("dashboard", "by wish")


def test_a_text_is_forgotten_and_does_not_come_back_in_any_answer(api, told):
    shown = api.post("forget", {"text": "words 1"})
    assert "words" not in shown.text
    token = shown.json()["data"]["token"]
    assert api.post("forget", {"text": "words 1", "token": token}).status_code == 200
    assert not any(b"words 1" in path.read_bytes() for path in told.folder.rglob("*") if path.is_file())


def test_another_preview_s_token_is_409(api, told):
    token = api.post("forget", {"session": "s1"}).json()["data"]["token"]
    found = api.post("forget", {"session": "s2", "token": token})
    assert (found.status_code, found.json()["error"]["code"]) == (409, "stale_preview")
    assert told.service.call_count() == 6


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 422), ({"text": "ab"}, 422), ({"session": "s1", "text": "words"}, 422), ({"session": "nope"}, 404)],
)
def test_what_cannot_be_forgotten_says_why(api, told, body, status):
    assert api.post("forget", body).status_code == status


def test_another_page_gets_not_even_a_preview(api, told):
    headers = {**PERSON, "Origin": "http://evil.test"}
    found = api.ask("POST", "forget", json={"session": "s1"}, headers=headers)
    assert found.status_code == 403
    [refused] = told.store.log.read(types=("decision.refused",))
    assert refused.payload.verb == "forget"
