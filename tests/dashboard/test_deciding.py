"""Decisions through the API: bound to what was read, refused with what changed, written down with their actor."""

import pytest

from kata.events import catalogue as told
from tests.service.lab import PERSON, SCHEMAS, order
from tests.service.test_choosing import TOOLS, wipe


def actions(api) -> list[str]:
    return [row["action"] for row in api.data("audit", limit=500)["rows"]]


def test_an_approval_with_a_note_is_one_event_with_its_actor_and_reason(api, lab):
    number = lab.proposed()
    found = api.approve(number, note="every Monday")
    assert (found.status_code, found.json()["data"]["state"]) == (200, "active")
    [row] = api.data("audit", action="kata.approved")["rows"]
    assert row["actor"] == {"kind": "human", "id": "dashboard (loopback)", "surface": "dashboard"}
    assert row["fields"]["note"] == "every Monday"


def test_an_approval_needs_the_digest_that_was_read(api, lab):
    number = lab.proposed()
    found = api.post(f"katas/{number}/approve", {"name": "settle_bug"})
    assert found.status_code == 422
    assert [one["where"] for one in found.json()["error"]["problems"]] == ["body.digest"]


def test_a_stale_digest_is_409_with_the_very_lines_that_changed(api, lab):
    number = lab.approved("settle_bug")
    read = api.digest(number)
    schema = SCHEMAS["close_ticket"]
    lab.describe(
        "close_ticket",
        {
            **schema,
            "properties": {**schema["properties"], "why": {"type": "string"}},
            "required": ["id", "why"],
        },
    )
    lab.service.refresh()
    lab.service.upkeep(PERSON.surface)
    found = api.post(f"katas/{number}/approve", {"digest": read, "name": "settle_bug"})
    assert (found.status_code, found.json()["error"]["code"]) == (409, "stale_digest")
    assert any("why" in line for line in found.json()["error"]["changed"])


def test_the_second_of_two_tabs_is_told_who_was_first_and_nothing_happens_twice(api, lab):
    number = lab.proposed()
    digest = api.digest(number)
    body = {"digest": digest, "name": "settle_bug"}
    first, second = (api.post(f"katas/{number}/approve", body) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 409)
    assert second.json()["error"]["message"]
    assert actions(api).count("kata.approved") == 1


@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("déploy prévisu 🚀", "deploy_previsu"),
        ("x" * 80, "x" * 40),
        ("9lives", "run_9lives"),
        ("deploy.preview", "deploy_preview"),
    ],
)
def test_a_name_that_providers_refuse_is_422_with_one_they_take(api, lab, name, offer):
    number = lab.proposed()
    found = api.approve(number, name)
    assert (found.status_code, found.json()["error"]["code"]) == (422, "bad_name")
    assert found.json()["error"]["offer"] == offer
    assert lab.state(number) == "candidate"


def test_inputs_are_renamed_with_the_approval(api, lab):
    number = lab.proposed()
    [old] = api.data(f"katas/{number}")["inputs"]["properties"]
    assert api.approve(number, renames={old: "what"}).status_code == 200
    [one] = lab.service.registered()
    assert dict(one.renamed) == {old: "what"}


def test_a_rejection_is_taken_back_and_set_aside_again(api, lab):
    number = lab.proposed()
    assert api.post(f"katas/{number}/reject", {"note": "by hand"}).json()["data"]["state"] == "rejected"
    assert api.post(f"katas/{number}/reconsider").json()["data"]["state"] == "candidate"
    assert api.post(f"katas/{number}/undo").json()["data"]["state"] == "rejected"


@pytest.mark.parametrize(
    "until",
    [{"kind": "changed"}, {"kind": "seen", "seen": 3}, {"kind": "date", "date": "2027-01-01T00:00:00Z"}],
)
def test_a_proposal_is_set_aside_until_something_happens(api, lab, until):
    number = lab.proposed()
    assert api.post(f"katas/{number}/defer", {"until": until}).status_code == 200
    view = api.data("overview")
    assert (len(view["needs_you"]), [row["deferred"] for row in view["set_aside"]]) == (0, [True])


@pytest.mark.parametrize(
    "until",
    [{"kind": "seen"}, {"kind": "date"}, {"kind": "never"}, {"kind": "date", "date": "2027-01-01"}, {}],
)
def test_a_condition_that_says_nothing_is_422(api, lab, until):
    number = lab.proposed()
    assert api.post(f"katas/{number}/defer", {"until": until}).status_code == 422


def test_a_kata_is_turned_off_and_on_and_undone(api, lab):
    number = lab.approved("settle_bug")
    assert api.post(f"katas/{number}/disable").json()["data"]["state"] == "disabled"
    assert api.post(f"katas/{number}/enable").json()["data"]["state"] == "active"
    assert api.post(f"katas/{number}/undo").json()["data"]["state"] == "disabled"
    assert lab.service.registered() == ()


def test_what_the_state_forbids_is_409_and_written_down(api, lab):
    number = lab.proposed()
    found = api.post(f"katas/{number}/enable")
    assert found.status_code == 409
    assert found.json()["error"]["hint"] is not None
    [row] = api.data("audit", action="decision.refused")["rows"]
    assert row["fields"]["verb"] == "enable"


def test_an_older_version_is_not_restored_unless_it_was_approved(api, lab):
    number = lab.approved("settle_bug")
    assert api.post(f"katas/{number}/rollback", {"version": 7}).status_code == 409
    assert api.post(f"katas/{number}/rollback", {"version": 0}).status_code == 422


def test_what_a_body_may_not_hold_is_422(api, lab):
    number = lab.proposed()
    for body in ({"note": 3}, {"note": "x" * 3000}, {"extra": 1}, [], "text", 5):
        assert api.post(f"katas/{number}/reject", body).status_code == 422, body
    assert lab.state(number) == "candidate"


def test_recording_is_paused_for_a_while_and_goes_on(api, lab):
    paused = api.post("pause", {"minutes": 30, "note": "private"}).json()["data"]
    assert paused["recording"] is False
    assert paused["paused_until"].startswith("2026-01-01T09:30")
    assert api.post("resume").json()["data"]["recording"] is True


def test_a_run_of_unknown_outcome_is_acknowledged_by_a_person(api, lab):
    number = lab.approved("settle_bug")
    run_id = lab.ran(number, told.RunOutcome.UNKNOWN, "timeout")
    assert api.post(f"runs/{run_id}/acknowledge", {"note": "looked"}).json()["data"]["acknowledged"] is True


def test_two_katas_are_two_decisions(api, lab):
    lab.proposed()
    lab.proposed(order)
    assert api.approve(1).status_code == api.approve(2, "ship").status_code == 200
    assert sorted(one.name for one in lab.service.registered()) == ["settle_bug", "ship"]


def test_an_effect_with_two_possible_sources_needs_a_choice(api, lab):
    for tool, schema in TOOLS.items():
        lab.describe(tool, schema)
    number = lab.proposed(wipe)
    refused = api.approve(number, name="clear_host")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "ambiguous_source")
    found = api.approve(number, name="clear_host", using={"step2.disk": "step1.main"})
    assert (found.status_code, found.json()["data"]["version"]) == (200, 2)
