import argparse
import asyncio
import inspect
import logging
import re

import pytest

from kata.kit import CommandType, command, spec_of


@command("valdris-status", args_hint=" [scope] ")
def status(raw_args):
    """Show the status.

    In detail.
    """
    return f"<{raw_args}>"


def configure(parser):
    parser.add_argument("--scope", default="all")


@command("valdris", type=CommandType.CLI, help="Manage Valdris", setup_fn=configure)
def valdris(args):
    """Manage Valdris from the terminal."""
    return 3 if args.scope == "all" else 0


def declare(*args, **options):
    def described(given=None):
        """Do it."""

    return command(*args, **options)(described)


# Declaration.


def test_a_command_is_a_slash_command_unless_said_otherwise():
    assert spec_of(status).kind is CommandType.SLASH
    assert spec_of(valdris).kind is CommandType.CLI


@pytest.mark.parametrize("kind", ["cli", " CLI ", CommandType.CLI])
def test_the_type_may_be_text(kind):
    assert spec_of(declare("x", type=kind)).kind is CommandType.CLI


def test_an_unknown_type_is_refused():
    with pytest.raises(ValueError, match="command type"):
        declare("x", type="gui")
    with pytest.raises(TypeError, match="command type"):
        declare("x", type=3)


def test_the_name_is_checked_before_anything_is_decorated():
    with pytest.raises(ValueError, match="command name"):
        command("Valdris")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"type": "cli", "args_hint": "<x>"}, "args_hint is only valid for a slash command"),
        ({"type": "cli", "argument_mode": "text"}, "argument_mode is only valid for a slash command"),
        ({"help": "Help"}, "help is only valid for a CLI command"),
        ({"setup_fn": configure}, "setup_fn is only valid for a CLI command"),
    ],
)
def test_an_option_of_the_other_type_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        declare("x", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"args_hint": 3}, "args_hint"),
        ({"description": 3}, "description"),
        ({"type": "cli", "help": 3}, "command help"),
        ({"type": "cli", "setup_fn": 3}, "setup_fn must be callable"),
    ],
)
def test_an_option_of_the_wrong_type_is_refused(options, message):
    with pytest.raises(TypeError, match=message):
        declare("x", **options)


async def _later(parser):
    """Do it later."""


def test_what_the_shell_calls_is_synchronous():
    with pytest.raises(TypeError, match="CLI command handler must be synchronous"):
        command("x", type="cli")(_later)
    with pytest.raises(TypeError, match="setup_fn must be synchronous"):
        command("x", type="cli", setup_fn=_later)


def test_the_description_is_the_docstring_unless_given():
    assert spec_of(status).description == "Show the status.\n\nIn detail."
    assert spec_of(declare("x", " Other. ")).description == "Other."
    assert spec_of(declare("x", "  ")).description == "Do it."
    with pytest.raises(ValueError, match="description is required"):
        command("x")(lambda raw: None)


def test_help_is_the_first_line_of_the_description_unless_given():
    assert spec_of(declare("x", "\nOne.\nTwo.", type="cli")).help == "One."
    assert spec_of(declare("x", type="cli", help="  Own ")).help == "Own"


@pytest.mark.parametrize(
    ("text", "shown"), [("50% done", "50%% done"), ("50%% done", "50%% done"), ("%(prog)s", "%%(prog)s")]
)
def test_help_survives_argparse(text, shown):
    assert spec_of(declare("x", type="cli", help=text)).help == shown


# Calls.


@pytest.mark.parametrize("text", ["", " two  spaces ", "a b"])
def test_a_slash_command_gets_its_text_unchanged(text):
    assert status(text) == f"<{text}>"


def test_an_async_slash_command_stays_a_coroutine_function():
    @command("x-later")
    async def later(raw_args):
        """Do it later."""
        return raw_args

    assert inspect.iscoroutinefunction(later)
    assert asyncio.run(later("a")) == "a"


def test_a_command_that_takes_nothing_is_called_with_nothing():
    @command("x-now")
    def now():
        """Tell the time."""
        return "noon"

    assert now("ignored") == "noon"


def test_a_cli_command_gets_the_parsed_arguments_and_returns_the_exit_code():
    assert valdris(argparse.Namespace(scope="all")) == 3
    assert valdris.call(argparse.Namespace(scope="x")) == 0


def test_a_slash_command_is_logged_without_its_text(logged):
    status("very private")
    begun, ended = logged()
    assert begun == "DEBUG valdris-status: invoked; args_chars=12"
    assert re.fullmatch(r"INFO valdris-status: ok; elapsed_ms=\d+\.\d{2}; result=str", ended)


def test_a_cli_command_is_logged_without_its_values(logged):
    valdris(argparse.Namespace(scope="private"))
    begun, ended = logged()
    assert begun == "INFO valdris: invoked; type=cli"
    assert re.fullmatch(r"INFO valdris: ok; elapsed_ms=\d+\.\d{2}; result=int", ended)


def test_an_exception_goes_on_and_only_its_type_is_logged(caplog):
    caplog.set_level(logging.DEBUG)

    @command("x-broken")
    def broken(raw_args):
        """Break."""
        raise KeyError("private")

    with pytest.raises(KeyError):
        broken("")
    assert re.fullmatch(
        r"x-broken: handler raised; elapsed_ms=\d+\.\d{2}; error_type=KeyError", caplog.messages[-1]
    )
    assert caplog.records[-1].levelname == "WARNING"
    assert "private" not in caplog.text


# The host call.


def test_a_slash_command_is_registered_by_keywords():
    call = status.host_call()
    assert call.registrar == "register_command"
    assert call.kwargs == {
        "name": "valdris-status",
        "handler": status,
        "description": "Show the status.\n\nIn detail.",
        "args_hint": "[scope]",
    }
    assert call.extras == {}
    assert declare("x", argument_mode="options").host_call().extras == {"argument_mode": "options"}


def test_a_cli_command_is_registered_by_keywords():
    call = valdris.host_call()
    assert call.registrar == "register_cli_command"
    assert call.kwargs == {
        "name": "valdris",
        "help": "Manage Valdris",
        "setup_fn": configure,
        "handler_fn": valdris,
        "description": "Manage Valdris from the terminal.",
    }


def test_without_a_setup_the_parser_is_left_alone():
    setup = declare("x", type="cli").host_call().kwargs["setup_fn"]
    parser = argparse.ArgumentParser()
    before = parser.format_help()
    setup(parser)
    assert parser.format_help() == before


def test_decorated_methods_are_bound_to_their_object():
    class Clock:
        zone = "utc"

        @command("x-now")
        def now(self):
            """Tell the time."""
            return self.zone

        @command("x-set")
        def set(self, raw_args):
            """Set the zone."""
            return [self.zone, raw_args]

    clock = Clock()
    assert clock.now("ignored") == "utc"
    assert clock.set("cet") == ["utc", "cet"]
    assert Clock.now.spec is clock.now.spec
