"""One turn: a message of the person, the model's requests, its tool calls, its answer, and every hook between."""

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from .calling import Caller
from .errors import ScriptError
from .frame import Ending, Frame, TurnResult, edited, interrupted, silent
from .model import ModelRequest, Reply, Script, ScriptedModel, ToolCall
from .requests import Exchange, Ids, assistant_message, error_text
from .strikes import BAD_ARGUMENTS, STRIKES, parsed

if TYPE_CHECKING:
    from .conversation import Conversation

PARAGRAPH: Final = "\n\n"
"""What the host puts between tool calls and the text that follows."""
SUMMARIZE: Final = "You reached the limit of requests for one turn: answer now, without calling tools."
MAX_NUDGES: Final = 3
"""How often in one turn a plugin's ``pre_verify`` may send the model on."""


class Turn:
    """Drive one turn of a conversation through the host."""

    def __init__(
        self, chat: "Conversation", message: str, script: Script, children: Iterable[Script]
    ) -> None:
        task_id = chat.new_task_id()
        self._chat = chat
        self._frame = Frame(chat, message, task_id, f"{chat.session.id}:{task_id}:{chat.host.token(4)}")
        self._fire = self._frame.fire
        self._messages = chat.session.messages
        self._model = ScriptedModel(script, chat.host.next_call_number)
        self._caller = Caller(self._frame, list(children))
        self._number = 1
        self._requests: list[ModelRequest] = []
        self._edited: set[str] = set()
        self._nudges = 0
        self._wrong_names = 0
        self._bad_arguments = 0
        self._break = ""
        self._round: list[dict[str, Any]] = []

    def run(self) -> TurnResult:
        self._begin()
        while self._number <= self._chat.max_iterations:
            ending = self._iterate()
            if ending is not None:
                return self._end(ending)
        return self._end(self._summarized())

    def _begin(self) -> None:
        frame = self._frame
        if not self._messages:
            self._fire("on_session_start", session_id=frame.session_id, **frame.model)
        message = {"role": "user", "content": frame.message, "timestamp": time.time()}
        self._messages.append(message)
        answers = self._fire(
            "pre_llm_call",
            **frame.ids,
            user_message=frame.message,
            conversation_history=frame.history(),
            is_first_turn=len(self._messages) == 1,
            **frame.model,
            parent_session_id=self._chat.session.parent_session_id,
            sender_id=self._chat.sender_id,
        )
        context = [text for text in map(_context, answers) if text]
        if context:
            message["api_content"] = PARAGRAPH.join([frame.message, *context])

    def _iterate(self) -> Ending | None:
        self._chat.on_step(self._number, self._round)
        exchange = self._ask()
        reply, calls = self._model.answer(exchange.request)
        stopped = reply.stop or self._chat.stopped()
        self._stream(reply, stopped=stopped)
        if stopped:
            return interrupted(
                "interrupted_during_api_call", "Operation interrupted: waiting for model response."
            )
        if reply.status:
            return self._failed(exchange, reply)
        calls = tuple(attrs.evolve(each, name=self._caller.mended(each)) for each in calls)
        if any(self._caller.known(each) and parsed(each) is None for each in calls):
            return self._asked_again()
        self._fire("post_api_request", **exchange.after(reply, calls))
        ending = self._act(reply, calls, exchange.ids.api_request_id) if calls else self._finish(reply)
        self._number += 1
        return ending

    def _ask(self) -> Exchange:
        frame = self._frame
        exchange = Exchange(
            ids=Ids(frame.task_id, frame.turn_id, f"{frame.turn_id}:api:{self._number}", frame.session_id),
            platform=frame.platform,
            number=self._number,
            started_at=time.time(),
            request=self._request(),
            user_message=frame.message,
            history=self._messages,
            system_prompt=self._chat.system_prompt,
        )
        self._fire("pre_api_request", **exchange.before())
        return exchange

    def _request(self) -> ModelRequest:
        sent = ({"role": "system", "content": self._chat.system_prompt}, *map(_sent, self._messages))
        request = ModelRequest(tuple(sent), self._chat.offer.definitions)
        self._requests.append(request)
        self._chat.host.requests.append(request)
        return request

    def _stream(self, reply: Reply, *, stopped: bool) -> None:
        error = "interrupted" if stopped else error_text(reply) if reply.status else None
        self._frame.stream("on_stream_start", self._number)
        if reply.text and error is None:
            self._frame.stream("on_stream_delta", self._number, delta=self._break + reply.text, kind="text")
            self._break = ""
        text = "" if error else reply.text
        self._frame.stream(
            "on_stream_end", self._number, final_text=text, finished=error is None, error=error
        )

    def _failed(self, exchange: Exchange, reply: Reply) -> Ending:
        self._fire("transform_api_error_classification", **exchange.classified(reply))
        self._fire("api_request_error", **exchange.failed(reply))
        text = f"The request failed. Provider said: HTTP {reply.status}: {reply.text}"
        return silent(text, "api_error", failed=True)

    def _asked_again(self) -> Ending | None:
        self._bad_arguments += 1
        text = "The model's reply was cut off before it finished."
        return silent(text, "invalid_arguments") if self._bad_arguments == BAD_ARGUMENTS else None

    def _act(self, reply: Reply, calls: Sequence[ToolCall], api_request_id: str) -> Ending | None:
        known = [each for each in calls if self._caller.known(each)]
        self._wrong_names = 0 if known else self._wrong_names + 1
        if self._wrong_names == STRIKES:
            return silent(f"Model generated invalid tool call: {calls[0].name}", "invalid_tool_call")
        self._messages.append(assistant_message(reply.text, calls))
        self._caller.refuse_unknown(calls)
        if not known:
            return None
        self._interim(reply.text)
        ran = self._caller.run(known, api_request_id, reply)
        self._round = [{"name": each.name, "result": each.result} for each in ran]
        self._edited |= edited(ran)
        self._break = PARAGRAPH
        return interrupted("interrupted_by_user", "") if self._chat.stopped() else None

    def _finish(self, reply: Reply) -> Ending | None:
        nudge = self._verify(reply.text)
        if not nudge:
            return Ending(reply.text, "text_response(finish_reason=stop)")
        self._nudges += 1
        self._interim(reply.text)
        self._messages.append(assistant_message(reply.text, ()))
        self._messages.append({"role": "user", "content": nudge})
        return None

    def _verify(self, text: str) -> str:
        most = self._chat.host.settings.get("agent.max_verify_nudges", MAX_NUDGES)
        if not self._edited or self._nudges >= most:
            return ""
        answers = self._fire(
            "pre_verify",
            session_id=self._frame.session_id,
            **self._frame.model,
            coding=False,
            attempt=self._nudges,
            final_response=text,
            changed_paths=sorted(self._edited),
        )
        return next((text for text in map(_go_on, answers) if text), "")

    def _interim(self, text: str) -> None:
        if text:
            self._frame.stream("on_interim_message", self._number, text=text, already_streamed=False)

    def _summarized(self) -> Ending:
        limit = self._chat.max_iterations
        self._messages.append({"role": "user", "content": SUMMARIZE})
        reply, _calls = self._model.answer(self._request())
        reason = f"max_iterations_reached({limit}/{limit})"
        return Ending(
            reply.text, reason, completed=False, explained="The turn took as many requests as it may."
        )

    def _end(self, ending: Ending) -> TurnResult:
        answer = self._publish(ending) if ending.published and ending.answer else ending.answer
        if ending.told:
            self._tell(ending)
        self._chat.session.turns += 1
        if self._model.left and ending.completed:
            raise ScriptError(f"the turn ended with {self._model.left} replies of the script left over")
        return TurnResult(
            answer=answer,
            requests=tuple(self._requests),
            calls=tuple(self._caller.ran),
            completed=ending.completed,
            interrupted=ending.interrupted,
            failed=ending.failed,
            exit_reason=ending.reason,
        )

    def _publish(self, ending: Ending) -> str:
        frame = self._frame
        ids = {"session_id": frame.session_id, "turn_id": frame.turn_id}
        transformed = self._fire("transform_llm_output", response_text=ending.answer, **ids, **frame.model)
        text = next((each for each in transformed if isinstance(each, str) and each), ending.answer)
        text = PARAGRAPH.join(filter(None, [text, ending.explained]))
        self._messages.append(assistant_message(text, ()))
        self._fire(
            "post_llm_call",
            **frame.ids,
            user_message=frame.message,
            assistant_response=text,
            conversation_history=frame.history(),
            **frame.model,
        )
        return text

    def _tell(self, ending: Ending) -> None:
        self._fire(
            "on_session_end",
            **self._frame.ids,
            completed=ending.completed,
            failed=ending.failed,
            interrupted=ending.interrupted,
            turn_exit_reason=ending.reason,
            **self._frame.model,
        )


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
