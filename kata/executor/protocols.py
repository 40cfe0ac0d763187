"""What the executor needs of the world: a dispatcher, a guard chain, a recorder and a stop signal (design 8)."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import attrs

from ..json import JsonObject, JsonValue
from ..spec import Spec

ResultT = TypeVar("ResultT")


@attrs.frozen(kw_only=True)
class Caller:
    """Where the compiled tool was called from, as the host's handler keywords say."""

    session_id: str = ""
    task_id: str = ""
    turn_id: str = ""
    user_task: str = ""


@attrs.frozen(kw_only=True)
class RunRequest:
    """One call of a compiled tool; ``renamed`` are the names that the approval gave to inputs (old to new)."""

    kata: str
    number: int
    name: str
    version: int
    digest: str
    spec: Spec
    arguments: JsonObject
    caller: Caller
    renamed: tuple[tuple[str, str], ...] = ()


class Dispatcher(Protocol):
    """What issues a call to the host's tools; one object serves one run."""

    def prepare(self, task_id: str, caller: Caller, tools: tuple[str, ...]) -> None:
        """Put a fresh task into the conversation's directory (only when one of ``tools`` uses the terminal or files).

        Raises:
            KataError: that failed; the run is ``blocked``.
        """
        ...

    def dispatch(self, tool: str, args: JsonObject, task_id: str, caller: Caller) -> Any:
        """Issue the call and return what the host's tool answers (text as a rule)."""
        ...

    def carry(self, function: Callable[..., ResultT]) -> Callable[..., ResultT]:
        """Bind a function to the calling thread's context variables and prompt callbacks, to be called on another."""
        ...

    def waiting_for_person(self) -> bool:
        """Tell whether Hermes is waiting for a person's answer just now (the clocks stand still)."""
        ...

    def stopped(self) -> bool:
        """Tell whether the user asked the agent to stop."""
        ...

    def close(self) -> None:
        """Drop what the run left with the host; called once, at its end, whatever it was."""
        ...


@attrs.frozen(kw_only=True)
class Verdict:
    """What the host's guard chain says of one rendered call.

    ``kind``: ``allow``, ``block`` (a veto), ``denied`` (a person refused or did not answer), ``unattended`` (nobody could be
    asked), ``modify`` (somebody wants other arguments) or ``unavailable`` (the chain could not be asked).
    """

    kind: str
    message: str = ""


class Guard(Protocol):
    """The host's own policy, asked before every step (design 8)."""

    def ask(self, tool: str, args: JsonObject, task_id: str, caller: Caller) -> Verdict:
        """Return what the chain of other plugins and the host say of this call."""
        ...


class Recorder(Protocol):
    """Where run events go."""

    def record(self, payload: Any, *, synced: bool = False) -> None:
        """Take one run event, to be appended now or by the next `flush`, in order.

        ``synced`` means that it, and all before it, is on the disk before this returns. Called from the run's thread, and
        from a worker thread for a late answer.

        Raises:
            KataError: it could not be written (a step with effects must then not be issued).
        """
        ...

    def flush(self) -> None:
        """Append what was taken and waits; called from the run's thread and from the one that watches it.

        Raises:
            KataError: it could not be written; it is lost.
        """
        ...


class Kept(Protocol):
    """What may be written of a value: masked and cut."""

    @property
    def value(self) -> JsonValue:
        """The value as it may be stored."""
        ...


class Keeper(Protocol):
    """What masks values before they are stored (`kata.redact.Keeper`)."""

    def keep(self, value: JsonValue) -> Kept:
        """Mask and cut a value."""
        ...

    def fingerprint(self, text: str) -> str:
        """Return a keyed fingerprint: equal texts, equal fingerprints, and nothing else to learn."""
        ...


class StepTrace(NamedTuple):
    """One line of a run's trace."""

    step: int
    tool: str
    effect: str
    outcome: str
    reason: str
    duration_ms: int
    element: int | None = None


@attrs.frozen(kw_only=True)
class RunResult:
    """How a run ended, and the text that the agent gets."""

    run_id: str
    outcome: str
    code: str
    reason: str
    failed_step: int | None
    answer: str
    trace: tuple[StepTrace, ...]
    output: JsonValue = None
