"""What every form of history is read into: one call, with unknown where the source does not know."""

from datetime import datetime

import attrs

from ..errors import KataError
from ..json import JsonValue


class LineError(KataError):
    """Say which line of a source cannot be read, and why; the rest is."""

    code = "bad_line"

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why


@attrs.frozen(kw_only=True)
class ImportedCall:
    """One call of a source.

    Attributes:
        session: The source's own id of the conversation.
        turn: The source's own id of the turn in it.
        seq: The call's place in the turn, in announced order.
        at: When it ended; None where unknown.
        group: The model request that announced it, where the source tells; calls of one group cannot feed each other.
        ok: Whether the source says it succeeded; None where it does not say.
    """

    session: str
    turn: str
    seq: int
    tool: str
    args: JsonValue
    result: JsonValue
    at: datetime | None = None
    group: str = ""
    call_id: str = ""
    ok: bool | None = None
    duration_ms: int | None = None
