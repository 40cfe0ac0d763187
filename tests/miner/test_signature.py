import subprocess
import sys

from kata.miner.signature import signature


def test_a_signature_is_the_tool_and_its_argument_keys_in_order():
    assert signature("read_file", {"path": "a", "limit": 3}) == "read_file(limit,path)"


def test_a_call_without_arguments_has_an_empty_list():
    assert signature("git_status", {}) == signature("git_status", None) == "git_status()"


def test_values_do_not_change_a_signature():
    assert signature("read_file", {"path": "a"}) == signature("read_file", {"path": ["b"]})


def test_keys_that_could_be_read_as_two_are_quoted():
    assert signature("t", {"a,b": 1}) != signature("t", {"a": 1, "b": 1})


def test_a_description_beside_a_shell_command_is_no_part_of_the_call():
    with_talk = signature("Bash", {"command": "git status", "description": "Look"})
    assert with_talk == signature("Bash", {"command": "git status"})
    assert "description" in signature("create_issue", {"title": "x", "description": "y"})


def test_a_shell_call_is_told_by_its_program_and_sub_command():
    status, diff = (signature("terminal", {"command": f"git {verb}"}) for verb in ("status", "diff"))
    assert status != diff
    assert "git status" in status


def test_signatures_do_not_depend_on_the_hash_seed():
    code = "from kata.miner.signature import signature; print(signature('t', {k: 1 for k in 'qwertzuiop'}))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(seen) == 1
