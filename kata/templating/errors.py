"""What can go wrong when a template is filled in."""

from ..errors import KataError
from ..json import Path, show_path


class TemplateError(KataError):
    """Stand above every error of rendering."""

    code = "template"


class MissingValueError(TemplateError, LookupError):
    """Say that an input, or the field that a reference names, is not there.

    Attributes:
        step: The step whose result lacks it; None for an input or a loop's element.
        path: Where it should stand; for an input its name.
    """

    code = "missing_value"

    def __init__(self, step: int | None, path: Path) -> None:
        self.step = step
        self.path = path
        where = f"step {step}" if step is not None else "the inputs"
        super().__init__(f"nothing at {show_path(path) or 'the result'} of {where}")


class RefusedValueError(TemplateError):
    """Say that a value must not stand where the template would put it (case B027)."""

    code = "refused_value"

    def __init__(self, value: str, why: str) -> None:
        self.value = value
        self.why = why
        super().__init__(f"{value[:40]!r} {why}")
