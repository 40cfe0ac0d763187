"""Slash commands and shell commands of plugins."""

import pytest


@pytest.fixture
def commands(host):
    async def later(raw):
        return f"later {raw}"

    def broken(raw):
        raise ValueError("oops")

    def setup(parser):
        verbs = parser.add_subparsers(dest="verb", required=True)
        verbs.add_parser("list").add_argument("--json", action="store_true")
        verbs.add_parser("fail")
        verbs.add_parser("leave")

    def run(args):
        if args.verb == "fail":
            raise ValueError("oops")
        if args.verb == "leave":
            raise SystemExit(4)
        print("json" if args.json else "text")
        return 3

    def register(ctx):
        ctx.register_command("/Kata", lambda raw: f"heard {raw!r}", "Say", args_hint="<words>")
        ctx.register_command("later", later)
        ctx.register_command("broken", broken)
        ctx.register_command("silent", lambda raw: None)
        ctx.register_cli_command("kata", "Routines", setup, run)

    host.load(register)
    return host


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("/kata approve 2 as x", "heard 'approve 2 as x'"),
        ("/kata", "heard ''"),
        ("kata list", "heard 'list'"),
        ("/later x", "later x"),
        ("/broken", "Plugin command error: oops"),
        ("/silent", ""),
        ("/nowhere", "Unknown command: /nowhere"),
    ],
)
def test_a_slash_command_answers_text(commands, line, answer):
    assert commands.slash(line) == answer


def test_a_plugins_slash_command_fires_no_pre_command(commands, recorder):
    commands.slash("/kata list")
    assert recorder.names() == []


@pytest.mark.parametrize(
    ("argv", "code", "out"),
    [
        (["kata", "list"], 3, "text\n"),
        (["kata", "list", "--json"], 3, "json\n"),
        (["kata", "leave"], 4, ""),
        (["kata", "fail"], 1, ""),
        (["kata", "--nonsense"], 2, ""),
        (["kata", "list", "--help"], 0, None),
        (["nowhere"], 2, ""),
        ([], 2, ""),
    ],
)
def test_a_shell_command_has_output_and_an_exit_code(commands, argv, code, out):
    ran = commands.cli(argv)
    assert ran.exit_code == code
    assert out is None or ran.out == out


def test_an_error_in_a_shell_command_shows_its_trace(commands):
    assert "ValueError: oops" in commands.cli(["kata", "fail"]).err


def test_entries_are_as_the_host_keeps_them(commands):
    entry = commands.plugins.commands.mapping["kata"]
    assert (entry["args_hint"], entry["argument_mode"], entry["description"]) == ("<words>", "text", "Say")
