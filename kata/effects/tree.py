"""From the syntax tree of tree-sitter-bash to commands, strict wherever tree and text could disagree."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

import attrs

from .parts import Assignment, Loop, Redirect, ShellLine, SimpleCommand
from .word import HiddenExpansionError, Word, read_word

Node: TypeAlias = Any
"""``tree_sitter.Node``; the package may be absent."""

MAX_DEPTH = 120
_ODD = re.compile(r"[^\t\n\x20-\x7e]")
_GAP = re.compile(r"(?:\\\n)*[ \t](?:[ \t]|\\\n)*")
"""Blanks and continued lines; a continuation alone joins two words."""

_EXPANSIONS = frozenset(
    {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"}
)
_REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_ASSIGNMENT = "variable_assignment"
_TRANSPARENT = frozenset(
    {
        "program", "list", "case_item", "do_group", "elif_clause", "else_clause", "negated_command", "binary_expression",
        "parenthesized_expression", "unary_expression", "postfix_expression", "ternary_expression",
        "array", "concatenation", "string", "translated_string",
        "heredoc_body", "simple_expansion", "variable_assignments", "command_name",
    }
)  # fmt: skip
_HELD = frozenset(
    {
        "pipeline", "subshell", "if_statement", "while_statement", "c_style_for_statement",
        "case_statement", "process_substitution",
    }
)  # fmt: skip
_LEAVES = frozenset(
    {
        "word", "number", "raw_string", "ansi_c_string", "string_content", "variable_name", "special_variable_name",
        "comment", "regex", "extglob_pattern", "test_operator", "file_descriptor", "heredoc_start", "heredoc_content",
        "heredoc_end", "brace_expression",
    }
)  # fmt: skip


_INERT = frozenset(
    {"raw_string", "ansi_c_string", "comment", "variable_name", "heredoc_start", "heredoc_end"}
)
_UNSEEN = re.compile(r"(?<!\\)(?:\\\\)*(?:\$\(|`)")
"""A substitution in what the grammar takes for plain text."""


class NotUnderstoodError(ValueError):
    """Say that the grammar's tree does not account for the line."""


@cache
def grammar() -> Callable[[bytes], Node] | None:
    """Return a parser of bash text (its tree's root), or None where tree-sitter is not installed."""
    try:
        import tree_sitter
        import tree_sitter_bash
    except ImportError:
        return None
    language = tree_sitter.Language(tree_sitter_bash.language())
    return lambda text: tree_sitter.Parser(language).parse(text)


def prepared(command: str) -> bytes:
    """Give the grammar one ASCII letter for each character that is no printable ASCII.

    So offsets are characters, lone surrogates do no harm (case B050), and what bash takes for a letter (a carriage
    return, a no-break space) is one here too.
    """
    return _ODD.sub("X", command).encode("ascii")


def take_apart(command: str, root: Node) -> ShellLine:
    """Turn a tree into a line; what the tree leaves open becomes the line's ``problem``."""
    if root.has_error:
        return ShellLine(command, problem="its grammar is not understood")
    walk = Walk(command)
    try:
        walk.visit(root, 0)
    except (NotUnderstoodError, HiddenExpansionError):
        return ShellLine(command, problem="its grammar is not understood")
    return ShellLine(command, tuple(walk.commands), frozenset(walk.functions), tuple(walk.loops))


class Walk:
    """One pass over one tree."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.commands: list[SimpleCommand] = []
        self.functions: set[str] = set()
        self.loops: list[Loop] = []
        self._statement = 0
        self._held = 0
        self._backquotes = 0

    def visit(self, node: Node, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise NotUnderstoodError(node.type)
        kind = node.type
        special = _SPECIAL.get(kind)
        if special is not None:
            special(self, node, depth)
        elif kind in _HELD:
            self._hold(node, depth)
        elif kind in _TRANSPARENT:
            self._each(node.named_children, depth)
        elif kind in _LEAVES:
            self._leaf(node)
        else:
            raise NotUnderstoodError(kind)

    def _leaf(self, node: Node) -> None:
        if node.type not in _INERT and _UNSEEN.search(self._text(node)):
            raise NotUnderstoodError(node.type)

    def _each(self, nodes: Iterable[Node], depth: int) -> None:
        for node in nodes:
            self.visit(node, depth + 1)

    def _enter(self) -> None:
        if not self._held:
            self._statement += 1
        self._held += 1

    def _hold(self, node: Node, depth: int) -> None:
        """Keep what stands inside one statement together."""
        self._enter()
        self._each(node.named_children, depth)
        self._held -= 1

    def compound(self, node: Node, depth: int) -> None:
        if self._text(node).startswith("(("):
            self._check_reckoned(node)
        self._hold(node, depth)

    def expansion(self, node: Node, depth: int) -> None:
        if self._text(node).endswith("@P}"):
            raise NotUnderstoodError("a variable that is expanded again")
        self._each(node.named_children, depth)

    def substitution(self, node: Node, depth: int) -> None:
        text = self._text(node)
        backquoted = text.startswith("`")
        if backquoted and "\\" in text:
            raise NotUnderstoodError("escapes inside backquotes")
        self._backquotes += backquoted
        self._hold(node, depth)
        self._backquotes -= backquoted

    def _text(self, node: Node) -> str:
        return self.command[node.start_byte : node.end_byte]

    def _between(self, left: Node, right: Node) -> str:
        return self.command[left.end_byte : right.start_byte].replace("\\\n", " ")

    def _word(self, nodes: list[Node]) -> Word:
        holes = {hole.start_byte: hole.end_byte for node in nodes for hole in _holes(node, 0)}
        return read_word(self.command, nodes[0].start_byte, nodes[-1].end_byte, holes)

    def _words(self, nodes: Iterable[Node]) -> tuple[Word, ...]:
        """Read words; nodes that touch are one word."""
        groups: list[list[Node]] = []
        for node in nodes:
            if groups and groups[-1][-1].end_byte == node.start_byte:
                groups[-1].append(node)
            else:
                groups.append([node])
        return tuple(map(self._word, groups))

    def command_node(self, node: Node, depth: int) -> None:
        self._enter()
        self._check_gaps(node)
        self._add(node.children)
        self._each(node.named_children, depth)
        self._held -= 1

    def _check_gaps(self, node: Node) -> None:
        """Refuse a command that holds what is neither a part nor a blank, or a comment that swallows words."""
        if any(
            child.type == _ASSIGNMENT and child.end_byte == after.start_byte
            for child, after in pairwise(node.children)
        ):
            raise NotUnderstoodError("an assignment that goes on")
        position = node.start_byte
        for child in node.children:
            if child.type == "comment" or self.command.startswith("\n", child.start_byte):
                raise NotUnderstoodError("a comment or a line's end inside a command")
            self._check_gap(position, child.start_byte)
            position = child.end_byte
        self._check_gap(position, node.end_byte)

    def _check_gap(self, start: int, end: int) -> None:
        if start < end and not _GAP.fullmatch(self.command, start, end):
            raise NotUnderstoodError(self.command[start:end])

    def _add(self, parts: list[Node]) -> None:
        """Sort the parts of a command into words, assignments and redirections."""
        redirects, trailing = self._redirects(part for part in parts if part.type in _REDIRECTS)
        assignments = tuple(self._assignment(part) for part in parts if part.type == _ASSIGNMENT)
        worded = [part for part in parts if part.type not in _REDIRECTS and part.type != _ASSIGNMENT]
        words = self._words(sorted(worded + trailing, key=lambda child: int(child.start_byte)))
        self._append(words, assignments, redirects)

    def _append(
        self,
        words: tuple[Word, ...] = (),
        assignments: tuple[Assignment, ...] = (),
        redirects: tuple[Redirect, ...] = (),
    ) -> None:
        backquoted = self._backquotes > 0
        self.commands.append(SimpleCommand(self._statement, words, assignments, redirects, backquoted))

    def _assignment(self, node: Node) -> Assignment:
        if any(left.end_byte != right.start_byte for left, right in pairwise(node.children)):
            raise NotUnderstoodError("an assignment with a gap")
        name = self._text(node.child_by_field_name("name"))
        value = node.child_by_field_name("value")
        if value is None or value.type == "array":
            return Assignment(name, None)
        return Assignment(name, self._word([value]))

    def _redirects(self, nodes: Iterable[Node]) -> tuple[tuple[Redirect, ...], list[Node]]:
        """Read redirections, and the words behind a target, which belong to the command."""
        redirects: list[Redirect] = []
        trailing: list[Node] = []
        for node in nodes:
            self._redirect(node, redirects, trailing)
        return tuple(redirects), trailing

    def _redirect(self, node: Node, redirects: list[Redirect], trailing: list[Node]) -> None:
        if node.type == "heredoc_redirect":
            redirects.append(Redirect("<<"))
            trailing += node.children_by_field_name("argument")
            inner, more = self._redirects(child for child in node.children if child.type in _REDIRECTS)
            redirects += inner
            trailing += more
            return
        operator = next(child.type for child in node.children if not child.is_named)
        if node.type == "herestring_redirect":
            redirects.append(Redirect(operator, self._word([node.named_children[-1]])))
            return
        targets = node.children_by_field_name("destination")
        taken = 0 if operator.endswith("-") else 1
        redirects.append(Redirect(operator, self._word(targets[:taken]) if targets[:taken] else None))
        trailing += targets[taken:]

    def redirected(self, node: Node, depth: int) -> None:
        """Give a command its redirections; those of a compound statement stand alone."""
        body = node.child_by_field_name("body")
        nodes = node.children_by_field_name("redirect")
        if any("\n" in self._between(left, right) for left, right in pairwise(node.children)):
            raise NotUnderstoodError("a redirection on another line")
        before = len(self.commands)
        if body is not None and body.type == "list":
            self.visit(body, depth + 1)
            self._held += 1
        else:
            self._enter()
            self._each([body] if body is not None else [], depth)
        self._add_redirects(body, before, nodes)
        self._each(nodes, depth)
        self._held -= 1

    def _add_redirects(self, body: Node, before: int, nodes: list[Node]) -> None:
        redirects, trailing = self._redirects(nodes)
        if trailing:
            self._attach(body, before, trailing)
        self._append(redirects=redirects)

    def _attach(self, body: Node, before: int, trailing: list[Node]) -> None:
        """Give words behind a redirection to the command before it; only where that is plain."""
        if body is None or body.type != "command" or len(self.commands) <= before:
            raise NotUnderstoodError("words behind a redirection")
        owner = self.commands[before]
        self.commands[before] = attrs.evolve(owner, words=owner.words + self._words(trailing))

    def redirect_node(self, node: Node, depth: int) -> None:
        """Look for commands inside a redirection: in its words, behind a here-document's mark, in its body."""
        if node.type == "heredoc_redirect":
            self._check_body(node)
        else:
            self._check_gaps(node)
        self._each(node.named_children, depth)

    def _check_body(self, node: Node) -> None:
        """Refuse a here-document in whose open text stands a substitution that the grammar did not see."""
        parts = {child.type: child for child in node.named_children}
        start, body = parts.get("heredoc_start"), parts.get("heredoc_body")
        if start is None or body is None or any(mark in self._text(start) for mark in "'\"\\"):
            return
        position = body.start_byte
        for child in (*body.named_children, None):
            stop = body.end_byte if child is None else child.start_byte
            if _UNSEEN.search(self.command, position, stop):
                raise NotUnderstoodError("a here-document")
            position = stop if child is None else child.end_byte

    def declaration(self, node: Node, depth: int) -> None:
        self._enter()
        self._check_gaps(node)
        self._add(node.children)
        self._each(node.named_children, depth)
        self._held -= 1

    def assignment_node(self, node: Node, depth: int) -> None:
        if node.parent is None or node.parent.type not in {"command", "declaration_command"}:
            self._enter()
            self._append(assignments=(self._assignment(node),))
            self._held -= 1
        self._each(node.named_children, depth)

    def reckoned(self, node: Node, depth: int) -> None:
        self._check_reckoned(node)
        self._each(node.named_children, depth)

    def _check_reckoned(self, node: Node) -> None:
        """Refuse quoted substitutions where bash reckons: arithmetic runs them all the same."""
        text = self._text(node)
        if ("$(" in text or "`" in text) and ("'" in text or "\\" in text):
            raise NotUnderstoodError("a quoted substitution in arithmetic")

    def function(self, node: Node, depth: int) -> None:
        self.functions.add(self._text(node.child_by_field_name("name")))
        self._hold(node, depth)

    def loop(self, node: Node, depth: int) -> None:
        name = self._text(node.child_by_field_name("variable"))
        self.loops.append(Loop(name, self._words(node.children_by_field_name("value"))))
        self._hold(node, depth)


_SPECIAL: dict[str, Callable[[Walk, Node, int], None]] = {
    "command": Walk.command_node,
    "redirected_statement": Walk.redirected,
    "declaration_command": Walk.declaration,
    "unset_command": Walk.declaration,
    _ASSIGNMENT: Walk.assignment_node,
    "command_substitution": Walk.substitution,
    "compound_statement": Walk.compound,
    "expansion": Walk.expansion,
    "test_command": Walk.reckoned,
    "arithmetic_expansion": Walk.reckoned,
    "subscript": Walk.reckoned,
    "function_definition": Walk.function,
    "for_statement": Walk.loop,
    **dict.fromkeys(_REDIRECTS, Walk.redirect_node),
}


def _holes(node: Node, depth: int) -> list[Node]:
    """Find the outermost expansions inside one word."""
    if node.type in _EXPANSIONS:
        return [node]
    if depth > MAX_DEPTH:
        raise NotUnderstoodError(node.type)
    return [hole for child in node.named_children for hole in _holes(child, depth + 1)]
