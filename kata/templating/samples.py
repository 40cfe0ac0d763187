"""Files in which a placeholder is what belongs there: ``.env.example`` with honest asterisks (case B072)."""

from ..spec import Const, Record

SAMPLES = ("example", "sample", "template", ".dist")
"""What the names of such files hold."""

_FILES = frozenset({"path", "file", "file_path"})


def goes_into_a_sample(args: Record) -> bool:
    """Tell whether a call is about such a file, always the same one."""
    texts = [value.value for key, value in args.fields if key in _FILES and isinstance(value, Const)]
    return any(
        isinstance(text, str) and mark in text.rsplit("/", 1)[-1] for text in texts for mark in SAMPLES
    )
