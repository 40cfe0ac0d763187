"""Every form of history by name, and which one a file is: told by looking at its first lines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import attrs

from .calls import Found, LineError
from .claude import is_claude, read_claude
from .codex import is_codex, read_codex
from .export import is_export, read_export
from .lines import Line, parsed
from .plain import is_plain, read_plain
from .trajectory import is_trajectory, read_trajectory

Reader: TypeAlias = Callable[[Iterable[Line]], Iterator[Found]]

LOOKED_AT = 50
"""Lines in which a form is looked for: some begin with notes."""


@attrs.frozen(kw_only=True)
class Form:
    """A form of JSON Lines.

    Attributes:
        name: The form's word.
        fits: Tells whether a line's value is of this form and of no other.
        read: Reads the lines of one file.
        own: Its sessions are those of this Hermes, under the same ids; else the form's name goes before them.
    """

    name: str
    fits: Callable[[Any], bool]
    read: Reader
    own: bool = False


STATE_DB = "hermes"
"""The form of ``state.db``, and of what Hermes exports from it: the same sessions, the same ids."""

FORMS = (
    Form(name="plain", fits=is_plain, read=read_plain),
    Form(name=STATE_DB, fits=is_export, read=read_export, own=True),
    Form(name="trajectory", fits=is_trajectory, read=read_trajectory),
    Form(name="claude", fits=is_claude, read=read_claude),
    Form(name="codex", fits=is_codex, read=read_codex),
)


def recognise(first: Sequence[Line]) -> Form | None:
    """Return the form of the first line that has one; None where no line does."""
    for _, value in parsed(first):
        if isinstance(value, LineError):
            continue
        form = next((one for one in FORMS if one.fits(value)), None)
        if form is not None:
            return form
    return None
