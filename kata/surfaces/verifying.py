"""``verify``: look, and with ``--accept`` settle what cannot be told of the log's end, which only a person may."""

import argparse

from ..service.views import VerifyReport
from .deciding import confirm, dry, person
from .desk import Answer, Desk
from .looking import see_verification, verification
from .show import reports
from .text import say


def verify(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Re-read every stored byte; with ``accept`` take the log's end as it is, where anything is in doubt."""
    if not asked.accept:
        return see_verification(desk, asked)
    view = verification(desk)
    if not _is_in_doubt(view):
        return see_verification(desk, asked)
    if asked.dry_run:
        return dry(say("verify.ask"))
    actor, _ = person(desk, "verify", "log")
    if desk.confirm is not None:
        desk.show(tuple(reports.verified(view)))
        if not asked.yes:
            confirm(desk, "verify", "log", say("ask.yes", what=say("verify.ask")), "yes")
    desk.service.accept_end(actor, asked.note)
    seen = see_verification(desk, asked)
    return Answer(lines=(say("verify.accepted"), *seen.lines), data=seen.data, exit=seen.exit)


def _is_in_doubt(view: VerifyReport) -> bool:
    return bool(not view.ok or not view.anchored or view.unproven)
