"""The little YAML of manifests and configuration."""

import pytest

from kata.standin.yamlish import YamlError, load


def test_a_hook_manifest():
    text = """
name: my-hook
description: "Log: all activity"  # a comment
events:
  - agent:start
  - command:*
"""
    assert load(text) == {
        "name": "my-hook",
        "description": "Log: all activity",
        "events": ["agent:start", "command:*"],
    }


def test_a_hooks_block_of_the_configuration():
    text = """
hooks:
  pre_tool_call:
    - matcher: "terminal"
      command: "~/hooks/block.sh --strict"
      timeout: 5
    - command: '/x.sh'
      fail_closed: true
  post_tool_call:
hooks_auto_accept: false
"""
    assert load(text) == {
        "hooks": {
            "pre_tool_call": [
                {"matcher": "terminal", "command": "~/hooks/block.sh --strict", "timeout": 5},
                {"command": "/x.sh", "fail_closed": True},
            ],
            "post_tool_call": None,
        },
        "hooks_auto_accept": False,
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("# only a comment", None),
        ('{"a": [1]}', {"a": [1]}),
        ("a: [b, 1, 'c d']", {"a": ["b", 1, "c d"]}),
        ("a: {}", {"a": {}}),
        ("a: 1.5\nb: -2\nc: ~", {"a": 1.5, "b": -2, "c": None}),
        ("events:\n- a\n- b", {"events": ["a", "b"]}),
        ("a: it''s", {"a": "it''s"}),
        ("a: 'it''s'", {"a": "it's"}),
    ],
)
def test_small_texts(text, value):
    assert load(text) == value


@pytest.mark.parametrize("text", ["just words", "a: 1\n  b: 2", "a:\n  - b\n c"])
def test_what_is_beyond_it_is_named_by_line(text):
    with pytest.raises(YamlError, match="line"):
        load(text)
