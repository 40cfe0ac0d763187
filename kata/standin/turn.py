"""One turn: a message of the person, the model's requests, its tool calls, its answer, and every hook between."""

import json
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from .approvals import Where
from .bridge import Bridge, Wanted
from .errors import ScriptError
from .model import ModelRequest, Reply, Script, ScriptedModel, ToolCall
from .names import BRIDGE_TOOLS
from .offer import deferred_names, repaired
from .requests import MODEL, Exchange, Ids, assistant_message, error_text
from .strikes import BAD_ARGUMENTS, STRIKES, parsed, unknown_tool
from .toolrun import CallIds, Running, Turnstile

if TYPE_CHECKING:
    from .conversation import Conversation

PARAGRAPH: Final = "\n\n"
"""What the host puts between tool calls and the text that follows."""
SUMMARIZE: Final = "You reached the limit of requests for one turn: answer now, without calling tools."
MAX_NUDGES: Final = 3
"""How often in one turn a plugin's ``pre_verify`` may send the model on."""
_EDITS: Final = frozenset({"write_file", "patch"})


@attrs.frozen
class TurnResult:
    """What a turn came to.

    Attributes:
        answer: The text that the person gets.
        requests: Every request that the model got in this turn.
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


@attrs.frozen
class Ending:
    """How a turn ends.

    Attributes:
        published: Whether plugins may transform the answer and are told of it.
        told: Whether ``on_session_end`` fires (it does not after a failed request).
        explained: What the host adds to the answer, after plugins transformed it.
    """

    answer: str
    reason: str
    completed: bool = True
    interrupted: bool = False
    failed: bool = False
    published: bool = True
    told: bool = True
    explained: str = ""


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
        self._number = 1
        self._requests: list[ModelRequest] = []
        self._calls: list[Running] = []
        self._edited: set[str] = set()
        self._nudges = 0
        self._wrong_names = 0
        self._bad_arguments = 0
        self._break = ""

    def run(self) -> TurnResult:
        self._begin()
        while self._number <= self._chat.max_iterations:
            ending = self._iterate()
            if ending is not None:
                return self._end(ending)
        return self._end(self._summarized())

    # -- the beginning --

    def _begin(self) -> None:
        session = self._session
        if not session.messages:
            self._fire("on_session_start", session_id=session.id, model=MODEL, platform=self._platform)
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
            message["api_content"] = PARAGRAPH.join([self._message, *context])

    def _summarized(self) -> Ending:
        limit = self._chat.max_iterations
        self._session.messages.append({"role": "user", "content": SUMMARIZE})
        reply, _calls = self._model.answer(self._request())
        reason = f"max_iterations_reached({limit}/{limit})"
        return Ending(
            reply.text, reason, completed=False, explained="The turn took as many requests as it may."
        )

    # -- one request and what follows from its reply --

    def _iterate(self) -> Ending | None:
        exchange = self._ask()
        reply, calls = self._model.answer(exchange.request)
        stopped = reply.stop or self._chat.stopped()
        self._stream(reply, stopped=stopped)
        if stopped:
            text = "Operation interrupted: waiting for model response."
            return _interrupted("interrupted_during_api_call", text)
        if reply.status:
            return self._failed(exchange, reply)
        calls = tuple(attrs.evolve(each, name=self._repaired(each.name)) for each in calls)
        if any(self._known(each) and parsed(each) is None for each in calls):
            return self._asked_again()
        self._fire("post_api_request", **exchange.after(reply, calls))
        ending = self._act(reply, calls, exchange.ids.api_request_id) if calls else self._finish(reply)
        self._number += 1
        return ending

    def _ask(self) -> Exchange:
        request = self._request()
        ids = Ids(self._task_id, self._turn_id, f"{self._turn_id}:api:{self._number}", self._session.id)
        exchange = Exchange(
            ids=ids,
            platform=self._platform,
            number=self._number,
            started_at=time.time(),
            request=request,
            user_message=self._message,
            history=self._session.messages,
            system_prompt=self._chat.system_prompt,
        )
        self._fire("pre_api_request", **exchange.before())
        return exchange

    def _request(self) -> ModelRequest:
        sent = ({"role": "system", "content": self._chat.system_prompt}, *map(_sent, self._session.messages))
        request = ModelRequest(tuple(sent), self._chat.offer.definitions)
        self._requests.append(request)
        self._host.requests.append(request)
        return request

    def _stream(self, reply: Reply, *, stopped: bool) -> None:
        common = self._stream_ids()
        stream = self._host.streams.fire
        error = "interrupted" if stopped else error_text(reply) if reply.status else None
        stream("on_stream_start", **common)
        if reply.text and error is None:
            stream("on_stream_delta", **common, delta=self._break + reply.text, kind="text")
            self._break = ""
        text = "" if error else reply.text
        stream("on_stream_end", **common, final_text=text, finished=error is None, error=error)

    def _failed(self, exchange: Exchange, reply: Reply) -> Ending:
        self._fire("transform_api_error_classification", **exchange.classified(reply))
        self._fire("api_request_error", **exchange.failed(reply))
        text = f"The request failed. Provider said: HTTP {reply.status}: {reply.text}"
        return attrs.evolve(_silent(text, "api_error"), failed=True)

    def _asked_again(self) -> Ending | None:
        self._bad_arguments += 1
        text = "The model's reply was cut off before it finished."
        return _silent(text, "invalid_arguments") if self._bad_arguments == BAD_ARGUMENTS else None

    def _finish(self, reply: Reply) -> Ending | None:
        nudge = self._verify(reply.text)
        if not nudge:
            return Ending(reply.text, "text_response(finish_reason=stop)")
        self._nudges += 1
        self._interim(reply.text)
        self._session.messages.append(assistant_message(reply.text, ()))
        self._session.messages.append({"role": "user", "content": nudge})
        return None

    def _verify(self, text: str) -> str:
        if not self._edited or self._nudges >= self._host.settings.get("agent.max_verify_nudges", MAX_NUDGES):
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
        return next((text for text in map(_go_on, answers) if text), "")

    # -- tool calls --

    def _act(self, reply: Reply, calls: Sequence[ToolCall], api_request_id: str) -> Ending | None:
        known = [each for each in calls if self._known(each)]
        self._wrong_names = 0 if known else self._wrong_names + 1
        if self._wrong_names == STRIKES:
            return _silent(f"Model generated invalid tool call: {calls[0].name}", "invalid_tool_call")
        self._session.messages.append(assistant_message(reply.text, calls))
        for each in calls:
            if each not in known:
                self._say_result(each.id, each.name, unknown_tool(each.name, self._chat.offer.direct))
        if not known:
            return None
        self._interim(reply.text)
        self._run_calls(known, api_request_id, reply)
        self._break = PARAGRAPH
        return _interrupted("interrupted_by_user", "") if self._chat.stopped() else None

    def _interim(self, text: str) -> None:
        if text:
            streamed = {"text": text, "already_streamed": False}
            self._host.streams.fire("on_interim_message", **self._stream_ids(), **streamed)

    def _run_calls(self, calls: Sequence[ToolCall], api_request_id: str, reply: Reply) -> None:
        bridge = Bridge(self._host.registry, self._deferred())
        wanted = [each for call in calls for each in _unwrapped(call, bridge)]
        running = [self._prepared(each, api_request_id, bridge) for each in wanted]
        self._host.runner.batch(running, reply.finish, self._turnstile())
        self._calls.extend(running)
        self._edited.update(_edited(running))
        for each in running:
            self._say_result(each.ids.tool_call_id, each.name, each.result)

    def _prepared(self, wanted: Wanted, api_request_id: str, bridge: Bridge) -> Running:
        return Running(
            name=wanted.name,
            args=wanted.args,
            ids=CallIds(self._task_id, self._session.id, wanted.call_id, self._turn_id, api_request_id),
            bridge=wanted.name in BRIDGE_TOOLS,
            loop=self._own(wanted, bridge),
            scope_block=wanted.scope_block,
        )

    def _own(self, wanted: Wanted, bridge: Bridge) -> Callable[[dict[str, Any]], str] | None:
        if wanted.answer:
            return lambda _args: wanted.answer
        own: dict[str, Callable[[dict[str, Any]], str]] = {
            "tool_search": bridge.search,
            "tool_describe": bridge.describe,
            "delegate_task": lambda args: self._chat.delegate(args, self._children, self._turn_id),
        }
        return own.get(wanted.name) or self._chat.agent_tools.find(wanted.name)

    def _deferred(self) -> tuple[str, ...]:
        registry = self._host.registry
        return deferred_names(registry, filter(self._chat.in_scope, registry.get_all_tool_names()))

    def _turnstile(self) -> Turnstile:
        where = Where(self._session.id, self._turn_id, "", self._platform, self._chat.mode)
        here = self._chat.mode in ("interactive", "gateway")
        return Turnstile(self._chat.stopped, where, here, self._message)

    def _repaired(self, name: str) -> str:
        return repaired(name, self._chat.offer.direct) or name

    def _known(self, call: ToolCall) -> bool:
        return call.name in self._chat.offer.direct

    def _say_result(self, call_id: str, name: str, result: Any) -> None:
        self._session.messages.append(
            {"role": "tool", "name": name, "tool_call_id": call_id, "content": result}
        )

    # -- the end --

    def _end(self, ending: Ending) -> TurnResult:
        answer = self._publish(ending) if ending.published and ending.answer else ending.answer
        if ending.told:
            self._fire("on_session_end", **self._told(ending))
        self._session.turns += 1
        if self._model.left and ending.completed:
            raise ScriptError(f"the turn ended with {self._model.left} replies of the script left over")
        return TurnResult(
            answer=answer,
            requests=tuple(self._requests),
            calls=tuple(self._calls),
            completed=ending.completed,
            interrupted=ending.interrupted,
            failed=ending.failed,
            exit_reason=ending.reason,
        )

    def _publish(self, ending: Ending) -> str:
        common = {"model": MODEL, "platform": self._platform}
        transformed = self._fire(
            "transform_llm_output",
            response_text=ending.answer,
            session_id=self._session.id,
            turn_id=self._turn_id,
            **common,
        )
        text = next((each for each in transformed if isinstance(each, str) and each), ending.answer)
        text = PARAGRAPH.join(filter(None, [text, ending.explained]))
        self._session.messages.append(assistant_message(text, ()))
        self._fire(
            "post_llm_call",
            **self._turn_ids(),
            user_message=self._message,
            assistant_response=text,
            conversation_history=self._history(),
            **common,
        )
        return text

    def _told(self, ending: Ending) -> dict[str, Any]:
        return {
            **self._turn_ids(),
            "completed": ending.completed,
            "failed": ending.failed,
            "interrupted": ending.interrupted,
            "turn_exit_reason": ending.reason,
            "model": MODEL,
            "platform": self._platform,
        }

    # -- what many hooks carry --

    @property
    def _platform(self) -> str:
        return self._chat.platform

    def _turn_ids(self) -> dict[str, str]:
        return {"session_id": self._session.id, "task_id": self._task_id, "turn_id": self._turn_id}

    def _stream_ids(self) -> dict[str, Any]:
        return {
            "turn_id": self._turn_id,
            "iteration": self._number,
            "session_id": self._session.id,
            "model": MODEL,
            "provider": "custom",
            "surface": self._platform,
        }

    def _history(self) -> list[dict[str, Any]]:
        return [dict(message) for message in self._session.messages]


def _interrupted(reason: str, text: str) -> Ending:
    return Ending(text, reason, completed=False, interrupted=True, published=False)


def _silent(text: str, reason: str) -> Ending:
    return Ending(text, reason, completed=False, published=False, told=False)


def _unwrapped(call: ToolCall, bridge: Bridge) -> list[Wanted]:
    args = parsed(call) or {}
    return bridge.unwrap(call, args) if call.name == "tool_call" else [Wanted(call.id, call.name, args)]


def _context(answer: Any) -> str:
    text = answer.get("context") if isinstance(answer, dict) else answer
    return text if isinstance(text, str) else ""


def _go_on(answer: Any) -> str:
    if not isinstance(answer, dict):
        return ""
    action = answer.get("action") or answer.get("decision")
    text = answer.get("message") or answer.get("reason")
    return text.strip() if action in ("continue", "block") and isinstance(text, str) else ""


def _sent(message: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in message.items() if key not in ("timestamp", "api_content")}
    return {**kept, "content": message.get("api_content", message["content"])}


def _edited(running: Iterable[Running]) -> set[str]:
    written = (each for each in running if each.name in _EDITS and not each.blocked)
    return {path for each in written for path in json.loads(each.result).get("files_modified", ())}
