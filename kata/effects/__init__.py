"""What a call may do: five ordered classes, by table for tools and by grammar for shell commands."""

from .classes import Classification, Effect, exceeds, worst
from .deciding import mentions_kata
from .shell import command_signature, words
from .tools import classify, shell_command

__all__ = [
    "Classification",
    "Effect",
    "classify",
    "command_signature",
    "exceeds",
    "mentions_kata",
    "shell_command",
    "words",
    "worst",
]
