"""The whole router, and the document that describes it."""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field

from .. import __version__
from ..clock import SystemClock, SystemIds
from ..json import dumps
from .answers import NoSuchPathError, Route, refusal
from .deciding import add_changes
from .fence import Peers
from .jobs import Jobs
from .looking import add_looks
from .rooms import Rooms

PREFIX = "/api/plugins/kata"
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]


class Answered(BaseModel):
    """The envelope of an answer."""

    schema_: str = Field(alias="schema")
    ok: bool
    profile: str
    data: Any


class Refused(BaseModel):
    """The envelope of a refusal; the error carries a code, a message, a hint and data of its own."""

    schema_: str = Field(alias="schema")
    ok: bool
    error: dict[str, Any]


REFUSALS = {
    403: "A person is needed, at a place where they can answer.",
    404: "There is no such thing.",
    409: "The state of things does not allow it; what changed is said.",
    422: "The request is wrong; every problem is said.",
    500: "A fault of Kata's own.",
    503: "The log cannot be read or written now.",
}


def build(rooms: Rooms, jobs: Jobs | None = None, peers: Peers | None = None) -> APIRouter:
    """Build the router that the host mounts under ``/api/plugins/kata/``."""
    jobs, peers = jobs or Jobs(SystemClock(), SystemIds()), peers or Peers()
    responses: dict[int | str, dict[str, Any]] = {
        status: {"model": Refused, "description": text} for status, text in REFUSALS.items()
    }
    router = APIRouter(route_class=Route, responses={200: {"model": Answered}, **responses})
    add_looks(router, rooms, jobs, peers)
    add_changes(router, rooms, jobs, peers)

    @router.get("/openapi.json", include_in_schema=False)
    def openapi() -> Response:
        return Response(dumps(document(router)), media_type="application/json")

    @router.api_route("/{path:path}", methods=METHODS, include_in_schema=False)
    def nothing(path: str, request: Request) -> Response:
        del request
        return refusal(NoSuchPathError(path))

    return router


def document(router: APIRouter) -> dict[str, Any]:
    """Return the OpenAPI document of the API."""
    return get_openapi(
        title="Kata",
        version=__version__,
        description="Routines that became tools: see them, decide about them, know who decided.",
        routes=router.routes,
        servers=[{"url": PREFIX}],
    )
