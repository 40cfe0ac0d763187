"""The endpoints that only look; each is one use case of the service and its view model."""

from collections.abc import Iterator
from typing import Annotated, Any

import attrs
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import AwareDatetime

from ..json import dumps
from ..service import Service
from ..service.views import AuditPage, AuditQuery, AuditRow
from ..surfaces.envelope import plain
from ..surfaces.exporting import readable
from .answers import answer
from .bodies import Values
from .fence import Peers, audience
from .jobs import Jobs
from .rooms import Rooms

EXPORT_PAGE = 500
TAIL = 100

Named = Annotated[str, Path(max_length=120, description="A kata's number or name.")]
Number = Annotated[int | None, Query(ge=1, le=1_000_000)]
Position = Annotated[int | None, Query(ge=0, le=2**53)]
Word = Annotated[str, Query(max_length=200)]


@attrs.frozen(kw_only=True)
class EventTail:
    """What happened after a position, oldest first; ``position`` is the log's end, ``more`` says that rows were left out."""

    position: int
    rows: tuple[AuditRow, ...]
    more: bool = False


@attrs.frozen(kw_only=True)
class UndoView:
    """What ``undo`` would do now."""

    number: int
    name: str
    verb: str
    version: int | None


def add_looks(router: APIRouter, rooms: Rooms, jobs: Jobs, peers: Peers) -> None:
    """Add every endpoint that changes nothing."""
    here: Any = Annotated[Service, Depends(rooms.service)]
    _add_katas(router, here, peers)
    _add_history(router, here)

    @router.post("/katas/{named}/plan", summary="See the plan with values; nothing is dispatched")
    def plan(named: Named, body: Values, service: here) -> Response:
        return answer(service.profile, service.plan(named, body.unmarked(), version=body.version))

    @router.get("/mine", summary="The pass that runs, or the last one")
    def last_job(service: here) -> Response:
        return answer(service.profile, jobs.last(rooms.home().folder))

    @router.get("/mine/{job}", summary="One pass: its progress and what it found")
    def job(job: Annotated[str, Path(max_length=60)], service: here) -> Response:
        return answer(service.profile, jobs.view(rooms.home().folder, job))


def _add_katas(router: APIRouter, here: Any, peers: Peers) -> None:
    @router.get("/overview", summary="What needs the person first")
    def overview(request: Request, service: here) -> Response:
        view = service.overview("dashboard", lambda: audience(request, service.record(), peers))
        return answer(service.profile, view)

    @router.get("/status", summary="What is recorded, and how Kata is")
    def status(service: here) -> Response:
        return answer(service.profile, service.status())

    @router.get("/katas", summary="Every kata; with all also what was only seen, and why")
    def katas(service: here, *, all: bool = False) -> Response:  # noqa: A002
        return answer(service.profile, service.listing(everything=all))

    @router.get("/katas/{named}", summary="A version whole: the one that waits, else the active one")
    def review(named: Named, service: here, version: Number = None) -> Response:
        return answer(service.profile, service.review(named, version))

    @router.get("/katas/{named}/diff", summary="What differs between two versions")
    def diff(
        named: Named,
        service: here,
        before: Annotated[Number, Query(alias="from")] = None,
        after: Annotated[Number, Query(alias="to")] = None,
    ) -> Response:
        return answer(service.profile, service.diff(named, before, after))

    @router.get("/katas/{named}/why", summary="What a version rests on")
    def why(named: Named, service: here, version: Number = None) -> Response:
        return answer(service.profile, service.why(named, version=version))

    @router.get("/katas/{named}/export", summary="One version as a file that people can read")
    def export(named: Named, service: here, version: Number = None) -> Response:
        document = service.export_kata(named, version=version)
        name = f"kata-{document['name']}-v{document['version']}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(readable(document), headers=headers, media_type="application/json")

    @router.get("/katas/{named}/undo", summary="What undo would do")
    def undo_preview(named: Named, service: here) -> Response:
        kata, verb, version = service.decisions.undo_preview(named)
        return answer(
            service.profile, UndoView(number=kata.number, name=kata.name, verb=verb, version=version)
        )


def _add_history(router: APIRouter, here: Any) -> None:
    @router.get("/runs", summary="Runs, newest first")
    def runs(service: here, kata: Word = "", limit: Annotated[int, Query(ge=1, le=500)] = 50) -> Response:
        return answer(service.profile, service.runs(kata, limit=limit))

    @router.get("/runs/{run}", summary="One run, step by step")
    def run(run: Annotated[str, Path(max_length=120)], service: here) -> Response:
        return answer(service.profile, service.run(run))

    @router.get("/audit", summary="Who did what, newest first, with facets")
    def audit(service: here, query: Annotated[AuditQuery, Depends(asked)]) -> Response:
        return answer(service.profile, service.audit(query))

    @router.get("/audit/export", summary="The filtered audit trail as NDJSON")
    def export(service: here, query: Annotated[AuditQuery, Depends(asked)]) -> Response:
        first = service.audit(attrs.evolve(query, limit=EXPORT_PAGE))
        name = f"kata-audit-{service.profile}.ndjson"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return StreamingResponse(_lines(service, first), headers=headers, media_type="application/x-ndjson")

    @router.get("/events", summary="What happened after a position")
    def events(service: here, after: Position = None) -> Response:
        return answer(service.profile, tail(service, after))


def asked(  # noqa: PLR0917 – FastAPI reads each query parameter from the signature
    actor: Word = "",
    action: Word = "",
    channel: Word = "",
    kata: Word = "",
    text: Word = "",
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    before: Position = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    *,
    observations: bool = False,
) -> AuditQuery:
    """Read a query of the audit trail."""
    return AuditQuery(
        actor=actor,
        action=action,
        channel=channel,
        kata=kata,
        text=text,
        since=since,
        until=until,
        before=before,
        limit=limit,
        observations=observations,
    )


def tail(service: Service, after: int | None) -> EventTail:
    """Return the audit rows after a position; cheap where nothing happened."""
    service.refresh()
    end = service.world.log.head().position
    if after is None or after >= end:
        return EventTail(position=end, rows=())
    page = service.audit(AuditQuery(limit=TAIL))
    rows = tuple(row for row in reversed(page.rows) if row.position > after)
    # That a page told of something is no news to a page.
    news = tuple(row for row in rows if row.action != "notice.shown")
    return EventTail(position=end, rows=news, more=len(rows) == TAIL)


def _lines(service: Service, page: AuditPage) -> Iterator[str]:
    while True:
        yield from (dumps(plain(row)) + "\n" for row in page.rows)
        if page.next_before is None:
            return
        page = service.audit(attrs.evolve(page.query, before=page.next_before))
