"""The worker, the chat and the tab's threads share one service."""

import threading

from tests.service.lab import PERSON

ROUNDS = 25


def test_a_decision_and_the_workers_round_do_not_meet_in_one_transaction(lab):
    number = str(lab.approved())
    stop, faults = threading.Event(), []

    def rounds() -> None:
        try:
            while not stop.is_set():
                lab.service.refresh()
                lab.service.status()
        except Exception as error:
            faults.append(error)

    worker = threading.Thread(daemon=True, target=rounds)
    worker.start()
    try:
        for _ in range(ROUNDS):
            lab.service.decisions.disable(number, PERSON)
            lab.service.decisions.enable(number, PERSON)
    finally:
        stop.set()
        worker.join()
    assert faults == []
    assert lab.service.listing().katas[0].state == "active"
