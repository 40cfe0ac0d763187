"""How people name a kata: by number, by name, by ``kata_`` name, each with ``@digest`` behind it or not."""

import re
import unicodedata

import attrs

from ..errors import UsageError

FORM = re.compile(r"#?(?P<kata>[A-Za-z0-9_]+)(?:@(?P<digest>[0-9A-Fa-f]{4,64}))?")

MOST_DIGITS = 18
"""No kata has a number of more digits, and no database could be asked for one."""


@attrs.frozen
class Named:
    """What was typed: a number or a name, and the digest that was reviewed, if given."""

    number: int | None
    name: str
    digest: str


def parse_name(text: str) -> Named:
    """Read ``2``, ``#2``, ``deploy_preview``, ``kata_deploy_preview`` or ``2@9f3c1a``; full-width digits are accepted.

    Raises:
        UsageError: it is none of these.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    match = FORM.fullmatch(plain)
    if match is None:
        raise UsageError(f"{text!r} names no kata", hint="Use its number or its name, as `list` shows them.")
    kata, digest = match["kata"], (match["digest"] or "").lower()
    if kata.isdigit() and len(kata) <= MOST_DIGITS:
        return Named(int(kata), "", digest)
    return Named(None, kata.lower().removeprefix("kata_"), digest)
