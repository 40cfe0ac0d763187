"""Forgetting: exactly what the preview showed goes, no byte of it is left, and the history stays whole (case B074)."""

import base64
import json
from urllib.parse import quote

import attrs
import pytest

from kata.errors import UsageError
from kata.events import catalogue as told
from kata.service.errors import NobodyMayError
from kata.service.forgetview import NoSessionError, StalePreviewError, Target, UnsettledRunError
from kata.store import Spool, connect
from kata.store.connect import wal_is_safe
from tests.service.lab import AGENT, PERSON, SYSTEM, Lab, Steps, order, ticket


def raw(lab) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(lab.folder.rglob("*")) if path.is_file())


def stands(lab, text: str) -> bool:
    spelt = (
        text,
        json.dumps(text)[1:-1],
        quote(text, safe=""),
        base64.b64encode(text.encode()).decode()[:-4],
    )
    found = raw(lab)
    return any(one.encode("utf-8", "surrogatepass") in found for one in spelt)


def forget(lab, actor=PERSON, note="", **target):
    wanted = Target(**target)
    return lab.service.forget(wanted, lab.service.forget_preview(wanted).token, actor, note=note)


def whole(lab) -> bool:
    return lab.service.verify().ok and lab.service.replay(check=True).drift == ()


def waiting(number: int) -> Steps:
    """The routine of tickets with another state each time."""
    steps = ticket(number)
    steps[2][1]["state"] = f"waits for {number}"
    return steps


def test_a_preview_changes_nothing_and_says_what_would_go(lab):
    lab.practise(ticket, 2)
    before = lab.store.log.head()
    view = lab.service.forget_preview(Target(session="s1"))
    assert dict(view.counts) == {"model.answered": 3, "tool.returned": 3, "turn.ended": 1, "turn.started": 1}
    assert (view.events, view.sessions, view.what) == (8, ("s1",), "session s1")
    assert lab.store.log.head() == before


def test_a_conversation_is_gone_from_every_file_and_the_next_one_is_not(lab):
    lab.practise(ticket, 2)
    assert stands(lab, "words 1")
    done = forget(lab, session="s1")
    assert (done.events, done.clean, done.newer) == (8, True, 0)
    assert not stands(lab, "words 1")
    assert not stands(lab, "T-00001")
    assert stands(lab, "words 2")
    assert whole(lab)


def test_the_newest_conversation_goes_by_a_word(lab):
    lab.practise(ticket, 2)
    assert forget(lab, session="last").what == "session s2"
    assert not stands(lab, "words 2")


def test_what_a_conversation_was_split_into_goes_with_it(lab):
    lab.by_hand(ticket(1), "s1")
    link = told.SessionLinked(session_id="s1b", parent_session_id="s1", relation="compression")
    lab.add("session/s1b", link)
    lab.by_hand(ticket(2), "s1b")
    lab.service.refresh()
    assert lab.service.forget_preview(Target(session="s1b")).sessions == ("s1", "s1b")
    forget(lab, session="s1b")
    assert not stands(lab, "words 1")
    assert not stands(lab, "words 2")


def test_another_run_of_the_same_job_stays(lab):
    for number in (1, 2):
        lab.add(
            f"session/c{number}",
            told.SessionLinked(
                session_id=f"c{number}", parent_session_id=None, relation="scheduled", job="j"
            ),
        )
        lab.by_hand(ticket(number), f"c{number}")
    forget(lab, session="c1")
    assert (stands(lab, "words 1"), stands(lab, "words 2")) == (False, True)


def test_an_approved_kata_loses_an_example_and_stays_with_its_constants_named(lab):
    number = lab.approved()
    view = lab.service.forget_preview(Target(session="s1"))
    [kata] = view.katas
    assert (kata.number, kata.goes, kata.examples, kata.left) == (number, "", 1, 2)
    assert "closed" in kata.constants
    forget(lab, session="s1")
    assert not stands(lab, "words 1")
    assert lab.state(number) == "active"
    assert any("2 of 3" in check.detail for check in lab.service.review(str(number)).checks)
    assert whole(lab)


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_an_approved_version_whose_examples_were_forgotten_is_turned_on_again(lab, gone):
    number = lab.approved()
    for session in range(1, gone + 1):
        forget(lab, session=f"s{session}")
    lab.service.decisions.disable(str(number), PERSON)
    assert not [one for one in lab.service.review(str(number)).checks if one.status == "failed"]
    assert lab.service.decisions.enable(str(number), PERSON).state == "active"


def test_a_version_whose_examples_were_forgotten_is_rolled_back_to(lab):
    number = lab.approved()
    lab.practise(waiting, 4, start=100)
    lab.service.mine()
    lab.approve(number)
    forget(lab, session="s1")
    assert lab.service.decisions.rollback(str(number), 1, PERSON).version == 1


def test_a_proposal_put_back_after_its_examples_were_forgotten_can_be_approved(lab):
    number = lab.proposed()
    forget(lab, session="s1")
    lab.service.decisions.reject(str(number), PERSON)
    lab.service.decisions.reconsider(str(number), PERSON)
    assert lab.approve(number, "settle_bug").state == "active"


def test_what_recordings_are_left_is_told_as_a_warning(lab):
    number = lab.approved()
    forget(lab, session="s1")
    told_by = {one.name: one for one in lab.service.review(str(number)).checks}
    assert told_by["holdout_fit"].status == "warning"
    assert "were forgotten: 2 of 3 are left" in told_by["holdout_fit"].detail


def test_a_proposal_that_nothing_else_supports_goes_with_its_last_example(lab):
    number = lab.proposed()
    for session in ("s1", "s2"):
        forget(lab, session=session)
        assert lab.state(number) == "candidate"
    [kata] = lab.service.forget_preview(Target(session="s3")).katas
    assert kata.goes == "examples"
    forget(lab, session="s3")
    assert lab.service.listing().katas == ()
    assert not stands(lab, "closed")
    assert whole(lab)


def test_a_kata_whose_version_holds_the_text_is_turned_off_and_goes(lab):
    number = lab.approved()
    [kata] = lab.service.forget_preview(Target(text="closed")).katas
    assert (kata.goes, kata.state) == ("text", "active")
    done = forget(lab, text="closed")
    assert done.katas == (number,)
    assert lab.service.registered() == ()
    assert lab.service.listing().katas == ()
    assert not stands(lab, '"closed"')
    assert not stands(lab, "closed")
    assert whole(lab)


def test_a_forgotten_number_is_never_given_again(lab):
    first = lab.approved()
    forget(lab, text="closed")
    assert lab.proposed(order) > first


def test_a_text_is_gone_wherever_it_was_said(lab):
    secret = 'Müller "of" 5\\7'
    lab.by_hand([("find_ticket", {"title": secret}, {secret: [json.dumps({"in": secret}), quote(secret)]})])
    lab.by_hand([("find_ticket", {"title": base64.b64encode(f"x{secret}y".encode()).decode()}, {})])
    lab.by_hand(ticket(7))
    lab.service.refresh()
    assert forget(lab, text=secret).events == 2
    assert not stands(lab, secret)
    assert stands(lab, "words 7")
    assert whole(lab)


def test_the_log_says_who_forgot_and_not_what(lab):
    lab.by_hand(ticket(1))
    forget(lab, text="words 1", note="asked for it")
    [event] = lab.store.log.read(types=("history.forgotten",))
    assert (event.actor, event.payload.what, event.payload.note) == (
        PERSON,
        "a text of 7 characters",
        "asked for it",
    )


def test_a_note_may_not_say_the_text(lab):
    lab.by_hand(ticket(1))
    with pytest.raises(UsageError):
        forget(lab, text="words 1", note="the words 1")


def test_what_came_after_the_preview_stays_and_is_counted(lab):
    lab.by_hand(ticket(1), "s1")
    target = Target(session="s1")
    token = lab.service.forget_preview(target).token
    lab.by_hand(order(5), "s1")
    done = lab.service.forget(target, token, PERSON)
    assert (done.events, done.newer) == (8, 6)
    assert not stands(lab, "words 1")
    assert stands(lab, "customer 5")


@pytest.mark.parametrize("token", ["", "0-0", "zz", "5-aaaaaaaaaaaa"])
def test_no_other_token_forgets(lab, token):
    lab.by_hand(ticket(1))
    with pytest.raises(StalePreviewError):
        lab.service.forget(Target(session="s1"), token, PERSON)
    assert stands(lab, "words 1")


def test_a_token_is_good_for_its_own_target_alone(lab):
    lab.practise(ticket, 2)
    token = lab.service.forget_preview(Target(session="s1")).token
    with pytest.raises(StalePreviewError):
        lab.service.forget(Target(session="s2"), token, PERSON)


@pytest.mark.parametrize("actor", [AGENT, SYSTEM], ids=["agent", "system"])
def test_nobody_but_a_person_forgets_and_the_attempt_is_told(lab, actor):
    lab.by_hand(ticket(1))
    with pytest.raises(NobodyMayError):
        forget(lab, actor, text="words 1")
    assert stands(lab, "words 1")
    [refused] = lab.store.log.read(types=("decision.refused",))
    assert (refused.payload.verb, refused.payload.code) == ("forget", "human_needed")
    assert "words" not in str(refused.payload)


def test_a_session_that_is_not_there_is_not_found(lab):
    with pytest.raises(NoSessionError):
        lab.service.forget_preview(Target(session="nope"))
    with pytest.raises(NoSessionError):
        lab.service.forget_preview(Target(session="last"))


@pytest.mark.parametrize(
    "target", [Target(), Target(session="s", text="t" * 9), Target(text="ab"), Target(text="  a ")]
)
def test_what_is_no_target_is_refused(lab, target):
    with pytest.raises(UsageError):
        lab.service.forget_preview(target)


def test_a_run_of_the_conversation_goes_whole(lab):
    number = lab.approved()
    lab.ran(number, told.RunOutcome.SUCCEEDED)
    assert lab.service.forget_preview(Target(session="s")).runs == 1
    forget(lab, session="s")
    assert lab.service.runs() == ()
    assert not stands(lab, "bug 9")
    assert whole(lab)


def test_a_run_of_unknown_outcome_is_not_forgotten_before_a_person_allowed_a_repeat(lab):
    number = lab.approved()
    run_id = lab.ran(number, told.RunOutcome.UNKNOWN, "timeout")
    with pytest.raises(UnsettledRunError):
        forget(lab, session="s")
    lab.service.acknowledge(run_id, PERSON)
    forget(lab, session="s")
    assert not stands(lab, "bug 9")


def test_a_pause_goes_on_though_its_note_is_forgotten(lab):
    lab.service.pause(PERSON, None, "because of Project Heron")
    forget(lab, text="Project Heron")
    assert not lab.service.recording()
    assert not stands(lab, "Heron")


def test_a_living_process_keeps_no_byte_in_its_segment_and_goes_on_writing(lab):
    other = Spool(lab.store.spool.folder, lab.clock, lab.ids)
    try:
        said = told.HookObserved(system="plugin", name="x", session_id="h1", fields={"a": "Project Heron"})
        assert other.append(lab.service.world.event("session/h1", said, AGENT))
        lab.service.refresh()
        assert stands(lab, "Project Heron")
        forget(lab, text="Project Heron")
        assert not stands(lab, "Heron")
        assert other.append(lab.service.world.event("session/h1", attrs.evolve(said, fields={"a": 2}), AGENT))
        lab.service.refresh()
        assert whole(lab)
    finally:
        other.close()
    lab.service.refresh()
    last = list(lab.store.log.read(types=("hook.observed",)))[-1]
    assert last.payload.fields == {"a": 2}


def test_records_that_were_set_aside_go_with_whatever_is_forgotten(lab):
    lab.by_hand(ticket(1))
    lab.store.spool.append(
        lab.service.world.event(
            "session/x", told.SessionStarted(session_id="x", platform="cli", model="m"), AGENT
        )
    )
    lab.store.spool.rotate()
    [segment] = lab.store.spool.folder.glob("*.jsonl")
    with segment.open("ab") as file:
        file.write(b'["v1","00000009","torn Project Heron\n')
    lab.service.refresh()
    assert stands(lab, "Project Heron")
    assert lab.service.forget_preview(Target(session="s1")).set_aside == 1
    forget(lab, session="s1")
    assert not stands(lab, "Heron")


def test_records_that_were_set_aside_expire_like_the_rest(lab):
    lab.store.spool.append(
        lab.service.world.event(
            "session/x", told.SessionStarted(session_id="x", platform="cli", model="m"), AGENT
        )
    )
    lab.store.spool.rotate()
    [segment] = lab.store.spool.folder.glob("*.jsonl")
    with segment.open("ab") as file:
        file.write(b"torn Project Heron\n")
    lab.service.refresh()
    lab.service.upkeep(PERSON.surface)
    assert stands(lab, "Project Heron")
    lab.clock.advance(days=31)
    lab.service.upkeep(PERSON.surface)
    assert lab.store.set_aside() == ()


def test_a_wipe_that_could_not_be_ended_is_ended_by_upkeep(lab, monkeypatch):
    from kata.errors import StoreError

    lab.by_hand(ticket(1))

    def locked():
        raise StoreError("locked")

    with monkeypatch.context() as patch:
        patch.setattr(lab.store.log, "compact", locked)
        assert forget(lab, session="s1").clean is False
    lab.service.upkeep(PERSON.surface)
    assert not (lab.folder / "forgetting").exists()
    assert not stands(lab, "words 1")


def test_a_log_with_much_churn_keeps_no_byte_either(tmp_path):
    lab = Lab(tmp_path / "kata")
    for number in range(1, 60):
        lab.by_hand(ticket(number))
        lab.by_hand(order(number))
        lab.service.refresh()
    lab.service.mine()
    for number in (3, 17, 40):
        forget(lab, text=f"T-{number:05d}")
        forget(lab, session=f"s{2 * number}")
        assert not stands(lab, f"T-{number:05d}")
        assert not stands(lab, f"O-{number:06d}")
    assert stands(lab, "T-00004")
    assert whole(lab)
    lab.close()


@pytest.mark.skipif(wal_is_safe(), reason="WAL is what the store uses here by itself")
def test_a_write_ahead_log_keeps_no_byte_either(tmp_path):
    folder = tmp_path / "kata"
    folder.mkdir()
    connection = connect(folder / "data.db")
    connection.execute("PRAGMA journal_mode=WAL").fetchone()
    connection.close()
    lab = Lab(folder)
    number = lab.approved()
    lab.practise(ticket, 3, start=50)
    forget(lab, session="s1")
    assert not stands(lab, 'words 1"')
    forget(lab, text="closed")
    assert not stands(lab, "closed")
    assert lab.service.listing().katas == ()
    assert number
    assert whole(lab)
    lab.close()
