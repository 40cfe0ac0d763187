"""The small language in which programs are described, and how a call is held against it.

A ``Rule`` says what a program does as such, which options make it do more, and what its sub-commands do. Programs
whose words need more thought have a function of their own (a ``Decide``). Whatever a rule does not foresee is unknown.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias

import attrs

from .classes import SAYS, UNKNOWN, Classification, Effect, together
from .word import Word


class Judge(Protocol):
    """What classifies commands inside commands."""

    def command(self, words: tuple[Word, ...]) -> Classification:
        """Classify a program and its words."""
        ...

    def text(self, command: str) -> Classification:
        """Classify a command line that stands in a word."""
        ...


class UnsureError(ValueError):
    """Say why a program's words cannot be told apart."""


@attrs.frozen
class Call:
    """One program as it is called.

    Attributes:
        name: The program, with the sub-commands that were understood so far.
        words: What follows.
        judge: For commands among the words.
    """

    name: str
    words: tuple[Word, ...]
    judge: Judge

    def verdict(self, effect: Effect, why: str = "", *flags: str) -> Classification:
        """Say what this call does."""
        return Classification(effect, f"`{self.name}` {why or SAYS[effect]}", flags)


Decide: TypeAlias = Callable[[Call], Classification]
Spec: TypeAlias = "Rule | Decide | Effect"


@attrs.frozen(kw_only=True)
class Rule:
    """What one program, or one sub-command, does.

    Attributes:
        base: The class without any of what follows.
        why: Said instead of the class's own phrase.
        raising: Options that make it do more, each with the class then.
        valued: Options whose value is the next word (a short one's may also be attached).
        plain: Options without a value, known to be harmless; needed only before a sub-command.
        verbs: Sub-commands.
        other: The class of a sub-command that is not listed.
        free: How many operands change nothing; with -1 even a call without any counts.
        operands: The class with more operands than that.
        calm: Options with which operands change nothing.
        single_dash: Whether long options begin with one dash (``-out``); such programs take two for one.
        flags: Warnings for the reviewer.
        prepare: Looks at the words first; may drop some, or raise ``UnsureError``.
    """

    base: Effect
    why: str = ""
    raising: Mapping[str, Effect] = attrs.Factory(dict)
    valued: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    verbs: Mapping[str, Any] = attrs.Factory(dict)
    other: Effect = UNKNOWN
    free: int = 0
    operands: Effect | None = None
    calm: frozenset[str] = frozenset()
    single_dash: bool = False
    flags: tuple[str, ...] = ()
    prepare: Callable[[tuple[Word, ...]], tuple[Word, ...]] | None = None

    def __call__(self, call: Call) -> Classification:
        """Classify a call by this rule."""
        verdict = call.verdict(self.base, self.why, *self.flags)
        if self.verbs:
            return self._with_verb(call, verdict)
        given, operands = split(call.words, self.valued, single_dash=self.single_dash)
        for option in given:
            verdict = self._raise(call, verdict, option.name)
        if self.raising and any(map(self._may_be_option, call.words)):
            highest = max(self.raising.values(), key=lambda effect: effect.rank)
            verdict = verdict.raised(highest, f"`{call.name}` may be given options that the shell fills in")
        count = len(operands) + sum(word.splits or word.glob for word in operands)
        if self.operands is None or count <= self.free or self._calm(given):
            return verdict
        return verdict.raised(self.operands, f"`{call.name}` with these arguments {SAYS[self.operands]}")

    def _may_be_option(self, word: Word) -> bool:
        return word.may_be_option and word.text[:2] not in self.valued

    def _raise(self, call: Call, verdict: Classification, option: str) -> Classification:
        for name, effect in self.raising.items():
            if spells(option, name):
                verdict = verdict.raised(effect, f"`{call.name} {name}` {SAYS[effect]}")
        return verdict

    def _calm(self, given: Iterable["Option"]) -> bool:
        return any(option.name in self.calm for option in given)

    def _with_verb(self, call: Call, bare: Classification) -> Classification:
        try:
            before, verb, after = self.find_verb(call.words)
        except UnsureError as error:
            return call.verdict(UNKNOWN, str(error))
        for word in before:
            bare = self._raise(call, bare, word.text)
        if verb is None:
            return bare
        verdict = self._verb(call, verb, after)
        return together((bare, verdict)) if bare.effect > self.base else verdict

    def find_verb(self, words: tuple[Word, ...]) -> tuple[tuple[Word, ...], str | None, tuple[Word, ...]]:
        """Return the words before the sub-command, the sub-command (None where there is none), and those after.

        Raises:
            UnsureError: an option before it is not known, or only the shell knows the word.
        """
        words = self.prepare(words) if self.prepare else words
        index = 0
        while index < len(words):
            word = words[index]
            if word.value is None and not word.text.startswith("--"):
                raise UnsureError("is told what to do by the shell")
            if not word.text.startswith("-") or word.text == "-":
                return words[:index], word.text, words[index + 1 :]
            step = self._skip(word.text)
            if step == 2 and index + 1 < len(words) and may_be_another(words[index + 1]):
                raise UnsureError(f"may have another option behind {word.text}")
            index += step
        return words, None, ()

    def _skip(self, option: str) -> int:
        """Tell how many words an option before the sub-command takes."""
        name = option.partition("=")[0]
        if name in self.valued:
            return 2 if name == option else 1
        if name in self.plain or any(spells(option, raising) for raising in self.raising):
            return 1
        if not option.startswith("--") and option[:2] in self.valued:
            return 1
        raise UnsureError(f"has an option that is not known to Kata: {option}")

    def _verb(self, call: Call, verb: str, rest: tuple[Word, ...]) -> Classification:
        inner = Call(f"{call.name} {verb}", rest, call.judge)
        spec = self.verbs.get(verb)
        return apply(self.other if spec is None else spec, inner)


def apply(spec: Any, call: Call) -> Classification:
    """Hold a call against what a table says: a class, a rule, or a function."""
    if isinstance(spec, Effect):
        return call.verdict(spec)
    verdict: Classification = spec(call)
    return verdict


class Option(NamedTuple):
    """One option as it was given: its name with its dashes, and its value if it has one."""

    name: str
    value: Word | None = None


def split(
    words: Iterable[Word], valued: frozenset[str], *, single_dash: bool = False
) -> tuple[list[Option], list[Word]]:
    """Part a program's words into options and operands.

    Short options that stand in one word come apart (``-xzf`` is ``-x``, ``-z``, ``-f``), up to one that takes a value.
    A value that looks like an option is taken for one, to be on the safe side.
    """
    given: list[Option] = []
    operands: list[Word] = []
    pending = deque(words)
    while pending:
        word = pending.popleft()
        if not looks_like_option(word):
            operands.append(word)
        elif word.text == "--":
            operands += pending
            break
        else:
            given += _options(word, valued, pending, single_dash=single_dash)
    return given, operands


def looks_like_option(word: Word) -> bool:
    """Tell whether a word begins with a dash and goes on."""
    return word.text.startswith("-") and len(word.text) > 1


def may_be_another(value: Word) -> bool:
    """Tell whether the value of an option may be an option itself."""
    return value.may_be_option or (looks_like_option(value) and not value.text[1:].isdigit())


def _options(word: Word, valued: frozenset[str], pending: deque[Word], *, single_dash: bool) -> list[Option]:
    if not (single_dash or word.text.startswith("--")):
        return _shorts(word, valued, pending)
    name, equals, value = word.text.partition("=")
    name = f"-{name.lstrip('-')}" if single_dash else name
    if equals:
        return [Option(name, attrs.evolve(word, text=value))]
    return [Option(name, _next_value(pending) if name in valued else None)]


def _next_value(pending: deque[Word]) -> Word | None:
    return pending.popleft() if pending and not looks_like_option(pending[0]) else None


def _shorts(word: Word, valued: frozenset[str], pending: deque[Word]) -> list[Option]:
    """Take a cluster of short options apart."""
    given: list[Option] = []
    for position, letter in enumerate(word.text[1:], start=2):
        name, rest = f"-{letter}", word.text[position:]
        if name in valued:
            return [*given, Option(name, attrs.evolve(word, text=rest) if rest else _next_value(pending))]
        given.append(Option(name))
    return given


def spells(option: str, name: str) -> bool:
    """Tell whether an option is, or abbreviates, a named one."""
    given = option.partition("=")[0]
    return given == name or (len(given) > 2 and given.startswith("--") and name.startswith(given))


def rule(base: Effect, why: str = "", **fields: Any) -> Rule:
    """Write a rule with its options as lines of text.

    Args:
        base: The class without any option.
        why: Said instead of the class's own phrase.
        fields: Options that raise the call, under the name of the class (``local_write="-o --output"``); ``valued``,
            ``plain`` and ``calm`` as lines too; the other fields of a ``Rule`` as they are.
    """
    lines: dict[Effect, str] = {effect: fields.pop(effect.value, "") for effect in Effect}
    raising: dict[str, Effect] = {option: effect for effect, line in lines.items() for option in line.split()}
    for name in ("valued", "plain", "calm"):
        fields[name] = frozenset(fields.get(name, "").split())
    return Rule(base=base, why=why, raising=raising, **fields)


def writes_unless(calm: str, **fields: Any) -> Rule:
    """Describe a program that changes files unless one of these options makes it only look."""
    return rule(Effect.READ, calm=calm, free=-1, operands=Effect.LOCAL_WRITE, **fields)


def verbs(**fields: Any) -> dict[str, Spec]:
    """Write sub-commands as lines of text under their class; special ones as keywords.

    In a keyword ``_`` stands for ``-``, and a trailing one for nothing (``set_url``, ``import_``).
    """
    table: dict[str, Spec] = {
        verb: effect for effect in Effect for verb in fields.pop(effect.value, "").split()
    }
    table.update({name.rstrip("_").replace("_", "-"): spec for name, spec in fields.items()})
    return table


def each(programs: str, spec: Spec) -> dict[str, Spec]:
    """Give several programs one description."""
    return dict.fromkeys(programs.split(), spec)


def listed(text: str) -> frozenset[str]:
    """Read a list of names from a line of text."""
    return frozenset(text.split())
