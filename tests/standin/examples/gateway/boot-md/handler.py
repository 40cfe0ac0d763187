"""Let an agent work through BOOT.md at every start of the gateway, with the gateway's own model and key."""

import logging
import os
import threading
from pathlib import Path

logger = logging.getLogger("hooks.boot-md")
SILENT = "[SILENT]"
TASK = (
    f"Work through this list.\n---\n{{list}}\n---\nIf there is nothing to say, answer {SILENT} and no more."
)


def handle(event_type, context):
    checklist = Path(os.environ["HERMES_HOME"]) / "BOOT.md"
    text = checklist.read_text().strip() if checklist.exists() else ""
    if text:
        logger.info("running BOOT.md (%d chars)", len(text))
        threading.Thread(target=run, args=(text,), name="boot-md", daemon=True).start()


def run(text):
    try:
        report(ask(TASK.format(list=text)))
    except Exception:
        logger.exception("boot-md failed")


def ask(task):
    from gateway.run import _resolve_gateway_model, _resolve_runtime_agent_kwargs
    from run_agent import AIAgent

    agent = AIAgent(
        model=_resolve_gateway_model(),
        **_resolve_runtime_agent_kwargs(),
        platform="gateway",
        quiet_mode=True,
        skip_context_files=True,
        skip_memory=True,
        max_iterations=20,
    )
    return agent.run_conversation(task).get("final_response") or ""


def report(answer):
    if not answer or SILENT in answer:
        logger.info("boot-md: nothing to report")
    else:
        logger.info("boot-md: %s", answer[:200])
