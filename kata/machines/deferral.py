"""When a candidate that was set aside shows again: derived, never stored (design 4)."""

from datetime import datetime

from .aggregate import Deferral


def is_set_aside(deferral: Deferral | None, *, digest: str, support: int, now: datetime) -> bool:
    """Tell whether a candidate still waits out of sight.

    Args:
        deferral: What the person asked for; None: nothing.
        digest: The newest version's digest.
        support: Distinct conversations known now.
        now: UTC.

    ``changed`` waits for another digest, ``seen`` for so many more conversations, ``date`` for a moment; ``asked`` waits
    for nothing: that is how a deferral is taken back.
    """
    if deferral is None:
        return False
    until = deferral.until
    match until.kind:
        case "changed":
            return digest == deferral.digest
        case "seen":
            return support < deferral.support + (until.seen or 0)
        case "date":
            return until.date is not None and now < until.date
        case _:
            return False
