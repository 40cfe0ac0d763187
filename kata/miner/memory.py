"""A history held in memory: for imports that are only looked at, for benchmarks and for tests."""

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ..json import JsonValue
from ..templating import decode_result
from .signature import signature
from .types import CallRow, CallValues


@attrs.frozen(kw_only=True)
class Recorded:
    """One call as it was recorded.

    Attributes:
        result: The tool's answer: text as it came, or decoded.
        group: Calls of one model request share it; empty: a request of its own.
    """

    conversation: str
    turn: str
    tool: str
    args: JsonValue
    result: JsonValue
    ok: bool = True
    breaks: bool = False
    group: str = ""
    at: float | None = None
    exit_code: int | None = None


class MemoryHistory:
    """Recorded calls in order; implements `kata.miner.types.History`. A result's text is decoded when asked for."""

    def __init__(self, calls: Iterable[Recorded]) -> None:
        self._calls = list(calls)
        numbers: dict[str, int] = {}
        self._rows = [self._row(ref, call, numbers) for ref, call in enumerate(self._calls)]
        self._texts = list(numbers)

    def rows(self) -> Sequence[CallRow]:
        """Return every row, as the calls were given."""
        return self._rows

    def signatures(self) -> Sequence[str]:
        """Return the signature table."""
        return self._texts

    def values(self, refs: Iterable[int]) -> Mapping[int, CallValues]:
        """Decode the values of some calls."""
        return {ref: self._values(self._calls[ref]) for ref in refs}

    @staticmethod
    def _row(ref: int, call: Recorded, numbers: dict[str, int]) -> CallRow:
        number = numbers.setdefault(signature(call.tool, call.args), len(numbers))
        turn = f"{call.conversation}\x1f{call.turn}"
        group = f"{turn}\x1f{call.group}" if call.group else f"{turn}\x1f\x1f{ref}"
        return CallRow(ref, call.conversation, turn, number, call.tool, group, call.ok, call.breaks, call.at)

    @staticmethod
    def _values(call: Recorded) -> CallValues:
        result = decode_result(call.result) if isinstance(call.result, str) else call.result
        return CallValues(call.args, result, isinstance(result, str), call.exit_code)
