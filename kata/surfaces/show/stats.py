"""``stats``: small numbers with the basis of each; nothing is claimed where there is none."""

from collections.abc import Iterator

from ...service.saved import SavedView, StatsView
from ..paint import Page, columns
from ..text import plural, say
from ..times import day


def lines(view: StatsView, page: Page, *, chat: bool) -> list[str]:
    """Return a line a version, the sum, and what all of it rests on."""
    if page.plain:
        return ["\t".join(_plain(one)) for one in view.saved]
    by_hand = [
        say(
            "stats.by_hand",
            name=one.name,
            times=plural(one.times, "count.time", "count.times"),
            day=day(one.since),
        )
        for one in view.by_hand
    ]
    if not view.saved:
        return [say("stats.none"), *by_hand]
    rows = [_cells(one) for one in view.saved]
    shown = [" · ".join(cells) for cells in rows] if chat else columns(rows)
    whole = _amounts(view.calls, view.requests, view.tokens, view.seconds)
    runs = plural(view.runs, "count.run", "count.runs")
    head = page.style(say("stats.head", runs=runs, amounts=" · ".join(whole)), "bold")
    return [head, *(f"  {line}" for line in shown), *by_hand, "", say("stats.basis"), *_bases(view)]


def _cells(one: SavedView) -> list[str]:
    runs = plural(one.runs, "count.run", "count.runs")
    return [one.name, f"v{one.version}", runs, *_amounts(one.calls, one.requests, one.tokens, one.seconds)]


def _amounts(calls: int, requests: float | None, tokens: float | None, seconds: float | None) -> list[str]:
    return [
        plural(calls, "count.call", "count.calls"),
        say("stats.requests", count=_number(requests)),
        say("stats.tokens", count=_number(tokens)),
        say("stats.seconds", count=_number(seconds)),
    ]


def _number(value: float | None) -> str:
    return say("stats.unknown") if value is None else f"{value:,.0f}"


def _bases(view: StatsView) -> Iterator[str]:
    for one in view.saved:
        base = one.baseline
        known = base.recordings and base.model_requests is not None
        key = "stats.basis_of" if known else "stats.no_basis"
        yield say(
            key,
            name=one.name,
            version=one.version,
            steps=plural(one.steps, "count.call", "count.calls"),
            requests=_number(base.model_requests),
            tokens=_number(base.tokens),
            seconds=_number(base.seconds),
            recordings=base.recordings,
            took=f"{one.run_seconds:.1f}",
        )


def _plain(one: SavedView) -> list[str]:
    amounts = ("-" if value is None else f"{value:g}" for value in (one.requests, one.tokens, one.seconds))
    return [str(one.number), one.name, str(one.version), str(one.runs), str(one.calls), *amounts]
