"""What the executor needs of the world: a dispatcher, a guard chain, a recorder and a stop signal (design 8)."""

from typing import Any, Protocol

import attrs

from ..json import JsonObject, JsonValue
from ..spec import Spec


@attrs.frozen(kw_only=True)
class Caller:
    """Where the compiled tool was called from, as the host's handler keywords say."""

    session_id: str = ""
    task_id: str = ""
    turn_id: str = ""
    user_task: str = ""


@attrs.frozen(kw_only=True)
class RunRequest:
    """One call of a compiled tool."""

    kata: str
    number: int
    name: str
    version: int
    digest: str
    spec: Spec
    arguments: JsonObject
    caller: Caller


class Dispatcher(Protocol):
    """What issues a call to the host's tools; one object serves one run."""

    def prepare(self, task_id: str, caller: Caller, tools: tuple[str, ...]) -> None:
        """Put a fresh task into the conversation's directory (only when a step uses the terminal or files).

        Raises:
            KataError: that failed; the run is ``blocked``.
        """
        ...

    def dispatch(self, tool: str, args: JsonObject, task_id: str, caller: Caller) -> Any:
        """Issue the call and return what the host's tool answers (text as a rule)."""
        ...

    def waiting_for_person(self) -> bool:
        """Tell whether Hermes is waiting for a person's answer just now (the clocks stand still)."""
        ...

    def stopped(self) -> bool:
        """Tell whether the user asked the agent to stop."""
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
        """Append one run event; ``synced`` means that it is on disk before this returns.

        Raises:
            KataError: it could not be written (a step with effects must then not be issued).
        """
        ...


@attrs.frozen(kw_only=True)
class StepTrace:
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
