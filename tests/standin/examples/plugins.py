"""The plugins of the page, one function a plugin; what they keep, they keep in ``kept``."""

import json
import logging
import os
import re
import time
import urllib.request
from collections import Counter, defaultdict

logger = logging.getLogger("examples")
RISKY = {"terminal", "write_file", "patch"}
OWNER = "7"
POLICY = "Never delete files unless the person said so."
SECRET = re.compile(r"sk-[A-Za-z0-9]{32,}")


def six_hooks(ctx, kept):
    """Subscribe to the six hooks that most plugins need."""
    for hook in (
        "pre_tool_call",
        "post_tool_call",
        "pre_llm_call",
        "post_llm_call",
        "on_session_start",
        "on_session_end",
    ):
        ctx.register_hook(hook, lambda hook=hook, **_: kept.append(hook))


def audit_log(ctx, kept):
    """Log every tool call with its arguments."""

    def audit(tool_name, args, task_id, **_):
        logger.info("task=%s tool=%s args=%s", task_id, tool_name, json.dumps(args)[:200])

    ctx.register_hook("pre_tool_call", audit)


def risky_tool_warning(ctx, kept):
    """Warn before tools that change things."""

    def warn(tool_name, **_):
        if tool_name in RISKY:
            print(f"careful: {tool_name}")

    ctx.register_hook("pre_tool_call", warn)


def tool_metrics(ctx, kept):
    """Count calls and errors by tool, and keep how long they took."""
    calls, errors, took = Counter(), Counter(), defaultdict(list)
    kept += [calls, errors, took]

    def measure(tool_name, result, duration_ms=0, **_):
        calls[tool_name] += 1
        took[tool_name].append(duration_ms)
        errors[tool_name] += bool(json.loads(result).get("error"))

    ctx.register_hook("post_tool_call", measure)


def memory_recall(ctx, kept):
    """Ask a memory service what it knows of the message, and tell the model."""

    def recall(session_id, user_message, **_):
        found = _post("MEMORY_URL", {"session": session_id, "query": user_message})["results"]
        if not found:
            return None
        return {"context": "You remember:\n" + "\n".join(f"- {each['text']}" for each in found)}

    ctx.register_hook("pre_llm_call", recall)


def guardrail(ctx, kept):
    """Remind the model of a rule at every turn."""
    ctx.register_hook("pre_llm_call", lambda **_: {"context": POLICY})


def memory_sync(ctx, kept):
    """Store what was said in a memory service; a service that is down is nobody's concern."""

    def sync(session_id, user_message, assistant_response, **_):
        _post("MEMORY_URL", {"session": session_id, "user": user_message, "assistant": assistant_response})

    ctx.register_hook("post_llm_call", sync)


def response_length(ctx, kept):
    """Log how long the answers are."""

    def log(session_id, assistant_response, model, **_):
        logger.info("session=%s model=%s chars=%d", session_id, model, len(assistant_response or ""))

    ctx.register_hook("post_llm_call", log)


def session_cache(ctx, kept):
    """Begin a cache when a session starts."""
    kept.append({})

    def begin(session_id, model, platform, **_):
        kept[0][session_id] = {"model": model, "platform": platform, "tool_calls": 0}

    ctx.register_hook("on_session_start", begin)


def session_clean_up(ctx, kept):
    """Count calls in a session's cache, and report and drop it when a turn ends."""
    session_cache(ctx, kept)

    def count(session_id, **_):
        kept[0][session_id]["tool_calls"] += 1

    def drop(session_id, completed, interrupted, **_):
        cache = kept[0].pop(session_id, None)
        how = "completed" if completed else "interrupted" if interrupted else "failed"
        if cache:
            print(f"{how}: {cache['tool_calls']} tool calls")

    ctx.register_hook("post_tool_call", count)
    ctx.register_hook("on_session_end", drop)


def session_duration(ctx, kept):
    """Log how long a session's turn took."""
    began = {}

    def start(session_id, **_):
        began[session_id] = time.monotonic()

    def end(session_id, completed, **_):
        if session_id in began:
            logger.info("seconds=%.1f completed=%s", time.monotonic() - began.pop(session_id), completed)

    ctx.register_hook("on_session_start", start)
    ctx.register_hook("on_session_end", end)


def delegation_log(ctx, kept):
    """Log every sub-agent that ended."""

    def log(parent_session_id, child_role, child_status, duration_ms, **_):
        logger.info(
            "parent=%s role=%s status=%s ms=%d", parent_session_id, child_role, child_status, duration_ms
        )

    ctx.register_hook("subagent_stop", log)


def no_strangers(ctx, kept):
    """Drop direct messages of strangers, so that no pairing code is sent."""

    def deny(event, **_):
        if event.source.chat_type == "dm" and event.source.user_id != OWNER:
            return {"action": "skip", "reason": "stranger"}
        return None

    ctx.register_hook("pre_gateway_dispatch", deny)


def ambient_buffer(ctx, kept):
    """Hold a group's talk back until the bot is mentioned, then hand it over as one message."""
    waiting = defaultdict(list)

    def gather(event, **_):
        lines = waiting[event.source.platform, event.source.chat_id]
        lines.append(event.text)
        if "@bot" not in event.text:
            return {"action": "skip", "reason": "ambient"}
        text = "\n".join(lines)
        lines.clear()
        return {"action": "rewrite", "text": text}

    ctx.register_hook("pre_gateway_dispatch", gather)


def approval_notice(ctx, kept):
    """Show a notice when a question waits for the person."""

    def notify(command, description, session_key, **_):
        kept.append(f"{description}: {command[:80]}")

    ctx.register_hook("pre_approval_request", notify)


def decision_log(ctx, kept):
    """Log what the person decided."""

    def log(command, choice, session_key, **_):
        logger.info("%s: %s", choice, command[:60])

    ctx.register_hook("post_approval_response", log)


def redact_secrets(ctx, kept):
    """Take keys out of every tool's result before the model sees them."""

    def redact(tool_name, result, **_):
        return SECRET.sub("[REDACTED]", result) if SECRET.search(result) else None

    ctx.register_hook("transform_tool_result", redact)


def summarize_find(ctx, kept):
    """Shorten what a long ``find`` printed."""

    def shorten(command, output, **_):
        if not command.startswith("find ") or len(output) <= 50_000:
            return None
        lines = output.splitlines()
        return "\n".join([*lines[:40], "", f"[{len(lines)} paths, the first 40 shown]"])

    ctx.register_hook("transform_terminal_output", shorten)


def spongebob(ctx, kept):
    """Talk like a sponge, when asked to."""

    def talk(response_text, **_):
        return response_text.replace("!", "!! Tartar sauce!") if os.environ.get("SPONGE") == "on" else None

    ctx.register_hook("transform_llm_output", talk)


def _post(variable, body):
    try:
        with urllib.request.urlopen(os.environ[variable], json.dumps(body).encode(), timeout=5) as answer:
            return json.load(answer)
    except OSError:
        return {"results": []}
