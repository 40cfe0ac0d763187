"""Commands in hints: the inner rooms name them by their bare words, which know no surface."""

import re

BARE = re.compile(
    r"([:：]\s?|`)(?=(?:approve|audit|forget|help|list|replay|review|run allow|runs|why)\b(?!,))"
)


def commanded(hint: str, command: str) -> str:
    """Put what one types before a verb into a hint.

    >>> commanded("See them all: review 1", "hermes kata")
    'See them all: hermes kata review 1'
    """
    return BARE.sub(rf"\1{command} ", hint)
