"""``stats``, ``blame`` and ``doctor``: what tools saved, since when one fails, whether the installation is sound."""

import argparse

from ..errors import KataError
from ..service.doctor import DoctorView, without_log
from .desk import Answer, Desk
from .envelope import plain
from .exits import DONE, FAILED
from .paint import Page
from .show import blame, doctor, stats

Asked = argparse.Namespace


def see_stats(desk: Desk, asked: Asked) -> Answer:
    """Show what the tools saved, each number with its basis."""
    del asked
    view = desk.service.stats()
    return Answer(lines=tuple(stats.lines(view, desk.page, chat=desk.chat)), data=plain(view))


def see_blame(desk: Desk, asked: Asked) -> Answer:
    """Show since when a kata fails; exits with 1 where it does."""
    view = desk.service.blame(asked.kata)
    lines = blame.lines(view, desk.page, desk.command, chat=desk.chat)
    return Answer(lines=tuple(lines), data=plain(view), exit=DONE if view.bad is None else FAILED)


def see_doctor(desk: Desk, asked: Asked) -> Answer:
    """Show whether the installation is sound; exits with 1 where something is at fault."""
    del asked
    return diagnosis(desk.service.doctor(), desk.page)


def diagnosis(view: DoctorView, page: Page) -> Answer:
    """Answer with what was found."""
    data = {"sound": view.sound, "findings": plain(view.findings)}
    return Answer(lines=tuple(doctor.lines(view, page)), data=data, exit=DONE if view.sound else FAILED)


def diagnosis_without_log(error: KataError, page: Page) -> Answer:
    """Answer where the log cannot even be opened."""
    return diagnosis(without_log(error), page)
