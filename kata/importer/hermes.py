"""One session of Hermes: the rows of its messages, from ``state.db`` or an export, as calls (host facts 13.1)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..projections.lineage import job_of
from .calls import Found, ImportedLink, LeftOut
from .conversation import Answer, Conversation
from .lines import moment_or_none
from .unwrap import entries, unwrapped

Row = Mapping[str, Any]

ENCODED = "\x00json:"
"""Where the stored text of a list of parts begins."""


def session_calls(session: Row, rows: Iterable[Row]) -> Iterator[Found]:
    """Yield a session's link and calls.

    Args:
        session: ``id``, ``source``, ``parent_session_id``.
        rows: Its messages by ``id``. What was rewound is left out; what a compaction archived is read, and its copies have
            the same keys.
    """
    name = str(session["id"])
    link = link_of(session)
    if link is not None:
        yield link
    talk = Conversation(name, name)
    for row in rows:
        role = row.get("role")
        if row.get("active") == 0 and not row.get("compacted"):
            if role == "tool":
                yield LeftOut("rewound")
        elif role == "user" and _is_request(row):
            yield from talk.turn()
        elif role == "assistant" and row.get("tool_calls"):
            yield from _announced(talk, row)
        elif role == "tool":
            talk.answer(row.get("tool_call_id"), _answer(row))
    yield from talk.turn()


def link_of(session: Row) -> ImportedLink | None:
    """Return what a session belongs to: a job, the one that delegated to it, or the one that it goes on from."""
    name, source = str(session["id"]), session.get("source")
    parent = session.get("parent_session_id") or None
    if source == "cron":
        return ImportedLink(session=name, parent=parent, relation="scheduled", job=job_of(name))
    if parent is None:
        return None
    relation = "delegate" if source == "subagent" else "compression"
    return ImportedLink(session=name, parent=str(parent), relation=relation)


def _is_request(row: Row) -> bool:
    """Tell a person's request from what the host says in the person's place, and from what was only overheard."""
    return not (row.get("display_kind") or row.get("observed") or row.get("_compressed_summary"))


def _announced(talk: Conversation, row: Row) -> Iterator[LeftOut]:
    place = f"import:{row.get('id')}"
    uids = _decoded(row.get("tool_call_uids"))
    uids = uids if isinstance(uids, dict) else {}
    calls = _decoded(row.get("tool_calls"))
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            yield LeftOut("bad_call")
            continue
        ids = [call.get("call_id"), call.get("id")]
        uid = next((uids[one] for one in ids if isinstance(uids.get(one), str)), "") if uids else ""
        given = function.get("arguments")
        carried = list(entries(function["name"], given))
        for number, (tool, args) in enumerate(carried):
            if args is None:
                yield LeftOut("bad_arguments")
            talk.announce(
                place,
                place,
                tool,
                {} if args is None else args,
                ids=() if args is None or len(carried) > 1 else ids,
                uid=uid if len(carried) == 1 else f"{uid}:{number}" if uid else "",
                at=row.get("timestamp"),
                written=given if isinstance(given, str) else None,
            )


def _answer(row: Row) -> Answer:
    content = written = row.get("content")
    if isinstance(content, str) and content.startswith(ENCODED):
        content = _decoded(content.removeprefix(ENCODED))
    result, truncated = unwrapped(content) if isinstance(content, str) else (content, False)
    at = moment_or_none(row.get("timestamp"))
    return Answer(result, at, None, None, truncated, written if isinstance(written, str) else None)


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None
