"""Which function answers which verb."""

import argparse
from collections.abc import Callable, Mapping

from . import (
    comparing,
    completing,
    deciding,
    exporting,
    forgetting,
    hooking,
    importing,
    links,
    looking,
    tab,
    telling,
    verifying,
    watching,
)
from .desk import Answer, Desk
from .parser import COMPLETE

Verb = Callable[[Desk, argparse.Namespace], Answer]


def _run(desk: Desk, asked: argparse.Namespace) -> Answer:
    return deciding.allow_run(desk, asked) if asked.action == "allow" else looking.see_run(desk, asked)


ANSWERS: Mapping[str, Verb] = {
    "list": looking.see_list,
    "review": looking.see_review,
    "plan": comparing.see_plan,
    "diff": comparing.see_diff,
    "why": comparing.see_why,
    "approve": deciding.approve,
    "reject": deciding.reject,
    "reconsider": deciding.simple,
    "defer": deciding.defer,
    "undo": deciding.undo,
    "disable": deciding.simple,
    "enable": deciding.simple,
    "rollback": deciding.rollback,
    "runs": looking.see_runs,
    "run": _run,
    "audit": looking.see_audit,
    "watch": watching.watch,
    "blame": telling.see_blame,
    "stats": telling.see_stats,
    "status": looking.see_status,
    "doctor": telling.see_doctor,
    "open": links.open_tab,
    "mine": looking.see_mining,
    "import": importing.see_import,
    "export": exporting.export,
    "import-kata": exporting.import_kata,
    "pause": deciding.pause,
    "resume": deciding.resume,
    "forget": forgetting.forget,
    "replay": looking.see_replay,
    "verify": verifying.verify,
    "hooks": hooking.hooks,
    "dashboard": tab.dashboard,
    "completion": completing.completion,
    COMPLETE: completing.complete,
    "help": looking.see_help,
}


def answer(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Answer one parsed command; no verb means the overview."""
    verb = getattr(asked, "verb", None)
    if verb != "open" and getattr(asked, "url", False):
        return links.address(desk, asked)
    return ANSWERS[verb](desk, asked) if verb else looking.see_overview(desk, asked)
