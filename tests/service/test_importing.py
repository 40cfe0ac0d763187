"""A history comes into the log once, whole turns at a time, and what cannot be read is said."""

import gzip
from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

from kata.errors import NotFoundError
from kata.events import Surface
from kata.events.catalogue import Outcome, SessionLinked, ToolReturned
from kata.importer import (
    Reading,
    SourceBusyError,
    SourceDamagedError,
    UnknownFormError,
    Wish,
    intake,
    opening,
)
from kata.importer.apart import ReaderGoneError
from kata.json import dumps
from kata.service import importing
from kata.service.importing import Watch
from kata.service.sources import here, home_of
from tests.importer import hand
from tests.service.lab import ticket

MANY = {f"h{number}": hand.rows(ticket(number), first=1 + 7 * (number - 1)) for number in range(1, 5)}


def imported(lab):
    return [one for one in lab.store.log.read() if one.actor.surface is Surface.IMPORT]


def returned(lab):
    return [one.payload for one in imported(lab) if isinstance(one.payload, ToolReturned)]


def test_a_second_import_changes_nothing(lab, tmp_path):
    path = hand.state_db(tmp_path / "state.db", MANY)
    first = lab.service.import_history(path)
    head = lab.store.log.head()
    second = lab.service.import_history(path)
    assert (first.calls, first.sessions, first.form) == (12, 4, "hermes")
    assert (second.calls, second.new_events, second.left_out) == (12, 0, ())
    assert lab.store.log.head() == head


def test_the_database_and_an_export_of_it_are_the_same_events(lab, tmp_path):
    lab.service.import_history(hand.state_db(tmp_path / "state.db", MANY))
    path = hand.write(tmp_path / "out.jsonl", *(hand.exported(name, rows) for name, rows in MANY.items()))
    again = lab.service.import_history(path)
    assert (again.calls, again.new_events) == (12, 0)


def test_imported_calls_are_observations_of_the_system(lab, tmp_path):
    lab.service.import_history(hand.state_db(tmp_path / "state.db", MANY))
    call = next(one for one in imported(lab) if one.type == "tool.returned")
    assert (call.actor.kind, call.stream, call.payload.tool) == ("system", "session/h1", "find_ticket")
    assert call.occurred_at == datetime.fromtimestamp(hand.START + 1.5, UTC)
    assert (call.payload.status, call.payload.duration_ms) == ("", None)


def test_success_is_judged_anew_and_secrets_are_masked(lab, tmp_path):
    token = "ghp_" + "A1b2" * 9
    rows = hand.rows([("run", {"command": f"push {token}"}, {"exit_code": 2, "output": ""})])
    lab.service.import_history(hand.state_db(tmp_path / "state.db", {"h1": rows}))
    [call] = returned(lab)
    assert (call.outcome, call.exit_code, call.masked) == (Outcome.FAILED, 2, 1)
    assert token not in str(call.args)


def test_a_routine_of_the_history_is_proposed(lab, tmp_path):
    lab.service.import_history(hand.state_db(tmp_path / "state.db", MANY))
    mined = lab.service.mine()
    assert [row.support for row in mined.proposed] == [4]


def test_a_routine_of_tools_that_are_not_here_is_seen_with_what_it_needs(lab, tmp_path):
    for number in range(1, 5):
        steps = [(f"their_{tool}", args, result) for tool, args, result in ticket(number)]
        hand.write(tmp_path / "codex" / f"rollout-{number}.jsonl", *hand.codex(f"c{number}", steps))
    found = lab.service.import_history(tmp_path / "codex")
    mined = lab.service.mine()
    [row] = [row for row in mined.seen if row.blocked_by == ("tool_not_here",)]
    assert (found.form, found.sessions, mined.proposed, row.support) == ("codex", 4, (), 4)
    assert "their_find_ticket, their_read_ticket, their_close_ticket" in row.detail


def test_what_a_compression_goes_on_with_is_one_conversation(lab, tmp_path):
    path = hand.state_db(tmp_path / "state.db", MANY, parent_session_id="h0")
    lab.service.import_history(path)
    assert sum(isinstance(one.payload, SessionLinked) for one in imported(lab)) == 4
    assert lab.reads.history.conversations() == 1


def test_the_sessions_of_a_job_are_one_conversation(lab, tmp_path):
    sessions = {f"cron_backup_{number}": hand.rows(ticket(number)) for number in range(4)}
    lab.service.import_history(hand.state_db(tmp_path / "state.db", sessions, source="cron"))
    assert lab.reads.history.conversations() == 1


def test_a_session_that_was_recorded_live_is_imported_up_to_there(lab, tmp_path):
    lab.by_hand(ticket(9), session="h1")
    live = next(one for one in lab.store.log.read_stream("session/h1")).occurred_at.timestamp()
    rows = [*hand.rows(first=1), *hand.rows(first=20)]
    for row in rows:
        row["timestamp"] = live + (10 if row["id"] >= 20 else -100)
    found = lab.service.import_history(hand.state_db(tmp_path / "state.db", {"h1": rows}))
    assert (found.calls, dict(found.left_out)) == (3, {"live": 3})


def test_copies_of_a_compaction_count_once(lab, tmp_path):
    archived, copies = hand.rows(uid="u"), hand.rows(uid="u", first=50)
    for row in archived:
        row |= {"active": 0, "compacted": 1}
    path = hand.state_db(tmp_path / "state.db", {"h1": [*archived, *copies]})
    found = lab.service.import_history(path)
    assert (len(returned(lab)), dict(found.left_out)) == (3, {"repeated": 3})


def test_a_call_without_a_result_ends_a_run(lab, tmp_path):
    lab.service.import_history(hand.state_db(tmp_path / "state.db", {"h1": hand.rows()[:-1]}))
    assert (lab.reads.history.calls(), lab.reads.history.hidden_calls()) == (2, 1)


def test_a_turn_that_goes_on_is_completed_by_the_next_import(lab, tmp_path):
    hand.write(tmp_path / "h.jsonl", hand.exported("h1", hand.rows()[:-1]))
    lab.service.import_history(tmp_path / "h.jsonl")
    hand.write(tmp_path / "h.jsonl", hand.exported("h1", hand.rows()))
    lab.service.import_history(tmp_path / "h.jsonl")
    assert (lab.reads.history.calls(), lab.reads.history.hidden_calls()) == (3, 0)


def test_turns_of_several_sessions_that_alternate_lose_no_call(lab, tmp_path):
    one, two = hand.plain("a"), hand.plain("b")
    mixed = [line for pair in zip(one, two, strict=True) for line in pair]
    path = hand.write(tmp_path / "mixed.jsonl", *mixed)
    lab.service.import_history(path)
    assert lab.service.import_history(path).new_events == 0
    assert (len(returned(lab)), lab.reads.history.calls()) == (6, 6)


def test_since_and_session_choose(lab, tmp_path):
    path = hand.state_db(tmp_path / "state.db", MANY)
    since = datetime.fromtimestamp(hand.START, UTC) + timedelta(seconds=10)
    found = lab.service.import_history(path, Wish(since=since, session="h2"))
    assert (found.calls, found.sessions, dict(found.left_out)) == (1, 1, {"before": 2, "other_session": 9})


def test_calls_of_unknown_time_are_not_since_anything(lab, tmp_path):
    path = hand.write(tmp_path / "t.jsonl", hand.trajectory())
    found = lab.service.import_history(path, Wish(since=datetime(2026, 1, 1, tzinfo=UTC)))
    assert (found.calls, dict(found.left_out)) == (0, {"unknown_time": 3})


def test_evidence_of_unknown_time_has_no_day(lab, tmp_path):
    hand.write(tmp_path / "t.jsonl", *(hand.trajectory(ticket(number)) for number in range(1, 5)))
    lab.service.import_history(tmp_path / "t.jsonl")
    [row] = lab.service.mine().proposed
    view = lab.service.review(str(row.number))
    assert ({one.occurred_on for one in view.evidence}, view.days) == ({""}, 0)


def test_a_dry_run_reads_all_and_writes_nothing(lab, tmp_path):
    head = lab.store.log.head()
    found = lab.service.import_history(hand.state_db(tmp_path / "state.db", MANY), Wish(dry=True))
    assert (found.calls, found.new_events, lab.store.log.head()) == (12, 0, head)


def test_a_dry_run_says_how_far_it_is(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "AT_ONCE", 1)
    monkeypatch.setattr(intake, "EVENTS", 10)
    said = []
    watch = Watch(progress=lambda *numbers: said.append(numbers))
    lab.service.import_history(hand.state_db(tmp_path / "state.db", MANY), Wish(dry=True), watch)
    assert len(said) > 1


def test_of_many_broken_lines_the_first_few_are_held(lab, tmp_path):
    path = tmp_path / "h.jsonl"
    path.write_bytes(b"".join(hand.lines(*hand.plain())) + b"{broken\n" * 1000)
    [batch] = Reading(lab.service.world.keeper, lab.store.log, Wish()).batches([path])
    assert (len(batch.seen.problems), batch.seen.left_out["bad_line"]) == (5, 1000)


def test_a_packed_file_is_read(lab, tmp_path):
    path = tmp_path / "h.jsonl.gz"
    path.write_bytes(gzip.compress(b"".join(hand.lines(*hand.plain()))))
    assert lab.service.import_history(path).calls == 3


def test_a_cut_packed_file_keeps_whole_turns_and_is_completed_later(lab, tmp_path):
    path = tmp_path / "h.jsonl.gz"
    whole = gzip.compress(b"".join(line for n in range(300) for line in hand.lines(*hand.plain(f"s{n}"))), 0)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceDamagedError):
        lab.service.import_history(path)
    kept = len(returned(lab))
    assert kept > 0
    path.write_bytes(whole)
    lab.service.import_history(path)
    assert len(returned(lab)) == 900


@pytest.mark.parametrize("content", [b"", b"\n\n", b"words\n", b'{"a": 1}\n', b"\x00\x01\x02"])
def test_what_is_no_history_is_refused(lab, tmp_path, content):
    head = lab.store.log.head()
    (tmp_path / "x.jsonl").write_bytes(content)
    with pytest.raises(UnknownFormError):
        lab.service.import_history(tmp_path / "x.jsonl")
    assert lab.store.log.head() == head


def test_what_is_not_there_is_not_found(lab, tmp_path):
    with pytest.raises(NotFoundError):
        lab.service.import_history(tmp_path / "nothing")


def test_a_broken_line_is_named_and_the_rest_is_read(lab, tmp_path):
    path = tmp_path / "h.jsonl"
    path.write_bytes(b"{broken\n" + b"".join(hand.lines(*hand.plain())))
    found = lab.service.import_history(path)
    assert (found.calls, dict(found.left_out)) == (3, {"bad_line": 1})
    assert found.problems[0].startswith("line 1: no JSON")


def test_in_a_folder_a_file_that_cannot_be_read_stops_none(lab, tmp_path):
    hand.write(tmp_path / "all" / "a.jsonl", {"a": 1})
    hand.write(tmp_path / "all" / "b" / "c.jsonl", *hand.claude())
    found = lab.service.import_history(tmp_path / "all")
    assert (found.calls, found.form, dict(found.left_out)) == (3, "claude", {"unknown_form": 1})


def test_the_progress_of_a_folder_goes_over_all_its_files(lab, tmp_path):
    sizes = [
        hand.write(tmp_path / "all" / f"{n}.jsonl", *hand.claude(f"c{n}")).stat().st_size for n in range(3)
    ]
    said = []
    lab.service.import_history(tmp_path / "all", watch=Watch(progress=lambda *numbers: said.append(numbers)))
    assert [done for done, *_ in said] == [sum(sizes[:n]) for n in (1, 2, 3)]
    assert {whole for _, whole, *_ in said} == {sum(sizes)}


def test_a_database_in_use_is_said(lab, tmp_path, monkeypatch):
    path = hand.state_db(tmp_path / "state.db", MANY)

    def busy(path):
        raise SourceBusyError(path)

    monkeypatch.setattr(opening, "StateDb", busy)
    with pytest.raises(SourceBusyError, match="in use"):
        lab.service.import_history(path)


def test_a_newer_schema_is_said(lab, tmp_path):
    found = lab.service.import_history(hand.state_db(tmp_path / "state.db", MANY, version=99))
    assert found.calls == 12
    assert "schema 99" in found.problems[0]


def test_a_long_import_says_how_far_it_is(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "AT_ONCE", 1)
    monkeypatch.setattr(intake, "EVENTS", 10)
    monkeypatch.setattr(importing, "PAUSE", 5)
    said, known = [], []
    watch = Watch(
        progress=lambda *numbers: said.append(numbers), pause=lambda: known.append(len(returned(lab)))
    )
    path = hand.state_db(tmp_path / "state.db", MANY)
    lab.service.import_history(path, watch=watch)
    size = path.stat().st_size
    assert said[-1] == (size, size, 12, 4)
    assert 0 < said[0][0] < size
    assert known == [6, 12]  # once five calls are in, and ten


def everything(lab):
    """Return what the log says, whenever it came in."""
    return [(one.event_id, one.stream, one.version, one.payload) for one in imported(lab)]


def test_a_long_history_that_another_process_reads_is_the_same(lab, tmp_path, monkeypatch):
    path = hand.state_db(tmp_path / "state.db", MANY)
    monkeypatch.setattr(importing, "LONG", 0)
    found = lab.service.import_history(path)
    assert (found.calls, found.sessions, found.form, found.left_out) == (12, 4, "hermes", ())
    told = everything(lab)
    monkeypatch.undo()
    again = lab.service.import_history(path)
    assert (again.calls, again.new_events, everything(lab)) == (12, 0, told)
    assert lab.service.replay(check=True).drift == ()


def test_what_the_other_process_leaves_is_read_here_and_counted_once(lab, tmp_path, monkeypatch):
    def dying(files, wish):
        reading = Reading(lab.service.world.keeper, lab.store.log, wish)
        yield from islice(reading.batches(files), 1)
        raise ReaderGoneError("it was killed")

    monkeypatch.setattr(importing, "LONG", 0)
    monkeypatch.setattr(intake, "AT_ONCE", 1)
    monkeypatch.setattr(intake, "EVENTS", 10)
    world = lab.service.world
    found = importing.Importing(world, dying).run(hand.state_db(tmp_path / "state.db", MANY))
    assert (found.calls, found.sessions, found.left_out) == (12, 4, ())
    assert found.new_events == len([one for one in imported(lab) if one.type != "import.finished"])
    assert len(returned(lab)) == 12


def test_an_interrupt_ends_at_once_and_what_came_in_stays(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "AT_ONCE", 1)
    monkeypatch.setattr(intake, "EVENTS", 10)
    path = hand.state_db(tmp_path / "state.db", MANY)

    def interrupt(*numbers):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lab.service.import_history(path, watch=Watch(progress=interrupt))
    assert (len(returned(lab)), imported(lab)[-1].type) == (6, "turn.ended")
    assert lab.service.import_history(path).new_events == 10
    assert lab.service.replay(check=True).drift == ()


def test_an_error_of_a_long_source_is_told_as_of_a_short_one(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(importing, "LONG", 0)
    path = tmp_path / "h.jsonl.gz"
    whole = gzip.compress(b"".join(line for n in range(300) for line in hand.lines(*hand.plain(f"s{n}"))), 0)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceDamagedError, match="cannot be read to its end"):
        lab.service.import_history(path)
    assert returned(lab)


def test_large_results_are_written_before_they_fill_the_memory(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(intake, "AT_ONCE", 1)
    monkeypatch.setattr(intake, "BYTES", 1000)
    progress = []
    rows = {name: hand.rows([("find", {}, "x" * 600)]) for name in ("h1", "h2", "h3")}
    path = hand.state_db(tmp_path / "state.db", rows)
    lab.service.import_history(path, watch=Watch(progress=lambda *told: progress.append(told)))
    assert [calls for _, _, calls, _ in progress] == [1, 2, 3, 3]
    assert lab.service.replay(check=True).drift == ()


def test_names_that_no_database_takes_are_mended(lab, tmp_path):
    path = tmp_path / "h.jsonl"
    path.write_bytes(
        b'{"session_id": "s\\ud800", "turn": "\\ud800", "tool": "t", "args": {"x": "\\ud800"}}\n'
    )
    lab.service.import_history(path)
    assert lab.service.import_history(path).new_events == 0
    assert len(returned(lab)) == 1


def test_the_histories_of_a_machine_are_found(tmp_path):
    hand.write(tmp_path / ".claude" / "projects" / "p" / "a.jsonl", *hand.claude())
    hand.write(tmp_path / "elsewhere" / "sessions" / "2026" / "rollout-1.jsonl", *hand.codex())
    home = tmp_path / "hermes"
    home.mkdir()
    hand.state_db(home / "state.db", MANY)
    (tmp_path / ".codex" / "sessions").mkdir(parents=True)
    found = here(home, tmp_path, {})
    assert [one.form for one in found] == ["hermes", "claude"]
    assert [one.form for one in here(home, tmp_path, {"CODEX_HOME": str(tmp_path / "elsewhere")})] == [
        "hermes",
        "claude",
        "codex",
    ]


def test_a_data_folder_stands_in_its_home(tmp_path):
    assert home_of(tmp_path / "plugin-data" / "kata", {}) == tmp_path
    assert home_of(tmp_path / "kata", {"HERMES_HOME": "/h"}).as_posix() == "/h"


SECRET = "ghp_" + "0mX5" * 9


def test_no_name_in_a_source_nor_its_own_keeps_a_secret_and_a_second_import_adds_nothing(lab, tmp_path):
    calls = [
        {"session_id": SECRET, "turn": SECRET, "tool": f"run_{SECRET}", "args": {}, "ts": hand.START},
        {"session_id": "s", "tool": "t", "args": {}, "ts": SECRET},
    ]
    path = hand.write(tmp_path / f"{SECRET}.jsonl", *calls)
    first = lab.service.import_history(path)
    second = lab.service.import_history(path)
    assert (first.calls, first.new_events > 0, second.new_events) == (1, True, 0)
    stored = " ".join(repr(event) for event in lab.store.log.read(0, limit=5000))
    assert SECRET not in stored + repr(first) + dumps(list(lab.service.export_history(limit=5000)))
    assert "ImportFinished" in stored


def test_one_odd_time_is_a_broken_line_and_the_rest_comes_in(lab, tmp_path):
    call = {"session_id": "s", "tool": "t", "args": {}}
    odd = ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", -5, 1e18]
    path = tmp_path / "calls.jsonl"
    hand.write(path, *(call | {"ts": ts} for ts in (*odd, hand.START)))
    path.write_text(path.read_text() + '{"session_id": "s", "tool": "t", "args": {}, "ts": 1e400}\n')
    found = lab.service.import_history(path)
    assert (found.calls, dict(found.left_out)) == (1, {"bad_line": 5})


def test_a_session_with_an_odd_time_comes_in_without_it(lab, tmp_path):
    rows = [row | {"timestamp": -1e18} for row in hand.rows()]
    found = lab.service.import_history(hand.state_db(tmp_path / "state.db", {"h1": rows}))
    assert (found.calls, found.left_out) == (3, ())
