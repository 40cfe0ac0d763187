"""Where a conversation comes from, as the host says it, does not say it, or says it late (case B005)."""

import time

from kata import register
from kata.runtime import host as hosts
from kata.standin import call, say
from kata.store import open_store


def talk(host, number):
    (host.workspace.root / f"file{number}.py").write_text(f"# word{number}\n", encoding="utf-8")
    chat = host.conversation()
    chat.turn(
        "look",
        [
            call("search_files", pattern=f"word{number}", path="."),
            call("read_file", path=f"file{number}.py"),
            say("done"),
        ],
    )
    chat.finalize()


def until(check, seconds=60.0):
    end = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < end
        time.sleep(0.02)


def links(host):
    """Return what the log and the spool know of where sessions come from."""
    store = open_store(host.data_dir("kata"))
    store.drain(60)
    found = [event.payload for event in store.log.read(types=["session.linked"])]
    store.close()
    return found


def proposed(host):
    """Look for routines as a shell command does, which ends its process; read the proposal in a new one."""
    host.cli(["kata", "mine"])
    host.load(register)
    return host.slash("/kata review 1")


def test_a_proposal_says_of_how_many_conversations_the_lineage_is_unknown(host, monkeypatch):
    real, known = hosts.Host.lineage, []

    def lineage(self, session_id):
        known.extend({session_id}.difference(known))
        if known.index(session_id) == 0:
            return real(self, session_id)
        if known.index(session_id) == 1:
            raise ImportError("hermes_state")
        return None

    monkeypatch.setattr(hosts.Host, "lineage", lineage)
    for number in range(4):
        talk(host, number)
        until(lambda number=number: len(links(host)) == number)
    assert {one.relation for one in links(host)} == {"unknown"}
    review = proposed(host)
    assert "of 3 of 4 conversations it is not known whether they go on from another one" in review


def test_where_the_host_says_it_nothing_is_said(host):
    for number in range(3):
        talk(host, number)
    review = proposed(host)
    assert "search_files" in review
    assert "not known whether" not in review


def test_what_the_host_says_late_is_known(host, monkeypatch):
    real, asked = hosts.Host.lineage, []

    def late(self, session_id):
        asked.append(session_id)
        return real(self, session_id) if len(asked) > 1 else None

    monkeypatch.setattr(hosts.Host, "lineage", late)
    chat = host.conversation()
    for turn in (1, 2):
        chat.turn("go on", [say("done")])
        until(lambda turn=turn: len(asked) == turn)
    chat.finalize()
    talk(host, 9)
    until(lambda: len(asked) == 3)
    assert links(host) == []
