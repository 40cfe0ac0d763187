"""What tools saved, and since when one is broken: counted from the log, nothing claimed without a basis (ux 29, 30)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime

import attrs

from ..events.catalogue import Baseline
from ..machines import Kata, Version
from ..projections import Run
from .find import Finder
from .known import readable
from .ports import World
from .reads import Reads

ALL_RUNS = 1_000_000


@attrs.frozen(kw_only=True)
class SavedView:
    """What the successful runs of one version saved, and what that rests on.

    One model request a run is taken off, with its share of tokens and seconds: the one that calls the tool.

    Attributes:
        runs: Runs that succeeded.
        calls: Tool calls that the model did not have to make.
        requests: Model requests not made; None without a basis. So are ``tokens`` and ``seconds``.
        steps: Calls that the routine takes by hand.
        run_seconds: What the runs themselves took.
        baseline: What the routine cost by hand, when it was found.
    """

    number: int
    name: str
    version: int
    runs: int
    calls: int
    requests: float | None
    tokens: float | None
    seconds: float | None
    steps: int
    run_seconds: float
    baseline: Baseline


@attrs.frozen(kw_only=True)
class ByHandView:
    """How often the steps of an active tool were done by hand since it was there."""

    number: int
    name: str
    times: int
    since: datetime


@attrs.frozen(kw_only=True)
class StatsView:
    """What all tools saved; a sum is None where nothing has a basis."""

    profile: str
    saved: tuple[SavedView, ...]
    by_hand: tuple[ByHandView, ...]
    runs: int
    calls: int
    requests: float | None
    tokens: float | None
    seconds: float | None


@attrs.frozen(kw_only=True)
class Mark:
    """Something that happened to a kata: a ``run``, an approved ``version``, or a ``schema`` of one of its tools."""

    kind: str
    at: datetime
    position: int
    what: str
    outcome: str = ""
    version: int | None = None


@attrs.frozen(kw_only=True)
class BlameView:
    """Since when a kata fails: the first bad run after a good one, and what changed between the two.

    ``bad`` is None where the newest run did not fail; ``good`` where none succeeded before.
    """

    profile: str
    number: int
    name: str
    good: Mark | None
    bad: Mark | None
    good_runs: int
    bad_runs: int
    between: tuple[Mark, ...]
    marks: tuple[Mark, ...]


class Reckoning:
    """The use cases ``stats`` and ``blame``."""

    def __init__(self, world: World, reads: Reads, find: Finder) -> None:
        self._world, self._reads, self._find = world, reads, find

    def stats(self) -> StatsView:
        """Return what each tool saved, with the basis."""
        katas = self._reads.katas.all()
        saved = tuple(one for kata in katas for one in self._saved(kata))
        return StatsView(
            profile=self._world.profile,
            saved=saved,
            by_hand=tuple(self._by_hand(katas)),
            runs=sum(one.runs for one in saved),
            calls=sum(one.calls for one in saved),
            requests=_sum([one.requests for one in saved]),
            tokens=_sum([one.tokens for one in saved]),
            seconds=_sum([one.seconds for one in saved]),
        )

    def _saved(self, kata: Kata) -> Iterator[SavedView]:
        by_version: dict[int, list[Run]] = defaultdict(list)
        for run in self._reads.runs.latest(kata.stream, limit=ALL_RUNS):
            if run.state == "succeeded":
                by_version[run.version].append(run)
        for number, runs in sorted(by_version.items()):
            version = kata.version(number)
            if version is not None:
                yield saved_by(kata, version, runs)

    def _by_hand(self, katas: Sequence[Kata]) -> Iterator[ByHandView]:
        for kata in katas:
            active = kata.registered
            if active is not None and active.approved_at is not None:
                found = self._reads.history.occurrences(kata.signatures, active.approved_at)
                yield ByHandView(
                    number=kata.number, name=kata.name, times=len(found), since=active.approved_at
                )

    def blame(self, named: str) -> BlameView:
        """Return since when a kata fails.

        Raises:
            UnknownKataError: there is no such kata.
        """
        kata, _ = self._find.kata(named)
        marks = tuple(sorted(self._marks(kata), key=lambda one: one.position))
        good, bad = turning(marks)
        between: tuple[Mark, ...] = ()
        if good is not None and bad is not None:
            between = tuple(one for one in marks if good.position < one.position < bad.position)
        return BlameView(
            profile=self._world.profile,
            number=kata.number,
            name=kata.name,
            good=good,
            bad=bad,
            good_runs=sum(one.outcome == "succeeded" for one in marks),
            bad_runs=sum(one.outcome == "failed" for one in marks),
            between=tuple(one for one in between if one.kind != "run"),
            marks=marks,
        )

    def _marks(self, kata: Kata) -> Iterator[Mark]:
        for run in self._reads.runs.latest(kata.stream, limit=ALL_RUNS):
            yield Mark(
                kind="run",
                at=run.started_at,
                position=run.position,
                what=run.run_id,
                outcome=run.state,
                version=run.version,
            )
        events = self._world.log.read_stream(kata.stream)
        for event in events:
            if event.type in ("kata.approved", "kata.rolled_back", "kata.enabled"):
                version = getattr(event.payload, "version", None)
                yield Mark(
                    kind="version",
                    at=event.occurred_at,
                    position=event.position,
                    what=event.type,
                    version=version,
                )
        yield from self._schemas(kata)

    def _schemas(self, kata: Kata) -> Iterator[Mark]:
        tools = {one.tool for spec in filter(None, map(readable, kata.versions)) for one in spec.tools}
        known: dict[str, str] = {}
        for event in self._world.log.read(types=("tool.described",)):
            tool = getattr(event.payload, "tool", "")
            digest = getattr(event.payload, "digest", "")
            if tool not in tools or known.get(tool) == digest:
                continue
            if tool in known:
                yield Mark(kind="schema", at=event.occurred_at, position=event.position, what=tool)
            known[tool] = digest


def saved_by(kata: Kata, version: Version, runs: Sequence[Run]) -> SavedView:
    """Reckon what successful runs of one version saved."""
    base, count = version.baseline, len(runs)
    steps = max((run.steps for run in runs), default=0)
    took = sum((run.duration_ms or 0) for run in runs) / 1000
    share = _share(base)
    return SavedView(
        number=kata.number,
        name=kata.name,
        version=version.version,
        runs=count,
        calls=sum(max(0, run.steps - 1) for run in runs),
        requests=None
        if share is None or base.model_requests is None
        else count * base.model_requests * share,
        tokens=None if share is None or base.tokens is None else count * base.tokens * share,
        seconds=None if share is None or base.seconds is None else count * base.seconds * share - took,
        steps=steps,
        run_seconds=took,
        baseline=base,
    )


def _share(base: Baseline) -> float | None:
    """Return which share of the requests by hand is saved: all but one; None without recordings."""
    if not base.recordings or not base.model_requests:
        return None
    return max(0.0, base.model_requests - 1) / base.model_requests


def _sum(values: Sequence[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return sum(known) if known else None


def turning(marks: Sequence[Mark]) -> tuple[Mark | None, Mark | None]:
    """Return the last good run and the first bad one after it, if the newest run that ended is bad."""
    good: Mark | None = None
    bad: Mark | None = None
    for one in marks:
        if one.outcome == "succeeded":
            good, bad = one, None
        elif one.outcome == "failed" and bad is None:
            bad = one
    return good, bad
