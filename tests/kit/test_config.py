import types

import attrs
import pytest

from kata.kit import config_schema, load_plugin_config
from kata.kit.testing import RecordingContext

HOST = {
    "plugins": {
        "notes": {"limit": 1, "deep": {"a": 1, "b": 1}, "old": True},
        "entries": {
            "my/notes": {
                "config": {"limit": 2, "deep": {"b": 2}},
                "settings": {"limit": 3, "deep": {"c": 3}},
            },
            "notes": {"settings": {"limit": 9}},
        },
    }
}


@attrs.frozen(kw_only=True)
class Settings:
    limit: int = attrs.field(
        default=5, validator=attrs.validators.ge(1), metadata={"description": "Notes to keep"}
    )
    token: str
    mode: str = attrs.field(default="fast", validator=attrs.validators.in_(["fast", "slow"]))


def context(plugin_id="my/notes"):
    return RecordingContext(plugin_id)


def read(ctx, **options):
    return load_plugin_config(ctx, "notes", **options)


def test_the_manifests_own_config_wins_and_the_host_is_not_asked():
    given = {"limit": 7, "deep": {"a": [1]}}
    ctx = RecordingContext("notes", config=given)
    config = read(ctx, config_loader=lambda: pytest.fail("asked"))
    assert config == given
    config["deep"]["a"].append(2)
    assert ctx.manifest.config["deep"]["a"] == [1]


def test_the_hosts_places_are_merged_the_nearest_winning():
    assert read(context(), config_loader=lambda: HOST) == {
        "limit": 3,
        "deep": {"a": 1, "b": 2, "c": 3},
        "old": True,
    }


def test_without_an_id_of_its_own_the_name_counts():
    assert read(types.SimpleNamespace(), config_loader=lambda: HOST)["limit"] == 9
    assert read(context("unlisted"), config_loader=lambda: HOST)["limit"] == 9


def test_the_result_is_the_plugins_own():
    read(context(), config_loader=lambda: HOST)["deep"]["a"] = 99
    assert HOST["plugins"]["notes"]["deep"]["a"] == 1


def test_hermes_own_reader_is_asked(fake_module):
    fake_module("hermes_cli.config", load_config_readonly=lambda: HOST)
    assert read(context())["limit"] == 3


def test_outside_hermes_there_are_no_settings(no_hermes):
    assert read(context()) == {}


@pytest.mark.parametrize("config", [None, [], {"plugins": None}, {"plugins": {"notes": "on", "entries": []}}])
def test_settings_of_another_shape_are_none(config):
    assert read(context(), config_loader=lambda: config) == {}


def test_a_reader_that_fails_is_told_and_gives_none(logged):
    def broken():
        raise OSError("unreadable")

    assert read(context(), config_loader=broken) == {}
    assert logged()[-1] == "WARNING hermes_plugin_kit: effective config read failed for notes: OSError"


@pytest.mark.parametrize("name", ["", "  ", None])
def test_a_name_is_needed(name):
    with pytest.raises(ValueError, match="plugin_name"):
        load_plugin_config(context(), name)


def test_settings_may_be_an_instance_of_a_class():
    ctx = RecordingContext("notes", config={"token": "t", "limit": "7"})
    assert read(ctx, into=Settings) == Settings(token="t", limit=7)


def test_settings_that_the_class_does_not_know_are_told(logged):
    read(RecordingContext("notes", config={"token": "t", "limti": 7}), into=Settings)
    assert logged()[-1] == "WARNING hermes_plugin_kit: unknown setting; plugin=notes; name=limti"


def test_settings_that_do_not_fit_the_class_are_all_named():
    ctx = RecordingContext("notes", config={"limit": 0, "mode": "medium"})
    with pytest.raises(ValueError, match="settings of notes: ") as caught:
        read(ctx, into=Settings)
    assert str(caught.value).split(": ", 1)[1].split("; ") == [
        "limit must be at least 1, not 0",
        "token is required",
        "mode must be one of 'fast', 'slow', not 'medium'",
    ]


def test_the_manifests_schema_comes_from_the_class():
    assert config_schema(Settings) == {
        "limit": {"type": "integer", "default": 5, "description": "Notes to keep"},
        "token": {"type": "string", "required": True},
        "mode": {"type": "string", "default": "fast", "enum": ["fast", "slow"]},
    }
