"""The host's own tools: what they answer, remember and refuse."""

import json
import threading

import pytest

from kata.standin import call, say


def ask(host, tool, task="t", **args):
    return json.loads(host.registry.dispatch(tool, args, task_id=task))


@pytest.fixture
def folder(host):
    root = host.workspace.root
    (root / "a.txt").write_text("alpha\nbeta\n")
    (root / "sub").mkdir()
    (root / "sub" / "b.txt").write_text("beta\n")
    return root


def test_reading_numbers_the_lines(host, folder):
    found = ask(host, "read_file", path="a.txt", limit=1)
    assert found["content"] == "1|alpha"
    assert found["truncated"]
    assert "offset=2" in found["hint"]
    assert ask(host, "read_file", path="a.txt", offset=2)["content"] == "2|beta"
    assert ask(host, "read_file", path="nowhere")["not_found"]


def test_reading_the_same_again_is_remembered_per_task(host, folder):
    assert "content" in ask(host, "read_file", path="a.txt")
    assert ask(host, "read_file", path="a.txt")["status"] == "unchanged"
    assert ask(host, "read_file", path="a.txt")["guardrail_refusal"]
    assert ask(host, "read_file", task="other", path="a.txt")["content"] == "1|alpha\n2|beta"


def test_another_tool_of_the_model_lets_reads_count_anew(host, folder):
    script = [
        call("read_file", path="a.txt"),
        call("read_file", path="a.txt"),
        call("terminal", command="true"),
    ]
    turn = host.conversation().turn("go", [*script, call("read_file", path="a.txt"), say("so")])
    assert json.loads(turn.results[3])["status"] == "unchanged"


def test_searching_the_same_four_times_in_a_row_is_refused(host, folder):
    answers = [ask(host, "search_files", pattern="beta") for _ in range(4)]
    assert [each.get("total_count") for each in answers] == [2, 2, 2, None]
    assert answers[3]["guardrail_refusal"]
    assert ask(host, "search_files", pattern="alpha")["total_count"] == 1


def test_files_are_found_by_name(host, folder):
    assert ask(host, "search_files", pattern="*.txt", target="files", path="sub")["files"] == ["sub/b.txt"]
    assert ask(host, "search_files", pattern="*.txt", target="files")["files"] == ["./a.txt", "./sub/b.txt"]
    assert "bad pattern" in ask(host, "search_files", pattern="(")["error"]


def test_an_existing_file_must_be_read_whole_before_it_is_written(host, folder):
    assert ask(host, "write_file", path="a.txt", content="x")["stale_write_blocked"]
    ask(host, "read_file", path="a.txt", limit=1)
    assert ask(host, "write_file", path="a.txt", content="x")["stale_write_blocked"]
    ask(host, "read_file", path="a.txt")
    assert ask(host, "write_file", path="a.txt", content="x")["bytes_written"] == 1
    assert ask(host, "write_file", path="new/deep.txt", content="é")["bytes_written"] == 2


def test_the_terminal_keeps_a_working_directory_per_task(host, folder):
    assert ask(host, "terminal", command="cd sub && pwd")["output"] == str(folder / "sub")
    assert ask(host, "terminal", command="pwd")["output"] == str(folder / "sub")
    assert ask(host, "read_file", path="b.txt")["content"] == "1|beta"
    assert ask(host, "terminal", task="other", command="pwd")["output"] == str(folder)
    assert ask(host, "terminal", command="pwd", workdir="..")["output"] == f"{folder}/sub/.."
    assert ask(host, "terminal", command="cd")["cwd"] == str(folder)


@pytest.mark.parametrize(
    ("command", "code", "output"),
    [
        ("echo 'a b' c", 0, "a b c"),
        ("false && echo never", 1, ""),
        ("false; echo then", 0, "then"),
        ("cat a.txt", 0, "alpha\nbeta"),
        ("cat nowhere", 1, "cat: nowhere: No such file or directory"),
        ("exit 3", 3, ""),
        ("frobnicate", 127, "bash: frobnicate: command not found"),
        ("grep beta a.txt", 0, "beta"),
        ("mkdir -p deep && cd deep; rm -f x", 0, ""),
    ],
)
def test_small_programs_run(host, folder, command, code, output):
    answer = ask(host, "terminal", command=command)
    assert (answer["exit_code"], answer["output"]) == (code, output)


def test_prepared_answers_go_by_the_longest_prefix(host):
    host.terminal.answer("git", "usage: git", 1)
    host.terminal.answer("git push origin", "pushed")
    host.terminal.answer("grep", "", 1)
    assert ask(host, "terminal", command="git push origin main")["output"] == "pushed"
    assert ask(host, "terminal", command="git status")["exit_code"] == 1
    assert "not an error" in ask(host, "terminal", command="grep x")["exit_code_meaning"]
    assert host.terminal.ran[0] == "git push origin main"


def test_a_program_may_be_given(host):
    host.terminal.program("count", lambda words, cwd: (0, str(len(words))))
    assert ask(host, "terminal", command="count a b")["output"] == "3"


def test_a_command_may_hang(host):
    release = host.terminal.hang("sleep")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(ask(host, "terminal", command="sleep 9")))
    thread.start()
    assert not answers
    release.set()
    thread.join()
    assert answers[0]["exit_code"] == 0


def test_a_dangerous_command_is_asked_of_the_person(host):
    host.person.will_answer("deny", "once")
    script = [
        call("terminal", command="git push --force"),
        call("terminal", command="git push --force"),
        say("so"),
    ]
    host.terminal.answer("git push", "pushed")
    refused, allowed = (json.loads(each) for each in host.conversation().turn("go", script).results)
    assert refused["status"] == "blocked"
    assert "approved by the user" in allowed["approval"]
    assert host.person.asked[0].question.command == "git push --force"


def test_a_tools_schema_may_be_changed_and_changed_back(host):
    before = host.registry.get_schema("terminal")

    def need_reason(parameters):
        return {**parameters, "required": [*parameters["required"], "reason"]}

    undo = host.change_schema("terminal", need_reason)
    assert host.registry.get_schema("terminal")["parameters"]["required"] == ["command", "reason"]
    undo()
    assert host.registry.get_schema("terminal") == before
    with pytest.raises(LookupError):
        host.change_schema("nowhere", need_reason)


def test_a_host_tool_may_be_added_and_made_to_fail(host):
    take_out = host.add_tool("deploy", lambda args: json.dumps({"error": "down"}))
    turn = host.conversation().turn("go", [call("deploy"), say("so")])
    assert "down" in turn.results[0]
    take_out()
    assert host.registry.get_entry("deploy") is None


def test_tools_of_the_agent_cannot_be_dispatched(host):
    assert "not initialized" in ask(host, "todo_list")["error"]
    assert ask(host, "memory")["success"] is False
    assert "needs an agent" in ask(host, "delegate_task")["error"]


def test_the_agent_remembers(host):
    todos = [{"content": "x", "status": "pending"}]
    script = [
        call("todo_list", todos=todos),
        call("todo_list"),
        call("memory", action="add", content="x"),
        say("so"),
    ]
    first, second, third = (json.loads(each) for each in host.conversation().turn("go", script).results)
    assert first == second
    assert first["summary"]["pending"] == 1
    assert third["entries"] == ["x"]
