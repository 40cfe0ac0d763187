"""All worked examples of the hooks page, in its order: what each is, of which system, and where it stands here."""

import attrs


@attrs.frozen
class Example:
    """One example. ``where``: a folder of ``gateway/``, a function of ``plugins.py``, or a file of ``scripts/``."""

    number: int
    name: str
    system: str
    where: str


EXAMPLES = tuple(
    Example(number, *rest)
    for number, rest in enumerate(
        (
            ("log all activity", "gateway", "activity-log"),
            ("alert on long tasks", "gateway", "long-task-alert"),
            ("log commands", "gateway", "command-log"),
            ("webhook for new sessions", "gateway", "session-webhook"),
            ("BOOT.md", "gateway", "boot-md"),
            ("register six hooks", "plugin", "six_hooks"),
            ("audit tool calls", "plugin", "audit_log"),
            ("warn of risky tools", "plugin", "risky_tool_warning"),
            ("measure tools", "plugin", "tool_metrics"),
            ("recall memories", "plugin", "memory_recall"),
            ("guardrail context", "plugin", "guardrail"),
            ("sync to a memory", "plugin", "memory_sync"),
            ("log answer lengths", "plugin", "response_length"),
            ("begin a session cache", "plugin", "session_cache"),
            ("flush and clean up", "plugin", "session_clean_up"),
            ("time sessions", "plugin", "session_duration"),
            ("log delegation", "plugin", "delegation_log"),
            ("deny direct messages", "plugin", "no_strangers"),
            ("rewrite ambient talk", "plugin", "ambient_buffer"),
            ("notify of approvals", "plugin", "approval_notice"),
            ("log decisions", "plugin", "decision_log"),
            ("redact secrets", "plugin", "redact_secrets"),
            ("summarize find", "plugin", "summarize_find"),
            ("talk like a sponge", "plugin", "spongebob"),
            ("format written files", "shell", "tidy-python.sh"),
            ("block root deletes", "shell", "block-root-delete.sh"),
            ("git status as context", "shell", "git-status.sh"),
            ("log orchestration", "shell", "log-delegation.py"),
        ),
        1,
    )
)
