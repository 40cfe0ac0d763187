"""Running the calls of one model answer, with the hooks around each in the order that Hermes has."""

import contextvars
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import attrs

from ..clock import Clock
from .approvals import Approvals, Person, Where
from .batches import segments
from .directives import combine
from .files import Workspace
from .names import AGENT_LOOP_TOOLS
from .outcome import Outcome, guess
from .plugins import Plugins
from .registry import tool_error

Answer = TypeVar("Answer")
LoopTool = Callable[[dict[str, Any]], str]


@attrs.frozen
class CallIds:
    """The ids that every tool hook carries; a missing one is ``""``."""

    task_id: str = ""
    session_id: str = ""
    tool_call_id: str = ""
    turn_id: str = ""
    api_request_id: str = ""


@attrs.define(eq=False)
class Running:
    """One call on its way: what was asked, and what came of it.

    Attributes:
        bridge: A look-up of the tool search, which has no transform.
        loop: What the agent itself does for this call, instead of the registry.
        scope_block: Why the call is out of reach, found before any plugin is asked.
    """

    name: str
    args: dict[str, Any]
    ids: CallIds
    bridge: bool = False
    loop: LoopTool | None = None
    scope_block: str = ""
    trace: list[Any] = attrs.field(factory=list)
    result: Any = ""
    blocked: bool = False
    duration_ms: int = 0
    outcome: Outcome | None = None


@attrs.frozen
class Turnstile:
    """What the calls of one turn share.

    Attributes:
        stopped: Whether the person pressed stop.
        where: Where questions to the person come from.
        person_here: Whether a person sits at the prompt.
    """

    stopped: Callable[[], bool]
    where: Where
    person_here: bool
    user_task: str = ""


class ToolRunner:
    """Run calls one by one or together, and fire the tool hooks (facts 3.3, hooks observed)."""

    def __init__(
        self, plugins: Plugins, approvals: Approvals, person: Person, clock: Clock, workspace: Workspace
    ) -> None:
        self._plugins = plugins
        self._hooks = plugins.hooks
        self._approvals = approvals
        self._person = person
        self._clock = clock
        self._workspace = workspace

    def batch(self, running: Sequence[Running], finish: Sequence[int], turn: Turnstile) -> None:
        """Run all calls of one answer; each ``Running`` holds its result afterwards."""
        cwd = self._workspace.cwd(running[0].ids.task_id) if running else self._workspace.root
        for together, calls in segments(running, lambda each: (each.name, each.args), cwd):
            if together:
                self._together(calls, finish, turn)
            else:
                self._one_by_one(calls, turn)

    def guard(
        self, name: str, args: dict[str, Any], ids: CallIds, trace: Sequence[Any] = ()
    ) -> tuple[str | None, Any]:
        """Ask every ``pre_tool_call``; return why the call is blocked (or ``None``) and modified arguments."""
        answers = self._hooks.fire(
            "pre_tool_call", tool_name=name, args=args, **attrs.asdict(ids), middleware_trace=list(trace)
        )
        directive = combine(answers, args)
        if directive.action == "approve":
            return self._approvals.tool(name, directive.message, directive.rule_key or name), directive.args
        return directive.message or None, directive.args

    def _one_by_one(self, calls: Sequence[Running], turn: Turnstile) -> None:
        for each in calls:
            if turn.stopped():
                each.result = tool_error("skipped: the user stopped the turn")
            else:
                self._alone(each, turn)

    def _alone(self, each: Running, turn: Turnstile) -> None:
        self._on_thread(each, turn, lambda: self._admit_and_execute(each, turn))
        if each.blocked:
            return
        if each.bridge:
            self._post(each)
        elif each.loop is not None:
            self._post(each)
            self._transform(each)
        else:
            self._transform(each)
            self._post(each)

    def _together(self, calls: Sequence[Running], finish: Sequence[int], turn: Turnstile) -> None:
        for each in calls:
            self._on_thread(each, turn, lambda each=each: self._admit(each))  # type: ignore[misc]
        order = sorted(
            range(len(calls)), key=lambda at: finish.index(at) if at in finish else len(finish) + at
        )
        for each in (calls[at] for at in order):
            if not each.blocked:
                self._on_thread(each, turn, lambda each=each: self._execute(each, turn))  # type: ignore[misc]
                self._post(each)
                if not each.bridge:
                    self._transform(each)

    def _admit_and_execute(self, each: Running, turn: Turnstile) -> None:
        if self._admit(each):
            self._execute(each, turn)

    def _admit(self, each: Running) -> bool:
        if each.scope_block:
            return self._block(each, each.scope_block, "tool_scope_block")
        each.args, each.trace = self._plugins.middleware.rewrite(
            "tool_request", "args", each.args, tool_name=each.name, **attrs.asdict(each.ids)
        )
        why, modified = self.guard(each.name, each.args, each.ids, each.trace)
        each.args = each.args if modified is None else modified
        return True if why is None else self._block(each, why, "plugin_block")

    def _block(self, each: Running, why: str, error_type: str) -> bool:
        each.blocked = True
        each.result = json.dumps({"error": why}, ensure_ascii=False)
        each.outcome = Outcome("blocked", error_type, why)
        self._post(each)
        return False

    def _execute(self, each: Running, turn: Turnstile) -> None:
        started = self._clock.monotonic()
        wrapped = self._plugins.middleware.wrap(
            "tool_execution",
            lambda args: self._dispatch(each, args, turn),
            tool_name=each.name,
            original_args=dict(each.args),
            **attrs.asdict(each.ids),
        )
        try:
            each.result = wrapped(each.args)
        except KeyboardInterrupt:
            each.result = tool_error("cancelled by the user")
            each.outcome = Outcome("cancelled", "keyboard_interrupt", "cancelled by the user")
        each.duration_ms = int((self._clock.monotonic() - started) * 1000)

    def _dispatch(self, each: Running, args: dict[str, Any], turn: Turnstile) -> Any:
        if each.loop is not None:
            return each.loop(args)
        if each.name in AGENT_LOOP_TOOLS:
            return tool_error(f"{each.name} must be handled by the agent loop")
        self._workspace.other_tool(each.name, each.ids.task_id)
        ids = each.ids
        context = {"task_id": ids.task_id, "session_id": ids.session_id, "user_task": turn.user_task}
        return self._plugins.registry.dispatch(each.name, args, **context)

    def _post(self, each: Running) -> None:
        outcome = each.outcome or guess(each.name, each.result)
        self._hooks.fire(
            "post_tool_call",
            tool_name=each.name,
            args=each.args,
            result=each.result,
            **attrs.asdict(each.ids),
            duration_ms=each.duration_ms,
            **attrs.asdict(outcome),
            middleware_trace=list(each.trace),
        )

    def _transform(self, each: Running) -> None:
        answers = self._hooks.fire(
            "transform_tool_result",
            tool_name=each.name,
            args=each.args,
            result=each.result,
            **attrs.asdict(each.ids),
            duration_ms=each.duration_ms,
            **attrs.asdict(guess(each.name, each.result)),
        )
        each.result = next((answer for answer in answers if isinstance(answer, str)), each.result)

    def _on_thread(self, each: Running, turn: Turnstile, work: Callable[[], Any]) -> None:
        where = attrs.evolve(turn.where, tool_call_id=each.ids.tool_call_id)

        def guarded() -> None:
            with self._approvals.at(where):
                work()

        on_tool_thread(guarded, self._person if turn.person_here else None)


def on_tool_thread(work: Callable[[], Answer], person: Person | None = None) -> Answer:
    """Run on a worker thread with this one's context variables, and the prompt of a person when there is one."""
    context = contextvars.copy_context()
    answers: list[Answer] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            if person is None:
                answers.append(context.run(work))
            else:
                with person.at_prompt():
                    answers.append(context.run(work))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="standin-tool", daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return answers[0]
