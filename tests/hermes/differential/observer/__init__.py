"""A plugin that writes down every hook, and answers some as its settings say.

The settings, read at each firing: ``out`` (where to write), ``answers`` (hook, to a list of answers, each with an
optional ``tool`` that it is meant for, and ``give``: what to return, or ``raise``).
"""

import json
import threading
from pathlib import Path

LOCK = threading.Lock()
HOOKS = [
    "pre_tool_call",
    "post_tool_call",
    "transform_terminal_output",
    "transform_tool_result",
    "transform_llm_output",
    "pre_llm_call",
    "post_llm_call",
    "on_stream_start",
    "on_stream_delta",
    "on_stream_end",
    "on_interim_message",
    "pre_verify",
    "pre_api_request",
    "post_api_request",
    "api_request_error",
    "transform_api_error_classification",
    "on_session_start",
    "on_session_end",
    "on_session_finalize",
    "on_session_reset",
    "subagent_start",
    "subagent_stop",
    "pre_approval_request",
    "post_approval_response",
    "on_human_input_request",
    "on_human_input_resolved",
    "pre_command",
]
NOTE = {
    "name": "observer_note",
    "description": "Repeat a text.",
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
}


def register(ctx):
    for hook in HOOKS:
        ctx.register_hook(hook, listener(ctx, hook))
    ctx.register_tool(
        name="observer_note", toolset="observer", schema=NOTE, handler=lambda args, **_: note(ctx, args)
    )


def note(ctx, args):
    what = args.get("text", "")
    if what == "raise":
        raise ValueError("asked to raise")
    if what == "list":
        return [1]
    if what == "inner":
        return ctx.dispatch_tool("observer_note", {"text": "said by an inner call"})
    if what == "null error":
        return json.dumps({"output": "", "exit_code": 0, "error": None})
    return json.dumps({"noted": what}) if what != "plain" else "plain text"


def listener(ctx, hook):
    def listen(**keywords):
        write(ctx, hook, keywords)
        for answer in (ctx.get_config("answers") or {}).get(hook, ()):
            if answer.get("tool") in (None, keywords.get("tool_name")):
                if "raise" in answer:
                    raise ValueError(answer["raise"])
                return answer["give"]
        return None

    return listen


def write(ctx, hook, keywords):
    line = {
        "hook": hook,
        "types": {key: type(value).__name__ for key, value in keywords.items()},
        "values": {key: value for key, value in keywords.items() if plain(value)},
        "thread": threading.current_thread().name,
    }
    path = ctx.get_config("out")
    if path:
        with LOCK, Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def plain(value):
    try:
        return len(json.dumps(value)) < 2000
    except (TypeError, ValueError):
        return False
