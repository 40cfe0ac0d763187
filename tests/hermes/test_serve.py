"""The API of the real ``hermes serve``, as a person's program asks it."""

import shutil
from pathlib import Path

import pytest

from tests.hermes.support.dashboard import TOKEN

HISTORY = Path(__file__).resolve().parents[2] / "docs" / "tutorial-history.jsonl"
API = "/api/plugins/kata/katas/1"


@pytest.fixture
def imported(hermes):
    """Make a home whose history is an imported one alone: no live Hermes described its tools to the log."""
    home = hermes()
    shutil.copy(HISTORY, home.workspace / "history.jsonl")
    assert home.cli("kata", "import", "history.jsonl").code == 0
    return home


def test_the_api_judges_the_tools_as_the_shell_does_and_a_person_approves(imported):
    in_shell = imported.cli("kata", "review", "1", "--json").json["data"]["kata"]
    with imported.dashboard() as serve:
        shown = serve.get(API)["data"]
        assert shown["checks"] == in_shell["checks"]
        assert shown["row"]["blocked_by"] == in_shell["row"]["blocked_by"] == []
        person = {"X-Hermes-Session-Token": TOKEN, "Origin": serve.url}
        body = {"digest": shown["digest"], "name": "note_task"}
        status, answer = serve.request("POST", f"{API}/approve", body, headers=person)
    assert (status, answer["ok"]) == (200, True), answer
    assert imported.cli("kata", "list", "--json").json["data"]["katas"][0]["state"] == "active"
