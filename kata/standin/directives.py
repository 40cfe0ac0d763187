"""What the answers of ``pre_tool_call`` mean together: block before approve, modifications merged."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs


@attrs.frozen
class Directive:
    """The one decision of all plugins about one call.

    Attributes:
        action: ``block``, ``approve`` or ``""`` (go on).
        message: Why; for a block it becomes the tool's result.
        rule_key: What an "always" of the person would be remembered for.
        args: The merged arguments, or ``None`` when nothing was modified.
    """

    action: str = ""
    message: str = ""
    rule_key: str = ""
    args: dict[str, Any] | None = None


def combine(answers: Iterable[Any], args: Mapping[str, Any]) -> Directive:
    """Read the answers in order: the first valid block wins over all, then the first approve (facts 4)."""
    approve: Directive | None = None
    merged: dict[str, Any] | None = None
    for answer in answers:
        if not isinstance(answer, dict):
            continue
        merged = _merged(answer, merged, args)
        if _blocks(answer):
            return Directive("block", answer["message"], "", merged)
        if approve is None and answer.get("action") == "approve":
            approve = Directive(
                "approve", _text(answer.get("message")), _text(answer.get("rule_key")).strip()
            )
    return attrs.evolve(approve or Directive(), args=merged)


def _merged(
    answer: dict[str, Any], merged: dict[str, Any] | None, args: Mapping[str, Any]
) -> dict[str, Any] | None:
    partial = answer.get("args")
    if answer.get("action") != "modify" or not isinstance(partial, dict) or not partial:
        return merged
    return {**(args if merged is None else merged), **partial}


def _blocks(answer: dict[str, Any]) -> bool:
    return answer.get("action") == "block" and bool(_text(answer.get("message")))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
