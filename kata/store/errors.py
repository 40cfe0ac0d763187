"""What can go wrong with the log, in words that a caller can act on."""

from ..errors import StoreError


class WrongVersionError(StoreError):
    """Say that somebody else wrote to the stream first."""

    code = "wrong_version"
    hint = "Look again at what is there now, then decide anew."

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"{stream} is at version {actual}, not {expected}")
        self.stream, self.expected, self.actual = stream, expected, actual


class IdConflictError(StoreError):
    """Say that an event id is taken by an event with other content (case B052)."""

    code = "id_conflict"

    def __init__(self, event_id: str) -> None:
        super().__init__(f"event id {event_id} is taken by another event")
        self.event_id = event_id


class StoreBusyError(StoreError):
    """Say that another process held the log for longer than one may wait."""

    code = "store_busy"
    hint = "Try again in a moment."


class StoreFullError(StoreError):
    """Say that the disk, or the room the log may take, is full; nothing was written."""

    code = "store_full"
    hint = "Free some disk space; recording goes on by itself."


class StoreReadOnlyError(StoreError):
    """Say that the log's file or folder may not be written; nothing was."""

    code = "store_read_only"
    hint = "Check who owns Kata's data folder, and its permissions."


class StoreDamagedError(StoreError):
    """Say that the log's file cannot be read; it is never deleted."""

    code = "store_damaged"
    hint = "Run `hermes kata verify`."


class ChainBrokenError(StoreError):
    """Say that stored bytes do not match the chain, and where first (design 3)."""

    code = "chain_broken"

    def __init__(self, position: int, why: str) -> None:
        super().__init__(f"position {position}: {why}")
        self.position, self.why = position, why
