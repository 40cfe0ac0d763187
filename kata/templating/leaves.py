"""The leaves of recorded arguments: what a step can be tied by."""

from collections.abc import Iterator, Mapping

from ..json import JsonValue, Path


def argument_leaves(args: Mapping[str, JsonValue]) -> dict[Path, JsonValue]:
    """Map the path of every scalar and every empty or whole list in the arguments to its value, in document order."""
    return dict(_leaves(args, ()))


def _leaves(value: JsonValue, path: Path) -> Iterator[tuple[Path, JsonValue]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list):
        yield path, value
        for index, item in enumerate(value[:32]):
            yield from _leaves(item, (*path, index))
    else:
        yield path, value
