"""What is there and what is found: recorded calls with known routines, planted ones, and gold references.

The recorded sets lie outside the project, in the folder that ``KATA_BENCH_DATA`` names (else ``shared/data`` beside the
checkout); what is not there is said to be absent. ComplexFuncBench comes with the package ``nestful-wrapper`` 0.1.7.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kata.miner import Found, Mined, Settings, mine
from kata.miner.memory import MemoryHistory, Recorded
from kata.spec import Const, Input, Loop, Ref, flat_steps
from kata.templating import Call, generalise, show
from kata.templating.arguments import walk_expression

DATA = Path(os.environ.get("KATA_BENCH_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = {"tau_retail_gpt": "tau_retail_gpt", "tau_airline_gpt4o": "tau_airline_gpt4o", "bfcl": "bfcl"}
Row = dict[str, Any]


def row(name: str, reference: str, ratio: float, bar: float) -> Row:
    return {"name": name, "reference": reference, "ratio": round(ratio, 4), "bar": bar, "ok": ratio >= bar}


def absent(name: str, what: str) -> Row:
    return {"name": name, "reference": f"{what} is not here", "ratio": None, "bar": None, "ok": None}


def load(path: Path) -> MemoryHistory:
    text = path.read_bytes()
    lines = (gzip.decompress(text) if path.suffix == ".gz" else text).decode("utf-8").splitlines()
    return MemoryHistory(map(recorded, map(json.loads, lines)))


def recorded(one: Row) -> Recorded:
    at = one["ts"] if isinstance(one["ts"], int | float) else None
    return Recorded(
        conversation=one["session_id"],
        turn=str(one["turn"]),
        tool=one["tool"],
        args=one["args"],
        result=one["result"],
        ok=one["ok"],
        breaks=one["tool"] == "clarify",
        at=at,
    )


def recorded_sets() -> Iterator[Row]:
    """Sequences that must be found, and traps that must not."""
    if not (DATA / "gold.json").is_file():
        yield absent("recorded sets", DATA.name)
        return
    gold = json.loads((DATA / "gold.json").read_text())
    for name, file in SETS.items():
        mined = mine(load(DATA / f"{file}.jsonl.gz"), Settings())
        expected, traps = gold[name]["expected"], gold[name]["trap"]
        found = sum(any(holds(one, wanted) for one in mined.candidates) for wanted in expected)
        yield row(
            f"{name}: expected sequences among the candidates",
            f"gold, {len(expected)}",
            found / len(expected),
            1.0,
        )
        passed = [trap for trap in traps if any(list(one.tools) == trap for one in mined.candidates)]
        yield row(
            f"{name}: traps kept out", f"gold, {len(traps)}", 1.0 - len(passed) / max(1, len(traps)), 1.0
        )


def holds(found: Found, wanted: Sequence[str]) -> bool:
    size = len(wanted)
    return any(list(found.tools[at : at + size]) == list(wanted) for at in range(len(found.tools) - size + 1))


def planted(sizes: Sequence[int], seeds: Sequence[int]) -> Iterator[Row]:
    """Planted routines: all found, nothing else, and every argument wired as it was planted."""
    maker = DATA / "planted.py"
    if not maker.is_file():
        yield absent("planted routines", maker.name)
        return
    for size in sizes:
        for seed in seeds:
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(
                    [sys.executable, maker, str(size), "--seed", str(seed), "--out", folder],
                    check=True,
                    capture_output=True,
                )
                mined = mine(load(Path(folder) / f"planted_{size}_{seed}.jsonl"), Settings())
                truth = json.loads((Path(folder) / f"planted_{size}_{seed}.truth.json").read_text())
            yield from judged(f"planted, {size:,} calls, seed {seed}", mined, truth["routines"])


def judged(name: str, mined: Mined, routines: Sequence[Row]) -> Iterator[Row]:
    wanted = {tuple(one["tools"]): one for one in routines if one["support"] >= Settings().min_support}
    known = {tuple(one["tools"]) for one in routines}
    found = {one.tools: one for one in mined.candidates if one.tools in wanted}
    right = [wired(found[tools], one) for tools, one in wanted.items() if tools in found]
    yield row(f"{name}: recall", f"{len(wanted)} planted", len(found) / len(wanted), 1.0)
    yield row(
        f"{name}: precision",
        f"{len(mined.candidates)} candidates",
        sum(one.tools in known for one in mined.candidates) / max(1, len(mined.candidates)),
        0.9,
    )
    leaves = [leaf for one in right for leaf in one]
    yield row(
        f"{name}: arguments wired as planted",
        f"{len(leaves)} arguments",
        sum(leaves) / max(1, len(leaves)),
        1.0,
    )


def wired(found: Found, truth: Row) -> list[bool]:
    """Compare each argument's template with what was planted: the same references and as many inputs."""
    assert found.spec is not None
    pairs = zip(flat_steps(found.spec), truth["exprs"], strict=True)
    return [same_wiring(made, planted[key]) for step, planted in pairs for key, made in step.args.fields]


def same_wiring(made: Any, planted: Any) -> bool:
    parts = list(walk_expression(made))
    references = [(part.step - 1, list(part.path)) for part in parts if isinstance(part, Ref)]
    inputs = sum(isinstance(part, Input) for part in parts)
    wanted_references, wanted_inputs = wiring(planted)
    if planted[0] == "transform" and isinstance(made, Const):
        return True  # the folder of every recorded value was the same
    return references == wanted_references and inputs == wanted_inputs


def wiring(planted: Any) -> tuple[list[tuple[int, list[Any]]], int]:
    match planted:
        case ["concat", parts]:
            inner = [wiring(part) for part in parts]
            return [one for references, _ in inner for one in references], sum(count for _, count in inner)
        case ["ref", step, path] | ["transform", _, step, path]:
            return [(step, path)], 0
        case ["input", _]:
            return [], 1
        case _:
            return [], 0


# ComplexFuncBench

_REFERENCE = re.compile(r"\$(var\d+)\.?(.*)\$")
Slot = tuple[int, str]


def references() -> Iterator[Row]:
    """Gold references from an argument to a field of an earlier result, in groups of three traces of one shape or more."""
    name = "ComplexFuncBench: gold slots right, or shown as ambiguous with the right one among them"
    package = find_spec("nestful")
    if package is None or package.origin is None:
        yield absent(name, "nestful-wrapper 0.1.7")
        return
    file = Path(package.origin).parents[1] / "data_v1" / "complexfuncbench" / "complexfuncbench-data.json"
    outcomes = [one for traces in groups(json.loads(file.read_text())) for one in slots(traces)]
    fine = outcomes.count("right") + outcomes.count("ambiguous")
    wrong = outcomes.count("wrong")
    yield row(
        f"{name} ({outcomes.count('right')} + {outcomes.count('ambiguous')})",
        f"{len(outcomes)} slots",
        fine / len(outcomes),
        0.95,
    )
    yield row(
        "ComplexFuncBench: slots not wrong and unflagged",
        f"{len(outcomes)} slots",
        1 - wrong / len(outcomes),
        1.0,
    )


Trace = tuple[list[Call], dict[Slot, tuple[int, tuple[str, ...]]]]


def groups(tasks: Sequence[Row]) -> list[list[Trace]]:
    by_shape: dict[Any, list[Trace]] = defaultdict(list)
    for task in tasks:
        shape = tuple((call["name"], tuple(sorted(call["arguments"]))) for call in task["output"])
        by_shape[shape].append(trace(task["output"]))
    return [traces for traces in by_shape.values() if len(traces) >= 3]


def trace(output: Sequence[Row]) -> Trace:
    answers = {call["label"]: call["response"] for call in output}
    numbers = {call["label"]: number for number, call in enumerate(output, 1)}
    calls, gold = [], {}
    for number, call in enumerate(output, 1):
        args = {}
        for key, value in call["arguments"].items():
            found = _REFERENCE.fullmatch(value) if isinstance(value, str) else None
            args[key] = value if found is None else resolved(answers[found[1]], found[2].split("."))
            if found is not None:
                gold[number, key] = (numbers[found[1]], tuple(found[2].split(".")))
        calls.append(Call(call["name"], args, call["response"], str(number)))
    return calls, gold


def resolved(value: Any, path: Sequence[str]) -> Any:
    """Follow a gold path; it says nothing of list indexes, which are the first."""
    for part in path:
        while isinstance(value, list):
            value = value[0]
        value = value[part]
    return value


def slots(traces: Sequence[Trace]) -> Iterator[str]:
    """Judge the slots whose gold reference is the same in all traces of a group."""
    template = generalise([calls for calls, _ in traces])
    for (number, key), gold in traces[0][1].items():
        if all(other.get((number, key)) == gold for _, other in traces):
            leaf = next(one for one in template.steps[number - 1].leaves if one.path == (key,))
            chosen = named(leaf.expression)
            others = [named(source) for source in leaf.ambiguous]
            yield (
                "right"
                if chosen == gold
                else "ambiguous"
                if gold in others
                else "input"
                if leaf.became == "input"
                else "wrong"
            )


def named(source: Any) -> tuple[int, tuple[str, ...]] | None:
    if not isinstance(source, Ref) or source.transform:
        return None
    return source.step, tuple(part for part in source.path if isinstance(part, str))


def rows(*, smoke: bool = False) -> list[Row]:
    """Return one row a comparison: ratio is the share found, bar the least share."""
    if smoke:
        return []
    return [*recorded_sets(), *planted([10_000, 100_000], [1, 2, 3]), *references()]


def table(mined: Mined) -> Iterator[str]:
    """Write the candidates of a pass for a look by eye."""
    for one in mined.candidates:
        yield f"{one.name}  {one.support} conversations, confidence {one.confidence:.3f}"
        for number, step in enumerate(one.spec.steps if one.spec else (), 1):
            loop = isinstance(step, Loop)
            yield f"  {number}. " + (
                f"for each of {show(step.over)}" if loop else f"{step.tool} {show(step.args)}"
            )


if __name__ == "__main__":
    for text in (
        table(mine(load(Path(sys.argv[1])), Settings())) if len(sys.argv) > 1 else map(json.dumps, rows())
    ):
        print(text, flush=True)
