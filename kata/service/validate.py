"""The validator, fed from the log: evidence, tool schemas, thresholds (design 4, seed "Validation")."""

from collections.abc import Callable, Sequence

import attrs

from ..errors import KataError
from ..events import catalogue as told
from ..json import JsonObject
from ..machines import Kata, Version
from ..schemas import schema_digest
from ..spec import Loop, Spec, Step, ToolDigest, flat_steps, load_spec
from ..templating import Call, show
from ..validator import Validator, learn_output
from .errors import ValidationFailedError
from .ports import World
from .views import CheckView


@attrs.frozen(kw_only=True)
class Described:
    """A tool's newest schema as the log has it."""

    schema: JsonObject
    digest: str


OF_THE_PAST = frozenset({"replay_matches_recorded", "holdout_fit", "executor_replay"})
"""Checks that compare with the recorded calls: a mechanical revision changes just those on purpose (design 4)."""


class Checks:
    """Runs the twelve checks, on what is known now."""

    def __init__(
        self, world: World, described: Callable[[str], Described | None], names: Callable[[], tuple[str, ...]]
    ) -> None:
        self._world, self._described, self._names = world, described, names

    def report(self, kata: Kata, version: Version) -> tuple[CheckView, ...]:
        """Run every check on one version of a kata."""
        checks = self._run(load_spec(version.spec), self.examples(kata, version), len(version.evidence))
        return checks if version.cause != "schema" else tuple(map(since_changed, checks))

    def failing(self, kata: Kata, version: Version) -> tuple[CheckView, ...]:
        """Return the checks that a version fails."""
        return tuple(check for check in self.report(kata, version) if check.status == "failed")

    def failing_spec(
        self, spec: Spec, examples: Sequence[told.EvidenceKept], *, wanted: int | None = None
    ) -> tuple[CheckView, ...]:
        """Return the checks that a template fails before it becomes a version; some of the ``wanted`` examples may be gone."""
        checks = self._run(spec, examples, len(examples) if wanted is None else wanted)
        return tuple(check for check in checks if check.status == "failed")

    def failing_revision(self, spec: Spec, examples: Sequence[told.EvidenceKept]) -> tuple[CheckView, ...]:
        """Return the checks that a mechanical revision fails; what its recordings cannot say any more is left out."""
        return tuple(
            one
            for one in map(since_changed, self._run(spec, examples, len(examples)))
            if one.status == "failed"
        )

    def refusal(self, kata: Kata, failed: tuple[CheckView, ...]) -> KataError | None:
        """Return the error that names the failed checks, or None where none failed."""
        return ValidationFailedError(kata.number, failed) if failed else None

    def examples(self, kata: Kata, version: Version) -> tuple[told.EvidenceKept, ...]:
        """Load the examples that a version rests on and that were not forgotten."""
        wanted = set(version.evidence)
        kept = (event.payload for event in self._world.log.read_stream(kata.stream))
        return tuple(one for one in kept if isinstance(one, told.EvidenceKept) and one.evidence_id in wanted)

    def has_tool(self, tool: str) -> bool:
        """Tell whether the tool was seen by a live Hermes of this profile, or is here now."""
        return self._described(tool) is not None or self._world.tools.schema(tool) is not None

    def tool_names(self) -> tuple[str, ...]:
        """Return the names of every tool known, here and in the log."""
        return tuple(sorted({*self._names(), *self._world.tools.names()}))

    def sealed(self, spec: Spec, examples: Sequence[told.EvidenceKept] = ()) -> Spec:
        """Return the template bound to the schemas that its tools have now, its output learned from the examples."""
        tools = dict.fromkeys(step.tool for step in flat_steps(spec))
        output = spec.output or (learn_output(spec, list(map(calls_of, examples))) if examples else {})
        digests = tuple(ToolDigest(tool, self._digest(tool)) for tool in tools)
        return attrs.evolve(spec, tools=digests, output=output)

    def schema(self, tool: str) -> JsonObject | None:
        """Return a tool's newest schema: the log's, else this process's."""
        known = self._described(tool)
        return known.schema if known is not None else self._world.tools.schema(tool)

    def changes(self, before: Spec, after: Spec) -> tuple[str, ...]:
        """Say what differs between two versions, line by line."""
        old, new = _lines(before), _lines(after)
        gone = [f"- {line}" for line in old if line not in new]
        come = [f"+ {line}" for line in new if line not in old]
        return tuple(gone + come)

    def _digest(self, tool: str) -> str:
        schema = self.schema(tool)
        return "" if schema is None else schema_digest(dict(schema))

    def _run(self, spec: Spec, examples: Sequence[told.EvidenceKept], wanted: int) -> tuple[CheckView, ...]:
        schemas = {step.tool: self.schema(step.tool) for step in flat_steps(spec)}
        report = Validator(schemas=schemas).check(spec, list(map(calls_of, examples)), wanted=wanted)
        return tuple(
            CheckView(name=one.name, status=str(one.status), detail=one.detail) for one in report.checks
        )


def calls_of(example: told.EvidenceKept) -> tuple[Call, ...]:
    """Return an example's calls as the templates read them."""
    return tuple(Call(tool=one.tool, args=one.args, result=one.result) for one in example.calls)


def since_changed(check: CheckView) -> CheckView:
    """Turn what a revised version cannot share with its recordings into a warning: it differs from them on purpose."""
    if check.status != "failed" or check.name not in OF_THE_PAST:
        return check
    detail = f"{check.detail}: it differs from its recordings since a tool's schema changed"
    return CheckView(name=check.name, status="warning", detail=detail)


def _lines(spec: Spec) -> list[str]:
    """Write a version as lines: one for each argument of each step."""
    lines: list[str] = []
    for number, step in enumerate(spec.steps, 1):
        lines += _loop_lines(number, step) if isinstance(step, Loop) else _step_lines(f"step {number}", step)
    return lines


def _loop_lines(number: int, loop: Loop) -> list[str]:
    head = f"step {number} for each of {show(loop.over)}, at most {loop.limit}"
    return [head, *(line for inner in loop.body for line in _step_lines(f"step {number} body", inner))]


def _step_lines(place: str, step: Step) -> list[str]:
    return [f"{place} {step.tool} {key} {show(value)}" for key, value in step.args.fields] or [
        f"{place} {step.tool}"
    ]
