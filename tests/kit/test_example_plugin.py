"""The example of the docs: registered on the recorder, then run on the real Hermes."""

import importlib
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from kata.kit import config_schema
from kata.kit.testing import RecordingContext, undeclared
from tests.hermes.support import call, say
from tests.hermes.support.fixtures import hermes, model
from tests.kit.support import KIT, ROOT

__all__ = ["hermes", "model"]

EXAMPLE = ROOT / "docs" / "example-plugin"
REPORT = EXAMPLE / "validate.txt"


def assembled(folder: Path) -> Path:
    """Put the example together as its reader does: the folder, with the kit copied into it."""
    ignored = shutil.ignore_patterns("__pycache__", "validate.txt")
    shutil.copytree(EXAMPLE, folder / "notes", ignore=ignored)
    shutil.copytree(KIT, folder / "notes" / "kit", ignore=ignored)
    return folder / "notes"


@pytest.fixture
def example(tmp_path):
    return assembled(tmp_path / "assembled")


@pytest.fixture
def notes(example, tmp_path, monkeypatch, fake_module):
    """Return the example as a module, with a data folder of its own."""
    (tmp_path / "data").mkdir()
    fake_module("plugins.plugin_storage", plugin_data_dir=lambda name: tmp_path / "data")
    monkeypatch.syspath_prepend(str(example.parent))
    yield importlib.import_module("notes")
    for name in [name for name in sys.modules if name.split(".")[0] == "notes"]:
        del sys.modules[name]


@pytest.fixture
def ctx(notes):
    made = RecordingContext("notes", config={"limit": 1})
    made.summary = notes.register(made)
    return made


def test_it_registers_one_of_each_kind_and_declares_them_all(ctx):
    declared = {
        "provides_tools": ["notes_add"],
        "provides_hooks": ["pre_llm_call"],
        "provides_middleware": ["tool_request"],
    }
    assert undeclared(ctx.summary, declared) == ()
    assert all(
        f"{key}: [{value}]" in (EXAMPLE / "plugin.yaml").read_text() for key, (value,) in declared.items()
    )
    assert ctx.summary.skills == ("note-taking",)
    assert (ctx.summary.commands, ctx.summary.cli_commands) == (("notes",), ("notes",))


def test_its_settings_are_those_of_its_manifest(notes):
    shown = "limit: {type: integer, default: 3, description: Notes that the agent is reminded of}"
    assert shown in (EXAMPLE / "plugin.yaml").read_text()
    assert config_schema(sys.modules["notes.settings"].Settings) == {
        "limit": {"type": "integer", "default": 3, "description": "Notes that the agent is reminded of"}
    }


def test_its_parts_work_together(ctx, capsys):
    assert ctx.call_tool("notes_add", {"text": "Buy tea.", "tags": "shopping"})["data"]["notes"] == 1
    assert ctx.call_tool("notes_add", {"text": "Buy tea."})["code"] == "duplicate"
    assert ctx.call_tool("notes_add", {"txet": "x"})["problems"][1] == "txet is unknown; did you mean 'text'?"
    ctx.call_tool("notes_add", {"text": "Call Ada."})
    assert ctx.run_command("notes") == "- Buy tea.\n- Call Ada."
    assert ctx.run_command("notes", " SHOPPING ") == "- Buy tea."
    assert (ctx.run_cli("notes", "ada"), ctx.run_cli("notes", "bob")) == (0, 1)
    assert capsys.readouterr().out == "Call Ada.\n\n"
    assert ctx.fire("pre_llm_call", is_first_turn=True) == [{"context": "Notes of the user: Call Ada."}]
    assert ctx.fire("pre_llm_call", is_first_turn=False) == []
    tidy = ctx.registered("middleware:tool_request")["callback"]
    assert tidy(tool_name="notes_add", args={"text": " a "}, session_id="s")["args"] == {"text": "a"}
    assert tidy(tool_name="terminal", args={"text": " a "}) is None


@pytest.mark.hermes
@pytest.mark.parametrize("isolation", ["in_process", "host"])
def test_the_agent_the_person_and_the_shell_use_it_on_the_real_host(example, hermes, model, isolation):
    home = hermes(plugins=[example], config={"plugins": {"isolation": isolation}})
    model.then(call("notes_add", {"text": "  Buy tea. ", "tags": "shop"}), call("notes_add", {}), say("kept"))
    with home.session() as session:
        assert session.say("note it").answer == "kept"
        kept, missing = (json.loads(result) for result in model.main[-1].results)
        assert kept == {"success": True, "data": {"kept": {"text": "Buy tea.", "tags": ["shop"]}, "notes": 1}}
        assert missing["problems"] == ["text is required (e.g. 'The parcel comes on Monday.')"]
        assert session.slash("/notes tea") == "- Buy tea."
        session.new()
        model.then(say("hello"))
        session.say("hi")
        assert "Notes of the user: Buy tea." in json.dumps(model.main[-1].messages)
    ran = home.cli("notes", "tea")
    # A plugin host has no subcommands, which the kit tells; the rest works there too.
    assert (ran.code, ran.out.strip()) == ((0, "Buy tea.") if isolation == "in_process" else (2, ""))
    refused = "Hermes refused a registration; plugin=notes; name=cli_command:notes" in home.log()
    assert refused is (isolation == "host")


@pytest.mark.hermes
def test_the_host_takes_all_of_it_and_says_so_in_one_receipt(example, hermes, model):
    home = hermes(plugins=[example])
    model.then(say("hello"))
    home.chat("hi")
    receipts = [line for line in home.log().splitlines() if "registered plugin lifecycle" in line]
    assert len(receipts) == 1
    assert receipts[0].endswith(
        "plugin=notes; commands=notes; cli_commands=notes; tools=notes_add; middlewares=tool_request; "
        "hooks=pre_llm_call; skills=note-taking; skipped_optional_skills=<none>"
    )
    assert home.cli("notes", "none").code == 1


def report_on(home, example):
    """Return what validate and doctor say of the example, and their worse exit code."""
    validated = home.cli("plugins", "validate", str(example))
    doctored = home.cli("plugins", "doctor", str(example), "--ci")
    text = f"$ hermes plugins validate notes\n{validated.out}\n$ hermes plugins doctor notes --ci\n{doctored.out}"
    path = r"\s*".join(map(re.escape, str(example)))  # a long one is broken over lines
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = re.sub(path, "notes", text)
    return validated.code or doctored.code, "\n".join(line.rstrip() for line in text.splitlines())


def _essence(text):
    """Leave out where lines break, and the numbers of source lines."""
    return re.sub(r"\.py:\d+", ".py", " ".join(text.split()))


@pytest.mark.hermes
def test_validate_and_doctor_say_what_the_docs_show(example, hermes):
    code, text = report_on(hermes(plugins=[]), example)
    assert code == 0
    assert _essence(text) == _essence(REPORT.read_text())
