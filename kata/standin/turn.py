"""One turn: a message of the person, the model's requests, its tool calls, its answer, and every hook between."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from .approvals import Where
from .errors import ScriptError
from .model import ModelRequest, Reply, Script, ScriptedModel, ToolCall
from .names import AGENT_LOOP_TOOLS, BRIDGE_TOOLS
from .offer import deferred_names, describe, repaired, search
from .registry import tool_error
from .requests import MODEL, Exchange, Ids, assistant_message, error_text
from .toolrun import CallIds, Running, Turnstile

if TYPE_CHECKING:
    from .conversation import Conversation

MAX_BAD_ARGUMENTS = 3
_EDITS = frozenset({"write_file", "patch"})


@attrs.frozen
class TurnResult:
    """What a turn came to.

    Attributes:
        answer: The text that the person gets; ``""`` when there is none.
        requests: Every request that the model got.
        calls: Every tool call that was run or blocked, in order, with name, arguments and result.
        exit_reason: As in ``on_session_end``.
    """

    answer: str
    requests: tuple[ModelRequest, ...]
    calls: tuple[Running, ...]
    completed: bool
    interrupted: bool
    failed: bool
    exit_reason: str

    @property
    def results(self) -> tuple[Any, ...]:
        """Return the results of the tool calls, in order."""
        return tuple(call.result for call in self.calls)


class Turn:
    """Drive one turn of a conversation through the host."""

    def __init__(
        self, chat: "Conversation", message: str, script: Script, children: Iterable[Script]
    ) -> None:
        self._chat = chat
        self._host = chat.host
        self._fire = chat.host.hooks.fire
        self._session = chat.session
        self._message = message
        self._model = ScriptedModel(script, chat.host.next_call_number)
        self._children = list(children)
        self._task_id = chat.new_task_id()
        self._turn_id = f"{self._session.id}:{self._task_id}:{chat.host.token(4)}"
        self._requests: list[ModelRequest] = []
        self._calls: list[Running] = []
        self._edited: set[str] = set()
        self._nudges = 0
        self._bad_arguments = 0

    def run(self) -> TurnResult:
        self._begin()
        for _ in range(self._chat.max_iterations):
            answer = self._iterate()
            if answer is not None:
                return self._end(answer)
        return self._out_of_requests()

    def _begin(self) -> None:
        session = self._session
        first = not session.started
        if first and not session.messages:
            self._fire("on_session_start", session_id=session.id, model=MODEL, platform=self._platform)
        session.started = True
        message = {"role": "user", "content": self._message, "timestamp": time.time()}
        session.messages.append(message)
        answers = self._fire(
            "pre_llm_call",
            **self._turn_ids(),
            user_message=self._message,
            conversation_history=self._history(),
            is_first_turn=len(session.messages) == 1,
            model=MODEL,
            platform=self._platform,
            parent_session_id=session.parent_session_id,
            sender_id=self._chat.sender_id,
        )
        context = [text for text in map(_context, answers) if text]
        if context:
            message["api_content"] = "\n\n".join([self._message, *context])

    def _iterate(self) -> "_Answer | None":
        number = len(self._requests) + 1
        exchange = self._ask(number)
        reply, calls = self._model.answer(exchange.request)
        self._stream(number, reply)
        if reply.stop or self._chat.stopped():
            return _Answer("", "interrupted_during_api_call", interrupted=True)
        if reply.status:
            return self._fail(exchange, reply)
        if any(_arguments(call) is None for call in calls):
            return self._refuse_arguments(calls)
        self._fire("post_api_request", **exchange.after(reply, calls))
        if not calls:
            return self._finish(reply)
        self._session.messages.append(assistant_message(reply.text, calls))
        self._run_calls(calls, exchange.ids.api_request_id, reply)
        if self._chat.stopped():
            return _Answer("", "interrupted_by_user", interrupted=True)
        return None

    def _ask(self, number: int) -> Exchange:
        sent = ({"role": "system", "content": self._chat.system_prompt}, *map(_sent, self._session.messages))
        request = ModelRequest(tuple(sent), self._chat.offer.definitions)
        ids = Ids(self._task_id, self._turn_id, f"{self._turn_id}:api:{number}", self._session.id)
        exchange = Exchange(
            ids=ids,
            platform=self._platform,
            number=number,
            started_at=time.time(),
            request=request,
            user_message=self._message,
            history=self._session.messages,
            system_prompt=self._chat.system_prompt,
        )
        self._requests.append(request)
        self._host.requests.append(request)
        self._fire("pre_api_request", **exchange.before())
        return exchange

    def _stream(self, number: int, reply: Reply) -> None:
        common = {
            "turn_id": self._turn_id,
            "iteration": number,
            "session_id": self._session.id,
            "model": MODEL,
            "provider": "custom",
            "surface": self._platform,
        }
        self._fire("on_stream_start", **common)
        if reply.text and not reply.status:
            self._fire("on_stream_delta", **common, delta=reply.text, kind="text")
        error = error_text(reply) if reply.status else None
        text = "" if error else reply.text
        self._fire("on_stream_end", **common, final_text=text, finished=error is None, error=error)

    def _fail(self, exchange: Exchange, reply: Reply) -> "_Answer":
        self._fire("transform_api_error_classification", **exchange.classified(reply))
        self._fire("api_request_error", **exchange.failed(reply))
        return _Answer("", "api_error", failed=True, silent=True)

    def _refuse_arguments(self, calls: Sequence[ToolCall]) -> "_Answer | None":
        self._bad_arguments += 1
        if self._bad_arguments <= MAX_BAD_ARGUMENTS:
            return None
        self._session.messages.append(assistant_message("", calls))
        for call in calls:
            self._say_result(call.id, call.name, tool_error("Invalid JSON arguments"))
        return None

    def _finish(self, reply: Reply) -> "_Answer | None":
        nudge = self._verify(reply.text)
        if nudge:
            self._nudges += 1
            self._session.messages.append(assistant_message(reply.text, ()))
            self._session.messages.append({"role": "user", "content": nudge})
            return None
        return _Answer(reply.text, "text_response(finish_reason=stop)")

    def _verify(self, text: str) -> str:
        if not self._edited:
            return ""
        answers = self._fire(
            "pre_verify",
            session_id=self._session.id,
            platform=self._platform,
            model=MODEL,
            coding=False,
            attempt=self._nudges,
            final_response=text,
            changed_paths=sorted(self._edited),
        )
        return next((text for text in map(_continue, answers) if text), "")

    def _run_calls(self, calls: Sequence[ToolCall], api_request_id: str, reply: Reply) -> None:
        wanted = [each for call in calls for each in self._unwrapped(call)]
        known = [each for each in wanted if isinstance(each, _Wanted)]
        running = [self._prepare(each, api_request_id) for each in known]
        self._host.runner.batch(running, reply.finish, self._turnstile())
        self._calls.extend(running)
        self._edited.update(_edited(running))
        results = {id(each): each.result for each in running}
        done = iter(running)
        for each in wanted:
            if isinstance(each, _Wanted):
                ran = next(done)
                self._say_result(ran.ids.tool_call_id, ran.name, results[id(ran)])
            else:
                self._say_result(each.call.id, each.call.name, each.error)

    def _unwrapped(self, call: ToolCall) -> "list[_Wanted | _Unknown]":
        name = repaired(call.name, self._chat.offer.direct)
        if not name:
            return [_Unknown(call, tool_error(f"Tool '{call.name}' does not exist."))]
        args = _arguments(call) or {}
        if name != "tool_call":
            return [_Wanted(call.id, name, args)]
        return self._bridged(call, args)

    def _bridged(self, call: ToolCall, args: dict[str, Any]) -> "list[_Wanted | _Unknown]":
        entries = args.get("calls")
        if not isinstance(entries, list) or not entries:
            return [_Unknown(call, tool_error("tool_call could not be resolved"))]
        return [self._bridged_one(call, at, entry) for at, entry in enumerate(entries)]

    def _bridged_one(self, call: ToolCall, at: int, entry: Any) -> "_Wanted | _Unknown":
        call_id = call.id if at == 0 else f"call_{self._host.token(6)}"
        name = str(entry.get("name", "")) if isinstance(entry, dict) else ""
        if name not in self._deferred():
            text = f"'{name}' is not available in this session. Use tool_search to find tools you can call."
            return _Unknown(ToolCall(call_id, "tool_call", ""), tool_error(text))
        return _Wanted(call_id, name, dict(entry.get("arguments") or {}))

    def _deferred(self) -> tuple[str, ...]:
        registry = self._host.registry
        in_scope = (name for name in registry.get_all_tool_names() if self._chat.in_scope(name))
        return deferred_names(registry, in_scope)

    def _prepare(self, wanted: "_Wanted", api_request_id: str) -> Running:
        ids = CallIds(self._task_id, self._session.id, wanted.call_id, self._turn_id, api_request_id)
        bridge = wanted.name in BRIDGE_TOOLS
        return Running(wanted.name, wanted.args, ids, bridge, self._agent_tool(wanted.name))

    def _agent_tool(self, name: str) -> Callable[[dict[str, Any]], str] | None:
        if name == "tool_search":
            return lambda args: search(self._host.registry, self._deferred(), args)
        if name == "tool_describe":
            return lambda args: describe(self._host.registry, self._deferred(), args)
        if name == "delegate_task":
            return lambda args: self._chat.delegate(args, self._children, self._turn_id)
        if name in AGENT_LOOP_TOOLS:
            return lambda args: json.dumps({"success": True, **args})
        return None

    def _turnstile(self) -> Turnstile:
        where = Where(self._session.id, self._turn_id, "", self._platform, self._chat.mode)
        here = self._chat.mode in ("interactive", "gateway")
        return Turnstile(self._chat.stopped, where, here, self._message)

    def _say_result(self, call_id: str, name: str, result: Any) -> None:
        self._session.messages.append(
            {"role": "tool", "name": name, "tool_call_id": call_id, "content": result}
        )

    def _out_of_requests(self) -> TurnResult:
        limit = self._chat.max_iterations
        text = "I reached the limit of requests for one turn."
        return self._end(_Answer(text, f"max_iterations_reached({limit}/{limit})", completed=False))

    def _end(self, answer: "_Answer") -> TurnResult:
        text = answer.text
        if not answer.silent:
            text = self._publish(answer)
            self._fire("on_session_end", **self._ending(answer))
        self._session.turns += 1
        self._check_script(answer)
        return TurnResult(
            answer=text,
            requests=tuple(self._requests),
            calls=tuple(self._calls),
            completed=answer.completed,
            interrupted=answer.interrupted,
            failed=answer.failed,
            exit_reason=answer.reason,
        )

    def _publish(self, answer: "_Answer") -> str:
        if not answer.text or answer.interrupted:
            return ""
        common = {
            "session_id": self._session.id,
            "model": MODEL,
            "platform": self._platform,
            "turn_id": self._turn_id,
        }
        transformed = self._fire("transform_llm_output", response_text=answer.text, **common)
        text = next((each for each in transformed if isinstance(each, str) and each), answer.text)
        self._session.messages.append(assistant_message(text, ()))
        self._fire(
            "post_llm_call",
            **self._turn_ids(),
            user_message=self._message,
            assistant_response=text,
            conversation_history=self._history(),
            model=MODEL,
            platform=self._platform,
        )
        return text

    def _ending(self, answer: "_Answer") -> dict[str, Any]:
        return {
            **self._turn_ids(),
            "completed": answer.completed,
            "failed": answer.failed,
            "interrupted": answer.interrupted,
            "turn_exit_reason": answer.reason,
            "model": MODEL,
            "platform": self._platform,
        }

    def _check_script(self, answer: "_Answer") -> None:
        if self._model.left and answer.completed:
            raise ScriptError(f"the turn ended with {self._model.left} replies of the script left over")

    @property
    def _platform(self) -> str:
        return self._chat.platform

    def _turn_ids(self) -> dict[str, str]:
        return {"session_id": self._session.id, "task_id": self._task_id, "turn_id": self._turn_id}

    def _history(self) -> list[dict[str, Any]]:
        return [dict(message) for message in self._session.messages]


@attrs.frozen
class _Answer:
    """How a turn ends. ``silent``: the host tells no plugin (a failed request)."""

    text: str
    reason: str
    interrupted: bool = False
    failed: bool = False
    silent: bool = False
    completed: bool = attrs.field()

    @completed.default
    def _completed(self) -> bool:
        return not (self.interrupted or self.failed)


@attrs.frozen
class _Wanted:
    call_id: str
    name: str
    args: dict[str, Any]


@attrs.frozen
class _Unknown:
    call: ToolCall
    error: str


def _context(answer: Any) -> str:
    text = answer.get("context") if isinstance(answer, dict) else answer
    return text if isinstance(text, str) else ""


def _continue(answer: Any) -> str:
    if not isinstance(answer, dict):
        return ""
    action = answer.get("action") or answer.get("decision")
    text = answer.get("message") or answer.get("reason")
    return text.strip() if action in ("continue", "block") and isinstance(text, str) else ""


def _arguments(call: ToolCall) -> dict[str, Any] | None:
    try:
        value = json.loads(call.arguments or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _sent(message: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in message.items() if key not in ("timestamp", "api_content")}
    return {**kept, "content": message.get("api_content", message["content"])}


def _edited(running: Iterable[Running]) -> set[str]:
    return {
        str(each.args.get("path", ""))
        for each in running
        if each.name in _EDITS and not each.blocked and "bytes_written" in str(each.result)
    }
