"""``blame``: since when a kata fails, what changed just before, and its runs one after another."""

from collections.abc import Iterator

from ...service.saved import BlameView, Mark
from ..paint import Page, columns
from ..text import plural, say
from ..times import clock
from .runs import outcome

DECIDED = {"kata.approved": "approve", "kata.rolled_back": "rollback", "kata.enabled": "enable"}
SHOWN = 20
SHOWN_IN_CHAT = 8


def lines(view: BlameView, page: Page, command: str, *, chat: bool) -> list[str]:
    """Return the verdict, what changed in between, and the newest runs and changes."""
    if page.plain:
        return ["\t".join(_plain(one)) for one in view.marks]
    shown = [page.style(_verdict(view), "bold"), *_between(view)]
    last = view.marks[-(SHOWN_IN_CHAT if chat else SHOWN) :]
    if last:
        shown += ["", *columns(_cells(one, page, view) for one in last)]
    if view.bad is not None:
        shown += ["", say("blame.look", command=f"{command} run show {view.bad.what[-12:]}")]
    return shown


def _verdict(view: BlameView) -> str:
    if view.bad is None:
        key = "blame.never" if view.good is None else "blame.well"
        return say(key, name=view.name, number=view.number)
    runs = plural(view.good_runs, "count.run", "count.runs")
    key = "blame.since" if view.good is not None else "blame.always"
    return say(
        key, name=view.name, number=view.number, run=view.bad.what[-12:], at=clock(view.bad.at), runs=runs
    )


def _between(view: BlameView) -> Iterator[str]:
    if view.bad is None or view.good is None:
        return
    if not view.between:
        yield say("blame.nothing_between")
    for one in view.between:
        yield say("blame.between", what=_change(one), at=clock(one.at))


def _change(one: Mark) -> str:
    if one.kind == "schema":
        return say("blame.schema", tool=one.what)
    return say("blame.version", version=one.version, what=say(f"done.{DECIDED[one.what]}"))


def _cells(one: Mark, page: Page, view: BlameView) -> list[str]:
    sign = "→" if view.bad is not None and one.position == view.bad.position else " "
    if one.kind == "run":
        word = outcome(
            one.outcome if one.outcome in ("succeeded", "failed", "blocked", "unknown") else "", page
        )
        return [sign, clock(one.at), f"{one.what[-12:]}  v{one.version}  {word}"]
    return [sign, clock(one.at), page.style(f"— {_change(one)}", "cyan")]


def _plain(one: Mark) -> list[str]:
    return [
        one.kind,
        one.at.isoformat(),
        one.what,
        one.outcome or "-",
        "-" if one.version is None else str(one.version),
    ]
