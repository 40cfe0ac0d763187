"""Keep secrets out of the log: marks in their place, and long values cut. Standard library alone."""

from .hostmarks import has_host_mask, host_masks
from .keeper import Keeper
from .marks import find_masks, is_masked, is_truncated
from .masker import Masker
from .values import Finding, Kept, Masked

__all__ = [
    "Finding",
    "Keeper",
    "Kept",
    "Masked",
    "Masker",
    "find_masks",
    "has_host_mask",
    "host_masks",
    "is_masked",
    "is_truncated",
]
