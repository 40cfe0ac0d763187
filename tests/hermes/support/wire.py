"""The chat-completions protocol, as far as Hermes speaks it: one JSON answer, or a stream of chunks."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs

CHUNK = 48


@attrs.frozen
class Call:
    id: str
    tool: str
    arguments: str


@attrs.frozen
class Answer:
    text: str
    reasoning: str
    calls: tuple[Call, ...]
    usage: Mapping[str, Any]
    finish: str
    status: int


Respond = Callable[[Mapping[str, Any]], Answer]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Keep quiet: a host that is interrupted hangs up on its model."""


def serve(respond: Respond, model: str) -> ThreadingHTTPServer:
    """Open a server on a free loopback port; ``start`` runs it."""

    class Handler(_Handler):
        answer = staticmethod(respond)
        model_name = model

    return _Server(("127.0.0.1", 0), Handler)


def start(server: ThreadingHTTPServer) -> None:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answer: Respond
    model_name: str

    def do_GET(self) -> None:
        # Hermes probes several products' paths; only this one must answer, or it takes us for another product.
        if self.path != "/v1/models":
            return self._missing()
        model = {"id": self.model_name, "object": "model", "owned_by": "test", "context_length": 200_000}
        return self._json(200, {"object": "list", "data": [model]})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.path.endswith("/chat/completions"):
            return self._missing()
        asked = json.loads(body)
        answer = type(self).answer(asked)
        if answer.status != 200:
            return self._json(answer.status, {"error": {"message": answer.text, "type": "scripted"}})
        if asked.get("stream"):
            return self._stream(answer)
        return self._json(200, _whole(answer, self.model_name))

    def _missing(self) -> None:
        self._json(404, {"error": {"message": "not found"}})

    def _json(self, status: int, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, answer: Answer) -> None:
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for chunk in _chunks(answer, self.model_name):
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        """Keep the test's output free of access lines."""


def _whole(answer: Answer, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    if answer.calls:
        message["tool_calls"] = [_call(each, each.arguments) for each in answer.calls]
    choice = {"index": 0, "message": message, "finish_reason": answer.finish}
    return {**_head(model, "chat.completion"), "choices": [choice], "usage": answer.usage}


def _chunks(answer: Answer, model: str) -> Iterator[dict[str, Any]]:
    head = _head(model, "chat.completion.chunk")
    for delta in _deltas(answer):
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": answer.finish}]}
    yield {**head, "choices": [], "usage": answer.usage}


def _deltas(answer: Answer) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    if answer.reasoning:
        yield {"reasoning_content": answer.reasoning}
    for piece in _pieces(answer.text):
        yield {"content": piece}
    for index, each in enumerate(answer.calls):
        yield {"tool_calls": [{"index": index, **_call(each, "")}]}
        for piece in _pieces(each.arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _call(each: Call, arguments: str) -> dict[str, Any]:
    return {"id": each.id, "type": "function", "function": {"name": each.tool, "arguments": arguments}}


def _head(model: str, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 1_767_225_600, "model": model}


def _pieces(text: str) -> Iterator[str]:
    for start_at in range(0, len(text), CHUNK):
        yield text[start_at : start_at + CHUNK]
