"""A recorded call, and where each value of its result stands."""

import re
from collections.abc import Callable, Iterator, Mapping

import attrs

from ..json import JsonValue, Path, canonical
from .commentary import ignored_keys
from .leaves import argument_leaves
from .tokens import is_specific
from .transforms import as_text, case_forms, cut_forms, is_weak
from .values import decoded

Place = tuple[Path, str | None]
"""A path into a result and the transform that its value goes through."""

MAX_LEAVES = 20_000
"""Leaves of one result that are looked at, in document order."""


_TOKEN = re.compile(r"[^\W_]{2,}")


@attrs.define(eq=False)
class Call:
    """One recorded call with its values decoded; its indexes are made once, when first asked for.

    Attributes:
        group: Calls of one model request share it (they cannot feed each other); empty where unknown.
        ref: What its values were loaded by.
        exit_code: How it ended, where it says so.
        truncated: A part of its values was cut when it was recorded.
    """

    tool: str
    args: Mapping[str, JsonValue]
    result: JsonValue
    group: str = ""
    ref: int = 0
    exit_code: int | None = None
    truncated: bool = False
    _flat: str | None = attrs.field(default=None, init=False)
    _pieces: frozenset[str] | None = attrs.field(default=None, init=False)
    _leaves: dict[Path, JsonValue] | None = attrs.field(default=None, init=False)
    _scalars: dict[tuple[str, JsonValue], list[Place]] | None = attrs.field(default=None, init=False)
    _containers: dict[str, list[Place]] | None = attrs.field(default=None, init=False)
    _cuts: dict[str, list[Place]] | None = attrs.field(default=None, init=False)
    _cases: dict[str, list[Place]] | None = attrs.field(default=None, init=False)
    _texts: dict[str, list[Place]] | None = attrs.field(default=None, init=False)

    def leaves(self) -> Mapping[Path, JsonValue]:
        """Map the paths of the argument leaves to their values, without what only talks about the call."""
        if self._leaves is None:
            skipped = ignored_keys(self.tool, self.args)
            self._leaves = argument_leaves(
                {key: value for key, value in self.args.items() if key not in skipped}
            )
        return self._leaves

    def places(self, value: JsonValue) -> list[Place]:
        """List where a value stands in the result, type for type, in document order."""
        if isinstance(value, dict | list):
            return self._container_index().get(canonical(value), [])
        return self._scalar_index().get((type(value).__name__, value), [])

    def derived(self, text: str) -> list[Place]:
        """List the places whose transform gives a text."""
        return [*self._cut_index().get(text, ()), *self._case_index().get(text, ())]

    def texts(self) -> Mapping[str, list[Place]]:
        """Map every text that may stand inside a longer one to its places; numbers as JSON writes them."""
        if self._texts is None:
            self._texts = {
                as_text(value): list(places)
                for (_, value), places in self._scalar_index().items()
                if not is_weak(value)
            }
            for text, places in self._cut_index().items():
                self._texts.setdefault(text, []).extend(places)
        return self._texts

    def may_hold(self, value: str | float) -> bool:
        """Tell at a glance whether a value, or a part of a text, may come from the result.

        Errs on the side of yes, but for plain short words inside a longer text: those need constant text beside them. Cut
        forms are substrings of what they are cut from, so one search through all texts finds whole values.
        """
        if self._flat is None:
            self._flat = "\x00".join(("", *_scalar_texts(self.result), "")).lower()
        if not isinstance(value, str):
            return f"\x00{value}\x00".lower() in self._flat
        text = value.lower()
        if text in self._flat:
            return True
        if not any(token in self._flat for token in _TOKEN.findall(text)):
            return False
        return any(piece in text for piece in self._all_pieces())

    def _all_pieces(self) -> frozenset[str]:
        if self._pieces is None:
            flat = self._flat or ""
            self._pieces = frozenset([piece for text in set(flat.split("\x00")) for piece in _pieces(text)])
        return self._pieces

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

    def _cut_index(self) -> dict[str, list[Place]]:
        if self._cuts is None:
            self._cuts = self._forms(cut_forms)
        return self._cuts

    def _case_index(self) -> dict[str, list[Place]]:
        if self._cases is None:
            self._cases = self._forms(case_forms)
        return self._cases

    def _forms(self, forms: Callable[[str], tuple[tuple[str, str], ...]]) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for (kind, value), places in self._scalar_index().items():
            for name, new in forms(value) if kind == "str" else ():
                found.setdefault(new, []).extend([(path, name) for path, _ in places])
        return found

    def _container_index(self) -> dict[str, list[Place]]:
        if self._containers is None:
            self._containers = {}
            for path, value in walk(self.result):
                if isinstance(value, dict | list):
                    self._containers.setdefault(canonical(value), []).append((path, None))
        return self._containers


def _scalar_texts(value: JsonValue) -> list[str]:
    found: list[str] = []
    stack, left = [(value, 0)], MAX_LEAVES
    while stack and left:
        one, depth = stack.pop()
        left -= 1
        if isinstance(one, str):
            found.append(one)
            one = decoded(one) if depth <= 1 else one
        if isinstance(one, dict):
            stack.extend([(item, depth + 1) for item in one.values()])
        elif isinstance(one, list):
            stack.extend([(item, depth + 1) for item in one])
        elif isinstance(one, int | float) and not isinstance(one, bool):
            found.append(str(one))
    return found


def _pieces(text: str) -> tuple[str, ...]:
    """List a lower-case text and what transforms would make of it, where a longer text hardly holds it by chance."""
    if len(text) < 2 or not is_specific(text) or is_weak(text):
        return ()
    return (text, *[new for _, new in cut_forms(text) if is_specific(new)])


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
