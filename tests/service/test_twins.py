"""The same run, begun by several at the same moment, is done once (case B025)."""

import json
import threading

import pytest

from kata.clock import SystemIds
from kata.executor.protocols import Caller
from kata.runtime import compiled
from kata.runtime.waits import Waits
from kata.store.ongoing import ONGOING_NAME
from tests.service.lab import Lab
from tests.service.workers import OUTBOX, Allows, Outside, service_of, title
from tests.store.crew import Crew

TWINS = 3


@pytest.fixture
def folder(tmp_path):
    lab = Lab(tmp_path / "kata", ids=SystemIds())
    lab.approved()
    lab.close()
    return tmp_path / "kata"


def check(folder, answers):
    """See that one was let in, the others were told so, and nothing stays behind."""
    codes = sorted(answer.get("code", "") for answer in answers)
    assert codes == ["", *["going_on"] * (TWINS - 1)]
    refused = next(answer for answer in answers if answer.get("code"))
    assert "the same run is going on" in refused["error"]  # since when is not written yet in the first moment
    assert (folder.parent / OUTBOX).read_text().split() == ["T-00009"]
    assert list((folder / ONGOING_NAME).iterdir()) == []


def test_of_several_processes_one_runs_and_the_others_are_told(folder):
    crew = Crew(folder, "tests.service.workers")
    workers = [crew.start("twin", f"twin-{number}", TWINS) for number in range(TWINS)]
    for worker in workers:
        worker.wait_until_done(120)
    assert crew.dismiss() == ""
    check(folder, [json.loads((folder.parent / f"answer-{one.name}").read_bytes()) for one in workers])


class Slow(Outside):
    """A world in which the effect takes until everybody was answered."""

    def __init__(self, folder, answered):
        super().__init__(folder)
        self._answered = answered

    def dispatch(self, tool, *rest):
        if tool == "close_ticket":
            assert self._answered.wait(60)
        return super().dispatch(tool, *rest)


@pytest.fixture
def tool(folder, monkeypatch):
    service, answered = service_of(folder), threading.Event()
    monkeypatch.setattr(compiled, "HostDispatcher", lambda *_: Slow(folder, answered))
    monkeypatch.setattr(compiled, "HostGuard", Allows)
    made = compiled.Compiled(None, lambda: service, Waits(), lambda: None)
    made.one, made.answered = service.registered()[0], answered
    yield made
    answered.set()
    made.close()
    service.close()


def test_of_several_threads_one_runs_and_the_others_are_told(folder, tool):
    answers = []

    def call():
        answers.append(json.loads(tool.run(tool.one, {"title": title(9)}, Caller())))
        if len(answers) == TWINS - 1:
            tool.answered.set()

    threads = [threading.Thread(target=call) for _ in range(TWINS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    check(folder, answers)


def test_other_inputs_are_no_twin_and_the_same_may_follow(folder, tool):
    tool.answered.set()
    for number in (9, 10, 9):
        assert json.loads(tool.run(tool.one, {"title": title(number)}, Caller())).get("ok")
    assert (folder.parent / OUTBOX).read_text().split() == ["T-00009", "T-00010", "T-00009"]
