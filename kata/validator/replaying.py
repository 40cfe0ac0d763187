"""Checks that compare a version with its recordings, by rendering and by running the executor on a stage."""

from collections.abc import Iterator, Sequence

from ..json import JsonObject, JsonValue, Path, canonical, same, show_path
from ..spec import Const, Expression, Loop, Record, Spec, dump_spec, flat_steps
from .fresh import Fresh, keep_states
from .parts import Example
from .rehearsal import Rehearsal, rehearse
from .report import NONE_LEFT, Verdict, failed, not_run, passed, warning
from .subject import Subject

MIN_FIT = 0.9
MOST_FRESH = 4
"""Examples that are rehearsed with fresh values."""

INCONCLUSIVE = frozenset(
    {"effect_exceeded", "refused_value", "masked_value", "precondition", "bad_arguments"}
)
"""Ends of a rehearsal with fresh values that only say that such values are not possible there."""


def replay_matches_recorded(subject: Subject) -> Verdict:
    """Check that inputs recovered from each example re-render its exact arguments."""
    if not subject.examples:
        return not_run(NONE_LEFT)
    missed = [number for number, inputs in enumerate(subject.inputs, 1) if inputs is None]
    if missed:
        numbers = ", ".join(map(str, missed))
        return failed(f"example {numbers} of {len(subject.examples)} is not what the version would do")
    return passed(f"{len(subject.examples)} of {len(subject.examples)} examples are re-rendered exactly")


def holdout_fit(subject: Subject) -> Verdict:
    """Check that the template generalises to examples that it was not made of.

    Where some were forgotten, those that are left may be too few for that: a version that passed once is not refused then.
    """
    if not subject.examples:
        return not_run(NONE_LEFT)
    fit = subject.hold_out(subject.spec, subject.examples)
    if fit is None:
        return not_run("the examples cannot be held out one by one")
    detail = f"{fit:.0%} of the held-out examples are reproduced"
    if fit >= MIN_FIT:
        return passed(detail)
    kept = len(subject.examples)
    if kept < subject.wanted:
        return warning(
            "the recordings that it was checked against were forgotten: "
            f"{kept} of {subject.wanted} are left, too few to tell"
        )
    return failed(f"{detail}, {MIN_FIT:.0%} are needed")


def executor_replay(subject: Subject) -> Verdict:
    """Check that the executor issues the recorded calls in order, and that fresh values go where recorded ones went."""
    if not subject.examples:
        return not_run(NONE_LEFT)
    if not subject.matched:
        return failed("no example could be replayed")
    for inputs, example in subject.matched:
        fault = _differs(
            rehearse(subject.spec, inputs, [call.result for call in example]), subject.spec, example
        )
        if fault is not None:
            return failed(fault)
    return _with_fresh_values(subject)


def _differs(made: Rehearsal, spec: Spec, example: Example) -> str | None:
    """Say how the rehearsed calls differ from the recorded ones, if they do."""
    if made.result.outcome != "succeeded":
        return f"replaying a recording ended {made.result.outcome}: {made.result.reason}"
    if not _same_calls(made.calls, list(recorded_calls(spec, example))):
        return "the calls that were issued are not those that were recorded"
    return None


def recorded_calls(spec: Spec, example: Example) -> Iterator[tuple[str, JsonObject]]:
    """Yield the recorded calls as the version issues them: without the arguments that it leaves out."""
    ignored: dict[str, set[str]] = {}
    for step in flat_steps(spec):
        ignored.setdefault(step.tool, set()).update(step.ignores)
    for call in example:
        left_out = ignored.get(call.tool, set())
        yield call.tool, {key: value for key, value in call.args.items() if key not in left_out}


def _with_fresh_values(subject: Subject) -> Verdict:
    notes: list[str] = []
    for number, (inputs, example) in enumerate(subject.matched[:MOST_FRESH]):
        trial = Trial(subject, inputs, example, Fresh(f"{number}"))
        fault = trial.fault()
        if fault is not None:
            return failed(fault)
        notes += trial.notes
    notes += constants_that_equal_results(subject)
    if notes:
        return warning("; ".join(dict.fromkeys(notes)))
    return passed("the recorded calls are issued in order, and fresh values follow")


class Trial:
    """One example rehearsed with fresh inputs and mutated results."""

    def __init__(self, subject: Subject, inputs: JsonObject, example: Example, fresh: Fresh) -> None:
        self._spec, self._inputs, self._example = subject.spec, inputs, example
        self._trained = {text for one, _ in subject.matched for text in one.values() if _says_something(text)}
        self._results = [call.result for call in example]
        self._recorded = rehearse(subject.spec, inputs, self._results)
        self._fresh = fresh
        self.notes: list[str] = []

    def fault(self) -> str | None:
        """Say what does not follow, if anything; what could not be tried is a note."""
        new_inputs = {
            one.name: self._fresh.input(one.schema, self._inputs[one.name])
            for one in self._spec.inputs
            if one.name in self._inputs
        }
        made = rehearse(self._spec, new_inputs, self._fresh_results())
        if made.result.code in INCONCLUSIVE:
            self.notes.append(f"fresh values could not be tried: {made.result.reason}")
            return None
        if made.result.outcome != "succeeded":
            return f"with fresh values the run ended {made.result.outcome}: {made.result.reason}"
        unused = [name for name, value in new_inputs.items() if not self._reaches_a_call(name, value)]
        if unused:
            return f"input {', '.join(unused)} does not reach any call"
        return self._leaked(made)

    def _fresh_results(self) -> list[JsonValue]:
        steps = [one.step for one in self._recorded.result.trace if one.outcome == "succeeded"]
        return [
            keep_states(self._spec, step, old, self._fresh.result(old))
            for step, old in zip(steps, self._results, strict=True)
        ]

    def _reaches_a_call(self, name: str, value: JsonValue) -> bool:
        """Tell whether another value of one input changes any call; one that has no other value cannot be tried."""
        if same(self._inputs[name], value):
            return True
        made = rehearse(self._spec, {**self._inputs, name: value}, self._results)
        return made.result.code in INCONCLUSIVE or not _same_calls(made.calls, self._recorded.calls)

    def _leaked(self, made: Rehearsal) -> str | None:
        """Name a recorded input value that a fresh run still issued, although no constant holds it (case B034)."""
        constants = canonical(dump_spec(self._spec))
        for tool, args in made.calls:
            text = canonical(dict(args))
            for value in sorted(self._trained):
                inside = canonical(value)[1:-1]
                if inside in text and inside not in constants:
                    return f"a call of {tool} still holds the recorded value {value!r}"
        return None


def _same_calls(left: Sequence[tuple[str, JsonObject]], right: Sequence[tuple[str, JsonObject]]) -> bool:
    return len(left) == len(right) and all(
        one[0] == other[0] and same(dict(one[1]), dict(other[1]))
        for one, other in zip(left, right, strict=True)
    )


def constants_that_equal_results(subject: Subject) -> Iterator[str]:
    """Yield a note for each constant that an earlier result also gave in every recording (case B035)."""
    if any(isinstance(step, Loop) for step in subject.spec.steps):
        return
    examples = [example for _, example in subject.matched]
    for at, step in enumerate(flat_steps(subject.spec)):
        for path, value in _constant_leaves(step.args):
            source = _common_source(value, examples, at)
            if source is not None:
                where, place = source
                yield (
                    f"step {at + 1}.{show_path(path)} is always {value!r}, which step {where} · {show_path(place)} "
                    "gave in every recording: it will not follow"
                )


def _common_source(value: JsonValue, examples: Sequence[Example], at: int) -> tuple[int, Path] | None:
    if not _says_something(value):
        return None
    for earlier in range(at):
        places = [{path for path, _ in example[earlier].places(value)} for example in examples]
        common = sorted(set.intersection(*places), key=lambda path: (len(path), str(path)))
        if common:
            return earlier + 1, common[0]
    return None


def _says_something(value: JsonValue) -> bool:
    return isinstance(value, str) and len(value) >= 3 and any(map(str.isalnum, value))


def _constant_leaves(one: Expression, path: Path = ()) -> Iterator[tuple[Path, JsonValue]]:
    if isinstance(one, Const):
        yield path, one.value
    elif isinstance(one, Record):
        for key, value in one.fields:
            yield from _constant_leaves(value, (*path, key))
