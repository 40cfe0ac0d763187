"""Shell commands: their words, aligned over the examples; a part that varies stays (part of) one word (case B027)."""

import re
from collections.abc import Sequence

import attrs

from ..spec import Const, Expression, Input, ShellWord
from .hints import input_hint
from .inputs import Inputs
from .render import OPTION
from .shell import Cell, cells, quote, unquote
from .sources import Earlier, Source
from .text import Explained, TextExplainer, contradicted, odd_one_out
from .tokens import MIN_CONSTANT, MIN_OBSERVATIONS

_QUOTED = re.compile(r"([^'\"\\\s]*)(['\"])(.*)\2", re.DOTALL)
_STATES = {"'": "single", '"': "double"}


@attrs.frozen
class _Frame:
    """How the varying part of a word is quoted, and the constant text around it."""

    before: str
    quoting: str
    after: str
    values: tuple[str, ...]

    @property
    def begins(self) -> bool:
        """Whether the part begins the word, an opening quote aside."""
        return len(self.before) < 2


def explain_command(commands: Sequence[str], key: str, earlier: Earlier, inputs: Inputs) -> Explained | None:
    """Make parts for the command lines of one argument; None where they have no shape in common."""
    rows = [cells(command) for command in commands]
    if any(row is None for row in rows):
        return None
    table = [row for row in rows if row is not None]
    if len({len(row) for row in table}) > 1:
        odd = odd_one_out([len(row) for row in table])
        found = _ends(table, key, inputs)
        return found and attrs.evolve(found, misses=found.misses | odd)
    columns = list(zip(*table, strict=True))
    if not _enough(columns):
        return None
    return _merged([_column(columns, at, key, earlier, inputs) for at in range(len(columns))])


def _enough(columns: Sequence[tuple[Cell, ...]]) -> bool:
    """Tell whether the words in common are a shape at all: the program's name, at least."""
    return len({cell.text for cell in columns[0]}) == 1


def _column(
    columns: Sequence[tuple[Cell, ...]], at: int, key: str, earlier: Earlier, inputs: Inputs
) -> Explained | None:
    texts = [cell.text for cell in columns[at]]
    if len(set(texts)) == 1 and not _masked(texts):
        return Explained((Const(texts[0]),))
    hint = input_hint(key, [column[0].text for column in columns[:at] if column[0].word], texts)
    if not all(cell.word for cell in columns[at]):
        return _free(texts, hint, inputs)
    return _word(texts, hint, earlier, inputs)


def _masked(texts: Sequence[str]) -> bool:
    return any("⟦" in text for text in texts)


def _word(texts: Sequence[str], hint: str, earlier: Earlier, inputs: Inputs) -> Explained | None:
    """Explain one word: in pieces where that is written as it was recorded, else as a whole, else as free text."""
    frames = [frame for frame in (_bare(texts), _quoted(texts)) if frame is not None]
    before = inputs.checkpoint()
    for frame in frames:
        found = _pieces(frame, hint, earlier, inputs)
        if found is not None:
            return _framed(found, frame)
        inputs.rollback(before)
    for frame in frames:
        found = _whole_word(frame, hint, inputs)
        if found is not None:
            return _framed(found, frame)
        inputs.rollback(before)
    return _free(texts, hint, inputs)


def _pieces(frame: _Frame, hint: str, earlier: Earlier, inputs: Inputs) -> Explained | None:
    def wrap(source: Source | Input, values: Sequence[str]) -> Expression | None:
        return _shell_word(source, values, frame, inputs)

    found = TextExplainer(earlier, inputs, hint, wrap).explain(frame.values, anchored=True)
    return found if found is not None and _joins_cleanly(found.parts, frame) else None


def _joins_cleanly(parts: Sequence[Expression], frame: _Frame) -> bool:
    """Tell whether a word made of parts is written as it was recorded: bare words in pieces need no quotes anywhere."""
    return (
        len(parts) == 1
        or frame.quoting != "bare"
        or all(quote(value, "bare") == value for value in frame.values)
    )


def _whole_word(frame: _Frame, hint: str, inputs: Inputs) -> Explained | None:
    part = _shell_word(inputs.take(frame.values, hint), frame.values, frame, inputs)
    return None if part is None else Explained((part,), misses=contradicted(frame.values))


def _shell_word(
    source: Source | Input, values: Sequence[str], frame: _Frame, inputs: Inputs
) -> Expression | None:
    """Quote a part; one that leads a word may begin with ``-`` only if a recorded one did."""
    pairs = list(zip(frame.values, values, strict=True))
    leads = frame.begins and any(whole.startswith(value) for whole, value in pairs)
    dashed = leads and any(value.startswith("-") for value in values)
    if dashed and frame.quoting != "bare":
        return None
    if leads and not dashed and isinstance(source, Input):
        inputs.must_not_be_option(source.name)
    return ShellWord(source, OPTION if dashed else frame.quoting)


def _bare(texts: Sequence[str]) -> _Frame | None:
    values = [unquote(text, "bare") for text in texts]
    if any(value is None for value in values):
        return None
    return _Frame("", "bare", "", tuple(value for value in values if value is not None))


def _quoted(texts: Sequence[str]) -> _Frame | None:
    found = [one for one in map(_QUOTED.fullmatch, texts) if one is not None]
    if len(found) < len(texts) or len({(one[1], one[2]) for one in found}) > 1:
        return None
    before, mark = found[0][1], found[0][2]
    values = [unquote(one[3], _STATES[mark]) for one in found]
    if any(value is None for value in values):
        return None
    return _Frame(before + mark, _STATES[mark], mark, tuple(value for value in values if value is not None))


def _framed(found: Explained, frame: _Frame) -> Explained:
    parts = tuple(
        Const(quote(part.value, frame.quoting)) if isinstance(part, Const) else part for part in found.parts
    )
    edges = [(Const(text),) if text else () for text in (frame.before, frame.after)]
    return attrs.evolve(found, parts=(*edges[0], *parts, *edges[1]))


def _free(texts: Sequence[str], hint: str, inputs: Inputs) -> Explained:
    """Make an input of shell text that is no single word: what a tool answered may never stand there."""
    return Explained((inputs.take(texts, hint),), misses=contradicted(texts))


def _ends(table: Sequence[tuple[Cell, ...]], key: str, inputs: Inputs) -> Explained | None:
    """Explain commands with different numbers of words: the words that all begin and end with, and free text between."""
    shortest = min(map(len, table))
    before = _same_cells(table, shortest, 1)
    after = _same_cells(table, shortest - before, -1)
    kept = "".join(cell.text for cell in (*table[0][:before], *table[0][len(table[0]) - after :]))
    if not before or len(table) < MIN_OBSERVATIONS or len(kept) < MIN_CONSTANT:
        return None
    middle = ["".join(cell.text for cell in row[before : len(row) - after]) for row in table]
    free = _free(middle, key, inputs)
    start = Explained((Const("".join(cell.text for cell in table[0][:before])),))
    ending = "".join(cell.text for cell in table[0][len(table[0]) - after :])
    return _merged([start, free, Explained((Const(ending),) if ending else ())])


def _same_cells(table: Sequence[tuple[Cell, ...]], limit: int, step: int) -> int:
    count = 0
    while count < limit and len({row[count if step > 0 else -1 - count].text for row in table}) == 1:
        count += 1
    return count


def _merged(pieces: Sequence[Explained | None]) -> Explained | None:
    if any(piece is None for piece in pieces):
        return None
    whole = [piece for piece in pieces if piece is not None]
    parts: list[Expression] = []
    for part in (part for piece in whole for part in piece.parts):
        if isinstance(part, Const) and parts and isinstance(parts[-1], Const):
            parts[-1] = Const(parts[-1].value + part.value)
        else:
            parts.append(part)
    return Explained(
        tuple(parts),
        tuple(source for piece in whole for source in piece.sources),
        frozenset().union(*(piece.misses for piece in whole)),
        tuple(source for piece in whole for source in piece.ambiguous),
    )
