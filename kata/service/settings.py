"""The settings of the page, strictly checked: a bad value falls back to the safe default and says so."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

Check = Callable[[Any], bool]


def _number(low: float, high: float) -> Check:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    )


def _whole(low: int, high: int) -> Check:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) and item for item in value)


def _one_of(*words: str) -> Check:
    return lambda value: value in words


@attrs.frozen(kw_only=True)
class Settings:
    """What a user can set under ``plugins.entries.kata.settings``.

    Attributes:
        min_support: Distinct conversations before proposing.
        min_confidence: Proposal threshold.
        max_steps: Longest routine considered.
        step_timeout_s: Per-step timeout, seconds.
        read_retries: Retries for read-only steps.
        retention_days: Days that history is kept for mining.
        record: Whether Kata observes at all.
        approvers: User ids (``platform:user_id``) that may decide in group chats.
        observe: ``needed`` (what projections use) or ``all`` hooks.
        observe_texts: Keep message texts, not only their length and fingerprint.
        language: The language of chat and shell: ``en``, ``zh``, or ``auto`` for the one that Hermes speaks.
    """

    min_support: int = 3
    min_confidence: float = 0.75
    max_steps: int = 8
    step_timeout_s: float = 60
    read_retries: int = 1
    retention_days: int = 30
    record: bool = True
    approvers: tuple[str, ...] = ()
    observe: str = "needed"
    observe_texts: bool = False
    language: str = "auto"


RULES: Mapping[str, tuple[Check, str]] = {
    "min_support": (_whole(2, 1000), "a whole number from 2 to 1000"),
    "min_confidence": (_number(0, 1), "a number from 0 to 1"),
    "max_steps": (_whole(2, 20), "a whole number from 2 to 20"),
    "step_timeout_s": (_number(1, 300), "seconds from 1 to 300"),
    "read_retries": (_whole(0, 5), "a whole number from 0 to 5"),
    "retention_days": (_whole(1, 3650), "a whole number from 1 to 3650"),
    "record": (_flag, "true or false"),
    "approvers": (_texts, "a list of user ids"),
    "observe": (_one_of("needed", "all"), "needed or all"),
    "observe_texts": (_flag, "true or false"),
    "language": (_one_of("auto", "en", "zh"), "auto, en or zh"),
}
"""What each setting must be. ``record`` falls back to False when it is unreadable: the safe side is not to record."""

_SAFE = {"record": False}


def has_tool_search(config: object) -> bool:
    """Tell from Hermes' configuration whether new tools are found through tool search, and so at once: its default."""
    section = config
    for key in ("tools", "tool_search"):
        section = section.get(key) if isinstance(section, dict) else None
    enabled = section.get("enabled", "auto") if isinstance(section, dict) else "auto"
    return str(enabled).lower() not in ("off", "false", "none", "no")


def read_settings(get: Callable[[str, Any], Any]) -> tuple[Settings, tuple[str, ...]]:
    """Read every setting through ``get(key, default)``; return them with a warning for each that was not usable."""
    values: dict[str, Any] = {}
    warnings: list[str] = []
    for field in attrs.fields(Settings):
        value = get(field.name, field.default)
        check, wanted = RULES[field.name]
        if not check(value):
            fallback = _SAFE.get(field.name, field.default)
            warnings.append(f"setting {field.name} must be {wanted}; using {_show(fallback)} instead")
            value = fallback
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return Settings(**values), tuple(warnings)


def _show(value: Any) -> str:
    return repr(value if not isinstance(value, bool) else str(value).lower()).strip("'")
