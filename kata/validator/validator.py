"""The twelve checks before a proposal is stored, and again at approval, enabling and rollback (no real tool is called)."""

from collections.abc import Callable, Mapping, Sequence

import attrs

from ..json import JsonObject
from ..spec import Spec
from ..templating import Call
from . import contents, faults, replaying, shapes
from .report import Check, Report, Verdict, failed
from .subject import HoldOut, Subject, straight_hold_out, unmasked_example

CHECKS: tuple[Callable[[Subject], Verdict], ...] = (
    replaying.replay_matches_recorded,
    replaying.holdout_fit,
    replaying.executor_replay,
    faults.failure_handling,
    faults.timeout_handling,
    shapes.input_schema,
    shapes.output_schema,
    contents.no_secrets,
    contents.tools_available,
    contents.compilable_tools,
    contents.recorded_examples,
    contents.side_effects,
)
"""In the order in which they are shown; a check's name is its function's."""


@attrs.frozen(kw_only=True)
class Validator:
    """Checks versions against their recordings and against the tools that are there now.

    Attributes:
        schemas: The schema of each tool's arguments as it is now; None, or no entry, where the tool is not here.
        hold_out: How an example is held out; for straight routines it is built in.
    """

    schemas: Mapping[str, JsonObject | None]
    hold_out: HoldOut = straight_hold_out

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
            schemas=self.schemas,
            wanted=len(examples) if wanted is None else wanted,
            hold_out=self.hold_out,
        )
        return Report(tuple(_run(check, subject) for check in CHECKS))


def _run(check: Callable[[Subject], Verdict], subject: Subject) -> Check:
    """Run one check; one that breaks on a version has found something wrong with it."""
    try:
        found = check(subject)
    except Exception as error:
        found = failed(f"the check itself broke: {type(error).__name__}: {error}")
    return Check(check.__name__, found.status, found.detail)
