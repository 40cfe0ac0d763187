"""``kata_resume``: what the gate asks before a stopped run goes on, and the tool's handler (design 8)."""

from collections.abc import Callable
from typing import Any

from ..executor import NotResumableError, UnknownHandleError
from ..executor.protocols import Caller
from ..json import JsonObject, dumps
from ..service.plan import asks_each_run
from .answers import resume_message
from .compiled import Compiled


class Resuming:
    """Lets the agent go on with runs of this process."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled

    def ask(self, args: JsonObject) -> str | None:
        """Return what a person is asked before this call: the same approvals as for the kata itself, from memory alone.

        None where nothing that remains asks on every run, and where nothing would run.
        """
        try:
            kept = self._compiled.handles.peek(str(args.get("handle", "")))
            cursor = kept.cursor(step_of(args))
        except (UnknownHandleError, NotResumableError, ValueError):
            return None
        effects = [step.effect for _, step in kept.remaining(cursor)]
        return resume_message(kept, cursor) if asks_each_run(effects) else None

    def tool(self) -> Callable[..., str]:
        """Return the handler."""

        def kata_resume(
            args: dict[str, Any], task_id: str = "", session_id: str = "", user_task: str = "", **_: Any
        ) -> str:
            try:
                step = step_of(args)
            except ValueError as error:
                return dumps({"error": str(error), "code": "bad_arguments", "steps": []})
            caller = Caller(session_id=session_id or "", task_id=task_id or "", user_task=user_task or "")
            return self._compiled.resume(str(args.get("handle", "")), step, caller)

        return kata_resume


def step_of(args: JsonObject) -> int | None:
    """Return the step that was asked for; None without one.

    Raises:
        ValueError: it is no whole number.
    """
    found = args.get("from_step")
    if found is None or (isinstance(found, int) and not isinstance(found, bool)):
        return found
    raise ValueError(f"from_step must be a whole number, not {found!r}")
