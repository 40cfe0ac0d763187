"""What a shell offers at a TAB: verbs, options, live ids with their names, inputs, versions, runs."""

import argparse
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ..errors import KataError
from ..service import Service
from .desk import Answer, Desk
from .paint import one_line
from .parser import VERBS, build
from .text import say

SHELLS = ("bash", "zsh", "fish")
SCRIPTS = Path(__file__).parent / "completion"
RUNS = 20

Offer = tuple[str, str]
"""A word, and what it is."""


def completion(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Print the script that makes a shell ask `complete` at a TAB."""
    del desk
    text = script(asked.shell)
    return Answer(lines=tuple(text.splitlines()), data={"shell": asked.shell, "script": text})


def script(shell: str) -> str:
    """Return a shell's script, with all that it can offer without asking Kata written into it."""
    template = (SCRIPTS / f"kata.{shell}").read_text(encoding="utf-8")
    write = _fish if shell == "fish" else _posix
    cases = "\n".join(write(words, found) for words, found in fixed_offers())
    return template.replace("# offers", cases)


def fixed_offers() -> Iterator[tuple[str, Sequence[Offer] | None]]:
    """Return what fits each place of a command line: the same for everybody, or None where Kata must be asked.

    A place is called by the verb and how many words stand behind it (``*``: any number), or a dash for the options; the
    place of the verb itself has no name.
    """
    yield "", _verbs()
    yield "--kata", None
    for verb, parser in _parsers().items():
        yield f"{verb} -", tuple(_options(parser))
        for at, place in enumerate(_places(parser)):
            yield f"{verb} {'*' if place.nargs == '*' else at}", _fixed(place)


def _fixed(place: argparse.Action) -> Sequence[Offer] | None:
    if place.choices is not None:
        return [(str(choice), "") for choice in place.choices]
    if place.dest == "topic":
        return _verbs()
    return None if place.dest in OFFERS else ()


def _posix(place: str, found: Sequence[Offer] | None) -> str:
    pattern = f"{shlex.quote(place[:-1])}*" if place.endswith("*") else shlex.quote(place)
    return f"  {pattern}) {_body(found, shlex.quote)} ;;"


def _fish(place: str, found: Sequence[Offer] | None) -> str:
    return f"        case {_fish_quoted(place)}\n            {_body(found, _fish_quoted)}"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _body(found: Sequence[Offer] | None, quoted: Callable[[str], str]) -> str:
    if found is None:
        return "return 1"
    lines = " ".join(quoted(f"{word}\t{one_line(meaning)}") for word, meaning in found)
    return f"printf '%s\\n' {lines}" if lines else "return 0"


def complete(desk: Desk, asked: argparse.Namespace) -> Answer:
    """Answer the script: one offer a line, what it is behind a tab; nothing where anything goes wrong."""
    found = offers(desk.service, asked.words)
    lines = tuple(f"{word}\t{one_line(meaning)}" for word, meaning in found)
    return Answer(lines=lines, data=[{"word": word, "meaning": meaning} for word, meaning in found])


def offers(service: Service, words: Sequence[str]) -> list[Offer]:
    """Return what fits the last word, which may be empty or half typed, after the words before it."""
    *before, typed = words or ("",)
    try:
        found = list(_offers(service, before, typed))
    except KataError:
        return []
    return [offer for offer in found if offer[0].startswith(typed)]


def _offers(service: Service, before: Sequence[str], typed: str) -> Iterator[Offer]:
    if not before:
        yield from _verbs()
        return
    parser = _parsers().get(before[0])
    if parser is None:
        return
    if typed.startswith("-"):
        yield from _options(parser)
        return
    yield from _words(service, parser, list(before[1:]))


def _verbs() -> Sequence[Offer]:
    return [(name, say(summary)) for name, (summary, _) in VERBS.items()]


def _parsers() -> Mapping[str, argparse.ArgumentParser]:
    tree = build("hermes kata")
    found: Mapping[str, argparse.ArgumentParser] = next(
        action.choices
        for action in tree._actions  # noqa: SLF001
        if isinstance(action.choices, dict)
    )
    return found


def _places(parser: argparse.ArgumentParser) -> Sequence[argparse.Action]:
    return [action for action in parser._actions if not action.option_strings]  # noqa: SLF001


def _options(parser: argparse.ArgumentParser) -> Iterator[Offer]:
    for action in parser._actions:  # noqa: SLF001
        for option in action.option_strings:
            if option.startswith("--"):
                yield option, action.help if isinstance(action.help, str) else ""


def _words(service: Service, parser: argparse.ArgumentParser, before: list[str]) -> Iterator[Offer]:
    if before and before[-1] == "--kata":
        yield from katas(service)
        return
    given = [word for word in before if not word.startswith("-")]
    place = _place(_places(parser), len(given))
    if place is None:
        return
    if place.choices is not None:
        yield from ((str(choice), "") for choice in place.choices)
        return
    offer = OFFERS.get(place.dest)
    if offer is not None:
        yield from offer(service, given)


def _place(places: Sequence[argparse.Action], at: int) -> argparse.Action | None:
    """Return what a word at a place is; the last one may take all that follow."""
    if at < len(places):
        return places[at]
    return places[-1] if places and places[-1].nargs == "*" else None


def katas(service: Service, given: Sequence[str] = ()) -> Iterator[Offer]:
    """Offer every kata by number and by name, with its state."""
    del given
    rows = service.listing().katas
    for row in rows:
        yield str(row.number), f"{row.name} ({row.state})"
    for row in rows:
        yield row.name, f"{row.number} ({row.state})"


def versions(service: Service, given: Sequence[str]) -> Iterator[Offer]:
    """Offer a kata's versions."""
    for one in service.review(given[0]).versions:
        yield str(one.version), one.cause


def runs(service: Service, given: Sequence[str]) -> Iterator[Offer]:
    """Offer the newest runs by the end of their ids."""
    del given
    for row in service.runs(limit=RUNS):
        yield row.run_id[-12:], f"{row.name} {row.outcome}"


def free_words(service: Service, given: Sequence[str]) -> Iterator[Offer]:
    """Offer what may stand behind a kata: for a plan its inputs, for a decision the name and the choices."""
    if not given:
        yield from katas(service)
        return
    if given[-1] == "as":
        yield service.review(given[0]).row.name, ""
        return
    yield from ((word, "") for word in ("as", "because"))
    view = service.review(given[0])
    yield from ((f"{name}=", "") for name in view.inputs.get("properties", {}))
    yield from ((answer, "") for one in view.choices for answer in one.answers)


def topics(service: Service, given: Sequence[str]) -> Iterator[Offer]:
    """Offer the commands that help is about."""
    del service, given
    yield from _verbs()


OFFERS: Mapping[str, Callable[[Service, Sequence[str]], Iterator[Offer]]] = {
    "kata": katas,
    "to": versions,
    "before": versions,
    "after": versions,
    "run": runs,
    "words": free_words,
    "topic": topics,
}
