"""The shell's exit codes, one for each kind of answer (ux 4)."""

from ..errors import HumanNeededError, KataError, NotFoundError, RefusedError, StoreError, UsageError
from ..service.errors import NotAnInputError, UnknownDigestError
from ..service.names import BadNameError

DONE = 0
FAILED = 1
USAGE = 2
REFUSED = 3
HUMAN_NEEDED = 4
NOT_FOUND = 5
STORE = 6
WAITING = 10
INTERRUPTED = 130

KINDS: tuple[tuple[type[KataError], int], ...] = (
    (UsageError, USAGE),
    (BadNameError, USAGE),
    (NotAnInputError, USAGE),
    (UnknownDigestError, USAGE),
    (HumanNeededError, HUMAN_NEEDED),
    (NotFoundError, NOT_FOUND),
    (StoreError, STORE),
    (RefusedError, REFUSED),
)


def exit_code(error: KataError) -> int:
    """Return the exit code of an error: the first kind that it is, else 1."""
    return next((code for kind, code in KINDS if isinstance(error, kind)), FAILED)
