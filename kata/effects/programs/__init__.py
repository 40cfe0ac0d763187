"""What Kata knows about programs, a table for each family."""

from ..rules import Spec
from . import code, files, git, wrappers

_FAMILIES = (files.PROGRAMS, git.PROGRAMS, code.PROGRAMS, wrappers.PROGRAMS)

PROGRAMS: dict[str, Spec] = {}
for _family in _FAMILIES:
    _twice = PROGRAMS.keys() & _family.keys()
    assert not _twice, f"described twice: {sorted(_twice)}"
    PROGRAMS.update(_family)
