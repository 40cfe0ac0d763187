"""A recorded call, and where each value of its result stands."""

from collections.abc import Iterator, Mapping

import attrs

from ..json import JsonValue, Path, canonical
from .commentary import ignored_keys
from .leaves import argument_leaves
from .transforms import as_text, is_weak, variants
from .values import decoded

Place = tuple[Path, str | None]
"""A path into a result and the transform that its value goes through."""

MAX_LEAVES = 20_000
"""Leaves of one result that are looked at, in document order."""


@attrs.define(eq=False)
class Call:
    """One recorded call with its values decoded; its indexes are made once, when first asked for.

    Attributes:
        group: Calls of one model request share it (they cannot feed each other); empty where unknown.
    """

    tool: str
    args: Mapping[str, JsonValue]
    result: JsonValue
    group: str = ""
    ref: int = 0
    _leaves: dict[Path, JsonValue] | None = attrs.field(default=None, init=False)
    _scalars: dict[tuple[str, JsonValue], list[Place]] | None = attrs.field(default=None, init=False)
    _containers: dict[str, list[Place]] | None = attrs.field(default=None, init=False)
    _derived: dict[str, list[Place]] | None = attrs.field(default=None, init=False)
    _texts: dict[str, list[Place]] | None = attrs.field(default=None, init=False)

    def leaves(self) -> Mapping[Path, JsonValue]:
        """Map the paths of the argument leaves to their values, without what only talks about the call."""
        if self._leaves is None:
            skipped = ignored_keys(self.tool, self.args)
            self._leaves = argument_leaves({key: value for key, value in self.args.items() if key not in skipped})
        return self._leaves

    def places(self, value: JsonValue) -> list[Place]:
        """List where a value stands in the result, type for type, in document order."""
        if isinstance(value, dict | list):
            return self._container_index().get(canonical(value), [])
        return self._scalar_index().get((type(value).__name__, value), [])

    def derived(self, text: str) -> list[Place]:
        """List the places whose transform gives a text."""
        if self._derived is None:
            self._derived = {}
            for (kind, value), places in self._scalar_index().items():
                for name, new in variants(value) if kind == "str" else ():
                    self._derived.setdefault(new, []).extend((path, name) for path, _ in places)
        return self._derived.get(text, [])

    def texts(self) -> Mapping[str, list[Place]]:
        """Map every text that may stand inside a longer one to its places; numbers as JSON writes them."""
        if self._texts is None:
            self.derived("")
            self._texts = {}
            for (_, value), places in self._scalar_index().items():
                if not is_weak(value):
                    self._texts.setdefault(as_text(value), []).extend(places)
            for text, places in (self._derived or {}).items():
                self._texts.setdefault(text, []).extend(places)
        return self._texts

    def lists(self) -> Iterator[tuple[Path, list[JsonValue]]]:
        """Yield every list of the result with its path, in document order."""
        for path, value in walk(self.result):
            if isinstance(value, list):
                yield path, value

    def _scalar_index(self) -> dict[tuple[str, JsonValue], list[Place]]:
        if self._scalars is None:
            self._scalars = {}
            for path, value in walk(self.result):
                if not isinstance(value, dict | list):
                    self._scalars.setdefault((type(value).__name__, value), []).append((path, None))
        return self._scalars

    def _container_index(self) -> dict[str, list[Place]]:
        if self._containers is None:
            self._containers = {}
            for path, value in walk(self.result):
                if isinstance(value, dict | list):
                    self._containers.setdefault(canonical(value), []).append((path, None))
        return self._containers


def walk(value: JsonValue) -> Iterator[tuple[Path, JsonValue]]:
    """Yield every value of a result with its path, in document order.

    A text directly inside the result that is itself a JSON object or list is looked into as well, one wrapper deep.
    """
    stack: list[tuple[Path, JsonValue]] = [((), value)]
    for _ in range(MAX_LEAVES):
        if not stack:
            return
        path, one = stack.pop()
        yield path, one
        inner = decoded(one) if len(path) <= 1 else one
        if isinstance(inner, dict):
            stack.extend([((*path, key), item) for key, item in reversed(inner.items())])
        elif isinstance(inner, list):
            stack.extend([((*path, index), inner[index]) for index in range(len(inner) - 1, -1, -1)])
