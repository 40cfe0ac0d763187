"""The twelve checks before a proposal is stored, and again at approval, enabling and rollback (no real tool is called)."""

from collections.abc import Callable, Mapping, Sequence

import attrs

from ..json import JsonError, JsonObject, digest
from ..spec import Spec, dump_spec, flat_steps
from ..templating import Call
from . import disclosure, faults, replaying, secrecy, shapes, tools
from .parts import hold_out_each
from .report import Check, Report, Verdict, failed
from .subject import HoldOut, Subject, unmasked_example

CHECKS: tuple[Callable[[Subject], Verdict], ...] = (
    replaying.replay_matches_recorded,
    replaying.holdout_fit,
    replaying.executor_replay,
    faults.failure_handling,
    faults.timeout_handling,
    shapes.input_schema,
    shapes.output_schema,
    secrecy.no_secrets,
    tools.tools_available,
    tools.compilable_tools,
    disclosure.recorded_examples,
    disclosure.side_effects,
)
"""In the order in which they are shown; a check's name is its function's."""

MOST_KNOWN = 256
_known: dict[str, Report] = {}


@attrs.frozen(kw_only=True)
class Validator:
    """Checks versions against their recordings and against the tools that are there now.

    Attributes:
        schemas: The schema of each tool's arguments as it is now; None, or no entry, where the tool is not here.
        hold_out: How the examples are held out one by one.
    """

    schemas: Mapping[str, JsonObject | None]
    hold_out: HoldOut = hold_out_each

    def check(self, spec: Spec, examples: Sequence[Sequence[Call]], *, wanted: int | None = None) -> Report:
        """Run every check that can run; never raises for what stands in a version.

        Args:
            spec: The version.
            examples: Its recordings as they are kept: masked, decoded, one tuple of calls each.
            wanted: How many recordings it was made of, where some have expired or were forgotten (case B042).
        """
        subject = Subject(
            spec=spec,
            examples=tuple(map(unmasked_example, examples)),
            schemas={step.tool: self.schemas.get(step.tool) for step in flat_steps(spec)},
            wanted=len(examples) if wanted is None else wanted,
            hold_out=self.hold_out,
        )
        key = _key(subject)
        if key is None:
            return _report(subject)
        if key not in _known:
            if len(_known) >= MOST_KNOWN:
                _known.clear()
            _known[key] = _report(subject)
        return _known[key]


def _report(subject: Subject) -> Report:
    return Report(tuple(_run(check, subject) for check in CHECKS))


def _key(subject: Subject) -> str | None:
    """Hash all that the checks depend on: they are pure, and the same version is looked at again and again."""
    if subject.hold_out is not hold_out_each:
        return None
    calls = [
        [
            [call.tool, dict(call.args), call.result, call.exit_code, call.truncated, call.group]
            for call in example
        ]
        for example in subject.examples
    ]
    try:
        return digest([dump_spec(subject.spec), calls, dict(subject.schemas), subject.wanted])
    except JsonError:
        return None


def _run(check: Callable[[Subject], Verdict], subject: Subject) -> Check:
    """Run one check; one that breaks on a version has found something wrong with it."""
    try:
        found = check(subject)
    except Exception as error:
        found = failed(f"the check itself broke: {type(error).__name__}: {error}")
    return Check(check.__name__, found.status, found.detail)
