"""The laws of a log, against a model that is a plain list."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kata.events import Unreadable
from kata.events.record import encode_new
from kata.store import IdConflictError, MemoryLog, SqliteLog, WrongVersionError, connect, verify
from tests.store.support import Maker, connect_wal

STREAMS = st.sampled_from(["kata/a", "kata/b", "session/1", "run/1"])


class LogLaws(RuleBasedStateMachine):
    """Any interleaving of writes, retries, conflicts, failures and erasures keeps the log and the model equal."""

    def __init__(self):
        super().__init__()
        self.make = Maker()
        self.log = self.open()
        self.model = []
        self.erased = set()

    def open(self):
        return MemoryLog(self.make.clock)

    def versions(self, stream):
        return sum(event.stream == stream for event in self.model)

    @rule(stream=STREAMS, notes=st.lists(st.text(max_size=4), min_size=1, max_size=3))
    def append(self, stream, notes):
        events = [self.make.decided(stream, note) for note in notes]
        self.log.append(stream, self.versions(stream), events)
        self.model.extend(events)

    @rule(stream=STREAMS, off=st.integers(-2, 2).filter(bool))
    def append_at_a_wrong_version(self, stream, off):
        actual = self.versions(stream)
        with pytest.raises(WrongVersionError) as caught:
            self.log.append(stream, actual + off, [self.make.decided(stream)])
        assert caught.value.actual == actual

    @rule(streams=st.lists(STREAMS, min_size=1, max_size=4))
    def take(self, streams):
        events = [self.make.noted(stream) for stream in streams]
        records = [encode_new(event) for event in events]
        with self.log.transaction() as transaction:
            assert transaction.take(records + records[:1]).added == len(events)
        self.model.extend(events)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def offer_again(self, data):
        event = data.draw(st.sampled_from(self.model))
        assert self.log.append(event.stream, 0, [event]).repeated

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def offer_other_content(self, data):
        event = data.draw(st.sampled_from(self.model))
        changed = event._replace(correlation_id="other")
        with pytest.raises(IdConflictError) as caught:
            self.log.append(event.stream, self.versions(event.stream), [changed])
        assert caught.value.event_id == event.event_id

    @rule(stream=STREAMS)
    def fail_half_way(self, stream):
        with pytest.raises(ZeroDivisionError), self.log.transaction() as transaction:
            transaction.add([self.make.noted(stream)])
            raise ZeroDivisionError

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def forget(self, data):
        erasable = [n for n, event in enumerate(self.model, 1) if not isinstance(event.payload, Unreadable)]
        erasable = [n for n in erasable if self.model[n - 1].stream != "log"]
        if not erasable:
            return
        chosen = data.draw(st.lists(st.sampled_from(erasable), min_size=1, max_size=3, unique=True))
        event = self.make.forgotten(*((one, one) for one in sorted(chosen)))
        with self.log.transaction() as transaction:
            transaction.erase(event)
        self.erased = self.erased | set(chosen)
        self.model.append(event)

    @rule(days=st.integers(-3, 3))
    def let_time_pass(self, days):
        self.make.clock.advance(days=days)

    @invariant()
    def the_log_is_the_model(self):
        versions = {}
        stored = list(self.log.read())
        assert [event.event_id for event in stored] == [event.event_id for event in self.model]
        for position, (event, wanted) in enumerate(zip(stored, self.model, strict=True), 1):
            versions[event.stream] = versions.get(event.stream, 0) + 1
            assert (event.position, event.stream, event.version) == (
                position,
                wanted.stream,
                versions[event.stream],
            )
            assert event.payload == (Unreadable(why="erased") if position in self.erased else wanted.payload)

    @invariant()
    def the_chain_verifies(self):
        verified = verify(self.log)
        assert (verified.count, verified.erased) == (len(self.model), len(self.erased))

    def teardown(self):
        self.log.close()


class SqliteLaws(LogLaws):
    connect = staticmethod(connect)

    def open(self):
        self.folder = tempfile.TemporaryDirectory()
        path = Path(self.folder.name) / "data.db"
        opened = type(self).connect
        return SqliteLog(lambda: opened(path), self.make.clock)

    @rule()
    def reopen(self):
        self.log.close()

    def teardown(self):
        super().teardown()
        self.folder.cleanup()


class WalLaws(SqliteLaws):
    connect = staticmethod(connect_wal)


TestMemoryLaws = LogLaws.TestCase
TestSqliteLaws = SqliteLaws.TestCase
TestWalLaws = WalLaws.TestCase
TestMemoryLaws.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestSqliteLaws.settings = settings(max_examples=15, stateful_step_count=25, deadline=None)
TestWalLaws.settings = settings(max_examples=10, stateful_step_count=25, deadline=None)
