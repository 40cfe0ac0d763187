"""What mining reads: calls in announced order, by conversation, without what is no history."""

from datetime import timedelta

import pytest

from kata.events import catalogue as told
from kata.projections import History

from .support import (
    AGENT,
    IMPORT,
    START,
    Diary,
    answered,
    linked,
    returned,
    run_started,
    turn_ended,
    turn_started,
)

READ = ("read_file", {"path": "a"}, {"content": "x"})
WRITE = ("write_file", {"path": "a", "content": "y"}, {"ok": True})


@pytest.fixture
def diary():
    return Diary()


def history_of(diary):
    store, _ = diary.views()
    return History(store, diary.log)


def seen(history):
    """Return ``conversation: tool`` of each row, breaks marked."""
    return [f"{row.conversation}: {row.tool}{' |' if row.breaks else ''}" for row in history.rows()]


def test_a_row_tells_where_a_call_belongs(diary):
    turn = diary.turn("s1", [READ], [WRITE])
    history = history_of(diary)
    first, second = history.rows()
    assert (first.conversation, first.turn, first.tool, first.ok, first.breaks) == (
        "s1",
        turn,
        "read_file",
        True,
        False,
    )
    assert first.group != second.group
    assert second.at > first.at
    assert [history.signatures()[row.signature] for row in (first, second)] == [
        "read_file(path)",
        "write_file(content,path)",
    ]


def test_values_are_loaded_from_the_log(diary):
    diary.turn("s1", [READ])
    history = history_of(diary)
    (row,) = history.rows()
    values = history.values([row.ref])[row.ref]
    assert (values.args, values.result, values.duration_ms) == ({"path": "a"}, {"content": "x"}, 5)


def test_calls_announced_together_share_a_group_and_keep_their_place(diary):
    diary.tell(turn_started("s1", "t"))
    diary.tell(answered("s1", "t", "t:api:1", [("a", "search_files"), ("b", "read_file")]))
    diary.tell(returned("s1", "t", "read_file", request="t:api:1", call="b"))
    diary.tell(returned("s1", "t", "search_files", request="t:api:1", call="a"))
    diary.tell(turn_ended("s1", "t"))
    first, second = history_of(diary).rows()
    assert (first.tool, second.tool) == ("search_files", "read_file")
    assert first.group == second.group


def test_a_background_review_is_no_history(diary):
    diary.turn("s1", [READ], started=False)
    assert seen(history_of(diary)) == []
    assert history_of(diary).calls() == 0


def test_a_turn_under_way_is_no_history_yet(diary):
    """Its beginning alone would be taken for a routine of its own."""
    diary.turn("s1", [READ], ended=False)
    store, projector = diary.views()
    history = History(store, diary.log)
    before = history.changes(0)
    assert seen(history) == []
    assert history.calls() == 1
    diary.tell(turn_ended("s1", "s1:task:00000001"))
    projector.catch_up()
    assert history.changes(before.position).conversations == ("s1",)
    assert seen(history) == ["s1: read_file"]


def test_a_turn_that_never_ended_is_over_when_its_session_goes_on(diary):
    diary.turn("s1", [READ], ended=False)
    diary.turn("s2", [READ], ended=False)
    diary.turn("s1", [WRITE], ended=False)
    assert seen(history_of(diary)) == ["s1: read_file"]


def test_a_failed_call_is_a_row_that_is_not_ok(diary):
    diary.tell(turn_started("s1", "t"))
    diary.tell(returned("s1", "t", "read_file", outcome=told.Outcome.FAILED))
    diary.tell(turn_ended("s1", "t"))
    (row,) = history_of(diary).rows()
    assert not row.ok


@pytest.mark.parametrize("tool", ["clarify", "memory", "session_search", "delegate_task", "kata_deploy"])
def test_conversational_and_compiled_tools_break(diary, tool):
    diary.turn("s1", [READ], [(tool, {}, None)])
    assert seen(history_of(diary)) == ["s1: read_file", f"s1: {tool} |"]


@pytest.mark.parametrize("tool", ["tool_search", "tool_describe", "todo_list"])
def test_transparent_tools_are_looked_through(diary, tool):
    diary.turn("s1", [READ], [(tool, {}, None)], [WRITE])
    history = history_of(diary)
    assert seen(history) == ["s1: read_file", "s1: write_file"]
    assert history.hidden_calls() == 0


def test_a_call_announced_and_never_seen_breaks_and_is_counted(diary):
    diary.tell(turn_started("s1", "t"))
    diary.tell(answered("s1", "t", "t:api:1", [("a", "read_file"), ("b", "memory"), ("c", "write_file")]))
    diary.tell(returned("s1", "t", "read_file", request="t:api:1", call="a"))
    diary.tell(returned("s1", "t", "write_file", request="t:api:1", call="c"))
    diary.tell(turn_ended("s1", "t"))
    history = history_of(diary)
    assert seen(history) == ["s1: read_file", "s1:  |", "s1: write_file"]
    assert (history.hidden_calls(), history.calls()) == (1, 2)


def test_a_call_without_an_id_ran_inside_another_one(diary):
    diary.tell(turn_started("s1", "t"))
    diary.tell(returned("s1", "t", "read_file", call=""))
    diary.tell(turn_ended("s1", "t"))
    assert seen(history_of(diary)) == []


def test_an_imported_call_may_lack_an_id(diary):
    diary.tell(turn_started("s1", "t"), IMPORT)
    diary.tell(returned("s1", "t", "read_file", call=""), IMPORT)
    diary.tell(turn_ended("s1", "t"))
    assert seen(history_of(diary)) == ["s1: read_file"]


def test_a_replays_own_calls_are_no_history(diary):
    diary.tell(turn_started("s1", "t"))
    diary.tell(run_started(task="replay-task"))
    diary.tell(returned("s1", "t", "read_file", call="x", task="replay-task"))
    diary.tell(returned("s1", "t", "kata_push_branch", call="y", task="task"))
    diary.tell(turn_ended("s1", "t"))
    assert seen(history_of(diary)) == ["s1: kata_push_branch |"]


def test_a_run_without_a_task_hides_no_calls(diary):
    diary.tell(turn_started("s1", "t"))
    diary.tell(run_started(task=""))
    diary.tell(returned("s1", "t", "read_file", call="x", task=""))
    diary.tell(turn_ended("s1", "t"))
    assert seen(history_of(diary)) == ["s1: read_file"]


def test_compressed_sessions_are_one_conversation(diary):
    for session in ("s1", "s1b", "s1c"):
        diary.turn(session, [READ])
    diary.tell(linked("s1b", "s1"))
    diary.tell(linked("s1c", "s1b"))
    history = history_of(diary)
    assert seen(history) == ["s1: read_file"] * 3
    assert history.conversations() == 1


def test_a_session_of_unknown_lineage_is_its_own_conversation_and_counted(diary):
    diary.turn("s1", [READ])
    diary.turn("s2", [READ])
    diary.tell(linked("s2", None, "unknown"))
    history = history_of(diary)
    assert history.conversations() == 2
    assert history.without_lineage(["s1", "s2", "s2"]) == 1
    diary.tell(linked("s2", "s1"))
    assert history_of(diary).without_lineage(["s1", "s2"]) == 0


def test_a_subagents_work_counts_for_the_conversation_that_sent_it(diary):
    diary.turn("s1", [READ])
    diary.tell(
        told.SubagentStarted(session_id="s1", turn_id="t", child_session_id="child", role=""),
        AGENT,
        "session/s1",
    )
    diary.turn("child", [WRITE])
    assert seen(history_of(diary)) == ["s1: read_file", "s1: write_file"]


def test_one_scheduled_job_is_one_conversation(diary):
    for hour in range(3):
        diary.turn(f"cron_{hour}", [READ])
        diary.tell(linked(f"cron_{hour}", None, "scheduled", job="7f"))
    assert seen(history_of(diary)) == ["job:7f: read_file"] * 3


def test_conversations_come_as_they_began_and_turns_in_them(diary):
    diary.turn("s1", [READ])
    diary.turn("s2", [READ])
    diary.turn("s1", [WRITE])
    assert seen(history_of(diary)) == ["s1: read_file", "s1: write_file", "s2: read_file"]


def test_forgotten_calls_vanish_from_the_history_with_their_texts(diary):
    diary.turn("s1", [READ])
    first = diary.log.head().position + 1
    diary.turn("secret", [("odd_tool", {"odd_key": 1}, None)])
    diary.erase((first, diary.log.head().position))
    store, _ = diary.views()
    history = History(store, diary.log)
    assert seen(history) == ["s1: read_file"]
    live, projector = diary.views()
    assert projector.check() == ()
    for table in ("signatures", "sessions", "turns"):
        assert "odd" not in str(live.query(f"SELECT * FROM view_history_{table}"))
        assert "secret" not in str(live.query(f"SELECT * FROM view_history_{table}"))


def test_forgetting_half_a_turn_leaves_the_other_half(diary):
    diary.turn("s1", [READ], [WRITE])
    store, projector = diary.views()
    history = History(store, diary.log)
    first, _ = history.rows()
    diary.erase((first.ref, first.ref))
    projector.catch_up()
    assert seen(history) == ["s1:  |", "s1: write_file"]
    assert projector.check() == ()
    assert first.ref not in history.values([first.ref])


def test_forgetting_a_run_lets_the_calls_under_its_task_be_history(diary):
    diary.tell(turn_started("s1", "t"))
    run = diary.tell(run_started(task="replay-task"))
    diary.tell(returned("s1", "t", "read_file", call="x", task="replay-task"))
    diary.tell(turn_ended("s1", "t"))
    store, projector = diary.views()
    diary.erase((run, run))
    projector.catch_up()
    assert seen(History(store, diary.log)) == ["s1: read_file"]
    assert projector.check() == ()


def test_text_that_sqlite_cannot_hold_is_kept_with_a_mark(diary):
    diary.turn("s1", [("read\udce9", {"caf\udce9": 1}, "x\ud83d")])
    history = history_of(diary)
    (row,) = history.rows()
    assert row.tool == "read\\udce9"
    assert history.values([row.ref])[row.ref].result == "x\ud83d"


class TestChanges:
    def test_only_conversations_with_something_new_are_named(self, diary):
        diary.turn("s1", [READ])
        diary.turn("s2", [READ])
        store, projector = diary.views()
        history = History(store, diary.log)
        before = history.changes(0)
        assert before.conversations == ("s1", "s2")
        diary.turn("s2", [WRITE])
        projector.catch_up()
        after = history.changes(before.position)
        assert (after.conversations, after.reset) == (("s2",), False)
        assert [row.tool for row in history.rows_of(after.conversations)] == ["read_file", "write_file"]
        assert history.changes(after.position).conversations == ()

    def test_signature_numbers_stay_while_more_come(self, diary):
        diary.turn("s1", [READ])
        store, projector = diary.views()
        history = History(store, diary.log)
        (first,) = history.rows()
        diary.turn("s0", [("append", {}, None)], [READ])
        projector.catch_up()
        again = [row for row in history.rows() if row.tool == "read_file"]
        assert {row.signature for row in again} == {first.signature}

    def test_a_new_session_of_an_old_conversation_needs_no_reset(self, diary):
        diary.turn("s1", [READ])
        store, projector = diary.views()
        history = History(store, diary.log)
        position = history.changes(0).position
        diary.tell(linked("s1b", "s1"))
        diary.turn("s1b", [WRITE])
        projector.catch_up()
        changes = history.changes(position)
        assert (changes.conversations, changes.reset) == (("s1",), False)
        assert len(list(history.rows_of(["s1"]))) == 2

    def test_old_calls_that_move_to_another_conversation_need_one(self, diary):
        diary.turn("s1", [READ])
        diary.turn("s2", [READ])
        store, projector = diary.views()
        history = History(store, diary.log)
        position = history.changes(0).position
        diary.tell(linked("s2", "s1"))
        projector.catch_up()
        assert history.changes(position).reset

    def test_so_does_forgetting(self, diary):
        diary.turn("s1", [READ])
        store, projector = diary.views()
        history = History(store, diary.log)
        position = history.changes(0).position
        diary.erase((1, 2))
        projector.catch_up()
        assert history.changes(position).reset

    def test_a_jobs_rows_are_found_by_the_jobs_name(self, diary):
        diary.turn("cron_1", [READ])
        diary.tell(linked("cron_1", None, "scheduled", job="7f"))
        assert len(list(history_of(diary).rows_of(["job:7f"]))) == 1


class TestOccurrences:
    SEQUENCE = ("read_file(path)", "write_file(content,path)")

    def test_each_place_where_a_sequence_was_done_is_found(self, diary):
        turn = diary.turn("s1", [READ], [WRITE], [READ], [WRITE])
        diary.turn("s2", [WRITE], [READ])
        found = history_of(diary).occurrences(self.SEQUENCE, START)
        assert [(one.conversation, one.turn, len(one.refs)) for one in found] == [("s1", turn, 2)] * 2

    def test_the_oldest_comes_first_whatever_its_conversation(self, diary):
        first = diary.turn("s1", [READ], [WRITE])
        second = diary.turn("s2", [READ], [WRITE])
        third = diary.turn("s1", [READ], [WRITE])
        found = history_of(diary).occurrences(self.SEQUENCE, START)
        assert [one.turn for one in found] == [first, second, third]

    def test_what_was_done_before_the_moment_does_not_count(self, diary):
        diary.turn("s1", [READ], [WRITE])
        assert history_of(diary).occurrences(self.SEQUENCE, diary.clock.now() + timedelta(hours=1)) == ()

    def test_a_break_a_failure_or_a_pause_ends_a_run(self, diary):
        diary.turn("s1", [READ], [("memory", {}, None)], [WRITE])
        diary.tell(turn_started("s2", "t"))
        diary.tell(returned("s2", "t", *READ, call="x", outcome=told.Outcome.FAILED))
        diary.tell(returned("s2", "t", *WRITE, call="y"))
        diary.tell(turn_started("s3", "u"))
        diary.tell(returned("s3", "u", *READ, call="x"))
        diary.clock.advance(minutes=6)
        diary.tell(returned("s3", "u", *WRITE, call="y"))
        assert history_of(diary).occurrences(self.SEQUENCE, START) == ()

    def test_an_empty_sequence_is_nowhere(self, diary):
        diary.turn("s1", [READ])
        assert history_of(diary).occurrences((), START) == ()
