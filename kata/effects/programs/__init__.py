"""What Kata knows about programs, a table for each family."""

from ..rules import Spec
from . import (
    archives,
    awk,
    builtins,
    cloud,
    code,
    containers,
    curl,
    data,
    files,
    find,
    forge,
    git,
    network,
    packages,
    quality,
    sed,
    shells,
    system,
    text,
    wrappers,
)

_FAMILIES = (
    archives, awk, builtins, cloud, code, containers, curl, data, files, find, forge, git, network, packages, quality, sed, shells, system,
    text, wrappers,
)  # fmt: skip


def _merged() -> dict[str, Spec]:
    merged: dict[str, Spec] = {}
    for family in _FAMILIES:
        twice = merged.keys() & family.PROGRAMS.keys()
        assert not twice, f"described twice: {sorted(twice)}"
        merged.update(family.PROGRAMS)
    return merged


PROGRAMS: dict[str, Spec] = _merged()
