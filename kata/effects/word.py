"""One word of a shell command: where it stands, how it is quoted, and what it says once the quotes are gone."""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

import attrs

Quoting: TypeAlias = Literal["bare", "single", "double", "mixed"]

_BARE = re.compile(r"[^\\'\"$`<>]+")
_DOUBLE = re.compile(r'[^\\"$`]+')
_BRACES = re.compile(r"\{[^{}]*(?:,|\.\.)[^{}]*\}")
_GLOB = re.compile(r"[*?\[]|[@+!]\(")
_ANSI = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_ANSI_LETTERS = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_EXPANDS = re.compile(r"\$[A-Za-z_0-9@*#?!$({\[-]|`")
_KNOWN_VARIABLE = re.compile(
    r"\$\{?(?:HOME|PWD|OLDPWD|USER|LOGNAME|TMPDIR|HOSTNAME|UID|HERMES_HOME|WORKSPACE)\b\}?"
)


@attrs.frozen
class Word:
    """One shell word.

    Attributes:
        start: Offset of the first character in the command, in characters.
        end: Offset behind the last one.
        text_raw: The word as written.
        quoting: ``bare`` (no quotes, no escapes), ``single`` or ``double`` (one pair of quotes around all of it), else ``mixed``.
        text: What it says without its quotes; what the shell fills in stands there as written.
        static: Whether ``text`` is all that the program will see (patterns of file names aside).
        splits: Whether the shell may make any number of words of it, options among them.
        glob: Whether it holds an unquoted file name pattern.
    """

    start: int
    end: int
    text_raw: str
    quoting: Quoting
    text: str
    static: bool
    splits: bool
    glob: bool

    @property
    def value(self) -> str | None:
        """What the program will see, or None where only the shell knows."""
        return self.text if self.static else None

    @property
    def may_be_option(self) -> bool:
        """Whether an option may hide in what the shell fills in."""
        if self.text.startswith("-"):
            return self.glob or (not self.static and "=" not in self.text.partition("$")[0])
        return self.splits and not _KNOWN_VARIABLE.match(self.text)


class HiddenExpansionError(ValueError):
    """Say that a word holds an expansion that the grammar did not see."""


@attrs.define
class _Reader:
    command: str
    end: int
    holes: Mapping[int, int]
    """Start to end of each expansion inside the word."""
    pieces: list[str] = attrs.Factory(list)
    skeleton: list[str] = attrs.Factory(list)
    styles: set[str] = attrs.Factory(set)
    static: bool = True
    splits: bool = False

    def read(self, start: int) -> None:
        position = start
        while position < self.end:
            position = self._bare(position)

    def _add(self, text: str, style: str) -> None:
        self.pieces.append(text)
        self.styles.add(style)
        self.skeleton.append(text if style == "bare" else "q" * min(len(text), 1))

    def _bare(self, position: int) -> int:
        character = self.command[position]
        if position in self.holes:
            return self._hole(position, "bare")
        if character == "\\":
            return self._escape(position)
        if character == "'":
            return self._single(position)
        if character == '"':
            return self._double(position + 1)
        if character in "$`":
            return self._dollar(position)
        run = _BARE.match(self.command, position, self.end)
        if run is None:
            raise HiddenExpansionError(self.command[position : self.end])
        self._add(run.group(), "bare")
        return run.end()

    def _hole(self, position: int, style: str) -> int:
        stop = self.holes[position]
        self._add(self.command[position:stop], style)
        self.static = False
        self.splits = self.splits or style == "bare"
        return stop

    def _escape(self, position: int) -> int:
        following = self.command[position + 1 : position + 2]
        if following != "\n":
            self._add(following, "escaped")
        return position + 2

    def _single(self, position: int) -> int:
        stop = self.command.find("'", position + 1, self.end)
        if stop < 0:
            raise HiddenExpansionError(self.command[position : self.end])
        self._add(self.command[position + 1 : stop], "single")
        return stop + 1

    def _dollar(self, position: int) -> int:
        if self.command.startswith("$'", position):
            return self._ansi(position)
        if self.command.startswith('$"', position):
            return position + 1
        if _EXPANDS.match(self.command, position, self.end):
            raise HiddenExpansionError(self.command[position : self.end])
        self._add("$", "bare")
        return position + 1

    def _ansi(self, position: int) -> int:
        stop = position + 2
        while self.command[stop : stop + 1] != "'":
            stop += 2 if self.command[stop : stop + 1] == "\\" else 1
            if stop >= self.end:
                raise HiddenExpansionError(self.command[position : self.end])
        self._add(_ANSI.sub(_ansi_character, self.command[position + 2 : stop]), "ansi")
        return stop + 1

    def _double(self, position: int) -> int:
        self._add("", "double")
        while position < self.end and self.command[position] != '"':
            position = self._inside_double(position)
        if position >= self.end:
            raise HiddenExpansionError(self.command[position : self.end])
        return position + 1

    def _inside_double(self, position: int) -> int:
        if position in self.holes:
            return self._hole(position, "double")
        character = self.command[position]
        if character == "\\":
            following = self.command[position + 1 : position + 2]
            kept = "" if following in '$`"\\\n' else "\\"
            self._add(kept + following.replace("\n", ""), "double")
            return position + 2
        if character in "$`":
            if _EXPANDS.match(self.command, position, self.end):
                raise HiddenExpansionError(self.command[position : self.end])
            self._add("$", "double")
            return position + 1
        run = _DOUBLE.match(self.command, position, self.end)
        assert run is not None
        self._add(run.group(), "double")
        return run.end()


def _ansi_character(match: re.Match[str]) -> str:
    hexadecimal = match[1] or match[2] or match[3]
    if hexadecimal:
        return chr(min(int(hexadecimal, 16), 0x10FFFF))
    if match[4]:
        return chr(int(match[4], 8) & 0xFF)
    if match[5]:
        return chr(ord(match[5]) & 0x1F)
    return _ANSI_LETTERS.get(match[6], match[6])


def _quoting(raw: str, styles: set[str]) -> Quoting:
    if styles <= {"bare"}:
        return "bare"
    if styles == {"single"} and raw.count("'") == 2:
        return "single"
    if (
        styles == {"double"}
        and raw.startswith('"')
        and raw.endswith('"')
        and raw[1:-1].replace('\\"', "").count('"') == 0
    ):
        return "double"
    return "mixed"


def read_word(command: str, start: int, end: int, holes: Mapping[int, int]) -> Word:
    """Read the word between two offsets of a command.

    Args:
        command: The whole command.
        start: Offset of the word's first character.
        end: Offset behind its last one.
        holes: Start to end of each expansion inside it, as the grammar saw them.

    Raises:
        HiddenExpansionError: the grammar and this reader disagree about what the shell would fill in.
    """
    reader = _Reader(command, end, holes)
    reader.read(start)
    raw, skeleton = command[start:end], "".join(reader.skeleton)
    braces = _BRACES.search(skeleton) is not None
    return Word(
        start,
        end,
        raw,
        _quoting(raw, reader.styles),
        "".join(reader.pieces),
        reader.static and not braces,
        reader.splits or braces,
        _GLOB.search(skeleton) is not None,
    )


def hides_code(word: Word) -> bool:
    """Tell whether a word holds a substitution that the shell runs only when it takes the word for arithmetic."""
    return "[" in word.text and ("$(" in word.text or "`" in word.text)


def literal(text: str) -> Word:
    """Make a word of plain text that stands in no command."""
    return Word(0, len(text), text, "single", text, static=True, splits=False, glob=False)


ANYTHING = Word(0, 0, "", "bare", "", static=False, splits=True, glob=False)
"""Words that nobody knows before the run, as ``xargs`` adds them."""
