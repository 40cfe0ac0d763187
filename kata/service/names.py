"""What a kata may be called (design 4 "Names", case B023)."""

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

from ..errors import RefusedError

PREFIX = "kata_"
LONGEST = 40
ALLOWED = re.compile(r"[a-z][a-z0-9_]*")
NEAR = 0.7
"""The host repairs a name that is this much like another one to that other one, without a word."""


class BadNameError(RefusedError):
    """Say why a name cannot be used, and offer one that can."""

    code = "bad_name"

    def __init__(self, name: str, why: str, offer: str) -> None:
        hint = f"Use {offer!r}." if offer else ""
        super().__init__(f"{name!r} cannot be the name: {why}", hint=hint)
        self.name, self.why, self.offer = name, why, offer


def slug(text: str) -> str:
    """Turn any text into an allowed name, as far as it goes: ``déploy prévisu`` becomes ``deploy_previsu``."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    words = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if words and not words[0].isalpha():
        words = f"run_{words}"
    return words[:LONGEST].rstrip("_")


def check_name(name: str, others: Iterable[str]) -> str:
    """Return the name (without ``kata_``) if it may be used beside the other tools' names.

    Raises:
        BadNameError: it breaks a rule; the error offers a slug.
    """
    name = name.removeprefix(PREFIX)
    if not ALLOWED.fullmatch(name):
        raise BadNameError(
            name, "a name has small letters, digits and underscores, a letter first", slug(name)
        )
    if len(name) > LONGEST:
        raise BadNameError(name, f"it is longer than {LONGEST} characters", slug(name))
    full = PREFIX + name
    for other in sorted(others):
        if other.lower() == full or other.lower() == name:
            raise BadNameError(name, f"the tool {other} has it", "")
        if difflib.SequenceMatcher(None, full, other.lower()).ratio() > NEAR:
            raise BadNameError(
                name, f"it is too much like the tool {other}: the agent could call the wrong one", ""
            )
    return name


def free_name(
    suggested: str, steps: Sequence[str], others: Iterable[str], known: Collection[str] = ()
) -> str:
    """Return the suggestion, or where that is another's, one that says more of what the routine does.

    Args:
        suggested: What the miner calls it.
        steps: The tools of its steps, in their order.
        others: Every tool's name; none may be too much like it.
        known: Names of other katas, waiting ones among them.
    """
    taken = tuple(others)
    base = slug(suggested) or "routine"
    fuller = (
        base,
        f"{base}_after_{slug(steps[0])}",
        f"{base}_in_{len(steps)}_steps",
        "_then_".join(dict.fromkeys(map(slug, steps))),
    )
    return next((name for name in map(slug, fuller) if name not in known and _is_free(name, taken)), base)


def _is_free(name: str, others: Iterable[str]) -> bool:
    try:
        check_name(name, others)
    except BadNameError:
        return False
    return True
