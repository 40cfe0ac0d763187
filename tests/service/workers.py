"""What the processes of the service's crash tests do; run as ``python -m tests.service.workers``."""

import contextlib
import json
import os
import time
from itertools import count
from pathlib import Path

from kata.clock import SystemIds
from kata.errors import KataError
from kata.executor import Executor, Verdict
from kata.executor.protocols import Caller
from kata.runtime import compiled
from kata.runtime.journal import RunRecorder
from kata.runtime.waits import Waits
from kata.service import assemble
from kata.service.running import NotActiveError
from kata.store import Patience, open_store
from kata.store.files import replace_file
from tests.service.lab import PERSON, Lab, order
from tests.service.month import User
from tests.store.workers import WORK, Said, serve

OUTBOX = "outbox"
"""What the one step with an effect did, one line each time it was really done."""

LINGERS_S = 0.15
"""Seconds between an effect and the answer that tells of it."""


class Outside:
    """The world that a kata acts on: finds, reads and closes tickets; closing leaves a line."""

    def __init__(self, folder):
        self._outbox = os.open(Path(folder).parent / OUTBOX, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def prepare(self, *_):
        pass

    def dispatch(self, tool, args, *_):
        if tool == "close_ticket":
            os.write(self._outbox, f"{args['id']}\n".encode())
            time.sleep(LINGERS_S)  # many kills fall here: the effect is done and nobody knows
            return json.dumps({"closed": True})
        if tool == "find_ticket":
            number = args["title"].split()[-1]
            return json.dumps({"tickets": [{"id": f"T-{number}", "title": args["title"]}]})
        return json.dumps({"id": args["id"], "text": "words"})

    def carry(self, function):
        return function

    def waiting_for_person(self):
        return False

    def stopped(self):
        return False

    def close(self):
        pass


class Allows:
    def ask(self, *_):
        return Verdict(kind="allow")


def service_of(folder):
    return assemble(Path(folder), store=open_store(Path(folder), patience=Patience(seconds=60)))


def spoken(name):
    """Return how the sessions begin in which a worker's turns are."""
    return f"day-{name}-"


def use(folder, name):
    """Work as the hooks and the worker do: spool turns, take them in, project, look for routines."""
    lab, say = Lab(Path(folder), ids=SystemIds(), tools={}), Said(folder, name)
    user = User(lab, f"-{name}-")
    for number in count(1):
        user.turn(calls=3)
        say(number)
        if number % 3 == 0:
            lab.service.refresh()
        if number % 10 == 0:
            lab.by_hand(order(number), f"{name}-{number}")
            with contextlib.suppress(KataError):
                lab.service.mine()


def decide(folder, name):
    """Turn a kata off and on for ever; each decision is acknowledged once it is made."""
    service, say = service_of(folder), Said(folder, name)
    for number in count(1):
        verb = "disable" if service.listing().katas[0].state == "active" else "enable"
        getattr(service.decisions, verb)("1", PERSON, note=f"{name} {number}")
        say(number)


def run(folder, name):
    """Run a kata for ever, each time for another ticket; a run that a killed one did not end well is asked for again."""
    service, say, world = service_of(folder), Said(folder, name), Outside(folder)
    asked = Path(folder, "asked")
    for number in count(int(asked.read_text()) if asked.exists() else 1):
        replace_file(asked, str(number).encode())
        while not ended_well(service, number) and not asked_for(service, world, number):
            time.sleep(0.01)
        say(number)


def title(number):
    return f"bug {number:05d}"


def ended_well(service, number):
    """Tell whether the log knows a run for a ticket that succeeded: only such a one may be done again without asking."""
    newest = (service.run(row.run_id) for row in service.runs(limit=3))
    return any(run.inputs == {"title": title(number)} and run.row.outcome == "succeeded" for run in newest)


def asked_for(service, world, number):
    """Ask for a run; False while the kata is turned off."""
    for one in service.registered():
        with contextlib.suppress(NotActiveError):
            run_one(service, one, world, number)
            return True
    return False


def run_one(service, one, world, number):
    arguments = {"title": title(number)}
    begun = service.begin_run(one, arguments, Caller())
    recorder = RunRecorder(service.spool, service.world.clock, service.world.ids, "crash")
    executor = Executor(
        world, Allows(), recorder, service.world.keeper, service.world.clock, recorder.run_ids
    )
    executor.run(begun.request, unacknowledged=begun.unacknowledged)


def twin(folder, name, twins):
    """Begin the one run that all twins begin, at the same moment; leave what the agent is answered in ``answer-<name>``."""
    service, met = service_of(folder), Path(folder).parent / "met"
    met.mkdir(exist_ok=True)
    begin = service.begin_run

    def begun(*args):
        try:
            return begin(*args)
        finally:
            meet(met, name, int(twins))

    service.begin_run = begun
    compiled.HostDispatcher, compiled.HostGuard = lambda *_: Outside(folder), Allows
    tool = compiled.Compiled(None, lambda: service, Waits(), lambda: None)
    answer = tool.run(service.registered()[0], {"title": title(9)}, Caller())
    replace_file(Path(folder).parent / f"answer-{name}", answer.encode())
    (met / name).touch()


def meet(met, name, twins):
    """Wait until every twin has begun or been answered."""
    (met / name).touch()
    deadline = time.monotonic() + 60
    while len(list(met.iterdir())) < twins and time.monotonic() < deadline:
        time.sleep(0.002)


if __name__ == "__main__":
    WORK |= {"use": use, "decide": decide, "run": run, "twin": twin}
    serve()
