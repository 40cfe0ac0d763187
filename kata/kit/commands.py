"""Declare a command: a slash command of the chat, or a subcommand of the ``hermes`` program."""

import argparse
import inspect
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, ParamSpec, TypeVar

from .declared import Declared, HostCall, is_async, takes_positional
from .logs import CallLog, logger_of
from .names import check_command_name

P = ParamSpec("P")
R = TypeVar("R")

ArgumentMode = Literal["options", "text", "mixed"]


class CommandType(StrEnum):
    """Where a command is typed."""

    SLASH = "slash"
    CLI = "cli"


@dataclass(frozen=True, kw_only=True)
class CommandSpec:
    """What ``@command`` declared.

    Attributes:
        args_hint: What the pickers show for a slash command's text. One that begins with ``<`` hides the command
            from Telegram's menu (row M9), so write ``[scope]`` for a text that may be left out.
        argument_mode: How pickers ask for the text of a slash command; the host's default without it.
        help: One line for a CLI command.
        setup_fn: Adds arguments to the CLI command's parser.
    """

    name: str
    description: str
    kind: CommandType = CommandType.SLASH
    args_hint: str = ""
    argument_mode: ArgumentMode | None = None
    help: str = ""
    setup_fn: Callable[[argparse.ArgumentParser], None] | None = None


class CommandBase(Declared[P, R]):
    """What all commands share. Logs hold the name, the time and the result's type, never what was typed."""

    def __init__(self, function: Callable[P, R], spec: CommandSpec) -> None:
        super().__init__(function)
        self._spec = spec
        self.log = logger_of(self.__module__)

    @property
    def spec(self) -> CommandSpec:
        """Return what was declared."""
        return self._spec

    def adapt(self) -> None:
        super().adapt()
        self._takes_input = takes_positional(self.__wrapped__)

    def _host_signature(self) -> inspect.Signature:
        return inspect.Signature([inspect.Parameter("raw_args", inspect.Parameter.POSITIONAL_OR_KEYWORD)])

    def _run(self, given: Any) -> Any:
        return self._function(given) if self._takes_input else self._function()


class SlashCommand(CommandBase[P, R]):
    """A decorated slash command; Hermes passes it the text behind its name."""

    surface = "command"

    def __call__(self, raw_args: str = "") -> Any:
        """Run the command with the text as it was typed."""
        with self._logged(raw_args) as call:
            return call.ok(self._run(raw_args))

    def host_call(self) -> HostCall:
        """Return the ``register_command`` call."""
        spec = self._spec
        return HostCall(
            surface=self.surface,
            name=spec.name,
            registrar="register_command",
            kwargs={
                "name": spec.name,
                "handler": self,
                "description": spec.description,
                "args_hint": spec.args_hint,
            },
            extras={"argument_mode": spec.argument_mode} if spec.argument_mode else {},
        )

    def _logged(self, raw_args: str) -> CallLog:
        return CallLog(
            self.log, self._spec.name, f"args_chars={len(raw_args or '')}", failure="handler raised"
        )


class AsyncSlashCommand(SlashCommand[P, R]):
    """A decorated async slash command; Hermes awaits it."""

    async def __call__(self, raw_args: str = "") -> Any:
        """Run the command with the text as it was typed."""
        with self._logged(raw_args) as call:
            return call.ok(await self._run(raw_args))


class CliCommand(CommandBase[P, R]):
    """A decorated subcommand of the ``hermes`` program; it gets the parsed arguments and returns the exit code."""

    surface = "cli_command"

    def __call__(self, args: argparse.Namespace) -> Any:
        """Run the command."""
        with CallLog(
            self.log,
            self._spec.name,
            "type=cli",
            failure="handler raised",
            opening_level=logging.INFO,
        ) as call:
            return call.ok(self._run(args))

    def host_call(self) -> HostCall:
        """Return the ``register_cli_command`` call."""
        spec = self._spec
        return HostCall(
            surface=self.surface,
            name=spec.name,
            registrar="register_cli_command",
            kwargs={
                "name": spec.name,
                "help": spec.help,
                "setup_fn": spec.setup_fn or _no_arguments,
                "handler_fn": self,
                "description": spec.description,
            },
        )

    def _host_signature(self) -> inspect.Signature:
        return inspect.Signature([inspect.Parameter("args", inspect.Parameter.POSITIONAL_OR_KEYWORD)])


def command(
    name: str,
    description: str | None = None,
    args_hint: str = "",
    *,
    type: CommandType | str = CommandType.SLASH,  # noqa: A002 - the public name
    help: str | None = None,  # noqa: A002 - the public name
    setup_fn: Callable[[argparse.ArgumentParser], None] | None = None,
    argument_mode: ArgumentMode | None = None,
) -> Callable[[Callable[P, R]], CommandBase[P, R]]:
    """Declare a command; see ``CommandSpec`` for the options. The docstring describes it unless ``description`` does.

    Raises:
        ValueError: The name is not kebab-case, the type is unknown, an option belongs to the other type, or there
            is no description.
        TypeError: An option has the wrong type, or a CLI function is async.
    """
    check_command_name(name)
    kind = _kind(type)
    _check_texts(description=description, args_hint=args_hint, help=help)
    _check_options(kind, args_hint=args_hint, argument_mode=argument_mode, help=help, setup_fn=setup_fn)
    if setup_fn is not None:
        _check_setup(setup_fn)

    def decorate(function: Callable[P, R]) -> CommandBase[P, R]:
        if kind is CommandType.CLI and is_async(function):
            raise TypeError(f"CLI command handler must be synchronous: {name!r}")
        text = _described(name, description, function)
        spec = CommandSpec(
            name=name,
            description=text,
            kind=kind,
            args_hint=args_hint.strip(),
            argument_mode=argument_mode,
            help=_for_argparse((help or "").strip() or text.splitlines()[0].strip()),
            setup_fn=setup_fn,
        )
        made: CommandBase[P, R] = _class_of(kind, function)(function, spec)
        return made

    return decorate


def _class_of(kind: CommandType, function: Callable[..., Any]) -> Any:
    if kind is CommandType.CLI:
        return CliCommand
    return AsyncSlashCommand if is_async(function) else SlashCommand


def _kind(given: object) -> CommandType:
    if isinstance(given, CommandType):
        return given
    if not isinstance(given, str):
        raise TypeError(f"command type must be a CommandType or its text, not {given!r}")
    try:
        return CommandType(given.strip().lower())
    except ValueError:
        raise ValueError(f"command type must be 'slash' or 'cli', not {given!r}") from None


def _check_texts(*, description: object, args_hint: object, help: object) -> None:  # noqa: A002 - the public name
    for label, given in (
        ("command description", description),
        ("args_hint", args_hint),
        ("command help", help),
    ):
        if given is not None and not isinstance(given, str):
            raise TypeError(f"{label} must be text, not {given!r}")


def _check_options(kind: CommandType, **options: object) -> None:
    other, wrong = (
        ("slash", ("args_hint", "argument_mode"))
        if kind is CommandType.CLI
        else ("CLI", ("help", "setup_fn"))
    )
    for option in wrong:
        if options[option] not in (None, ""):
            raise ValueError(f"{option} is only valid for a {other} command")


def _check_setup(setup_fn: object) -> None:
    if not callable(setup_fn):
        raise TypeError("setup_fn must be callable")
    if is_async(setup_fn):
        raise TypeError("setup_fn must be synchronous")


def _described(name: str, description: str | None, function: Callable[..., Any]) -> str:
    text = (description or "").strip() or (inspect.getdoc(function) or "").strip()
    if not text:
        raise ValueError(f"command {name!r}: a description is required (a docstring, or description=)")
    return text


def _for_argparse(text: str) -> str:
    """Double each ``%`` that is not: argparse formats its help texts (row M10)."""
    return re.sub(r"%%|%", "%%", text)


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """Leave the parser as it is: Hermes calls ``setup_fn`` without asking (row M10)."""
