from pathlib import Path

import pytest

from kata.kit import PluginSkill, plugin_skill


def test_a_skill_is_declared_with_a_path_and_a_description():
    skill = plugin_skill("time-sense", "/a/SKILL.md", "  Tell the time. ", optional=1)
    assert skill == PluginSkill("time-sense", Path("/a/SKILL.md"), "Tell the time.", optional=True)


def test_the_file_need_not_exist_when_it_is_declared(tmp_path):
    assert not plugin_skill("a", tmp_path / "none" / "SKILL.md", "A.").optional


@pytest.mark.parametrize("path", ["/a/skill.md", "/a/README.md", "/a"])
def test_the_file_is_called_skill_md(path):
    with pytest.raises(ValueError, match=r"skill path must point to SKILL\.md"):
        plugin_skill("a", path, "A.")


@pytest.mark.parametrize("description", ["", "   ", None])
def test_a_description_is_required(description):
    with pytest.raises(ValueError, match="skill description is required"):
        plugin_skill("a", "/a/SKILL.md", description)


@pytest.mark.parametrize("name", ["a:b", "", "a b"])
def test_the_name_holds_no_namespace(name):
    with pytest.raises(ValueError, match="contain no namespace"):
        plugin_skill(name, "/a/SKILL.md", "A.")
