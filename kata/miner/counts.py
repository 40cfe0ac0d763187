"""Exact counts of windows that are kept while conversations come and go (measurements, section 1).

Conversations share no turns, so the counts of a window are sums over them; an extension that equals a window in turns
stands in every turn of it, so a touched window is judged by the conversation that touched it alone. Expiry is not that
local: a window that a conversation held may be equalled by an extension that it did not hold, so one remaining place is
looked at.
"""

from collections.abc import Iterable, Sequence

from .segments import Run

Window = tuple[int, ...]


class Counts:
    """Turns and conversations of every window of up to ``max_steps`` calls, and which of them are closed and frequent."""

    def __init__(self, min_support: int, max_steps: int) -> None:
        self._min_support = min_support
        self._longest = max_steps
        self._turns: dict[Window, int] = {}
        self._conversations: dict[Window, int] = {}
        self._runs: dict[str, tuple[Run, ...]] = {}
        self._held_by: dict[int, dict[str, None]] = {}
        self.closed: set[Window] = set()

    def turns(self, window: Window) -> int:
        """Count the turns that hold a window."""
        return self._turns.get(window, 0)

    def conversations(self, window: Window) -> int:
        """Count the conversations that hold a window."""
        return self._conversations.get(window, 0)

    def replace(self, conversation: str, runs: Sequence[Run]) -> set[Window]:
        """Put the runs of a conversation in the place of those it had (none: forget it); return the touched windows.

        The work is in proportion to the conversation, whatever the history.
        """
        before = self._take(conversation, -1)
        self._runs.pop(conversation, None)
        if runs:
            self._runs[conversation] = tuple(runs)
        after = self._take(conversation, 1)
        self._hold(conversation, before, after)
        for window in before - after:
            self._judge(window, self._extensions_elsewhere(window))
        self._judge_all(after)
        return before | after

    def _take(self, conversation: str, sign: int) -> set[Window]:
        """Add or subtract what a conversation holds; return its windows."""
        held: set[Window] = set()
        for turn in _by_turn(self._runs.get(conversation, ())):
            windows = {window for run in turn for window in _windows(run.signatures, self._longest + 1)}
            _add(self._turns, windows, sign)
            held |= windows
        _add(self._conversations, held, sign)
        return held

    def _hold(self, conversation: str, before: set[Window], after: set[Window]) -> None:
        for window in before - after:
            if len(window) == 1:
                self._held_by[window[0]].pop(conversation, None)
        for window in sorted(after - before):
            if len(window) == 1:
                self._held_by.setdefault(window[0], {})[conversation] = None

    def _judge_all(self, windows: set[Window]) -> None:
        """Judge the windows of one conversation by each other."""
        equalled = {
            half
            for window in windows
            for half in (window[:-1], window[1:])
            if self._turns.get(half) == self._turns[window]
        }
        for window in windows:
            self._set(window, window not in equalled)

    def _judge(self, window: Window, extensions: Iterable[Window]) -> None:
        turns = self.turns(window)
        self._set(window, bool(turns) and all(self.turns(one) != turns for one in extensions))

    def _set(self, window: Window, is_closed: bool) -> None:
        long_enough = 2 <= len(window) <= self._longest
        if is_closed and long_enough and self.conversations(window) >= self._min_support:
            self.closed.add(window)
        else:
            self.closed.discard(window)

    def _extensions_elsewhere(self, window: Window) -> set[Window]:
        """Return the one-call extensions in one remaining turn: an equal one would stand there too."""
        rarest = min((self._held_by.get(one, {}) for one in window), key=len)
        for conversation in rarest:
            for turn in _by_turn(self._runs[conversation]):
                places = [(run.signatures, at) for run in turn for at in _places(run.signatures, window)]
                if places:
                    return {
                        one for signatures, at in places for one in _extensions(signatures, at, len(window))
                    }
        return set()


def _add(counts: dict[Window, int], windows: Iterable[Window], sign: int) -> None:
    for window in windows:
        count = counts.get(window, 0) + sign
        if count:
            counts[window] = count
        else:
            del counts[window]


def _by_turn(runs: Sequence[Run]) -> Iterable[list[Run]]:
    turns: dict[str, list[Run]] = {}
    for run in runs:
        turns.setdefault(run.turn, []).append(run)
    return turns.values()


def _windows(signatures: Window, longest: int) -> Iterable[Window]:
    size = len(signatures)
    return (signatures[at:end] for at in range(size) for end in range(at + 1, min(at + longest, size) + 1))


def _places(signatures: Window, window: Window) -> list[int]:
    size = len(window)
    return [at for at in range(len(signatures) - size + 1) if signatures[at : at + size] == window]


def _extensions(signatures: Window, at: int, size: int) -> Iterable[Window]:
    if at:
        yield signatures[at - 1 : at + size]
    if at + size < len(signatures):
        yield signatures[at : at + size + 1]
