"""The digest that binds an approval to what was reviewed (design 4, case B061)."""

from ..json import digest
from .codec import dump_spec
from .steps import Spec


def digest_of(spec: Spec) -> str:
    """Hash a version: SHA-256 over the canonical JSON of its spec, as 64 hex digits."""
    return digest(dump_spec(spec))


def short(digest_text: str) -> str:
    """Shorten a digest for people: six hex digits; comparisons always use the whole."""
    return digest_text[:6]
