"""What the API answers: one envelope for answers and refusals, strict JSON, a status for each kind of refusal (ux 4)."""

import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from ..errors import (
    HumanNeededError,
    KataError,
    NewerKataError,
    NotFoundError,
    RefusedError,
    StoreError,
    UsageError,
)
from ..json import JsonError, JsonValue, dumps
from ..service.errors import NotAnInputError
from ..service.names import BadNameError
from ..surfaces.envelope import failure, plain
from ..templating import TemplateError

log = logging.getLogger(__name__)

SCHEMA = "kata.api/1"

STATUSES: tuple[tuple[type[KataError] | tuple[type[KataError], ...], int], ...] = (
    ((UsageError, BadNameError, NotAnInputError, JsonError, TemplateError), 422),
    (HumanNeededError, 403),
    (NotFoundError, 404),
    ((StoreError, NewerKataError), 503),
    (RefusedError, 409),
)
"""The first kind that an error is gives its status; anything else is a fault of Kata's own: 500."""


class NoSuchPathError(NotFoundError):
    """Say that the API has no such path: perhaps the tab is newer than the server that runs."""

    code = "no_such_path"
    hint = "Reload the page; if it stays, restart `hermes dashboard`: the server runs an older Kata than the tab."

    def __init__(self, path: str) -> None:
        super().__init__(f"Kata's API has no path {path!r}")
        self.path = path


class BadRequestError(UsageError):
    """Say everything that is wrong with a request, each problem with its place."""

    code = "bad_request"

    def __init__(self, problems: Sequence[dict[str, str]]) -> None:
        super().__init__("; ".join(f"{one['where']}: {one['message']}" for one in problems))
        self.problems = tuple(problems)


def answer(profile: str, view: Any, *, status: int = 200) -> Response:
    """Answer with a view model."""
    return _response({"schema": SCHEMA, "ok": True, "profile": profile, "data": plain(view)}, status)


def refusal(error: KataError) -> Response:
    """Answer with an error: its status, code, message, hint and data."""
    return _response({**failure(error), "schema": SCHEMA}, status_of(error))


def status_of(error: KataError) -> int:
    """Return the HTTP status of an error."""
    return next((status for kinds, status in STATUSES if isinstance(error, kinds)), 500)


def _response(body: JsonValue, status: int) -> Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(dumps(body), status, headers, media_type="application/json")


class Route(APIRoute):
    """A route whose refusals are structured: the host's app knows nothing of Kata's errors."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Wrap the handler so that whatever it raises becomes an answer."""
        handle = super().get_route_handler()

        async def answered(request: Request) -> Response:
            try:
                return await handle(request)
            except HTTPException as error:
                return refusal(BadRequestError([{"where": "body", "message": str(error.detail)}]))
            except RequestValidationError as error:
                return refusal(BadRequestError([*map(_problem, error.errors())]))
            except KataError as error:
                return refusal(error)
            except Exception:
                log.exception("kata: the dashboard's request %s %s failed", request.method, request.url.path)
                return refusal(
                    KataError("something went wrong inside Kata", hint="The server's log says more.")
                )

        return answered


def _problem(error: dict[str, Any]) -> dict[str, str]:
    return {"where": ".".join(map(str, error["loc"])), "message": str(error["msg"])}
