"""A session of Hermes as calls: turns, order, what was rewound, archived or repeated, lineage."""

import json

import pytest

from kata.importer import ImportedCall, ImportedLink, LeftOut
from kata.importer.hermes import session_calls
from kata.projections.lineage import job_of
from tests.importer import hand


def read(rows, **session):
    return list(session_calls({"id": "h1", "source": "cli"} | session, rows))


def calls(rows, **session):
    return [one for one in read(rows, **session) if isinstance(one, ImportedCall)]


def left_out(rows):
    return {one.why: one.count for one in read(rows) if isinstance(one, LeftOut)}


def test_a_request_begins_a_turn():
    found = calls([*hand.rows(first=1), *hand.rows(first=20)])
    assert len({one.turn for one in found}) == 2


@pytest.mark.parametrize("mark", [{"display_kind": "hidden"}, {"observed": 1}, {"_compressed_summary": 1}])
def test_what_the_host_says_in_the_persons_place_begins_none(mark):
    first, second = hand.rows(first=1), hand.rows(first=20)
    second[0] |= mark
    assert len({one.turn for one in calls([*first, *second])}) == 1


def test_a_turn_keeps_its_name_when_the_session_grows():
    rows = [*hand.rows(first=1), *hand.rows(first=20)]
    before, after = calls(rows[:7]), calls(rows)
    assert [one.turn for one in after[:3]] == [one.turn for one in before]


def test_results_that_arrive_in_another_order_stand_as_announced():
    rows = [
        {
            "id": 1,
            "role": "assistant",
            "tool_calls": [hand.function("a", "one", {}), hand.function("b", "two", {})],
        },
        {"id": 2, "role": "tool", "tool_call_id": "b", "content": "2"},
        {"id": 3, "role": "tool", "tool_call_id": "a", "content": "1"},
    ]
    found = calls(rows)
    assert [(one.tool, one.result) for one in found] == [("one", "1"), ("two", "2")]
    assert found[0].group == found[1].group


def test_an_id_that_is_used_again_in_the_next_turn_finds_its_own_result():
    again = [("find_ticket", {"title": "bug 2"}, {"tickets": []})]
    found = calls([*hand.rows(first=1), *hand.rows(again, first=20)])
    assert (found[0].result, found[3].result) == (hand.TICKETS[0][2], {"tickets": []})
    assert len({one.key for one in found}) == 4


def test_a_call_without_a_result_was_not_answered():
    rows = hand.rows()[:-1]
    assert [one.answered for one in calls(rows)] == [True, True, False]


def test_a_result_without_a_call_is_left_out():
    assert left_out([{"id": 1, "role": "tool", "tool_call_id": "z", "content": "x"}]) == {"no_call": 1}


def test_rewound_rows_are_left_out():
    rows = hand.rows()
    for row in rows[3:]:
        row |= {"active": 0, "compacted": 0}
    assert [one.tool for one in calls(rows)] == ["find_ticket"]
    assert sum(one.count for one in read(rows) if isinstance(one, LeftOut)) == 2


def test_archived_rows_are_read_and_their_copies_have_the_same_keys():
    archived, copies = hand.rows(uid="u"), hand.rows(uid="u", first=50)
    for row in archived:
        row |= {"active": 0, "compacted": 1}
    found = calls([*archived, *copies])
    assert [one.key for one in found[:3]] == [one.key for one in found[3:]]


def test_malformed_arguments_are_a_call_that_was_never_seen():
    rows = hand.rows()
    rows[1]["tool_calls"] = [hand.function("c0", "find_ticket", "{broken")]
    assert [one.answered for one in calls(rows)] == [False, True, True]
    assert left_out(rows)["bad_arguments"] == 1


def test_the_bridge_is_unwrapped_and_keeps_its_result():
    rows = hand.rows([("tool_call", {"calls": [{"name": "ship", "arguments": {"id": 1}}]}, {"ok": True})])
    [call] = calls(rows)
    assert (call.tool, call.args, call.result) == ("ship", {"id": 1}, {"ok": True})


def test_the_entries_of_a_batch_share_a_result_that_is_nobodys():
    entry = {"name": "ship", "arguments": {}}
    found = calls(hand.rows([("tool_call", {"calls": [entry, entry]}, {"results": []})]))
    assert [(one.tool, one.answered) for one in found] == [("ship", False)] * 2


def test_a_result_in_parts_is_decoded():
    parts = [{"type": "text", "text": "seen"}]
    rows = hand.rows([("look", {}, "\x00json:" + json.dumps(parts))])
    assert calls(rows)[0].result == parts


def test_a_spilled_result_is_marked():
    assert calls(hand.rows([("read", {}, "<persisted-output>\nlarge")]))[0].truncated


@pytest.mark.parametrize(
    ("session", "link"),
    [
        ({"parent_session_id": "p"}, ("p", "compression", None)),
        ({"parent_session_id": "p", "source": "subagent"}, ("p", "delegate", None)),
        ({"id": "cron_backup_20261001", "source": "cron"}, (None, "scheduled", "backup")),
    ],
)
def test_a_session_is_linked_to_what_it_belongs_to(session, link):
    [found] = [one for one in read([], **session) if isinstance(one, ImportedLink)]
    assert (found.parent, found.relation, found.job) == link


def test_a_session_of_its_own_has_no_link():
    assert read([]) == []
    assert job_of("20261001_120000_ab") is None
