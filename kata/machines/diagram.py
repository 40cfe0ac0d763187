"""The state diagram of the documents, drawn from the machine itself."""

from collections.abc import Iterator

from .definition import SAME, Definition, Rule


def diagram(definition: Definition) -> str:
    """Draw a machine as a mermaid state diagram: one arrow a source and rule, with who may."""
    lines = ["stateDiagram-v2"]
    for rule in definition.rules:
        lines.extend(f"    {arrow}" for arrow in _arrows(definition, rule))
    return "\n".join(lines) + "\n"


def _arrows(definition: Definition, rule: Rule) -> Iterator[str]:
    for source in rule.sources:
        start = "[*]" if source == definition.initial else str(source)
        target = source if rule.target == SAME else rule.target
        yield f"{start} --> {target}: {rule.trigger}{_by(rule)}"


def _by(rule: Rule) -> str:
    return f" ({rule.who[0]})" if len(rule.who) == 1 else ""


def table(definition: Definition) -> str:
    """Write a machine as a Markdown table: from, trigger, to, who, only if."""
    lines = ["| from | trigger | to | who | only if |", "|---|---|---|---|---|"]
    for rule in definition.rules:
        sources = ", ".join("(none)" if one == definition.initial else str(one) for one in rule.sources)
        target = "same" if rule.target == SAME else str(rule.target)
        needs = "; ".join(map(definition.text_of, rule.only_if))
        lines.append(f"| {sources} | {rule.trigger} | {target} | {_who(rule)} | {needs} |")
    return "\n".join(lines) + "\n"


def _who(rule: Rule) -> str:
    return str(rule.who[0]) if len(rule.who) == 1 else "anyone"
