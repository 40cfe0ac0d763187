"""A miner that stands by finds what a fresh pass finds."""

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from kata.miner import Miner, Settings, mine
from kata.miner.memory import MemoryHistory, Recorded

from .support import find_and_read, noise
from .test_mining import orders

THRESHOLDS = Settings(min_support=2)


class Growing:
    """A history whose conversations are put in, grown and taken out, beside a miner that is told of it."""

    def __init__(self, thresholds=THRESHOLDS):
        self.conversations = {}
        self.all = MemoryHistory([])
        self.miner = Miner(self, thresholds)

    def rows(self):
        return [row for number in sorted(self.conversations) for row in self.conversations[number]]

    def signatures(self):
        return self.all.signatures()

    def values(self, refs):
        return self.all.values(refs)

    def put(self, number, turns):
        calls = [
            Recorded(conversation=f"c{number}", turn=str(turn), tool=tool, args=args, result=result)
            for turn, steps in enumerate(turns)
            for tool, args, result in steps
        ]
        before = len(self.all.rows())
        self.all = MemoryHistory([*self.all._calls, *calls])
        self.conversations[number] = self.all.rows()[before:]
        self.miner.replace(f"c{number}", self.conversations[number])


def told(mined):
    """What a pass says, without the order in which signatures were numbered."""

    def key(found):
        return (found.key, found.signatures)

    return (
        sorted(mined.candidates, key=key),
        sorted(mined.seen, key=key),
        mined.calls,
        mined.conversations,
        mined.counts,
    )


def steps(kind, number):
    kinds = {
        "read": find_and_read,
        "orders": lambda n: orders(n, 1 + n % 3),
        "noise": lambda n: [noise(n % 3)],
        "fixed": lambda n: [("status", {"x": "a"}, {}), ("push", {"to": "origin", "n": n}, {})],
        "push": lambda n: [("push", {"to": f"z{n}", "n": n}, {})],
    }
    return kinds[kind](number)


turns = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["read", "orders", "noise", "fixed", "push"]), min_size=1, max_size=3),
        st.integers(1, 40),
    ),
    max_size=2,
)
changes = st.lists(st.tuples(st.integers(0, 5), turns), min_size=2, max_size=9)


@given(changes)
@settings(max_examples=40, deadline=None)
def test_a_pass_after_each_change_finds_what_a_fresh_pass_finds(changes):
    growing = Growing()
    for number in range(6):
        growing.put(number, [])
    for number, turns in changes:
        growing.put(number, [[one for kind in kinds for one in steps(kind, seed)] for kinds, seed in turns])
        assert told(growing.miner.mine()) == told(mine(growing, THRESHOLDS))


def test_a_routine_with_many_examples_takes_in_one_more():
    growing = Growing()
    for number in range(30):
        growing.put(number, [find_and_read(number)])
    before = growing.miner.mine().candidates[0]
    growing.put(30, [find_and_read(30)])
    after = growing.miner.mine().candidates[0]
    assert after.support == 31
    assert len(after.occurrences) == 31
    assert after.spec is before.spec
    assert attrs.evolve(after, arguments=()) == attrs.evolve(
        mine(growing, THRESHOLDS).candidates[0], arguments=()
    )


def test_an_example_that_does_not_fit_makes_the_template_anew():
    growing = Growing()
    for number in range(30):
        growing.put(
            number, [[("a", {}, {"x": f"v{number}", "y": f"v{number}"}), ("b", {"z": f"v{number}"}, {})]]
        )
    assert growing.miner.mine().candidates[0].arguments[0].alternatives == ("step 1 · y",)
    growing.put(30, [[("a", {}, {"x": "other-1", "y": "v30"}), ("b", {"z": "v30"}, {})]])
    found = growing.miner.mine().candidates[0]
    assert found.arguments[0].alternatives == ()
    assert found == mine(growing, THRESHOLDS).candidates[0]


@given(changes)
@settings(max_examples=20, deadline=None)
def test_what_is_one_conversation_short_is_the_same_in_both(changes):
    growing = Growing(Settings(min_support=3))
    for number in range(6):
        growing.put(number, [])
    for number, turns in changes:
        growing.put(number, [[one for kind in kinds for one in steps(kind, seed)] for kinds, seed in turns])
        assert told(growing.miner.mine()) == told(mine(growing, Settings(min_support=3)))


def test_a_forgotten_conversation_leaves_nothing():
    growing = Growing()
    for number in range(3):
        growing.put(number, [find_and_read(number)])
    assert growing.miner.mine().candidates
    growing.put(0, [])
    growing.put(1, [])
    result = growing.miner.mine()
    assert not result.candidates
    assert (result.calls, result.conversations) == (2, 1)
