"""Hooks outside the plugin: what is put in place, and that nothing else of a person's files changes."""

import json
from datetime import timedelta

import pytest
import yaml

from kata.errors import RefusedError, UsageError
from kata.hooks.standing import Standing, read_standing
from kata.service.hooking import SHELL_EVENTS, GatewayHook, ShellHooks
from kata.service.hooklines import ByHandError, added, removed
from kata.service.settings import Settings
from tests.service.lab import PERSON, Lab

COMMAND = 'python "/a b/observe.py"'
EVENTS = ("post_llm_call", "pre_verify")
MINE = {"command": COMMAND, "timeout": 10}
CONFIGS = {
    "none": "model: x # the best\n",
    "empty": "",
    "a comment alone": "# nothing yet\n",
    "empty section": "hooks:\n\nmodel: x\n",
    "other events": "a: 1\nhooks: # mine\n  pre_tool_call:\n    - command: x\n      timeout: 5\n# end\nmodel: x\n",
    "the same event": 'hooks:\n    post_llm_call:\n        - command: "x"\n\n    # more\n    pre_verify:\n    - {command: y}\nb: 2\n',
    "no newline": "hooks:\n  pre_tool_call:\n  - command: x",
    "document start": "---\nmodel: x\n",
}
UNPLAIN = {
    "flow": "{model: x}\n",
    "flow section": "hooks: {pre_tool_call: [{command: x}]}\n",
    "flow list": "hooks:\n  post_llm_call: [{command: x}]\n",
    "tabs": "hooks:\n\tpost_llm_call:\n",
    "documents": "model: x\n---\nmodel: y\n",
}


@pytest.fixture
def home(tmp_path):
    return tmp_path


@pytest.fixture
def shell(home):
    return ShellHooks(home, home / "plugin-data" / "kata")


@pytest.mark.parametrize("before", CONFIGS.values(), ids=CONFIGS)
def test_lines_are_added_to_what_a_configuration_says(before):
    wanted = yaml.safe_load(before) or {}
    hooks = wanted["hooks"] = wanted.get("hooks") or {}
    for event in EVENTS:
        hooks[event] = [MINE, *hooks.get(event, [])]
    assert yaml.safe_load(added(before, COMMAND, EVENTS)) == wanted


@pytest.mark.parametrize("before", CONFIGS.values(), ids=CONFIGS)
def test_every_line_of_a_person_stays_and_the_removal_leaves_just_those(before):
    after = added(before, COMMAND, EVENTS)
    assert removed(after).splitlines() == before.splitlines()


@pytest.mark.parametrize("before", CONFIGS.values(), ids=CONFIGS)
def test_adding_twice_is_adding_once(before):
    once = added(before, COMMAND, EVENTS)
    assert added(once, COMMAND, EVENTS) == once


@pytest.mark.parametrize("before", UNPLAIN.values(), ids=UNPLAIN)
def test_what_is_not_plain_is_left_to_a_person(before):
    with pytest.raises(ByHandError):
        added(before, COMMAND, EVENTS)


def test_what_a_person_put_under_a_line_of_katas_stays():
    text = added("", COMMAND, EVENTS).replace(
        "  pre_verify: # kata\n", "  pre_verify: # kata\n    - command: x\n"
    )
    assert yaml.safe_load(removed(text)) == {"hooks": {"pre_verify": [{"command": "x"}]}}


def test_shell_hooks_are_installed_with_the_plugins_own_path(home, shell):
    assert shell.status().state == "absent"
    assert shell.install().state == "installed"
    hooks = yaml.safe_load((home / "config.yaml").read_text(encoding="utf-8"))["hooks"]
    assert tuple(hooks) == SHELL_EVENTS
    assert {entry["command"] for entries in hooks.values() for entry in entries} == {shell.command}
    assert shell.uninstall().state == "absent"


def test_lines_for_another_place_are_outdated_and_replaced(home, shell):
    ShellHooks(home, home / "elsewhere").install()
    assert shell.status().state == "outdated"
    assert shell.install().state == "installed"


def test_a_configuration_that_cannot_be_added_to_is_unchanged_and_the_lines_are_told(home, shell):
    (home / "config.yaml").write_text(UNPLAIN["flow"], encoding="utf-8")
    with pytest.raises(ByHandError) as refused:
        shell.install()
    assert list(yaml.safe_load(refused.value.hint)["hooks"]) == list(SHELL_EVENTS)
    assert (home / "config.yaml").read_text(encoding="utf-8") == UNPLAIN["flow"]


def test_the_mode_of_the_configuration_stays_and_a_link_is_followed(home, shell):
    real = home / "real.yaml"
    real.write_text("model: x\n", encoding="utf-8")
    real.chmod(0o640)
    (home / "config.yaml").symlink_to(real)
    shell.install()
    assert (home / "config.yaml").is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640


def test_what_is_no_hooks_name_is_refused(shell):
    with pytest.raises(UsageError):
        shell.install(["pre_verify: x"])


def test_the_gateway_hook_comes_and_goes_whole(home):
    hook = GatewayHook(home)
    assert hook.status().state == "absent"
    assert hook.install().state == "installed"
    folder = home / "hooks" / "kata"
    assert json.loads((folder / "kata.json").read_bytes())["observe"].endswith("observe.py")
    assert hook.uninstall().state == "absent"
    assert not folder.exists()


def test_a_gateway_hook_of_another_kata_is_outdated(home):
    hook = GatewayHook(home)
    hook.install()
    (home / "hooks" / "kata" / "handler.py").write_text("", encoding="utf-8")
    assert hook.status().state == "outdated"
    assert hook.install().state == "installed"


def test_a_strangers_hook_of_that_name_is_left_alone(home):
    folder = home / "hooks" / "kata"
    folder.mkdir(parents=True)
    (folder / "handler.py").write_text("mine", encoding="utf-8")
    for change in (GatewayHook(home).install, GatewayHook(home).uninstall):
        with pytest.raises(RefusedError):
            change()
    assert (folder / "handler.py").read_text(encoding="utf-8") == "mine"


def test_a_pause_reaches_the_hooks_outside_the_plugin(lab):
    until = lab.clock.now() + timedelta(hours=1)
    lab.service.pause(PERSON, until)
    assert read_standing(lab.folder) == Standing(recording=False, until=until.isoformat())
    lab.service.resume(PERSON)
    assert read_standing(lab.folder) == Standing()


def test_the_settings_reach_the_hooks_outside_the_plugin(tmp_path):
    lab = Lab(tmp_path / "kata", Settings(record=False, observe_texts=True))
    lab.service.tell_hooks()
    assert read_standing(lab.folder) == Standing(recording=False, texts=True)
    lab.close()


JSONS = (
    {},
    {"model": {"default": "ü"}},
    {"hooks": {"post_llm_call": [{"command": "x"}], "pre_command": []}, "a": 1},
)


@pytest.mark.parametrize("config", JSONS)
def test_a_configuration_in_json_is_added_to_and_taken_from_as_well(home, shell, config):
    (home / "config.yaml").write_text(json.dumps(config), encoding="utf-8")
    assert shell.install().state == "installed"
    after = json.loads((home / "config.yaml").read_bytes())
    assert [entries[0]["command"] for event, entries in after["hooks"].items() if event in SHELL_EVENTS] == [
        shell.command
    ] * len(SHELL_EVENTS)
    assert shell.install().lines == shell.status().lines
    assert shell.uninstall().state == "absent"
    assert json.loads((home / "config.yaml").read_bytes()) == config


def test_a_section_in_json_that_hermes_does_not_read_is_left_to_a_person(home, shell):
    (home / "config.yaml").write_text('{"hooks": []}', encoding="utf-8")
    with pytest.raises(ByHandError):
        shell.install()
