"""``why``: what a version rests on, and for each argument what it became, why, and what came second."""

from collections.abc import Iterator
from itertools import groupby

from ...service.comparing import ReasonView, WhyView
from ...service.views import EvidenceView
from ...spec import short
from ..paint import Page, one_line, wrap
from ..text import explain, plural, say

MADE = "text made as "
"""How a reason begins that says what became of an argument as well."""
SHOWN = 5
"""Examples that a chat lists."""


def shell(view: WhyView, page: Page) -> list[str]:
    """Return the reasons for a terminal."""
    if page.plain:
        return [*map(_plain_reason, view.arguments), *map(_plain_example, view.evidence)]
    shown = [page.style(_title(view), "bold"), *_scores(view)]
    for (number, tool), arguments in groupby(view.arguments, key=lambda one: (one.step, one.tool)):
        shown += ["", page.style(say("why.step", number=number, tool=tool), "bold")]
        for one in arguments:
            shown += _reason(one, page)
    return [*shown, "", page.style(say("why.evidence"), "bold"), *map(_example, view.evidence)]


def chat(view: WhyView) -> list[str]:
    """Return the reasons for a chat."""
    shown = [_title(view), *_scores(view), ""]
    for one in view.arguments:
        line = say("why.chat", step=one.step, path=one.path, reason=_became(one))
        shown.append(line + _runner_up(one))
    shown += ["", say("why.evidence"), *map(_example, view.evidence[:SHOWN])]
    if len(view.evidence) > SHOWN:
        shown.append(say("why.more", count=len(view.evidence) - SHOWN))
    return shown


def _title(view: WhyView) -> str:
    return say(
        "review.title", number=view.number, name=view.name, version=view.version, digest=short(view.digest)
    )


def _scores(view: WhyView) -> Iterator[str]:
    scores, left = view.scores, sum(one.kept for one in view.evidence)
    yield say(
        "why.seen" if left == len(view.evidence) else "why.seen_left",
        left=left,
        whole=len(view.evidence),
        times=plural(scores.occurrences, "count.time", "count.times"),
        chats=plural(scores.support, "count.conversation", "count.conversations"),
        days=plural(view.days, "count.day", "count.days"),
    )
    yield say(
        "why.confidence",
        confidence=f"{scores.confidence:.2f}",
        fit=f"{scores.fit_rate:.0%}",
        support=scores.support,
    )


def _reason(one: ReasonView, page: Page) -> Iterator[str]:
    yield f"  {one.path}  {page.style(one_line(one.text), 'cyan')}"
    reason = _became(one) + _runner_up(one)
    yield from wrap(reason, max(40, page.width), "      ")


def _became(one: ReasonView) -> str:
    """Say what an argument became and why; a reason that says the one with the other stands alone."""
    if one.became == "text" and one.reason.startswith(MADE):
        return explain(one_line(one.reason))
    became = say(f"became.{one.became}") if one.became else say("became.unknown")
    return say("why.reason", became=became, reason=one_line(one.reason))


def _runner_up(one: ReasonView) -> str:
    others = one_line(", ".join(one.alternatives))
    return say("why.runner_up", others=others) if others else ""


def _example(one: EvidenceView) -> str:
    if not one.kept:
        return say("why.forgotten")
    where = one_line(one.session_id or one.conversation)
    key = "why.example" if one.session_id in ("", one.conversation) else "why.example_of"
    return say(key, day=one.occurred_on or say("time.unknown"), session=where, conversation=one.conversation)


def _plain_reason(one: ReasonView) -> str:
    cells = (one.path, one.became or "-", one.text, one.reason, "; ".join(one.alternatives) or "-")
    return "\t".join(("argument", str(one.step), *map(one_line, cells)))


def _plain_example(one: EvidenceView) -> str:
    kept = "kept" if one.kept else "forgotten"
    return "\t".join(
        ("evidence", one.occurred_on or "-", one.conversation or "-", one.session_id or "-", kept)
    )
