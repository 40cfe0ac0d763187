"""What finding costs beside its peers, and how much of what is there it finds."""

import gc
import json
import platform
import resource
import signal
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

from benchmarks.planted import make_history, make_runs
from kata.miner import CallRow, Miner, Settings, mine
from kata.miner.corpus import Corpus
from kata.miner.counting import closed_windows
from kata.miner.memory import MemoryHistory
from kata.miner.segments import Run, segment
from kata.templating import Call, generalise

ROOT = Path(__file__).resolve().parents[1]
SUPPORT, LONGEST = 3, 8
Row = dict[str, Any]
Pattern = tuple[int, ...]


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of the processor that a call takes, without the cycle collector (as ``timeit`` does), and its result."""
    gc.collect()
    gc.disable()
    began = time.process_time()
    result = run()
    took = time.process_time() - began
    gc.enable()
    return took, result


def peak(run: Callable[[], Any]) -> int:
    """Return the most bytes that a call held beyond what was there before."""
    gc.collect()
    tracemalloc.start()
    run()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def row(name: str, reference: str, ratio: float, bar: float | None, *, at_least: bool = False) -> Row:
    ok = None if bar is None else bool(ratio >= bar if at_least else ratio <= bar)
    return {"name": name, "reference": reference, "ratio": round(ratio, 4), "bar": bar, "ok": ok}


# counting


def ours(runs: Sequence[Run]) -> set[Pattern]:
    corpus = Corpus(runs)
    return {corpus.window(one.starts[0], one.length) for one in closed_windows(corpus, SUPPORT, LONGEST)}


def by_counter(runs: Sequence[Run]) -> set[Pattern]:
    """``collections.Counter`` over all windows, then the closed filter."""
    turns: Counter[Pattern] = Counter()
    conversations: Counter[Pattern] = Counter()
    for _, of_conversation in groupby(runs, key=lambda run: run.conversation):
        held: set[Pattern] = set()
        for _, of_turn in groupby(of_conversation, key=lambda run: run.turn):
            windows = {window for run in of_turn for window in all_windows(run.signatures)}
            turns.update(windows)
            held |= windows
        conversations.update(held)
    return closed({one: count for one, count in turns.items() if conversations[one] >= SUPPORT})


def all_windows(names: Pattern) -> Iterable[Pattern]:
    size = len(names)
    return (names[at:end] for at in range(size) for end in range(at + 2, min(at + LONGEST + 1, size) + 1))


def closed(turns: dict[Pattern, int]) -> set[Pattern]:
    """Drop what a one-call extension equals in turns."""
    equalled = {half for one in turns for half in (one[1:], one[:-1]) if turns.get(half) == turns[one]}
    return {one for one in turns if one not in equalled and len(one) <= LONGEST}


def by_sklearn(runs: Sequence[Run]) -> set[Pattern]:
    """scikit-learn's n-grams, a turn a document, then support by conversation and the closed filter."""
    import numpy as np
    from sklearn.feature_extraction.text import CountVectorizer

    documents = [" ".join(map(str, run.signatures)) for run in runs]
    numbers: dict[str, int] = {}
    owner = np.array([numbers.setdefault(run.conversation, len(numbers)) for run in runs])
    vectorizer = CountVectorizer(
        ngram_range=(2, LONGEST + 1), token_pattern=r"\d+", binary=True, min_df=SUPPORT
    )
    matrix = vectorizer.fit_transform(documents).tocsc()
    names = vectorizer.get_feature_names_out()
    found: dict[Pattern, int] = {}
    for column, name in enumerate(names):
        rows = matrix.indices[matrix.indptr[column] : matrix.indptr[column + 1]]
        if len(np.unique(owner[rows])) >= SUPPORT:
            found[tuple(map(int, name.split()))] = len(rows)
    return closed(found)


def by_seq2pat(runs: Sequence[Run]) -> set[Pattern]:
    """seq2pat with a gap of one, then support by conversation and the closed filter."""
    from sequential.seq2pat import Attribute, Seq2Pat

    sequences = [list(run.signatures) for run in runs]
    positions = Attribute([list(range(len(one))) for one in sequences])
    model = Seq2Pat(sequences=[[name + 1 for name in one] for one in sequences], max_span=LONGEST + 1)
    model.add_constraint(1 <= positions.gap() <= 1)
    found = {tuple(name - 1 for name in one[:-1]): one[-1] for one in model.get_patterns(SUPPORT)}
    by_runs = {one: count for one, count in found.items() if 2 <= len(one) <= LONGEST + 1}
    return closed(supported(by_runs, runs))


def supported(turns: dict[Pattern, int], runs: Sequence[Run]) -> dict[Pattern, int]:
    """Keep the patterns that stand in enough conversations."""
    conversations: dict[Pattern, set[str]] = defaultdict(set)
    for run in runs:
        for window in set(all_windows(run.signatures)):
            if window in turns:
                conversations[window].add(run.conversation)
    return {one: count for one, count in turns.items() if len(conversations[one]) >= SUPPORT}


PEERS: tuple[tuple[str, str, Callable[[Sequence[Run]], set[Pattern]], float], ...] = (
    ("", "collections.Counter of all windows", by_counter, 1.5),
    ("scikit-learn", "CountVectorizer", by_sklearn, 1.0),
    ("seq2pat", "gap 1", by_seq2pat, 1.0),
)


def released(package: str) -> str:
    """Name a package with its version; Python itself for the standard library."""
    if not package:
        return f"Python {platform.python_version()}"
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} (not installed)"


def counting(sizes: Sequence[int], rounds: int) -> list[Row]:
    """Counting beside three peers, with the same patterns; one run a turn, so that all see the same rows."""
    found: list[Row] = []
    times: dict[int, float] = {}
    for size in sizes:
        runs = make_runs(size)
        measured = [timed(partial(ours, runs)) for _ in range(rounds)]
        times[size] = statistics.median(took for took, _ in measured)
        for package, what, peer, bar in PEERS:
            name = f"{released(package)} {what}"
            found.append(
                beside(name, peer, runs, times[size], measured[0][1], bar if size < 1_000_000 else 1.0)
            )
        memory = peak(partial(ours, runs)) / peak(partial(by_counter, runs))
        found.append(
            row(
                f"counting {size:,} calls: peak memory",
                "Counter's peak memory",
                memory,
                0.25 if size >= 1_000_000 else None,
            )
        )
    if len(sizes) > 1:
        growth = times[sizes[-1]] / times[sizes[0]]
        found.append(
            row(f"counting: growth from {sizes[0]:,} to {sizes[-1]:,} calls", "itself", growth, 20.0)
        )
    return found


def beside(
    name: str,
    peer: Callable[..., set[Pattern]],
    runs: Sequence[Run],
    mine_s: float,
    mined: set[Pattern],
    bar: float,
) -> Row:
    calls = sum(len(run.signatures) for run in runs)
    title = f"counting {calls:,} calls: {mine_s:.2f} s"
    try:
        took, patterns = timed(lambda: peer(runs))
    except ImportError:
        return {"name": title, "reference": name, "ratio": None, "bar": bar, "ok": None}
    same = "the same patterns" if patterns == mined else f"{len(patterns ^ mined)} patterns differ"
    one = row(title, f"{name}: {took:.2f} s, {same}", mine_s / took, bar)
    return one | {"ok": one["ok"] and patterns == mined}


# from recorded calls to scored candidates


PATIENCE = 15
"""So many times as long as ours a peer may take; then it is stopped, and the ratio is a bound from above."""


class StoppedError(Exception):
    """A peer took too long."""


def timed_within(seconds: float, run: Callable[[], Any]) -> tuple[float, Any]:
    """Do as `timed`, but stop after so many seconds of the processor; the result is then None."""

    def stop(*_: object) -> None:
        raise StoppedError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return timed(run)
    except StoppedError:
        return seconds, None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        gc.enable()


def mining(calls: int) -> list[Row]:
    """A whole pass beside ``etchplan``'s, from decoded traces on its side and from JSON text on ours."""
    recorded, planted = make_history(calls)
    took, mined = timed(lambda: mine(MemoryHistory(recorded), Settings()))
    wanted = {one.tools for one in planted if len(one.conversations) >= SUPPORT}
    found = {one.tools for one in mined.candidates}
    name = f"log to scored candidates, {calls:,} calls: {took:.2f} s, {len(found & wanted)} of {len(wanted)} planted"
    try:
        theirs, told = etchplan(recorded, PATIENCE * took)
    except ImportError:
        return [
            {
                "name": name,
                "reference": released("etchplan"),
                "ratio": None,
                "bar": 0.2,
                "ok": None,
            }
        ]
    return [
        row(
            name,
            f"{released('etchplan')} mine_patterns(max_gap=0): {theirs:.2f} s, {told}",
            took / theirs,
            0.2,
        )
    ]


def etchplan(recorded: Sequence[Any], patience: float) -> tuple[float, str]:
    """Return the seconds that the peer took, and what it found; it is stopped when its time is up."""
    from datetime import UTC, datetime

    from etchplan_core.schemas.common import EventKind, RedactedPayload, Status
    from etchplan_core.schemas.trace import Event, Outcome, ToolSchema, Trace
    from etchplan_miner.sequence_mining import mine_patterns

    now = datetime.now(UTC)
    traces = []
    for number, run in enumerate(segment(MemoryHistory(recorded).rows())):
        events = [
            Event(
                event_id=f"e{ref}",
                trace_id=f"t{number}",
                event_index=index,
                timestamp=now,
                kind=EventKind.TOOL_CALL,
                name=recorded[ref].tool,
                input=RedactedPayload(redacted=recorded[ref].args),
                output=RedactedPayload(redacted=json.loads(recorded[ref].result)),
                tool=ToolSchema(name=recorded[ref].tool),
            )
            for index, ref in enumerate(run.refs)
        ]
        outcome = Outcome(label="success", score=1.0)
        traces.append(
            Trace(
                trace_id=f"t{number}",
                workflow_hint="all",
                started_at=now,
                ended_at=now,
                status=Status.SUCCESS,
                outcome=outcome,
                events=events,
            )
        )
    took, patterns = timed_within(
        patience, lambda: mine_patterns(traces, min_support=SUPPORT, max_length=LONGEST, max_gap=0)
    )
    return took, "stopped there" if patterns is None else f"{len(patterns)} patterns"


def standing(sizes: Sequence[int], more: int) -> list[Row]:
    """A pass after one more conversation, counts in memory, beside the full pass; the same conversations at each size."""
    history = MemoryHistory(make_history(max(sizes))[0])
    conversations = [list(rows) for _, rows in groupby(history.rows(), key=lambda one: one.conversation)]
    before, last = conversations[:-more], conversations[-more:]
    found: list[Row] = []
    passes: list[float] = []
    child = started()
    for size in sizes:
        part = Part(history, first(before, size))
        full, _ = timed(partial(mine, part, Settings()))
        loading, each = one_more_each(history, part.conversations, last)
        passes.append(statistics.median(each))
        beside = f"start of the child {child:.2f} s, loading the counts {loading:.2f} s"
        name = f"a pass after one more conversation, {size:,} calls: {passes[-1] * 1e3:.1f} ms ({beside})"
        found.append(row(name, f"the full pass: {full:.2f} s", passes[-1] / full, 1 / 20))
    if len(sizes) > 1:
        growth = passes[-1] / passes[0]
        found.append(
            row(f"that pass: growth from {sizes[0]:,} to {sizes[-1]:,} calls", "itself", growth, 2.0)
        )
    return found


def started() -> float:
    """Return the seconds of the processor that a new process takes until it has the miner."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "from kata.miner import Miner"], cwd=ROOT, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Part:
    """The first conversations of a history."""

    def __init__(self, whole: MemoryHistory, conversations: Sequence[Sequence[CallRow]]) -> None:
        self.conversations = conversations
        self.signatures, self.values = whole.signatures, whole.values

    def rows(self) -> Iterable[CallRow]:
        return (one for rows in self.conversations for one in rows)


def first(conversations: Sequence[Sequence[CallRow]], calls: int) -> Sequence[Sequence[CallRow]]:
    """Return the first conversations that hold so many calls."""
    sums = accumulate(map(len, conversations))
    return conversations[: 1 + sum(total < calls for total in sums)]


def one_more_each(
    history: MemoryHistory, before: Sequence[Sequence[CallRow]], last: Sequence[Sequence[CallRow]]
) -> tuple[float, list[float]]:
    """Return the seconds that loading the counts takes, and those of a pass after each of the last conversations."""
    miner = Miner(history, Settings())

    def put(rows: Sequence[CallRow]) -> None:
        miner.replace(rows[0].conversation, rows)

    def put_and_mine(rows: Sequence[CallRow]) -> None:
        put(rows)
        miner.mine()

    loading, _ = timed(lambda: list(map(put, before)))
    miner.mine()
    return loading, [timed(partial(put_and_mine, rows))[0] for rows in last]


def holding_out(rounds: int) -> list[Row]:
    """Leave-one-out over every occurrence, at ten times as many."""
    small, large = occurrences(1_000), occurrences(10_000)
    pairs = [
        (timed(lambda: generalise(small))[0], timed(lambda: generalise(large))[0]) for _ in range(rounds)
    ]
    ratio = statistics.median(more / less for less, more in pairs)
    return [
        row("leave-one-out, 10,000 occurrences", f"itself at 1,000: {pairs[0][0] * 1e3:.0f} ms", ratio, 13.0)
    ]


def occurrences(count: int) -> list[tuple[Call, ...]]:
    return [
        (
            Call(
                "search",
                {"pattern": f"word {number}"},
                {"matches": [{"path": f"src/part_{number}.py", "line": number}], "id": f"r-{number:x}"},
            ),
            Call("terminal", {"command": f"sed -n {number}p src/part_{number}.py"}, {"output": ""}),
            Call(
                "send", {"text": f"see r-{number:x} about word {number}", "to": f"person {number % 50}"}, {}
            ),
        )
        for number in range(17, count + 17)
    ]


def rows(*, smoke: bool = False) -> list[Row]:
    """Measure and return one row a comparison: name, reference, ratio, bar, ok (None where there is no bar)."""
    if smoke:
        return [*counting([10_000], 1), *standing([5_000], 5), *holding_out(1)]
    return [
        *counting([100_000, 1_000_000], 3),
        *mining(100_000),
        *standing([10_000, 100_000], 40),
        *holding_out(3),
    ]


if __name__ == "__main__":
    for one in rows(smoke="--smoke" in sys.argv):
        print(json.dumps(one), flush=True)
