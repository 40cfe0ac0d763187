"""What Kata adds to a step: a compiled run of 8 read steps, time-outs on and trace written, beside a LangGraph of 8 nodes."""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypedDict

from kata.clock import SystemClock, SystemIds
from kata.executor import Caller, Executor, RunRequest, Verdict, Workers
from kata.redact import Keeper
from kata.runtime.journal import RunRecorder
from kata.spec import Input, InputField, Record, Ref, Spec, Step, digest_of
from kata.store.spool import Spool

STEPS = 8
RESULT = '{"id": "a-1", "path": "src/a.py", "lines": [1, 2, 3]}'
BAR = 0.5
BLOCK = 25


class Tools:
    """Eight trivial tools that answer at once."""

    def prepare(self, *_):
        pass

    def dispatch(self, *_):
        return RESULT

    def carry(self, function):
        return function

    def waiting_for_person(self):
        return False

    def stopped(self):
        return False

    def close(self):
        pass


class Allows:
    """A guard chain without a policy."""

    verdict = Verdict(kind="allow")

    def ask(self, *_):
        return self.verdict


class Nothing:
    """A recorder and keeper that keep nothing: what is left is the executor's own time."""

    class Kept:
        value = None

    def record(self, *_, **__):
        pass

    def flush(self):
        pass

    def keep(self, _):
        return self.Kept

    def fingerprint(self, _):
        return ""


def spec() -> Spec:
    """Eight reads, each fed by the one before it."""
    first = Step(tool="read_file", args=Record((("path", Input("path")),)), effect="read")
    rest = (
        Step(tool="read_file", args=Record((("path", Ref(number, ("path",))),)), effect="read")
        for number in range(1, STEPS)
    )
    return Spec(steps=(first, *rest), inputs=(InputField(name="path", schema={"type": "string"}),))


def kata_run(recorder: Any, keeper: Any) -> Callable[[], object]:
    """Return one compiled run of all steps."""
    version = spec()
    request = RunRequest(
        kata="k", number=1, name="k", version=1, digest=digest_of(version), spec=version,
        arguments={"path": "a"}, caller=Caller(session_id="s"),
    )  # fmt: skip
    executor = Executor(Tools(), Allows(), recorder, keeper, SystemClock(), SystemIds(), workers=Workers())
    return lambda: executor.run(request)


def thread_hops() -> Callable[[], object]:
    """Return as many calls on a reused thread of the standard library, each with a time-out and its answer decoded."""
    pool, tools = ThreadPoolExecutor(1), Tools()

    def run() -> None:
        for _ in range(STEPS):
            json.loads(pool.submit(tools.dispatch).result(timeout=60))

    return run


def langgraph_run() -> Callable[[], object] | None:
    """Return a run of a graph of as many nodes that do nothing; None where LangGraph is not installed."""
    try:
        from langgraph.graph import END, START, StateGraph
    except ImportError:
        return None

    class State(TypedDict):
        path: str

    graph = StateGraph(State)
    for number in range(STEPS):
        graph.add_node(f"n{number}", lambda state: {"path": state["path"]})
        graph.add_edge(START if number == 0 else f"n{number - 1}", f"n{number}")
    graph.add_edge(f"n{STEPS - 1}", END)
    compiled = graph.compile()
    return lambda: compiled.invoke({"path": "a"})


def per_step_us(runs: list[Callable[[], object]], rounds: int) -> list[float]:
    """Return the median microseconds a step of each run; they take turns, so that a busy machine slows all of them."""
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(rounds // BLOCK):
        for run, own in zip(runs, times, strict=True):
            run()
            for _ in range(BLOCK):
                started = time.perf_counter()
                run()
                own.append(time.perf_counter() - started)
    return [statistics.median(own) / STEPS * 1e6 for own in times]


def rows(*, smoke: bool = False) -> list[dict[str, Any]]:
    """Measure and return one row a comparison: name, reference, ratio, bar, ok (None where there is no bar)."""
    graph = None if smoke else langgraph_run()
    with tempfile.TemporaryDirectory() as folder:
        spool = Spool(Path(folder))
        trace = RunRecorder(spool, SystemClock(), SystemIds(), "turn")
        runs = [thread_hops(), kata_run(Nothing(), Nothing()), kata_run(trace, Keeper(b"k" * 32))]
        hop, bare, traced, *other = per_step_us([*runs, *([graph] if graph else [])], 50 if smoke else 400)
        spool.close()
    return [
        _row(
            f"a step without trace: {bare:.0f} us", f"a call on a thread pool: {hop:.0f} us", bare / hop, None
        ),
        _row(
            f"a step with time-outs and trace: {traced:.0f} us",
            f"a node of a StateGraph, LangGraph {version('langgraph')}: {other[0]:.0f} us"
            if other
            else "LangGraph (not measured)",
            traced / other[0] if other else None,
            BAR,
        ),
    ]


def _row(name: str, reference: str, ratio: float | None, bar: float | None) -> dict[str, Any]:
    ok = None if ratio is None or bar is None else ratio <= bar
    rounded = None if ratio is None else round(ratio, 2)
    return {"name": name, "reference": reference, "ratio": rounded, "bar": bar, "ok": ok}


if __name__ == "__main__":
    for one in rows(smoke="--smoke" in sys.argv):
        print(one)
