"""Why the service refuses, each with what a person needs to go on."""

from ..errors import HumanNeededError, NotFoundError, RefusedError, UsageError
from .names import BadNameError
from .views import CheckView


class UnknownKataError(NotFoundError):
    """Say that no kata has this number or name, and offer near ones."""

    def __init__(self, asked: str, near: tuple[str, ...] = ()) -> None:
        hint = (
            f"Did you mean {', '.join(near)}?" if near else "See `list` for the numbers and names there are."
        )
        super().__init__(f"there is no kata {asked!r}", hint=hint)
        self.asked, self.near = asked, near


class UnknownPositionError(NotFoundError):
    """Say that the log has no event at a position yet."""

    def __init__(self, position: int, last: int) -> None:
        super().__init__(f"there is no event {position}", hint=f"The last one is {last}.")
        self.position, self.last = position, last


class UnknownRunError(NotFoundError):
    """Say that there is no such run."""

    def __init__(self, asked: str) -> None:
        super().__init__(f"there is no run {asked!r}", hint="See `runs` for those there are.")
        self.asked = asked


class UnknownVersionError(NotFoundError):
    """Say that a kata has no such version."""

    def __init__(self, number: int, version: int, count: int) -> None:
        super().__init__(f"kata {number} has no version {version}", hint=f"It has versions 1 to {count}.")
        self.number, self.version = number, version


class StaleDigestError(RefusedError):
    """Say that the version changed after it was reviewed, and what changed (case B061)."""

    code = "stale_digest"

    def __init__(self, number: int, reviewed: str, current: str, changed: tuple[str, ...]) -> None:
        what = f": {'; '.join(changed)}" if changed else ""
        super().__init__(
            f"kata {number} changed while you were reading{what}", hint=f"Review it again: review {number}"
        )
        self.number, self.reviewed, self.current, self.changed = number, reviewed, current, changed


class UnknownDigestError(StaleDigestError):
    """Say that no version of a kata ever had this digest."""

    def __init__(self, number: int, asked: str, current: str, changed: tuple[str, ...]) -> None:
        super().__init__(number, asked, current, changed)
        self.args = (f"no version of kata {number} has the digest {asked}",)


class NotReviewedError(RefusedError):
    """Say that this version was not the last one shown here, so nobody can have read it."""

    code = "not_reviewed"

    def __init__(self, number: int) -> None:
        super().__init__(
            f"kata {number} was not reviewed here just now", hint=f"Read it first: review {number}"
        )
        self.number = number


class ValidationFailedError(RefusedError):
    """Say which checks a version does not pass; the decision was not made."""

    code = "validation_failed"

    def __init__(self, number: int, checks: tuple[CheckView, ...]) -> None:
        failed = "; ".join(f"{check.name}: {check.detail}" for check in checks)
        super().__init__(
            f"kata {number} does not pass its checks now: {failed}", hint=f"See them all: review {number}"
        )
        self.number, self.checks = number, checks


class ConflictError(RefusedError):
    """Say that somebody else decided first."""

    code = "conflict"

    def __init__(self, number: int, state: str, by: str) -> None:
        super().__init__(
            f"kata {number} was changed just now by {by}: it is {state}", hint=f"Look again: review {number}"
        )
        self.number, self.state, self.by = number, state, by


class NobodyMayError(HumanNeededError):
    """Say that this actor may not decide, and where a person can."""

    def __init__(self, verb: str) -> None:
        super().__init__(
            f"{verb} must come from a person",
            hint="Open /kata in the chat or the Kata tab in the dashboard, or run this in your own terminal.",
        )
        self.verb = verb


class NotAnInputError(RefusedError):
    """Say that an input to rename does not exist, or that the new name is taken."""

    code = "bad_input_name"

    def __init__(self, name: str, inputs: tuple[str, ...], *, taken: bool = False) -> None:
        what = "is taken by another input" if taken else "is no input of it"
        super().__init__(f"{name!r} {what}", hint=f"Its inputs: {', '.join(inputs) or 'none'}.")
        self.name, self.inputs = name, inputs


class BadInputNameError(UsageError):
    """Say that a new name of an input is none that a tool's schema can have."""

    code = "bad_input_name"
    hint = "A name has letters, digits and underscores, no digit first, 64 characters at most."

    def __init__(self, old: str) -> None:
        super().__init__(f"input {old!r} cannot have that name")
        self.name = old


class SecretNameError(UsageError):
    """Say that a name looks like a secret, without repeating it."""

    code = "secret_name"
    hint = "Choose another name: everybody who sees the tool sees its names."

    def __init__(self) -> None:
        super().__init__("a name must not look like a secret")


MISTAKES = (UsageError, NotFoundError, BadNameError, NotAnInputError, UnknownDigestError)
"""What says that the words of a command are wrong, whatever the state of things is."""
