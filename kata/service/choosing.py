"""Sources that fit equally well: an effect rests on one only after a person chose it (design 6.5, case B036). Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping

import attrs

from ..errors import RefusedError, UsageError
from ..json import JsonObject
from ..machines import Version
from ..spec import Spec, flat_steps, load_spec
from ..templating import read_source, rewire
from .views import ChoiceView

TAKEN = frozenset({"reference", "text"})
"""What an argument became when it is taken from a source; a constant stands in the plan as it is."""

READS = frozenset({"read", "network_read"})
SHOWN = "shown"
"""The word that takes what the plan shows."""

PLACE = re.compile(r"step ?(\d+)\.(.+)")
SOURCE = re.compile(r"step (\d+)(?: · (.+))?")


class AmbiguousSourceError(RefusedError):
    """Say which arguments of effects several sources explain, and how to choose."""

    code = "ambiguous_source"

    def __init__(self, number: int, choices: tuple[ChoiceView, ...]) -> None:
        places = "; ".join(
            f"step {one.step} {one.path}: as shown, or {', '.join(one.others)}" for one in choices
        )
        answers = " ".join(one.answers[0] for one in choices)
        also = ", ".join(answer for one in choices for answer in one.answers[1:])
        super().__init__(
            f"kata {number} has an effect whose source you must choose: {places}",
            hint=f"Add to approve: using {answers}" + (f" (or {also})" if also else ""),
        )
        self.number, self.choices = number, choices


@attrs.frozen(kw_only=True)
class Chosen:
    """A version with its choices made; ``changes`` is empty where all is as the plan shows it."""

    spec: Spec
    notes: JsonObject
    said: tuple[str, ...]
    changed: bool


def choices_of(version: Version) -> tuple[ChoiceView, ...]:
    """Return the arguments of effects that more than one source explains."""
    notes: JsonObject = version.notes or {}
    effects = [step.effect for step in flat_steps(load_spec(version.spec))]
    return tuple(
        _choice(int(one["step"]), str(one["path"]), tuple(one["alternatives"]))
        for one in notes.get("arguments", ())
        if one.get("alternatives") and one["became"] in TAKEN and effects[int(one["step"]) - 1] not in READS
    )


def _choice(step: int, path: str, others: tuple[str, ...]) -> ChoiceView:
    sources = (SHOWN, *filter(None, map(_written, others)))
    return ChoiceView(step=step, path=path, place=f"step{step}.{path}", others=others, sources=sources)


def choose(number: int, version: Version, using: Iterable[tuple[str, str]]) -> Chosen:
    """Take the sources that a person chose for a version of a kata.

    Args:
        number: The kata's number, for what is said.
        using: Pairs such as ``("step2.disk", "step1.main")`` or ``("step2.disk", "shown")``.

    Raises:
        AmbiguousSourceError: a choice is missing.
        UsageError: a pair names no argument or no earlier step's field.
    """
    asked = {_place(place): source for place, source in using}
    missing = tuple(one for one in choices_of(version) if (one.step, one.path) not in asked)
    if missing:
        raise AmbiguousSourceError(number, missing)
    spec = load_spec(version.spec)
    for (step, path), source in asked.items():
        if source != SHOWN:
            spec = rewire(spec, step, path, read_source(source))
    return Chosen(
        spec=spec,
        notes=_noted(version.notes or {}, asked),
        said=tuple(f"step {step} {path} from {source}" for (step, path), source in asked.items()),
        changed=spec != load_spec(version.spec),
    )


def _place(text: str) -> tuple[int, str]:
    match = PLACE.fullmatch(text)
    if match is None:
        raise UsageError(f"{text!r} is no argument of a step", hint="Write step2.path=step1.path.")
    return int(match[1]), match[2]


def _written(source: str) -> str:
    match = SOURCE.fullmatch(source)
    return "" if match is None else f"step{match[1]}" + (f".{match[2]}" if match[2] else "")


def _noted(notes: JsonObject, asked: Mapping[tuple[int, str], str]) -> JsonObject:
    """Return a version's notes with what was chosen, and without the warnings that it settles."""
    arguments = list(map(dict, notes.get("arguments", ())))
    for one in arguments:
        source = asked.get((int(one["step"]), str(one["path"])))
        if source is not None:
            one.update(_reason(one, source))
    settled = tuple(_warned(asked))
    warnings = [line for line in notes.get("warnings", ()) if not any(one.match(line) for one in settled)]
    return {**notes, "arguments": arguments, "warnings": warnings}


def _reason(note: JsonObject, source: str) -> JsonObject:
    over = f" over {', '.join(note['alternatives'])}" if note.get("alternatives") and source == SHOWN else ""
    reason = f"chosen by a person{over}"
    became = note["became"] if source == SHOWN or note["became"] == "text" else "reference"
    return {"alternatives": [], "reason": reason, "became": became}


def _warned(asked: Iterable[tuple[int, str]]) -> Iterator[re.Pattern[str]]:
    for step, path in asked:
        yield re.compile(rf"step {step} \(.*\) has an effect and {re.escape(path)} is ambiguous")
