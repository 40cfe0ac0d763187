"""Which conversation a session belongs to: the root of its lineage, or its scheduled job (cases B005, B006)."""

from collections.abc import Callable, Mapping

import attrs

JOB = "job:"


@attrs.frozen
class Link:
    """A session's parent, and the scheduled job that opened it."""

    parent: str | None
    job: str | None


def roots(links: Mapping[str, Link]) -> Callable[[str], str]:
    """Return a function from a session to its conversation; answers are remembered.

    Every relation leads to the parent: what a session was split into, delegated or branched counts once. A lineage that
    runs in a circle ends where it closes, at its first name in order.
    """
    known: dict[str, str] = {}

    def root(session: str) -> str:
        if session not in known:
            known[session] = _root(session, links)
        return known[session]

    return root


def _root(session: str, links: Mapping[str, Link]) -> str:
    path = [session]
    while True:
        link = links.get(path[-1])
        if link is not None and link.job:
            return JOB + link.job
        if link is None or not link.parent:
            return path[-1]
        if link.parent in path:
            return min(path[path.index(link.parent) :])
        path.append(link.parent)


def job_of(session: str) -> str | None:
    """Return the job of a scheduled session's id, ``cron_<job>_<time>``; None for other sessions."""
    words = session.split("_")
    return words[1] if words[0] == "cron" and len(words) > 2 else None
