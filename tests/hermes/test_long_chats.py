"""One conversation stays one: a chat of forty turns that was there before Kata, and one that was compacted on its way."""

import time

from kata.store import open_store
from tests.hermes.story import found_path, wait_for_proposal
from tests.hermes.support import call, say
from tests.hermes.support.fixtures import KATA

FILES, MORE = ("login", "search", "billing"), ("invoices", "taxes")
CHAT, TURNS = "chat", 40
NEARLY_FULL = {"prompt_tokens": 150_000, "completion_tokens": 10, "total_tokens": 150_010}


def make_files(home):
    for name in (*FILES, *MORE):
        (home.workspace / f"{name}.py").write_text(f"# TODO: {name}\n", encoding="utf-8")


def routine(name):
    return (
        call("search_files", {"pattern": f"TODO: {name}", "path": "."}),
        lambda request: call("read_file", {"path": found_path(request)}),
        lambda request: call("terminal", {"command": f"wc -l {found_path(request)}"}),
        say("done"),
    )


def events(home):
    store = open_store(home.data)
    store.drain()
    found = list(store.log.read())
    store.close()
    return found


def told(home, kind):
    return [event for event in events(home) if event.type == kind]


def status(home):
    return home.cli("kata", "status").out


def test_a_resumed_chat_of_forty_turns_is_one_conversation(model, hermes):
    """Case B004: no start hook, an end hook at every turn."""
    home = hermes(plugins=[])
    make_files(home)
    model.then(say("hello"))
    with home.gateway() as gateway:
        gateway.say("hello", session=CHAT)
    home.configure(plugins={"enabled": [home.install(KATA)]})
    began = time.monotonic()
    with home.gateway() as gateway:
        for number in range(TURNS):
            model.then(*routine(FILES[number % len(FILES)]))
            gateway.say(f"count {number}", session=CHAT)
    minutes = (time.monotonic() - began) / 60

    assert told(home, "session.started") == []
    assert len(told(home, "turn.ended")) == TURNS
    assert f"{3 * TURNS} calls in 1 conversation" in status(home)
    mined = home.cli("kata", "mine", "--json").json["data"]
    assert (mined["calls"], mined["proposed"], mined["seen"]) == (3 * TURNS, [], [])
    assert len(told(home, "mining.completed")) <= minutes + 2

    heard = []
    with home.session() as session:
        for name in MORE:
            model.then(*routine(name))
            session.say(name)
            heard += session.new()
    assert wait_for_proposal(home)["support"] == 1 + len(MORE)
    with home.session(resume=CHAT) as session:
        for _ in range(3):
            model.then(say("hello"))
            session.say("hello")
            heard += session.finalize()
    assert len(heard) == 1
    assert len(told(home, "notice.shown")) == 1


def test_a_chat_that_is_compacted_on_its_way_is_one_conversation(model, hermes):
    """Case B005: each compaction goes on in a child session."""
    home = hermes(config={"compression": {"in_place": False, "protect_first_n": 1, "protect_last_n": 2}})
    make_files(home)
    model.aux = "what was said before"
    with home.session() as session:
        model.then(say("hello"))
        ids = [session.say("hello " * 2000).session_id]
        for name in FILES:
            model.then(*routine(name)[:-1], say("done", usage=NEARLY_FULL))
            ids.append(session.say(name + " please" * 2000).session_id)
        session.finalize()

    parents = home.rows("SELECT id, parent_session_id FROM sessions ORDER BY started_at")
    assert len(parents) == len(set(ids)) == 3, (parents, ids)
    linked = [event.payload for event in told(home, "session.linked")]
    assert {one.session_id: one.parent_session_id for one in linked} == {
        row["id"]: row["parent_session_id"] for row in parents if row["parent_session_id"]
    }
    mined = home.cli("kata", "mine", "--json").json["data"]
    assert (mined["calls"], mined["conversations"]) == (3 * len(FILES), 1)
    assert (mined["proposed"], mined["seen"]) == ([], [])
