"""What Kata does by itself: stale when a schema or a habit changed, a revised version, retention."""

from kata.events import Surface
from kata.events.catalogue import HistoryExpired
from tests.service.lab import PERSON, SCHEMAS, ticket


def stricter(tool: str, **properties: dict[str, str]) -> dict:
    schema = SCHEMAS[tool]
    return {
        **schema,
        "properties": {**schema["properties"], **properties},
        "required": [*schema["required"], *properties],
    }


def changed(lab, tool: str, schema: dict) -> None:
    lab.describe(tool, schema)
    lab.service.refresh()
    lab.service.upkeep(Surface.HOOK)


def test_a_new_required_property_makes_a_kata_stale_with_the_very_line(lab):
    number = lab.approved()
    changed(lab, "close_ticket", stricter("close_ticket", reason={"type": "string"}))
    row = next(row for row in lab.service.listing().katas if row.number == number)
    assert (row.state, "reason" in row.detail) == ("stale", True)


def test_a_mechanical_revision_waits_with_an_input_for_what_is_new(lab):
    number = lab.approved()
    changed(lab, "close_ticket", stricter("close_ticket", reason={"type": "string"}))
    view = lab.service.review(str(number))
    assert (view.version, "reason" in view.inputs["properties"]) == (2, True)


def test_the_revised_version_can_be_approved(lab):
    number = lab.approved()
    changed(lab, "close_ticket", stricter("close_ticket", reason={"type": "string"}))
    assert lab.approve(number).version == 2
    assert lab.state(number) == "active"


def test_reordered_widened_or_described_schemas_change_nothing(lab):
    number = lab.approved()
    schema = SCHEMAS["close_ticket"]
    looser = {
        "required": list(reversed(schema["required"])),
        "properties": {**dict(reversed(schema["properties"].items())), "hint": {"type": "string"}},
        "description": "another word",
        "type": "object",
    }
    changed(lab, "close_ticket", looser)
    assert lab.state(number) == "active"


def test_rolling_back_to_a_version_whose_tool_changed_is_refused(lab):
    import pytest

    from kata.service.errors import ValidationFailedError

    number = lab.approved()
    changed(lab, "close_ticket", stricter("close_ticket", reason={"type": "string"}))
    lab.approve(number)
    with pytest.raises(ValidationFailedError):
        lab.service.decisions.rollback(str(number), 1, PERSON)


def test_manual_runs_that_no_longer_fit_make_it_stale(lab):
    number = lab.approved()

    def otherwise(n: int):
        steps = ticket(n)
        steps[2][1]["state"] = f"waits for {n}"
        return steps

    lab.practise(otherwise, 4, start=100)
    lab.service.refresh()
    lab.service.upkeep(Surface.HOOK)
    assert lab.state(number) == "stale"


def test_manual_runs_that_fit_change_nothing(lab):
    number = lab.approved()
    lab.practise(ticket, 4, start=100)
    lab.service.refresh()
    lab.service.upkeep(Surface.HOOK)
    assert lab.state(number) == "active"


def test_history_older_than_the_setting_is_erased_and_the_kata_stays(lab):
    number = lab.approved()
    lab.clock.advance(days=31)
    lab.service.upkeep(Surface.HOOK)
    expired = [event.payload for event in lab.store.log.read(types=("history.expired",))]
    assert isinstance(expired[0], HistoryExpired)
    assert lab.service.call_count() == 0
    assert lab.service.verify().ok
    assert lab.service.replay(check=True).drift == ()
    assert lab.service.decisions.disable(str(number), PERSON).state == "disabled"
    assert lab.service.decisions.enable(str(number), PERSON).state == "active"
