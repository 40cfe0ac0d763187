import logging
import sys
import types
from pathlib import Path
from unittest import mock

import pytest

from kata.kit import (
    PluginSkill,
    RegistrationSummary,
    command,
    hook,
    log_registration_summary,
    middleware,
    plugin_skill,
    register_all,
    register_plugin,
    spec_of,
    tool,
)
from kata.kit.testing import RecordingContext

pytestmark = pytest.mark.usefixtures("no_hermes")


@tool(toolset="x")
def x_read(args, **kwargs):
    """Read."""


@tool(toolset="x")
def x_add(args, **kwargs):
    """Add."""


@hook("pre_llm_call")
def inject(**payload):
    """Inject."""


@middleware("tool_request")
def rewrite(**payload):
    """Rewrite."""


@command("x-status")
def status(raw_args):
    """Show."""


@command("x-status", type="cli")
def manage(args):
    """Manage."""


EVERYTHING = [status, manage, x_read, x_add, rewrite, inject]


class PlainContext:
    """A context as older hosts and older tests have: it answers nothing."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        if not name.startswith("register_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.calls.append((name, args, kwargs))


def module_of(name="x_plugin", **members):
    module = types.ModuleType(name)
    vars(module).update(members)
    return module


def everything_module():
    return module_of(**{item.__name__: item for item in EVERYTHING}, again=inject)


def skill_at(path, *, optional=False):
    path.write_text("# Skill\n")
    return plugin_skill("sense", path, "Sense.", optional)


# What is registered.


@pytest.mark.parametrize("form", [lambda: EVERYTHING, everything_module, lambda: iter(EVERYTHING)])
def test_a_module_and_an_iterable_give_the_same_summary(form):
    assert register_plugin(PlainContext(), form()) == RegistrationSummary(
        tools=("x_add", "x_read"),
        hooks=("pre_llm_call",),
        commands=("x-status",),
        middlewares=("tool_request",),
        cli_commands=("x-status",),
    )


def test_a_loaded_module_may_be_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "x_plugin", everything_module())
    assert register_plugin(PlainContext(), "x_plugin").tools == ("x_add", "x_read")
    with pytest.raises(KeyError):
        register_plugin(PlainContext(), "never_loaded")


def test_the_host_is_called_in_one_order_and_by_name(tmp_path):
    ctx = PlainContext()
    register_plugin(ctx, EVERYTHING, [skill_at(tmp_path / "SKILL.md")])
    assert [(name, (args[:1] or (kwargs.get("name"),))[0]) for name, args, kwargs in ctx.calls] == [
        ("register_command", "x-status"),
        ("register_cli_command", "x-status"),
        ("register_tool", "x_add"),
        ("register_tool", "x_read"),
        ("register_middleware", "tool_request"),
        ("register_hook", "pre_llm_call"),
        ("register_skill", "sense"),
    ]
    assert ctx.calls[-1][2] == {"name": "sense", "path": tmp_path / "SKILL.md", "description": "Sense."}


def test_the_decorated_objects_themselves_are_registered():
    ctx = PlainContext()
    register_plugin(ctx, [inject, x_read])
    assert ctx.calls[-1] == ("register_hook", ("pre_llm_call", inject), {})
    assert ctx.calls[0][2]["handler"] is x_read


def test_an_empty_module_is_fine_and_never_asks_the_host():
    assert register_plugin(None, module_of()) == RegistrationSummary()
    assert register_plugin(None, []) == RegistrationSummary()


def test_members_that_answer_every_question_are_not_taken_for_tools():
    module = module_of(x_read=x_read, call=mock.call, magic=mock.MagicMock())
    assert register_plugin(PlainContext(), module).tools == ("x_read",)
    assert register_all(PlainContext(), module) == 1


# What is refused before the host is asked.


@pytest.mark.parametrize(
    ("other", "label"),
    [
        (tool(toolset="y", name="x_read", description="Other.")(lambda args: None), "tool 'x_read'"),
        (hook("pre_llm_call")(lambda **payload: None), "hook 'pre_llm_call'"),
        (middleware("tool_request")(lambda **payload: None), "middleware 'tool_request'"),
        (command("x-status", "Other.")(lambda raw: None), "command 'x-status'"),
        (command("x-status", "Other.", type="cli")(lambda args: None), "CLI command 'x-status'"),
    ],
)
def test_two_declarations_of_one_name_are_refused_with_both_places(other, label):
    ctx = PlainContext()
    for form in (
        [*EVERYTHING, other],
        module_of(**{f"m{number}": item for number, item in enumerate([*EVERYTHING, other])}),
    ):
        with pytest.raises(ValueError, match=f"duplicate {label}") as caught:
            register_plugin(ctx, form)
        assert str(caught.value).count(__name__) == 2
    assert ctx.calls == []


def test_two_skills_of_one_name_are_refused(tmp_path):
    one = skill_at(tmp_path / "SKILL.md")
    missing = [PluginSkill("sense", tmp_path / name / "SKILL.md", "Sense.", optional=True) for name in "ab"]
    for two in ([one, PluginSkill("sense", one.path, "Other.")], missing):
        with pytest.raises(ValueError, match="duplicate skill 'sense'"):
            register_plugin(PlainContext(), [], two)


def test_hooks_that_say_so_may_share_a_name():
    first, second = (hook("pre_llm_call", allow_multiple=True)(lambda **payload: None) for _ in range(2))
    ctx = PlainContext()
    assert register_plugin(ctx, [first, second]).hooks == ("pre_llm_call", "pre_llm_call")
    assert [args[1] for _, args, _ in ctx.calls] == [first, second]
    with pytest.raises(ValueError, match="duplicate hook"):
        register_plugin(ctx, [first, inject])


def test_a_missing_required_skill_registers_nothing(tmp_path):
    ctx = PlainContext()
    with pytest.raises(FileNotFoundError, match=str(tmp_path)):
        register_plugin(ctx, EVERYTHING, [plugin_skill("sense", tmp_path / "SKILL.md", "Sense.")])
    assert ctx.calls == []


def test_a_missing_optional_skill_is_told_and_skipped(tmp_path, logged):
    ctx = PlainContext()
    path = tmp_path / "SKILL.md"
    summary = register_plugin(ctx, [], [plugin_skill("sense", path, "Sense.", optional=True)])
    assert summary.skipped_optional_skills == ("sense",)
    assert ctx.calls == []
    assert f"WARNING hermes_plugin_kit: optional skill missing; name=sense; path={path}" in logged()


def test_a_needed_registrar_that_is_missing_is_named_first():
    ctx = types.SimpleNamespace(register_tool=lambda **kwargs: pytest.fail("asked"))
    with pytest.raises(RuntimeError, match="register_hook"):
        register_plugin(ctx, [x_read, inject])


@pytest.mark.parametrize("given", [[lambda: None], [inject, "x"], 5])
def test_only_decorated_functions_are_declarations(given):
    with pytest.raises(TypeError, match="decorated callables"):
        register_plugin(PlainContext(), given)


def test_only_plugin_skills_are_skills():
    with pytest.raises(TypeError, match="plugin_skill"):
        register_plugin(PlainContext(), [], [Path("SKILL.md")])


def test_the_logger_is_a_logger():
    with pytest.raises(TypeError, match="logger"):
        register_plugin(PlainContext(), [], logger="x")


def test_only_decorated_functions_have_a_spec():
    with pytest.raises(TypeError, match="not a decorated function"):
        spec_of(print)


# What the host answers.


def test_what_the_host_refuses_is_left_out_and_told(logged):
    ctx = RecordingContext("x", refuse={"command:x-status", "tool:x_read"})
    summary = register_plugin(ctx, EVERYTHING)
    assert summary.tools == ("x_add",)
    assert summary.commands == ()
    assert summary.cli_commands == ("x-status",)
    assert summary.refused == ("command:x-status", "tool:x_read")
    assert "WARNING hermes_plugin_kit: Hermes refused a registration; plugin=x; name=tool:x_read" in logged()
    assert logged()[-1].endswith("; refused=command:x-status,tool:x_read")


def test_a_host_that_answers_nothing_refuses_nothing():
    assert register_plugin(PlainContext(), EVERYTHING).refused == ()


def test_a_registration_that_fails_half_way_is_taken_back_in_reverse():
    ctx = RecordingContext("x", fail={"hook:pre_llm_call"})
    with pytest.raises(RuntimeError, match="told to fail"):
        register_plugin(ctx, EVERYTHING)
    assert ctx.live == []
    assert ctx.disposed == [
        "middleware:tool_request",
        "tool:x_read",
        "tool:x_add",
        "cli_command:x-status",
        "command:x-status",
    ]


def test_a_registration_can_be_taken_back_later():
    ctx = RecordingContext("x")
    summary = register_plugin(ctx, EVERYTHING)
    assert len(summary.handles) == 6
    summary.dispose()
    summary.dispose()
    assert ctx.live == []
    assert ctx.disposed[0] == "hook:pre_llm_call"


def test_a_handle_that_fails_does_not_keep_the_others(logged):
    done = []

    class Handle:
        def __init__(self, name):
            self.name = name

        def dispose(self):
            done.append(self.name)
            if self.name == "b":
                raise OSError("gone")

    RegistrationSummary(handles=(Handle("a"), None, object(), Handle("b"), Handle("c"))).dispose()
    assert done == ["c", "b", "a"]
    assert "error_type=OSError" in logged()[-1]


def test_what_an_older_host_does_not_know_is_not_passed():
    seen = {}

    class Older:
        def register_command(self, name, handler, description="", args_hint=""):
            seen.update(name=name)

    declared = command("x-pick", "Pick.", argument_mode="options")(lambda raw: None)
    assert register_plugin(Older(), [declared]).commands == ("x-pick",)
    assert seen == {"name": "x-pick"}


def test_a_hook_may_ask_to_be_told_of_the_unload():
    told = []
    ctx = RecordingContext("x")
    register_plugin(
        ctx, [hook("pre_llm_call", on_unload=lambda: told.append("unloaded"))(lambda **payload: None)]
    )
    ctx.unload()
    assert told == ["unloaded"]
    assert ctx.live == []


def test_a_name_that_the_running_host_uses_itself_is_refused_without_asking(fake_module):
    fake_module("hermes_cli.main", _BUILTIN_SUBCOMMANDS=frozenset({"x-status"}))
    fake_module("model_tools", _AGENT_LOOP_TOOLS={"x_add"}, _LEGACY_TOOL_ALIASES={"x_read": "x_other"})
    ctx = PlainContext()
    assert register_plugin(ctx, EVERYTHING).refused == ("cli_command:x-status", "tool:x_add", "tool:x_read")
    assert "register_cli_command" not in [name for name, _, _ in ctx.calls]


def test_what_the_running_host_never_fires_is_told(fake_module, logged):
    fake_module("hermes_cli.plugins", VALID_HOOKS={"pre_llm_call"})
    fake_module("hermes_cli.middleware", VALID_MIDDLEWARE={"llm_request"})
    moon = hook("on_moon")(lambda **payload: None)
    summary = register_plugin(PlainContext(), [*EVERYTHING, moon], plugin_name="x")
    assert summary.hooks == ("on_moon", "pre_llm_call")
    assert summary.unknown == ("middleware:tool_request", "hook:on_moon")
    assert "WARNING hermes_plugin_kit: this Hermes never fires it; plugin=x; name=hook:on_moon" in logged()


def test_a_schema_that_hermes_would_rewrite_is_told(logged):
    properties = {
        "a": {"type": ["string", "null"]},
        "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "c": {"type": "array", "items": [{"$ref": "#/x", "default": 1}], "default": [{"type": ["a"]}]},
    }
    schema = {"parameters": {"type": "object", "properties": properties, "oneOf": [{"required": ["a"]}]}}
    register_plugin(
        PlainContext(), [tool(toolset="x", name="x_odd", description="Do.", schema=schema)(lambda args: None)]
    )
    told = [line.rpartition("; ")[2] for line in logged() if "rewrites the schema of x_odd" in line]
    assert told == [
        "oneOf at the top",
        "properties.a: a list of types",
        "properties.b: a union with null",
        "properties.c.items.0: a default beside a $ref",
    ]


def test_a_dry_run_checks_and_plans_and_does_nothing(logged, tmp_path):
    ctx = RecordingContext("x")
    missing = plugin_skill("sense", tmp_path / "SKILL.md", "Sense.", optional=True)
    summary = register_plugin(ctx, EVERYTHING, [missing], dry_run=True)
    assert ctx.calls == []
    assert logged() == []
    assert summary.tools == ("x_add", "x_read")
    assert summary.skipped_optional_skills == ("sense",)
    assert [call.registrar for call in summary.calls][:2] == ["register_command", "register_cli_command"]
    with pytest.raises(ValueError, match="duplicate"):
        register_plugin(ctx, [inject, hook("pre_llm_call")(lambda **payload: None)], dry_run=True)


# The receipt.


def test_there_is_one_receipt_with_every_name(logged):
    register_plugin(RecordingContext("x-plugin"), everything_module())
    assert [line for line in logged() if "registered plugin lifecycle" in line] == [
        (
            "INFO hermes_plugin_kit: registered plugin lifecycle; plugin=x-plugin; commands=x-status; cli_commands=x-status; "
            "tools=x_add,x_read; middlewares=tool_request; hooks=pre_llm_call; skills=<none>; skipped_optional_skills=<none>"
        )
    ]


@pytest.mark.parametrize(
    ("ctx", "declarations", "given", "expected"),
    [
        (RecordingContext("manifest"), [inject], "given", "given"),
        (RecordingContext("manifest"), [inject], None, "manifest"),
        (PlainContext(), [inject], None, __name__),
        (PlainContext(), module_of("some_module"), None, "some_module"),
        (None, [], None, "hermes_plugin_kit"),
    ],
)
def test_the_receipt_names_the_plugin(ctx, declarations, given, expected, logged):
    register_plugin(ctx, declarations, plugin_name=given)
    assert f"; plugin={expected};" in logged()[-1]


def test_the_receipt_is_written_by_the_modules_logger_unless_given(caplog):
    caplog.set_level(logging.INFO)
    register_plugin(PlainContext(), module_of("some_module"))
    register_plugin(PlainContext(), [inject])
    register_plugin(PlainContext(), [inject], logger=logging.getLogger("given"))
    assert [record.name for record in caplog.records] == ["some_module", __name__, "given"]


@pytest.mark.parametrize("name", ["", "  ", 3])
def test_a_blank_plugin_name_is_refused(name):
    with pytest.raises(ValueError, match="plugin_name must be a non-empty string"):
        register_plugin(PlainContext(), [], plugin_name=name)
    with pytest.raises(ValueError, match="plugin_name"):
        log_registration_summary(logging.getLogger(), name, RegistrationSummary())


def test_only_a_summary_has_a_receipt():
    with pytest.raises(TypeError, match="RegistrationSummary"):
        log_registration_summary(logging.getLogger(), "x", {})


def test_the_fields_of_a_summary_keep_their_places():
    summary = RegistrationSummary(("t",), ("h",), ("s",), ("o",), ("c",), ("tool_request",))
    assert (summary.tools, summary.commands, summary.middlewares) == (("t",), ("c",), ("tool_request",))


# Tools alone.


def test_tools_alone_can_be_registered(logged):
    ctx = PlainContext()
    assert register_all(ctx, everything_module()) == 2
    assert [kwargs["name"] for _, _, kwargs in ctx.calls] == ["x_add", "x_read"]
    assert logged()[-1] == "INFO hermes_plugin_kit: registered 2 tool(s); names=x_add,x_read"


def test_of_two_tools_with_one_name_the_first_counts():
    twin = tool(toolset="y", name="x_add", description="Twin.")(lambda args: None)
    ctx = PlainContext()
    assert register_all(ctx, module_of(b=twin, a=x_add)) == 1
    assert ctx.calls[0][2]["handler"] is x_add


def test_no_tools_are_none(logged):
    assert register_all(PlainContext(), module_of()) == 0
    assert logged()[-1].endswith("names=<none>")
