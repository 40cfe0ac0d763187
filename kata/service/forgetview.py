"""What `forget` is asked, shows and answers, and why it refuses."""

import attrs

from ..errors import NotFoundError, RefusedError

LAST = "last"


@attrs.frozen(kw_only=True)
class Target:
    """What to forget: a conversation by one of its sessions (``last``: the newest), or whatever holds a text."""

    session: str = ""
    text: str = attrs.field(default="", repr=False)


@attrs.frozen(kw_only=True)
class TouchedKata:
    """A kata that loses examples, or goes.

    Attributes:
        goes: ``text`` (a version says it), ``examples`` (a proposal that nothing else supports), or empty: it stays.
        examples: How many of its examples go; ``left`` stay.
        constants: What its versions hold of their own and keep; only forgetting such a text takes it out.
    """

    number: int
    name: str
    state: str
    goes: str
    examples: int
    left: int
    constants: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class ForgetView:
    """What would go; ``token`` stands for exactly that.

    Attributes:
        what: The target, without the text itself.
        session: The session that was named, or found for ``last``; ``sessions`` are all of its conversation.
        events: How many events lose what they say; ``counts`` by type.
        runs: How many runs go whole.
        set_aside: Files of records that could not be taken in: nobody can tell what they hold, so they go too.
        named: Headers (ids) that hold the text; they stay.
        elsewhere: Folders of damaged logs that were moved aside; they are not looked into.
    """

    profile: str
    what: str
    token: str
    session: str
    sessions: tuple[str, ...]
    events: int
    counts: tuple[tuple[str, int], ...]
    runs: int
    katas: tuple[TouchedKata, ...]
    set_aside: int
    named: int
    elsewhere: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to forget."""
        return not self.events


@attrs.frozen(kw_only=True)
class Forgotten:
    """What went.

    Attributes:
        newer: Events that came since the preview and hold it as well.
        clean: No byte is left; else Kata's upkeep goes on until that is so.
    """

    what: str
    events: int
    katas: tuple[int, ...]
    newer: int
    clean: bool


class NoSessionError(NotFoundError):
    """Say that nothing of such a session is recorded."""

    code = "no_such_session"

    def __init__(self, session: str) -> None:
        super().__init__(
            f"nothing is recorded of a session {session!r}",
            hint="`audit --observations` and `why` name sessions; `forget last` is the newest one.",
        )
        self.session = session


class StalePreviewError(RefusedError):
    """Say that what would go now is not what was shown."""

    code = "stale_preview"

    def __init__(self) -> None:
        super().__init__("what would go is not what was shown any more", hint="Look at it again: forget")


class UnsettledRunError(RefusedError):
    """Say that a run whose outcome nobody knows would be forgotten, and with it that a repeat needs a person."""

    code = "unsettled_run"

    def __init__(self, runs: tuple[str, ...]) -> None:
        named = ", ".join(runs)
        super().__init__(
            f"the outcome of {named} is not known: what it did would be done again without asking",
            hint=f"Look at it, and allow a repeat first: run allow {runs[0]}",
        )
        self.runs = runs
