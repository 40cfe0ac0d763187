"""What this Kata can read of versions: one with a kind from a newer Kata is shown, runs nowhere and stops nobody (case B064)."""

from collections.abc import Iterable

from ..errors import NewerKataError
from ..machines import Kata, Version
from ..projections import Registered
from ..spec import Spec, load_spec


def readable(version: Version | Registered) -> Spec | None:
    """Return a version's spec; None where it is from a newer Kata."""
    try:
        return load_spec(version.spec)
    except NewerKataError:
        return None


def is_known(kata: Kata) -> bool:
    """Tell whether every version of a kata can be read."""
    return all(readable(version) is not None for version in kata.versions)


def runnable(registered: Iterable[Registered]) -> tuple[Registered, ...]:
    """Return those of the registered versions that can be read, and so run."""
    return tuple(one for one in registered if readable(one) is not None)
