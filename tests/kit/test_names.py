import pytest

from kata.kit import tool_name, validate_tool_name
from kata.kit.names import check_command_name, check_skill_name


@pytest.mark.parametrize("name", ["discord_read_thread", "a", "a1_b2", "x" * 64])
def test_a_good_tool_name_comes_back_unchanged(name):
    assert validate_tool_name(name) == name


@pytest.mark.parametrize("name", ["", None, 7])
def test_a_tool_name_is_required(name):
    with pytest.raises(ValueError, match="tool name is required"):
        validate_tool_name(name)


@pytest.mark.parametrize("name", ["x-1", "X", "_x", "x y", "1x", "ä"])
def test_a_malformed_tool_name_is_shown_with_the_pattern(name):
    with pytest.raises(ValueError, match=r"must match \^\[a-z\]") as caught:
        validate_tool_name(name)
    assert repr(name) in str(caught.value)


def test_a_tool_name_longer_than_providers_accept_is_refused():
    with pytest.raises(ValueError, match="longer than the 64 characters"):
        validate_tool_name("x" * 65)


@pytest.mark.parametrize("name", ["todo", "todo_list", "memory", "session_search", "delegate_task"])
def test_names_of_the_agent_loop_are_reserved(name):
    with pytest.raises(ValueError, match="reserved by the Hermes agent loop"):
        validate_tool_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "cronjob",
        "process",
        "tour",
        "tip",
        "tool_search",
        "tool_describe",
        "tool_call",
        "manage_connections",
        "connectors__x",
    ],
)
def test_names_that_hermes_routes_elsewhere_are_reserved(name):
    with pytest.raises(ValueError, match="reserved"):
        validate_tool_name(name)


def test_the_prefix_of_the_memory_tool_is_reserved():
    with pytest.raises(
        ValueError, match=r"reserved Hermes core namespace.*choose a plugin or domain namespace"
    ):
        validate_tool_name("memory_write_entry")


@pytest.mark.parametrize("namespace", ["", "_a", "A", None.__class__, 3])
def test_a_malformed_namespace_is_refused(namespace):
    with pytest.raises(ValueError, match="tool namespace"):
        validate_tool_name("a_b", namespace=namespace)


def test_a_namespace_of_the_agent_loop_is_reserved():
    with pytest.raises(ValueError, match="tool namespace 'todo' is reserved by the Hermes agent loop"):
        tool_name("todo", "x", "y")


def test_a_tool_name_must_start_with_its_namespace():
    with pytest.raises(ValueError, match="must start with explicit namespace 'discord_'"):
        validate_tool_name("thread_read", namespace="discord")


def test_a_tool_name_is_joined_from_namespace_verb_and_noun():
    assert tool_name("discord", "read", "thread") == "discord_read_thread"


def test_underscores_around_the_parts_are_stripped_but_not_those_of_the_namespace():
    assert tool_name("a", "_b_", "c_") == "a_b_c"
    with pytest.raises(ValueError, match="must start with explicit namespace"):
        tool_name("a_", "b", "c")


@pytest.mark.parametrize(
    "parts",
    [("discord", "read", ""), ("discord", "", "x"), ("", "a", "b"), ("a", "_", "b"), ("a", None, "b")],
)
def test_a_tool_name_needs_every_part(parts):
    with pytest.raises(ValueError, match=r"namespace, a verb and a noun"):
        tool_name(*parts)


def test_a_joined_name_may_not_be_in_the_core_namespace():
    with pytest.raises(ValueError, match="reserved Hermes core namespace"):
        tool_name("memory", "write", "entry")


@pytest.mark.parametrize("name", ["valdris", "valdris-status", "v1-x2"])
def test_a_command_name_is_kebab_case(name):
    assert check_command_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", "/valdris-status", "Valdris", "valdris status", "valdris_status", "9valdris", "valdris-", None],
)
def test_another_command_name_is_refused(name):
    with pytest.raises(ValueError, match="command name"):
        check_command_name(name)


@pytest.mark.parametrize("name", ["plugin:skill", "", "a b", None])
def test_a_skill_name_holds_no_namespace(name):
    with pytest.raises(ValueError, match="contain no namespace"):
        check_skill_name(name)
