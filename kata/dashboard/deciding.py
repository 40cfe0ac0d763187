"""The endpoints that change something: each needs a person, and a refusal at the fence is written down (design 9)."""

from typing import Annotated, Any

import attrs
from fastapi import APIRouter, Depends, Path, Request, Response

from ..errors import KataError
from ..service import Service
from ..service.forgetview import Target
from ..service.identify import parse_name
from .answers import answer
from .bodies import Approval, Deferral, Note, Pause, Rollback, Wish
from .fence import Peers, Person, bystander, needs_json, person_at
from .jobs import Jobs
from .looking import Named
from .rooms import Rooms


def add_changes(router: APIRouter, rooms: Rooms, jobs: Jobs, peers: Peers) -> None:
    """Add every endpoint that changes something."""
    here: Any = Annotated[Service, Depends(rooms.service)]

    def person(request: Request, service: here) -> Person:
        try:
            needs_json(request)
            return person_at(request, service.record(), peers)
        except KataError as error:
            by, verb = bystander(request), request.url.path.rpartition("/")[2]
            named = str(request.path_params.get("named", ""))
            service.decisions.refuse(verb, named, by.actor, error, by.where)
            raise

    decider: Any = Annotated[Person, Depends(person)]
    _add_decisions(router, here, decider)
    _add_keeping(router, here, decider)
    _add_mining(router, here, decider, rooms, jobs)


def _add_decisions(router: APIRouter, here: Any, decider: Any) -> None:
    @router.post("/katas/{named}/approve", summary="Approve the very version that was read")
    def approve(named: Named, body: Approval, service: here, by: decider) -> Response:
        asked = parse_name(named)
        decided = service.decisions.approve(
            f"{asked.name or asked.number}@{body.digest}",
            by.actor,
            name=body.name,
            renames=tuple(body.renames.items()),
            using=tuple(body.using.items()),
            note=body.note,
            origin=by.where,
        )
        return answer(service.profile, decided)

    def plain_verb(verb: str, summary: str) -> None:
        @router.post(f"/katas/{{named}}/{verb}", name=verb, operation_id=verb, summary=summary)
        def decide(named: Named, body: Note, service: here, by: decider) -> Response:
            act = getattr(service.decisions, verb)
            return answer(service.profile, act(named, by.actor, note=body.note, origin=by.where))

    plain_verb("reject", "Decline a proposal for good")
    plain_verb("reconsider", "Put a rejected routine back among the proposals")
    plain_verb("disable", "Turn a kata off")
    plain_verb("enable", "Turn a kata on again")
    plain_verb("undo", "Take the last decision about a kata back")

    @router.post("/katas/{named}/defer", summary="Set a proposal aside until something happens")
    def defer(named: Named, body: Deferral, service: here, by: decider) -> Response:
        decided = service.decisions.defer(
            named, by.actor, body.until.until(), note=body.note, origin=by.where
        )
        return answer(service.profile, decided)

    @router.post("/katas/{named}/rollback", summary="Make an earlier approved version the active one")
    def rollback(named: Named, body: Rollback, service: here, by: decider) -> Response:
        decided = service.decisions.rollback(named, body.version, by.actor, note=body.note, origin=by.where)
        return answer(service.profile, decided)


def _add_keeping(router: APIRouter, here: Any, decider: Any) -> None:
    @router.post("/pause", summary="Stop recording, for some minutes or until it is resumed")
    def pause(body: Pause, service: here, by: decider) -> Response:
        service.pause(by.actor, body.until(service.now()), body.note)
        return answer(service.profile, service.status().recording)

    @router.post("/resume", summary="Record again")
    def resume(body: Note, service: here, by: decider) -> Response:
        service.resume(by.actor, body.note)
        return answer(service.profile, service.status().recording)

    @router.post(
        "/forget", summary="Show what forgetting takes away; with the token of what was shown, erase that"
    )
    def forget(body: Wish, service: here, by: decider) -> Response:
        target = Target(session=body.session, text=body.text)
        if not body.token:
            return answer(service.profile, service.forget_preview(target))
        done = service.forget(target, body.token, by.actor, note=body.note, origin=by.where)
        return answer(service.profile, done)

    @router.post("/runs/{run}/acknowledge", summary="Allow the repeat of a run whose outcome nobody knows")
    def acknowledge(
        run: Annotated[str, Path(max_length=120)], body: Note, service: here, by: decider
    ) -> Response:
        service.acknowledge(run, by.actor, body.note)
        return answer(service.profile, service.run(run))


def _add_mining(router: APIRouter, here: Any, decider: Any, rooms: Rooms, jobs: Jobs) -> None:
    @router.post("/mine", status_code=202, summary="Look for routines now, in a process of its own")
    def mine(service: here, by: decider) -> Response:
        del by
        order = {"profile": service.profile, "settings": attrs.asdict(service.settings)}
        return answer(service.profile, jobs.start(rooms.home().folder, order), status=202)

    @router.post("/mine/{job}/cancel", summary="End a pass")
    def cancel(job: Annotated[str, Path(max_length=60)], service: here, by: decider) -> Response:
        del by
        return answer(service.profile, jobs.cancel(rooms.home().folder, job))
