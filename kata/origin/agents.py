"""Which processes are a Hermes, and whether one was at work when another process began."""

import re
from pathlib import Path

from .processes import Processes

HERMES = ("hermes", "hermes_cli.main")
PROFILE = ("-p", "--profile")
PYTHON_FLAGS = ("-m", "-u")
OF_HERMES = re.compile(r"hermes", re.IGNORECASE)
"""Hermes gives long work a control group of its own and names it after itself."""


def is_hermes(words: tuple[str, ...]) -> bool:
    """Tell by the words that a process was started with whether it is a Hermes, of whatever kind."""
    return _behind_hermes(words) is not None


def is_agent(words: tuple[str, ...]) -> bool:
    """Tell whether a process is a Hermes that can have an agent in it: all but Kata's own shell commands."""
    rest = _behind_hermes(words)
    if rest is None:
        return False
    if rest[:1] and rest[0] in PROFILE:
        rest = rest[2:]
    return next((word for word in rest if not word.startswith("-")), "") != "kata"


def _behind_hermes(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what follows Hermes' own name; None where it does not stand where a program does."""
    rest = tuple(word for word in words if word)
    if rest and "python" in Path(rest[0]).name:
        rest = rest[1:]
        while rest and rest[0] in PYTHON_FLAGS:
            rest = rest[1:]
    return rest[1:] if rest and Path(rest[0]).name in HERMES else None


def agents_of(data: Path, owner: int, processes: Processes) -> tuple[int, ...]:
    """Return the Hermes processes of a user that live in the home to which a data folder belongs."""
    return tuple(
        pid
        for pid in processes.all()
        if is_agent(processes.words(pid))
        and processes.owner(pid) == owner
        and _is_of_home(processes.environment(pid), data)
    )


def _is_of_home(environment: dict[str, str], data: Path) -> bool:
    own = environment.get("HERMES_HOME") or (
        f"{environment['HOME']}/.hermes" if environment.get("HOME") else ""
    )
    if not own:
        return False
    home = Path(own).resolve()
    root = home.parent.parent if home.parent.name == "profiles" else home
    return data.resolve().is_relative_to(root)


def can_stem_from(pid: int, agent: int, processes: Processes) -> bool:
    """Tell whether a process began after an agent did, and in the same control group and login.

    Nobody leaves the login that an agent was started in, and a program leaves its control group only where it is moved.
    """
    own, theirs = processes.stat(pid), processes.stat(agent)
    if own is None or theirs is None or theirs.began >= own.began:
        return False
    realm = processes.realm(pid)
    return realm == processes.realm(agent) or OF_HERMES.search(realm[0]) is not None
