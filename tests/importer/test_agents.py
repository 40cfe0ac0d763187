"""Histories of other agents: what only their forms have."""

from kata.importer import ImportedCall, ImportedLink
from kata.importer.claude import read_claude
from kata.importer.codex import read_codex
from kata.importer.trajectory import read_trajectory
from tests.importer import hand


def read(reader, values):
    return list(reader(hand.lines(*values)))


def calls(reader, values):
    return [one for one in read(reader, values) if isinstance(one, ImportedCall)]


def test_a_message_in_several_lines_is_one_group():
    values = hand.claude()
    for value in values[2:]:
        value["message"]["id"] = "msg_1"
    assert len({one.group for one in calls(read_claude, values)}) == 1


def test_a_side_chain_is_a_conversation_that_belongs_to_its_session():
    found = read(read_claude, hand.claude(isSidechain=True, agentId="a1"))
    link = next(one for one in found if isinstance(one, ImportedLink))
    assert (link.session, link.parent, link.relation) == ("5e55/a1", "5e55", "delegate")
    assert {one.session for one in found if isinstance(one, ImportedCall)} == {"5e55/a1"}


def test_an_error_that_the_source_tells_is_no_success():
    values = hand.claude()
    values[3]["message"]["content"][0]["is_error"] = True
    assert [one.ok for one in calls(read_claude, values)] == [False, None, None]


def test_a_resumed_session_repeats_calls_with_their_keys():
    first, again = hand.claude("one"), hand.claude("two")
    for before, after in zip(first[2:], again[2:], strict=True):
        after["message"] = before["message"]
    keys = [[one.key for one in calls(read_claude, values)] for values in (first, again)]
    assert keys[0] == keys[1]


def test_an_image_in_a_result_stays_a_list():
    values = hand.claude()
    content = [{"type": "image", "source": {}}]
    values[3]["message"]["content"][0]["content"] = content
    assert calls(read_claude, values)[0].result == content


def test_codex_calls_without_a_result_between_them_are_one_group():
    values = hand.codex()
    values[3], values[4] = values[4], values[3]
    groups = [one.group for one in calls(read_codex, values)]
    assert groups[0] == groups[1] != groups[2]


def test_codex_tells_exit_codes_and_durations():
    old = '{"output": "x", "metadata": {"exit_code": 1, "duration_seconds": 0.25}}'
    new = "Exit code: 0\nWall time: 1 seconds\nOutput:\nx"
    found = calls(read_codex, hand.codex(calls=[("shell", {}, old), ("shell", {}, new)]))
    assert [(one.ok, one.duration_ms) for one in found] == [(False, 250), (True, None)]


def test_a_fork_and_a_spawned_thread_are_linked():
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}
    for meta, relation in (({"forked_from_id": "p"}, "branch"), ({"source": spawned}, "delegate")):
        link = next(one for one in read(read_codex, hand.codex(**meta)) if isinstance(one, ImportedLink))
        assert (link.parent, link.relation) == ("p", relation)


def test_an_older_rollout_without_envelopes_is_read():
    values = hand.codex()
    head = {"id": "old", "timestamp": "2025-05-01T09:00:00Z", "instructions": None}
    found = calls(read_codex, [head, *(one["payload"] for one in values[2:])])
    assert [(one.session, one.tool) for one in found] == [("old", tool) for tool, _, _ in hand.TICKETS]


def test_what_codex_says_in_the_persons_place_begins_no_turn():
    values = hand.codex()
    text = "<environment_context>x</environment_context>"
    context = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    values.insert(4, {"timestamp": None, "type": "response_item", "payload": context})
    assert len({one.turn for one in calls(read_codex, values)}) == 1


def test_a_shell_call_of_codex_has_its_command():
    values = hand.codex()[:2]
    item = {"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["ls"]}}
    values.append({"timestamp": None, "type": "response_item", "payload": item})
    [call] = calls(read_codex, values)
    assert (call.tool, call.args, call.answered) == ("local_shell", {"command": ["ls"]}, False)


def test_a_trajectory_is_named_after_its_content():
    one, two = hand.trajectory(), hand.trajectory() | {"timestamp": "2026-11-01T09:00:00"}
    other = hand.trajectory(hand.TICKETS[:2])
    names = [calls(read_trajectory, [value])[0].session for value in (one, two, other)]
    assert names[0] == names[1] != names[2]


def test_a_trajectory_knows_no_times():
    assert {one.at for one in calls(read_trajectory, [hand.trajectory()])} == {None}
