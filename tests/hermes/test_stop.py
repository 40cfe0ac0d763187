"""The user's stop reaches a call that is made on the run's own thread."""

import threading

from kata.executor import Workers
from kata.runtime.host import carry_context, is_stopped


def test_a_stop_of_the_tools_thread_is_seen_by_the_call_on_another_one(tmp_path, monkeypatch):
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    from tools.interrupt import is_interrupted, set_interrupt

    workers, mine = Workers(), threading.get_ident()
    try:
        look = carry_context(is_interrupted)
        before = workers.take().start(look)
        assert before.wait(10)
        set_interrupt(True, mine)
        after = workers.take().start(look)
        assert after.wait(10)
        assert is_stopped(mine)
    finally:
        set_interrupt(False, mine)
        workers.close()
    assert (before.answer.value, after.answer.value) == (False, True)
