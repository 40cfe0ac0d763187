"""The arguments of one step, leaf by leaf: constant, reference, text or input (design 6.4)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ..effects import shell_command
from ..json import JsonValue, Path, canonical, same
from ..redact import find_masks
from ..spec import Array, Concat, Const, Expression, Input, Join, Record, ShellWord
from .commands import explain_command
from .hints import identifier
from .inputs import Inputs
from .joins import explain_joined
from .shell import quoted
from .sources import Earlier, Source, Sources
from .text import Explained, TextExplainer, contradicted, odd_one_out

CONSTANT, REFERENCE, TEXT, INPUT = "constant", "reference", "text", "input"


@attrs.frozen(kw_only=True)
class Leaf:
    """How one argument leaf is made, and why.

    Attributes:
        path: Where it stands in the arguments.
        sources: Every earlier field that explains it, or a part of it, in every example; the chosen ones first.
        ambiguous: Those among them that were not chosen.
        values: How many distinct values stood there.
        nearly: Earlier fields that explain it in all examples but one.
        shared: It is an input that an earlier argument already had.
        misses: Examples that the template made of all the others would get wrong.
    """

    path: Path
    expression: Expression
    became: str
    values: int
    sources: tuple[Source, ...] = ()
    ambiguous: tuple[Source, ...] = ()
    nearly: tuple[Source, ...] = ()
    shared: bool = False
    misses: frozenset[int] = frozenset()


@attrs.frozen
class Arguments:
    """The arguments of one step: their template and its leaves in document order."""

    record: Record
    leaves: tuple[Leaf, ...]

    @property
    def misses(self) -> frozenset[int]:
        return frozenset().union(*(leaf.misses for leaf in self.leaves))


class ArgumentExplainer:
    """Explains the arguments of one step over all examples."""

    def __init__(self, tool: str, earlier: Earlier, inputs: Inputs) -> None:
        self._tool = tool
        self._earlier = earlier
        self._inputs = inputs

    def explain(self, args: Sequence[Mapping[str, JsonValue]]) -> Arguments:
        """Explain recorded arguments: objects with the same keys, one an example."""
        leaves: list[Leaf] = []
        record = self._record(args, (), leaves)
        return Arguments(record, tuple(leaves))

    def _record(self, values: Sequence[Mapping[str, JsonValue]], path: Path, leaves: list[Leaf]) -> Record:
        return Record(
            tuple((key, self._value([one[key] for one in values], (*path, key), leaves)) for key in values[0])
        )

    def _value(self, values: Sequence[JsonValue], path: Path, leaves: list[Leaf]) -> Expression:
        found = self._earlier.whole(values)
        leaf = self._constant(values, path, found) or self._reference(values, path, found)
        if leaf is None:
            inner = self._inside(values, path, leaves)
            if inner is not None:
                return inner
            leaf = self._text(values, path) or self._input(values, path, found)
        leaves.append(leaf)
        return leaf.expression

    def _constant(self, values: Sequence[JsonValue], path: Path, found: Sources) -> Leaf | None:
        if not all(same(value, values[0]) for value in values) or find_masks(values[0]):
            return None
        also = tuple(source for source in found.full if source.transform is None)
        return Leaf(
            path=path,
            expression=Const(values[0]),
            became=CONSTANT,
            values=1,
            sources=also,
            ambiguous=also,
            nearly=found.nearly,
        )

    def _reference(self, values: Sequence[JsonValue], path: Path, found: Sources) -> Leaf | None:
        if not found.full or (_by_index(found.full) and self._inputs.find(values) is not None):
            return None
        return Leaf(
            path=path,
            expression=found.full[0],
            became=REFERENCE,
            values=distinct(values),
            sources=found.full,
            ambiguous=found.full[1:],
            nearly=found.nearly,
        )

    def _inside(self, values: Sequence[JsonValue], path: Path, leaves: list[Leaf]) -> Expression | None:
        """Go into objects with the same keys and lists of the same length."""
        if all(isinstance(value, dict) for value in values):
            return self._object(values, path, leaves)
        if all(isinstance(value, list) for value in values):
            return self._list(values, path, leaves)
        return None

    def _object(self, values: Sequence[JsonValue], path: Path, leaves: list[Leaf]) -> Expression | None:
        if not values[0] or any(value.keys() != values[0].keys() for value in values):
            return None
        return self._record(values, path, leaves)

    def _list(self, values: Sequence[JsonValue], path: Path, leaves: list[Leaf]) -> Expression | None:
        """Take a list apart only where that explains something: a list of inputs is one input."""
        if not values[0] or len({len(value) for value in values}) > 1 or len(values[0]) > 32:
            return None
        if not any(self._known([value[at] for value in values]) for at in range(len(values[0]))):
            return None
        items = [
            self._value([value[at] for value in values], (*path, at), leaves) for at in range(len(values[0]))
        ]
        return Array(tuple(items))

    def _known(self, values: Sequence[JsonValue]) -> bool:
        """Tell whether something earlier explains a value, or a leaf of an object."""
        if all(isinstance(value, dict) for value in values):
            keys = values[0].keys()
            return all(value.keys() == keys for value in values) and any(
                self._known([value[key] for value in values]) for key in keys
            )
        return bool(self._earlier.whole(values).full) or self._inputs.find(values) is not None

    def _text(self, values: Sequence[JsonValue], path: Path) -> Leaf | None:
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            return None
        before = self._inputs.checkpoint()
        found = self._explained(texts, path)
        if found is None:
            self._inputs.rollback(before)
            return None
        parts = found.parts
        expression = parts[0] if len(parts) == 1 and isinstance(parts[0], Input) else Concat(parts)
        return Leaf(
            path=path,
            expression=expression,
            became=INPUT if isinstance(expression, Input) else TEXT,
            values=distinct(values),
            sources=found.sources,
            ambiguous=found.ambiguous,
            shared=isinstance(expression, Input),
            misses=found.misses,
        )

    def _explained(self, texts: Sequence[str], path: Path) -> Explained | None:
        shared = self._inputs.find(texts)
        if shared is not None:
            return Explained((shared,), misses=contradicted(texts))
        key = str(path[-1])
        if len(path) == 1 and shell_command(self._tool, {key: texts[0]}) is not None:
            return self._command(texts, key)
        return self._plain_text(texts, _hint(path))

    def _command(self, texts: Sequence[str], key: str) -> Explained | None:
        def explain(commands: Sequence[str]) -> Explained | None:
            return explain_command(commands, key, self._earlier, self._inputs)

        before = self._inputs.checkpoint()
        joined = explain_joined(texts, self._earlier, quoted, ShellWord, explain)
        if joined is None:
            self._inputs.rollback(before)
        return joined or explain(texts)

    def _plain_text(self, texts: Sequence[str], hint: str) -> Explained | None:
        explainer = TextExplainer(self._earlier, self._inputs, hint, _itself)
        before = self._inputs.checkpoint()
        joined = explain_joined(texts, self._earlier, str, _itself, explainer.explain)
        if joined is None:
            self._inputs.rollback(before)
        return joined or explainer.explain(texts)

    def _input(self, values: Sequence[JsonValue], path: Path, found: Sources) -> Leaf:
        keys = list(map(canonical, values))
        misses = contradicted(values) | odd_one_out(list(map(_shape, values))) | found.misses
        shared = self._inputs.find(values) is not None
        return Leaf(
            path=path,
            expression=self._inputs.take(values, _hint(path)),
            became=INPUT,
            values=len(set(keys)),
            nearly=found.nearly,
            shared=shared,
            misses=misses,
        )


def _by_index(sources: Sequence[Source]) -> bool:
    """Tell whether all sources take a further element of a list: an input that always had the value is better than that."""
    return all(any(isinstance(part, int) and part > 0 for part in source.path) for source in sources)


def _itself(source: Source | Input, *_: object) -> Expression:
    return source


def distinct(values: Sequence[JsonValue]) -> int:
    """Count the distinct values, JSON types kept apart."""
    return len(set(map(canonical, values)))


def inputs_of(expression: Expression) -> Iterator[str]:
    """Yield the names of the inputs in an expression, in order."""
    for part in walk_expression(expression):
        if isinstance(part, Input):
            yield part.name


def walk_expression(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all that stand in it, outermost first."""
    yield expression
    for child in _children(expression):
        yield from walk_expression(child)


def replaced_inputs(expression: Any, names: Mapping[str, Input]) -> Any:
    """Return an expression with some of its inputs replaced."""
    match expression:
        case Input(name):
            return names.get(name, expression)
        case Record(fields):
            return Record(tuple((key, replaced_inputs(value, names)) for key, value in fields))
        case Concat(parts):
            return Concat(tuple(replaced_inputs(part, names) for part in parts))
        case Array(items):
            return Array(tuple(replaced_inputs(item, names) for item in items))
        case ShellWord(part, quoting):
            return ShellWord(replaced_inputs(part, names), quoting)
        case Join(items, separator):
            return Join(replaced_inputs(items, names), separator)
        case _:
            return expression


def _children(expression: Expression) -> tuple[Expression, ...]:
    if isinstance(expression, Record):
        return tuple(value for _, value in expression.fields)
    if isinstance(expression, Concat):
        return expression.parts
    if isinstance(expression, Array):
        return expression.items
    inner = getattr(expression, "part", None) or getattr(expression, "items", None)
    return (inner,) if inner is not None else ()


def _hint(path: Path) -> str:
    """Name an input by the last key on its way."""
    keys = [part for part in path if isinstance(part, str)]
    if keys and keys[-1].isidentifier():
        return keys[-1][:40]
    return identifier(keys[-1], "value") if keys else "value"


def _shape(value: JsonValue) -> object:
    """Say what would have been taken apart: the keys of an object."""
    return tuple(sorted(value)) if isinstance(value, dict) else None
