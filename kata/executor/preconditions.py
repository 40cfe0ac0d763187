"""What the recordings always showed must hold before the step that depends on it (design 8, case B041)."""

from collections.abc import Mapping

from ..json import JsonValue, same, show_path
from ..spec import Exists, Length, NonEmpty, OneOf, Precondition
from ..templating import decode_result, fetch


def first_broken(requires: tuple[Precondition, ...], results: Mapping[int, JsonValue]) -> str | None:
    """Return in words the first precondition that does not hold for these results; None when all hold."""
    return next((text for one in requires if (text := _broken(one, results)) is not None), None)


def _broken(one: Precondition, results: Mapping[int, JsonValue]) -> str | None:
    place = f"step {one.step} · {show_path(one.path)}" if one.path else f"the result of step {one.step}"
    try:
        found = fetch(results[one.step], one.path)
    except LookupError:
        return f"{place} is missing"
    found = decode_result(found) if isinstance(found, str) else found
    match one:
        case Exists():
            return None
        case Length(exactly=exactly):
            if isinstance(found, list) and len(found) == exactly:
                return None
            return f"{place} has {_size(found)}, the recordings always had {exactly}"
        case NonEmpty():
            return None if found else f"{place} is empty"
        case OneOf(values=values):
            return (
                None
                if any(same(found, value) for value in values)
                else f"{place} has a value never seen before"
            )


def _size(found: JsonValue) -> str:
    if not isinstance(found, list):
        return "no list"
    return f"{len(found)} element" if len(found) == 1 else f"{len(found)} elements"
