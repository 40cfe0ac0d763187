"""Two hundred everyday commands get their exact class; commands that only look harmless never get a lower one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kata.effects import Effect, classify
from tests.effects.everyday import EVERYDAY
from tests.effects.forged import FORGED
from tests.effects.traps import TRAPS

COMMANDS = [(command, Effect(effect)) for effect, commands in EVERYDAY.items() for command in commands]
LEAST = [
    (command, Effect(effect))
    for table in (TRAPS, FORGED)
    for effect, commands in table.items()
    for command in commands
]


def effect_of(command):
    return classify("terminal", {"command": command}).effect


def test_the_list_is_long_enough_and_says_each_command_once():
    assert len(COMMANDS) >= 200
    assert len({command for command, _ in COMMANDS}) == len(COMMANDS)


def test_nine_in_ten_everyday_commands_get_their_exact_class():
    exact = sum(effect_of(command) is effect for command, effect in COMMANDS)
    assert exact / len(COMMANDS) >= 0.9


def test_no_everyday_command_gets_a_lower_class_than_the_truth():
    assert [command for command, truth in COMMANDS if effect_of(command) < truth] == []


def test_no_trap_gets_a_lower_class_than_the_truth():
    assert [command for command, least in LEAST if effect_of(command) < least] == []


@pytest.mark.parametrize(
    "wrapping", ["( {} )", "if true; then {}; fi", "echo $( {} )", "x=$( {} )", "{{ {}; }}"]
)
def test_wrapping_a_command_never_lowers_its_class(wrapping):
    commands = [command for command, _ in COMMANDS if "\n" not in command]
    assert [one for one in commands if effect_of(wrapping.format(one)) < effect_of(one)] == []


@given(
    st.lists(
        st.sampled_from([command for command, _ in COMMANDS if "\n" not in command]), min_size=1, max_size=4
    )
)
def test_a_line_of_many_commands_has_at_least_the_class_of_each(commands):
    for joint in (" && ", " ; ", " || ", "\n"):
        assert effect_of(joint.join(commands)) >= max(map(effect_of, commands))


@given(st.text())
def test_any_text_at_all_gets_a_class(command):
    assert effect_of(command) in set(Effect)
