"""Paths as people write them."""

from pathlib import Path


def path_of(text: str) -> Path:
    """Return a path, a leading ``~`` or ``~name`` as that home; where there is no such home, as it stands."""
    path = Path(text)
    try:
        return path.expanduser()
    except RuntimeError:
        return path
