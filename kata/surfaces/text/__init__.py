"""Every word that a person reads in chat and shell: one catalogue a language, with the same keys and places."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .en import EN
from .told import EXPLANATIONS, told
from .zh import ZH

__all__ = ["CATALOGUES", "EN", "ZH", "explain", "language_of", "plural", "say", "speaking", "spoken"]

FALLBACK = "en"
CATALOGUES: Mapping[str, Mapping[str, str]] = {FALLBACK: EN, "zh": ZH}

_spoken: ContextVar[str] = ContextVar("kata_language", default=FALLBACK)


def language_of(tag: str) -> str:
    """Return the language that is nearest to a tag: ``zh_CN.UTF-8`` → ``zh-cn`` → ``zh``, and what is not here → ``en``.

    >>> language_of("zh-Hant-TW"), language_of("pt-BR"), language_of("")
    ('zh', 'en', 'en')
    """
    found = tag.strip().partition(".")[0].replace("_", "-").lower()
    while found and found not in CATALOGUES:
        found = found.rpartition("-")[0]
    return found or FALLBACK


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Speak the language nearest to a tag for a while, in this thread or task alone."""
    token = _spoken.set(language_of(tag))
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """Return the language that is spoken here and now."""
    return _spoken.get()


def say(key: str, /, **values: Any) -> str:
    """Return a message in the language that is spoken, its values filled in; in English where that has none.

    What an inner room explains under one of the names in `EXPLANATIONS` is said in that language too.

    Raises:
        KeyError: no catalogue has such a message, or a value is missing.
    """
    message = CATALOGUES[_spoken.get()].get(key) or EN[key]
    for name in EXPLANATIONS.intersection(values):
        values[name] = explain(str(values[name]))
    return message.format(**values)


def explain(text: str) -> str:
    """Return what an inner room explains in English in the language that is spoken, as far as that is known."""
    return told(text, _spoken.get())


def plural(count: int, one: str, many: str) -> str:
    """Return ``3 calls`` or ``1 call``; ``one`` and ``many`` are catalogue keys."""
    return say(one if count == 1 else many, count=count)
