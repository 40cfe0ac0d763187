"""What the checks say."""

from enum import StrEnum

import attrs

NONE_LEFT = "no example is left"
"""What a check says that has nothing to compare with."""


class Status(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    WARNING = "warning"
    FAILED = "failed"
    NOT_RUN = "not_run"


@attrs.frozen
class Check:
    """One check: its name, how it ended, and why in one English sentence."""

    name: str
    status: Status
    detail: str = ""


@attrs.frozen
class Verdict:
    """What a check function says; the validator adds its name."""

    status: Status
    detail: str = ""


def passed(detail: str = "") -> Verdict:
    """Say that all is well."""
    return Verdict(Status.PASSED, detail)


def warning(detail: str) -> Verdict:
    """Say that a person should look at something before deciding."""
    return Verdict(Status.WARNING, detail)


def failed(detail: str) -> Verdict:
    """Say that the version must not be proposed, approved, enabled or rolled back to."""
    return Verdict(Status.FAILED, detail)


def not_run(detail: str) -> Verdict:
    """Say that there is nothing to check with."""
    return Verdict(Status.NOT_RUN, detail)


@attrs.frozen
class Report:
    """All checks in their fixed order."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Tell whether no check failed."""
        return not self.failing

    @property
    def failing(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.status is Status.FAILED)

    @property
    def ran(self) -> int:
        """How many checks could run."""
        return sum(check.status is not Status.NOT_RUN for check in self.checks)

    @property
    def summary(self) -> str:
        """How many checks ran, and how they ended, in one line."""
        counts = [(self._count(one), one.value) for one in (Status.PASSED, Status.WARNING, Status.FAILED)]
        ended = ", ".join(f"{count} {word}" for count, word in counts if count)
        left_out = "" if self.ran == len(self.checks) else f" ({self.ran} of {len(self.checks)} checks run)"
        return f"{ended}{left_out}"

    def _count(self, status: Status) -> int:
        return sum(check.status is status for check in self.checks)
