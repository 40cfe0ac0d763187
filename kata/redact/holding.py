"""Whether fixed words stand in a text, asked by the hundred."""

from collections.abc import Callable

LONG = 32_768
"""Characters from which on it pays to know a text's letters first: a word with another letter needs no look."""

Holds = Callable[[str], bool]


def holding(text: str) -> Holds:
    """Return what tells whether a word stands in a text."""
    if len(text) < LONG:
        return text.__contains__
    letters = set(text)
    return lambda word: letters.issuperset(word) and word in text
