"""The one reused thread (design 8)."""

import threading
from contextvars import ContextVar

import pytest

from kata.executor.worker import Workers


@pytest.fixture
def workers():
    pool = Workers()
    yield pool
    pool.close()


def wait_until(told):
    for _ in range(500):
        if told():
            return True
        threading.Event().wait(0.01)
    return False


def threads():
    return [one for one in threading.enumerate() if one.name == "kata-run"]


def test_a_worker_that_is_given_back_is_handed_out_again(workers):
    worker = workers.take()
    workers.give_back(worker)
    assert workers.take() is worker


def test_two_runs_at_once_have_two_workers(workers):
    assert workers.take() is not workers.take()


def test_an_answer_is_there_after_waiting(workers):
    job = workers.take().start(lambda: 7)
    assert job.wait(5)
    assert job.answer.value == 7


def test_what_a_call_raises_is_its_answer_and_the_thread_lives(workers):
    worker = workers.take()
    job = worker.start(lambda: 1 / 0)
    assert job.wait(5)
    assert isinstance(job.answer.raised, ZeroDivisionError)
    assert worker.start(lambda: 1).wait(5)


def test_a_busy_worker_that_is_given_back_ends_after_its_work(workers):
    gate = threading.Event()
    worker = workers.take()
    job = worker.start(lambda: gate.wait(20) and "late")
    assert not job.wait(0.01)
    workers.give_back(worker)
    assert workers.take() is not worker
    gate.set()
    assert wait_until(lambda: not worker.alive())
    assert job.answer.value == "late"


def test_a_call_sees_the_context_of_the_thread_that_asked(workers):
    name = ContextVar("name", default="")
    token = name.set("ana")
    job = workers.take().start(name.get)
    name.reset(token)
    assert job.wait(5)
    assert job.answer.value == "ana"


def test_closing_lets_idle_threads_end(workers):
    worker = workers.take()
    workers.give_back(worker)
    workers.close()
    assert wait_until(lambda: not worker.alive())


def test_an_idle_thread_ends_by_itself():
    workers = Workers(idle_s=0.02)
    worker = workers.take()
    workers.give_back(worker)
    assert wait_until(lambda: not worker.alive())
    again = workers.take()
    assert again is not worker
    assert again.start(lambda: 1).wait(5)


def test_a_thread_that_a_run_holds_does_not_end_while_idle():
    workers = Workers(idle_s=0.01)
    worker = workers.take()
    threading.Event().wait(0.1)
    job = worker.start(lambda: 1)
    assert job.wait(5)
    workers.give_back(worker)
    workers.close()


def test_many_runs_in_turn_need_one_thread(workers):
    before = len(threads())
    for _ in range(50):
        worker = workers.take()
        assert worker.start(lambda: 1).wait(5)
        workers.give_back(worker)
    assert len(threads()) <= before + 1
