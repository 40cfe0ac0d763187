"""What holds whatever people, the agent and Kata do, in whatever order (stateful, over a real store)."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from kata.errors import KataError
from kata.events import ActorKind, Surface
from kata.events.catalogue import RunOutcome, Until
from kata.executor.protocols import Caller
from kata.machines import EVENT_TRIGGERS, LIFECYCLE, State, fold
from kata.service.running import NotActiveError
from tests.service.lab import AGENT, PERSON, ROUTINES, SCHEMAS, SYSTEM, Lab

IN_MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where a commit does not wait for a disk: these are laws, not promises about crashes."""

VERBS = ("reject", "reconsider", "disable", "enable")
ACTORS = st.sampled_from((PERSON, PERSON, PERSON, AGENT, SYSTEM))
NUMBERS = st.integers(1, 3)
NAMES = st.sampled_from(("settle_bug", "send_parcel", "bar_person", "settle_bugs", "9bad"))


class Laws(RuleBasedStateMachine):
    """People, an agent and Kata itself at one service."""

    @initialize()
    def open(self):
        self.folder = tempfile.TemporaryDirectory(prefix="kata-laws-", dir=IN_MEMORY)
        self.lab = Lab(Path(self.folder.name) / "kata")
        self.done = 0
        self.versions: dict[int, int] = {}
        self.rejected: set[int] = set()
        self.offered: dict = {}

    def teardown(self):
        if not hasattr(self, "lab"):
            return
        self.every_transition_had_the_actor_that_the_table_asks_for()
        assert self.lab.service.replay(check=True).drift == ()
        assert self.lab.service.verify().ok
        self.lab.close()
        self.folder.cleanup()

    @rule(which=st.integers(0, 2))
    def practise(self, which):
        self.done += 1
        self.lab.practise(ROUTINES[which], 2, start=self.done * 10)

    @rule()
    def mine(self):
        before = set(self.rejected)
        self.lab.service.mine()
        for number in before:
            assert self.lab.state(number) == State.REJECTED, "a rejected routine never comes back by itself"

    @rule(number=NUMBERS, name=NAMES, actor=ACTORS)
    def approve(self, number, name, actor):
        def act():
            reviewed = self.lab.service.review(str(number)).digest
            return self.lab.service.decisions.approve(str(number), actor, name=name, reviewed=reviewed)

        self.try_as(actor, act)

    @rule(number=NUMBERS, verb=st.sampled_from(VERBS), actor=ACTORS)
    def decide(self, number, verb, actor):
        decided = self.try_as(actor, lambda: getattr(self.lab.service.decisions, verb)(str(number), actor))
        if decided is not None and verb == "reject":
            self.rejected.add(number)
        if decided is not None and verb == "reconsider":
            self.rejected.discard(number)

    @rule(number=NUMBERS, version=st.integers(1, 3), actor=ACTORS)
    def rollback(self, number, version, actor):
        self.try_as(actor, lambda: self.lab.service.decisions.rollback(str(number), version, actor))

    @rule(number=NUMBERS, actor=ACTORS, kind=st.sampled_from(("changed", "asked")))
    def defer(self, number, actor, kind):
        self.try_as(actor, lambda: self.lab.service.decisions.defer(str(number), actor, Until(kind=kind)))

    @rule(actor=ACTORS)
    def undo(self, actor):
        self.try_as(actor, lambda: self.lab.service.decisions.undo("", actor))
        self.rejected = {
            row.number for row in self.lab.service.listing().katas if row.state == State.REJECTED
        }

    @rule(
        number=NUMBERS, outcome=st.sampled_from((RunOutcome.FAILED, RunOutcome.FAILED, RunOutcome.SUCCEEDED))
    )
    def run(self, number, outcome):
        if any(one.number == number for one in self.lab.service.registered()):
            self.lab.ran(number, outcome)

    @rule(tool=st.sampled_from(tuple(SCHEMAS)), strict=st.booleans())
    def change_schema(self, tool, strict):
        schema = SCHEMAS[tool]
        if strict:
            extra = {**schema["properties"], "reason": {"type": "string"}}
            schema = {**schema, "properties": extra, "required": [*schema["required"], "reason"]}
        self.lab.describe(tool, schema)
        self.lab.service.refresh()
        self.lab.service.upkeep(Surface.HOOK)

    def try_as(self, actor, act):
        """Let somebody try; whatever is refused changes nothing, and only a person ever succeeds."""
        before = self.states()
        try:
            decided = act()
        except KataError:
            assert self.states() == before, "a refusal changes nothing"
            return None
        assert actor.kind is ActorKind.HUMAN, "only a person decides"
        return decided

    def states(self):
        return [(kata.number, kata.state, kata.active_version) for kata in self.katas()]

    @invariant()
    @precondition(lambda self: hasattr(self, "lab"))
    def the_registry_is_what_the_log_says(self):
        self.lab.service.refresh()
        registered = {one.number for one in self.lab.service.registered()}
        assert registered == {kata.number for kata in self.katas() if kata.state == State.ACTIVE}

    @invariant()
    @precondition(lambda self: hasattr(self, "lab"))
    def versions_are_never_lost(self):
        for kata in self.katas():
            assert len(kata.versions) >= self.versions.get(kata.number, 0)
            self.versions[kata.number] = len(kata.versions)

    @invariant()
    @precondition(lambda self: hasattr(self, "lab"))
    def a_run_starts_only_where_the_log_has_the_kata_active(self):
        """A registry that is behind is not enough: the log is asked."""
        for one in self.offered.values():
            kata = next(kata for kata in self.katas() if kata.stream == one.stream)
            is_active = kata.registered is not None and kata.registered.version == one.version
            try:
                begun = self.lab.service.begin_run(one, {"title": "x"}, Caller())
            except NotActiveError:
                assert not is_active
            else:
                assert (is_active, begun.request.digest) == (True, one.digest)
        self.offered |= {(one.stream, one.version): one for one in self.lab.service.registered()}

    def katas(self):
        return self.lab.reads.katas.all()

    def every_transition_had_the_actor_that_the_table_asks_for(self):
        streams: dict[str, list] = {}
        for event in self.lab.store.log.read(types=tuple(EVENT_TRIGGERS)):
            streams.setdefault(event.stream, []).append(event)
        for events in streams.values():
            assert fold(events).irregular == ()
            assert all(event.actor.kind is not ActorKind.AGENT for event in events)


def run_laws(examples: int) -> None:
    run_state_machine_as_test(
        Laws,
        settings=settings(
            max_examples=examples,
            stateful_step_count=50,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_the_laws_hold_in_200_stories_of_50_commands():
    run_laws(200)


@pytest.mark.deep
def test_the_laws_hold_in_2000_stories_of_50_commands():
    run_laws(2000)


def test_the_table_knows_every_trigger_of_the_catalogue():
    assert set(EVENT_TRIGGERS.values()) == set(LIFECYCLE.triggers)
