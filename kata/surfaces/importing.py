"""``hermes kata import``: bring in histories that are there already, then look for routines in them."""

import argparse
from pathlib import Path

from ..errors import KataError, NotFoundError
from ..importer import Wish
from ..service.importing import Imported, Watch
from ..service.views import MiningSummary
from .desk import Answer, Desk
from .envelope import plain
from .exits import DONE, exit_code
from .paths import path_of
from .show import importing as show
from .show import reports
from .text import say
from .times import parse_moment


def see_import(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Import the paths, or failing those what this machine has, once the person agrees.

    Raises:
        KataError: the only path cannot be imported.
    """
    paths = [path_of(path) for path in asked.paths] or _chosen(desk, asked)
    wish = Wish(
        since=parse_moment(asked.since, desk.now()) if asked.since else None,
        session=asked.session,
        dry=asked.dry_run,
    )
    found: list[Imported] = []
    failed: list[KataError] = []
    for path in paths:
        try:
            found.append(desk.service.import_history(path, wish, _watch(desk, path)))
        except KataError as error:
            if len(paths) == 1:
                raise
            failed.append(error)
    mined = desk.service.mine() if any(one.new_events for one in found) else None
    return _answer(desk, asked, found, failed, mined)


def _chosen(desk: Desk, asked: argparse.Namespace) -> list[Path]:
    """Return what this machine has; reading it all into the log is for the person to say, looking at it is not."""
    places = desk.service.histories()
    if not places:
        raise NotFoundError(say("import.none_here"), hint=say("import.none_here.hint", command=desk.command))
    desk.show(show.places(places))
    if not asked.dry_run and desk.confirm is not None:
        desk.confirm(say("import.ask"), "yes")
    return [place.path for place in places]


def _watch(desk: Desk, path: Path) -> Watch:
    name = desk.service.world.keeper.keep(path.name).value

    def progress(done: int, whole: int, calls: int, sessions: int) -> None:
        desk.progress(say("import.progress", source=name, calls=calls, sessions=sessions), done, whole)

    def pause() -> None:
        desk.show(reports.mined(desk.service.mine(), desk.command))

    return Watch(progress=progress, pause=pause)


def _answer(
    desk: Desk,
    asked: argparse.Namespace,
    found: list[Imported],
    failed: list[KataError],
    mined: MiningSummary | None,
) -> Answer:
    lines = [line for one in found for line in show.imported(one, dry=asked.dry_run)]
    lines += [say("import.failed", why=str(error)) for error in failed]
    nearest = show.nearest(mined) if mined is not None else ()
    if mined is not None:
        lines += ["", *reports.mined(mined, desk.command), *show.missing(nearest)]
    return Answer(
        lines=tuple(lines),
        data={
            "sources": plain(tuple(found)),
            "failed": [{"code": error.code, "message": str(error)} for error in failed],
            "mined": None if mined is None else plain(mined),
            "nearest": plain(nearest),
        },
        exit=exit_code(failed[0]) if failed else DONE,
        following=tuple(f"{desk.command} review {row.number}" for row in mined.proposed) if mined else (),
        warnings=tuple(problem for one in found for problem in one.problems),
    )
