"""Commands that only look: overview, list, review, runs, audit, status, replay, verify, mine."""

import argparse
import re
from collections.abc import Iterator, Sequence

import attrs

from ..errors import UsageError
from ..json import dumps
from ..service import Service
from ..service.views import AuditQuery, Review, VerifyReport
from ..spec import short
from .actors import audience
from .desk import Answer, Desk
from .envelope import plain
from .exits import DONE, FAILED, WAITING
from .paint import LONGEST
from .parser import SHELL_ONLY, VERBS, unknown_verb
from .show import audit as show_audit
from .show import listing, overview, reports, review, runs, tabbed
from .text import say
from .times import parse_moment

Asked = argparse.Namespace
PAGE = 500
"""Rows that a stream takes at a time."""
LONGEST_POSITION = 18
"""Digits of a position; no log has more events than these count."""
KEY_VALUE = re.compile(r"(actor|action|channel|kata|since|until):(\S+)")


def see_overview(desk: Desk, asked: Asked) -> Answer:
    """Show what needs the person."""
    del asked
    view = desk.service.overview("slash" if desk.chat else "cli", lambda: audience(desk.actor))
    following = tuple(f"{desk.command} review {row.number}" for row in view.needs_you)
    lines = (
        tabbed.overview(view)
        if desk.page.plain
        else overview.lines(view, desk.page, desk.now(), desk.command)
    )
    return Answer(lines=tuple(lines), data=plain(view), following=following)


def see_list(desk: Desk, asked: Asked) -> Answer:
    """List katas; with ``--all`` what was only seen as well."""
    view = desk.service.listing(everything=asked.all)
    return Answer(lines=tuple(listing.lines(view, desk.page, desk.now())), data={"katas": plain(view.katas)})


def see_review(desk: Desk, asked: Asked) -> Answer:
    """Show a version whole, and remember that it was shown here."""
    view = desk.service.review(asked.kata, asked.version)
    following = decision_lines(view, desk)
    if desk.page.plain:
        return Answer(lines=tuple(tabbed.review(view)), data={"kata": plain(view)}, following=following)
    shown = review_lines(view, desk)
    lines = (*shown, "", *look_lines(view, desk.command), *following)
    if desk.chat and len("\n".join(lines)) > LONGEST:
        return _unread(view, shown)
    desk.service.shown(desk.reader, view)
    return Answer(lines=lines, data={"kata": plain(view)}, following=following)


def review_lines(view: Review, desk: Desk) -> list[str]:
    """Return a review without what one may type next."""
    return review.chat(view) if desk.chat else review.shell(view, desk.page)


def _unread(view: Review, shown: Sequence[str]) -> Answer:
    """Answer with what a chat can carry of a review, and no way to approve: what was not read is not decided here."""
    last = say("review.too_long", number=view.row.number)
    return Answer(lines=(*shown, "", last), data={"kata": plain(view)})


def look_lines(view: Review, command: str) -> tuple[str, ...]:
    """Return what one may type to understand a version better."""
    number = view.row.number
    values = "".join(f" {name}=…" for name in view.inputs.get("properties", {}))
    compare = (say("review.compare", command=command, number=number),) if view.version > 1 else ()
    return (say("review.look", command=command, number=number, values=values), *compare)


def decision_lines(view: Review, desk: Desk) -> tuple[str, ...]:
    """Return what one may type about this version, the likeliest last in a chat."""
    row = view.row
    using = "".join(f" using {one.place}=…" for one in view.choices)
    words = {"command": desk.command, "number": row.number, "digest": short(view.digest)}
    words |= {"name": row.name + using}
    if row.state == "candidate":
        return say("review.approve_chat" if desk.chat else "review.approve", **words), say(
            "review.reject", **words
        )
    if row.pending_version == view.version:
        return (say("review.approve_chat" if desk.chat else "review.approve", **words),)
    keys = {
        "active": "disable",
        "stale": "enable",
        "suspended": "enable",
        "disabled": "enable",
        "rejected": "reconsider",
    }
    return (say(f"review.{keys[row.state]}", **words),) if row.state in keys else ()


def see_runs(desk: Desk, asked: Asked) -> Answer:
    """List runs, newest first."""
    limit = 5 if desk.chat else asked.limit
    view = desk.service.runs(asked.kata, limit=limit)
    if desk.page.plain:
        return Answer(lines=tuple(tabbed.runs(view)), data={"runs": plain(view)})
    more = [say("runs.more", limit=2 * limit)] if len(view) == limit and not desk.chat else []
    return Answer(lines=(*runs.rows(view, desk.page, desk.now()), *more), data={"runs": plain(view)})


def see_run(desk: Desk, asked: Asked) -> Answer:
    """Show one run step by step."""
    view = desk.service.run(asked.run)
    lines = tabbed.run(view) if desk.page.plain else runs.trace(view, desk.page)
    return Answer(lines=tuple(lines), data={"run": plain(view)})


def see_audit(desk: Desk, asked: Asked) -> Answer:
    """Show the audit trail, filtered."""
    query = audit_query(desk, asked)
    if asked.ndjson and not desk.chat:
        return Answer(lines=(), data=None, stream=audit_lines(desk.service, query))
    view = desk.service.audit(query)
    return Answer(lines=tuple(show_audit.lines(view, desk.page, desk.now())), data=plain(view))


def audit_lines(service: Service, query: AuditQuery) -> Iterator[str]:
    """Yield every row that a query finds as one line of JSON, newest first."""
    before: int | None = query.before
    while True:
        page = service.audit(attrs.evolve(query, before=before, limit=PAGE))
        yield from (dumps(plain(row)) for row in page.rows)
        if page.next_before is None:
            return
        before = page.next_before


def audit_query(desk: Desk, asked: Asked) -> AuditQuery:
    """Read flags, ``key:value`` words and free text into one query."""
    fields = {name: getattr(asked, name) for name in ("actor", "action", "channel", "kata", "since", "until")}
    free = []
    for word in asked.text:
        match = KEY_VALUE.fullmatch(word)
        if match is not None:
            fields[match[1]] = match[2]
        elif desk.chat and word.isdigit():
            fields["kata"] = word
        else:
            free.append(word)
    return AuditQuery(
        actor=fields["actor"],
        action=fields["action"],
        channel=fields["channel"],
        kata=fields["kata"],
        since=parse_moment(fields["since"], desk.now()) if fields["since"] else None,
        until=parse_moment(fields["until"], desk.now()) if fields["until"] else None,
        text=" ".join(free),
        observations=asked.observations,
        before=asked.before,
        limit=10 if desk.chat else asked.limit,
    )


def see_status(desk: Desk, asked: Asked) -> Answer:
    """Show how Kata is; with ``--exit-code`` 10 says that something waits."""
    view = desk.service.status()
    waiting = asked.exit_code and view.pending > 0
    lines = tabbed.status(view) if desk.page.plain else reports.status(view, desk.page, desk.now())
    return Answer(
        lines=tuple(lines),
        data=plain(view),
        exit=WAITING if waiting else DONE,
        warnings=view.recording.warnings,
    )


def see_mining(desk: Desk, asked: Asked) -> Answer:
    """Look for routines now."""
    del asked
    view = desk.service.mine(lambda done, whole: desk.progress(say("mine.progress"), done, whole))
    following = tuple(f"{desk.command} review {row.number}" for row in view.proposed)
    return Answer(lines=tuple(reports.mined(view, desk.command)), data=plain(view), following=following)


def see_replay(desk: Desk, asked: Asked) -> Answer:
    """Rebuild the projections from the log, or compare them with it."""
    position, moment = None, None
    if asked.until.isascii() and asked.until.isdecimal():
        position = _position(asked.until)
    elif asked.until:
        moment = parse_moment(asked.until, desk.now())
    if asked.until and asked.check:
        raise UsageError(say("usage.position", text=asked.until), hint="")
    report = lambda done, whole: desk.progress(say("replay.progress"), done, whole)  # noqa: E731
    view = desk.service.replay(check=asked.check, position=position, moment=moment, progress=report)
    return Answer(lines=tuple(reports.replayed(view)), data=plain(view), exit=FAILED if view.drift else DONE)


def _position(digits: str) -> int:
    if len(digits) > LONGEST_POSITION:
        raise UsageError(say("usage.position", text=digits))
    return int(digits)


def verification(desk: Desk) -> VerifyReport:
    """Re-read every stored byte, and say how far that is."""
    return desk.service.verify(lambda done, whole: desk.progress(say("verify.progress"), done, whole))


def see_verification(desk: Desk, asked: Asked) -> Answer:
    """Re-read every stored byte."""
    del asked
    view = verification(desk)
    return Answer(lines=tuple(reports.verified(view)), data=plain(view), exit=DONE if view.ok else FAILED)


def see_help(desk: Desk, asked: Asked) -> Answer:
    """List the commands, or one command's help.

    Raises:
        UsageError: there is no such command.
    """
    from .parser import build

    parser = build(desk.command)
    choices = next(action.choices for action in parser._actions if isinstance(action.choices, dict))  # noqa: SLF001
    if asked.topic in choices:
        text = choices[asked.topic].format_help()
        return Answer(lines=tuple(text.splitlines()), data={"help": text})
    if asked.topic:
        raise unknown_verb(asked.topic)
    width = max(map(len, VERBS))
    lines = [say("help.head", command=desk.command)]
    lines += [
        f"  {name:<{width}}  {say(summary)}" if not desk.chat else f"{name} – {say(summary)}"
        for name, (summary, _) in VERBS.items()
        if not (desk.chat and name in SHELL_ONLY)
    ]
    lines.append(say("help.foot", command=desk.command))
    return Answer(lines=tuple(lines), data={"verbs": list(VERBS)})
