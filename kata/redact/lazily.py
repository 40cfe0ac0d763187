"""Patterns that are made when they are first needed: a shell hook is a new process at each call, and needs few of them."""

import re
from functools import cache


@cache
def compiled(source: str) -> re.Pattern[str]:
    """Return the pattern of a source."""
    return re.compile(source)
