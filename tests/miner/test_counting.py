"""Counting level by level, counting while conversations come and go, and counting naively: all the same."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from kata.miner.corpus import Corpus
from kata.miner.counting import closed_windows
from kata.miner.counts import Counts
from kata.miner.segments import Run

LONGEST = 4


def run(conversation, turn, signatures):
    size = len(signatures)
    refs = tuple(range(size))
    return Run(conversation, f"{conversation}/{turn}", tuple(signatures), refs, ("",) * size)


signatures = st.lists(st.integers(0, 3), min_size=1, max_size=8)
conversation = st.lists(st.tuples(st.integers(0, 2), signatures), max_size=4)
histories = st.lists(conversation, min_size=1, max_size=8)


def runs_of(number, turns):
    return [run(f"c{number}", turn, one) for turn, one in sorted(turns, key=lambda pair: pair[0])]


def naive(history, min_support):
    """The definition: windows once a turn, support in conversations, dropped when an extension has as many turns."""
    turns, conversations = Counter(), Counter()
    for runs in history:
        by_turn = {}
        for one in runs:
            windows = {
                one.signatures[at:end]
                for at in range(len(one.signatures))
                for end in range(at + 1, min(at + LONGEST + 1, len(one.signatures)) + 1)
            }
            by_turn.setdefault(one.turn, set()).update(windows)
        for windows in by_turn.values():
            turns.update(windows)
        conversations.update(set().union(*by_turn.values()))
    equalled = {half for one in turns for half in (one[1:], one[:-1]) if turns[half] == turns[one]}
    return {
        (one, turns[one], count)
        for one, count in conversations.items()
        if count >= min_support and 2 <= len(one) <= LONGEST and one not in equalled
    }


@given(histories, st.integers(2, 3))
@settings(max_examples=150, deadline=None)
def test_counting_by_levels_keeps_the_definition(history, min_support):
    history = [runs_of(number, turns) for number, turns in enumerate(history)]
    corpus = Corpus(one for runs in history for one in runs)
    found = {
        (corpus.window(one.starts[0], one.length), one.turns, one.conversations)
        for one in closed_windows(corpus, min_support, LONGEST)
    }
    assert found == naive(history, min_support)


@given(histories, st.integers(2, 3), st.data())
@settings(max_examples=150, deadline=None)
def test_counts_stay_exact_while_conversations_come_grow_and_expire(history, min_support, data):
    counts = Counts(min_support, LONGEST)
    present = {}
    for number, turns in enumerate(history):
        present[number] = runs_of(number, turns)
        counts.replace(f"c{number}", present[number])
        for other in data.draw(st.lists(st.sampled_from(sorted(present)), max_size=2)):
            present[other] = runs_of(other, data.draw(conversation))
            counts.replace(f"c{other}", present[other])
    found = {(one, counts.turns(one), counts.conversations(one)) for one in counts.closed}
    assert found == naive(list(present.values()), min_support)


def test_expiry_is_not_local():
    """A conversation that held a window but not its extension goes: the extension now equals the window."""
    counts = Counts(2, LONGEST)
    for number in range(2):
        counts.replace(f"c{number}", [run(f"c{number}", 0, (1, 2, 3))])
    counts.replace("c2", [run("c2", 0, (1, 2))])
    assert counts.closed == {(1, 2), (1, 2, 3)}
    counts.replace("c2", [])
    assert counts.closed == {(1, 2, 3)}


def test_a_window_counts_once_a_turn_even_across_a_break():
    corpus = Corpus([run("a", 0, (1, 2)), run("a", 0, (1, 2)), run("b", 0, (1, 2))])
    (found,) = closed_windows(corpus, 2, LONGEST)
    assert (found.turns, found.conversations) == (2, 2)


@given(histories, st.data())
@settings(max_examples=100, deadline=None)
def test_a_conversation_taken_out_and_put_in_again_keeps_its_place(history, data):
    history = [runs_of(number, turns) for number, turns in enumerate(history)]
    corpus = Corpus(one for runs in history for one in runs)
    for number in data.draw(st.lists(st.sampled_from(range(len(history))), max_size=3)):
        corpus.remove(f"c{number}")
        for one in history[number]:
            corpus.add(one)
    fresh = Corpus(one for runs in history for one in runs)
    for window in ((0,), (1, 2), (0, 1), (3, 3)):
        assert corpus.turns_with(window) == fresh.turns_with(window)
        places = [[c.occurrence(start, len(window)) for start in c.firsts(window)] for c in (corpus, fresh)]
        assert places[0] == places[1]
    assert corpus.calls == fresh.calls
    assert corpus.live_conversations == fresh.live_conversations
