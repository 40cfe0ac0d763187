"""What leaves Kata holds no secret, and what comes in again is a proposal at most."""

import json
from datetime import UTC, datetime

import attrs
import pytest

from kata.errors import NewerKataError
from kata.events import Event
from kata.events import catalogue as told
from kata.json import dumps
from kata.redact import Keeper
from kata.service.adopting import BadExportError, CannotAdoptError
from kata.service.exporting import FORMAT, HoldsSecretError, example, line
from kata.service.views import AuditQuery
from kata.spec import Const, Record, dump_spec, load_spec
from tests.redact.corpus import planted
from tests.redact.test_corpus import forms
from tests.service.lab import AGENT, PERSON, SCHEMAS, Lab, lock, order, ticket

KEEPER = Keeper(b"k" * 32)
PLANTED = list(planted())


@pytest.fixture
def elsewhere(tmp_path):
    made = Lab(tmp_path / "elsewhere")
    yield made
    made.close()


def exported(lab, number=1):
    return dumps(lab.service.export_kata(str(number)))


def adopt(lab, text, **options):
    return lab.service.adopt(text, "a.json", PERSON, **options)


def held(value, secrets):
    text = json.dumps(value, ensure_ascii=False) + repr(value)
    return [secret for secret in secrets for form in forms(secret) if form in text]


@pytest.mark.parametrize(
    ("value", "secrets"), [case[1:] for case in PLANTED], ids=[case[0] for case in PLANTED]
)
def test_no_planted_secret_leaves_with_an_example_or_an_event(value, secrets):
    call = told.EvidenceCall(tool="t", args={"v": value}, result=value, textual=False, duration_ms=None)
    kept = told.EvidenceKept(
        evidence_id="e",
        conversation="c",
        session_id="s",
        turn_id="t",
        calls=(call,),
        occurred_on="2026-01-02",
    )
    assert held(example(kept, KEEPER), secrets) == []
    now = datetime(2026, 1, 2, tzinfo=UTC)
    event = Event(
        position=1,
        stream="kata/x",
        version=1,
        event_id="i",
        type="evidence.kept",
        schema=1,
        occurred_at=now,
        recorded_at=now,
        actor=AGENT,
        correlation_id="c",
        causation_id=None,
        payload=kept,
    )
    assert held(line(event, KEEPER), secrets) == []


def test_a_version_that_holds_a_secret_is_not_written(lab):
    number = lab.proposed(order)
    screens = lab.service._screens
    kata, _ = screens._find.kata(str(number))
    spec = load_spec(kata.latest.spec)
    first = attrs.evolve(spec.steps[0], args=Record((("customer", Const("ghp_" + "A1b2" * 9)),)))
    changed = attrs.evolve(spec, steps=(first, *spec.steps[1:]))
    bad = attrs.evolve(kata, versions=(attrs.evolve(kata.latest, spec=dump_spec(changed)),))
    with pytest.raises(HoldsSecretError):
        lab.service._exporting._holds_none(bad, bad.latest)


def test_an_export_reads_as_a_plan_with_its_spec_digest_and_evidence(lab):
    number = lab.proposed()
    document = lab.service.export_kata(str(number))
    assert document["format"] == FORMAT
    assert document["plan"][0] == "1. unknown find_ticket: title bug {title}"
    assert document["digest"] == lab.service.review(str(number)).digest
    assert len(document["evidence"]) == 3


def test_history_is_exported_whole_and_in_order(lab):
    lab.proposed()
    head = lab.service.world.log.head().position
    lines = lab.service.export_history(limit=10_000)
    assert [one["position"] for one in lines] == list(range(1, head + 1))


def test_what_was_forgotten_is_exported_as_nothing(lab):
    lab.proposed()
    wanted = next(event for event in lab.service.world.log.read() if event.type == "tool.returned")
    payload = told.HistoryExpired(
        positions=((wanted.position, wanted.position),), count=1, before=lab.clock.now()
    )
    with lab.store.log.transaction() as transaction:
        transaction.erase(lab.service.world.event("log", payload, AGENT))
    assert lab.service.export_history(wanted.position - 1, limit=1)[0]["payload"] is None


def test_an_exported_kata_comes_in_as_a_proposal_with_its_origin(lab, elsewhere):
    number = elsewhere.approved("settle_bug")
    found = adopt(lab, exported(elsewhere, number))
    view = lab.service.review(str(found.number))
    assert (view.row.state, lab.service.registered()) == ("candidate", ())
    assert view.warnings[0].startswith("imported from a.json, by ana: exported on ")
    assert len(view.evidence) == 3
    [row] = lab.service.audit(AuditQuery(action="kata.proposed")).rows
    assert row.actor.kind == "system"


def test_an_imported_proposal_is_rejected_or_approved_like_any_other(lab, elsewhere):
    number = adopt(lab, exported(elsewhere, elsewhere.proposed(order))).number
    lab.service.decisions.reject(str(number), PERSON)
    assert lab.state(number) == "rejected"
    other = adopt(lab, exported(elsewhere, elsewhere.proposed(lock))).number
    assert lab.approve(other, "shut_account").state == "active"


def test_a_dry_import_writes_nothing(lab, elsewhere):
    text = exported(elsewhere, elsewhere.proposed())
    head = lab.service.world.log.head().position
    assert adopt(lab, text, dry=True).number is None
    assert lab.service.world.log.head().position == head


def test_a_routine_that_is_known_is_not_imported_a_second_time(lab, elsewhere):
    text = exported(elsewhere, elsewhere.proposed())
    adopt(lab, text)
    with pytest.raises(CannotAdoptError, match="nearly the same as kata 1"):
        adopt(lab, text)


def test_a_rejected_routine_does_not_come_back_by_an_import(lab, elsewhere):
    number = lab.proposed(ticket)
    lab.service.decisions.reject(str(number), PERSON)
    with pytest.raises(CannotAdoptError, match="rejected"):
        adopt(lab, exported(elsewhere, elsewhere.proposed(ticket)))


def test_a_tool_that_is_not_here_is_named(tmp_path, elsewhere):
    bare = Lab(tmp_path / "bare", tools={"find_order": SCHEMAS["find_order"]})
    with pytest.raises(CannotAdoptError, match="no ship_order"):
        adopt(bare, exported(elsewhere, elsewhere.proposed(order)))
    bare.close()


def changed(lab, **fields):
    return dumps({**json.loads(exported(lab, lab.proposed())), **fields})


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"format": "else"}, "format"),
        ({"spec": {"format": 1, "steps": "none", "inputs": [], "output": {}, "tools": []}}, "spec"),
        ({"digest": "0" * 64}, "digest"),
        ({"signatures": ["one"]}, "signatures"),
        ({"evidence": {}}, "evidence"),
        ({"evidence": [{"calls": 1}]}, r"evidence\[0\]"),
        ({"notes": []}, "notes"),
        ({"scores": {"support": "many"}}, "scores"),
        ({"name": 7}, "name"),
    ],
)
def test_a_document_that_is_not_whole_is_refused_and_says_where(lab, elsewhere, fields, where):
    with pytest.raises(BadExportError, match=where):
        adopt(lab, changed(elsewhere, **fields))
    assert not lab.service.listing().katas


@pytest.mark.parametrize("text", ["", "no", "[]", '{"format": NaN}', "7"])
def test_what_is_no_document_is_refused(lab, text):
    with pytest.raises(BadExportError):
        adopt(lab, text)


def test_a_newer_format_says_so(lab, elsewhere):
    with pytest.raises(NewerKataError):
        adopt(lab, changed(elsewhere, format="kata.export/2"))


def test_secrets_in_an_imported_document_are_masked_before_anything_is_written(lab, elsewhere):
    secret = "ghp_" + "A1b2" * 9
    document = json.loads(exported(elsewhere, elsewhere.proposed()))
    document["notes"]["detail"] = f"token {secret}"
    document["evidence"][0]["calls"][1]["result"] = {"text": secret}
    adopt(lab, dumps(document))
    assert secret not in dumps(list(lab.service.export_history(limit=10_000)))
    assert all(secret.encode() not in (row.payload or b"") for row in lab.store.log.rows())


def test_the_words_around_a_payload_and_an_example_are_masked_as_well():
    secret = "ghp_" + "A1b2" * 9
    now = datetime(2026, 1, 2, tzinfo=UTC)
    event = Event(
        position=1,
        stream=f"session/{secret}",
        version=1,
        event_id="e",
        type="recording.resumed",
        schema=1,
        payload=told.RecordingResumed(),
        occurred_at=now,
        recorded_at=now,
        actor=attrs.evolve(PERSON, id=secret),
        correlation_id=secret,
        causation_id=secret,
    )
    call = told.EvidenceCall(tool=secret, args={}, result={}, textual=False, duration_ms=None)
    kept = told.EvidenceKept(
        evidence_id="e",
        conversation=secret,
        session_id=secret,
        turn_id=secret,
        calls=(call,),
        occurred_on="2026-01-02",
    )
    assert secret not in dumps([line(event, KEEPER), example(kept, KEEPER)])
