"""What the processes of race and crash tests do; run as ``python -m tests.store.workers``.

The process forks itself for each line it reads (``NAME FOLDER ...``) and answers with the child's id: nothing has to be
imported again. A child acknowledges what it did in a file of its own, ``FOLDER/said/NAME``.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from kata.clock import SystemIds
from kata.store import Patience, StoreBusyError, WrongVersionError, open_store
from tests.store.support import Maker


def open_here(folder):
    return open_store(Path(folder), patience=Patience(seconds=60))


def fresh():
    make = Maker()
    make.ids = SystemIds()
    return make


class Said:
    """Where a process acknowledges what it did."""

    def __init__(self, folder, name):
        path = Path(folder, "said", name)
        path.parent.mkdir(exist_ok=True)
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def __call__(self, word):
        os.write(self.file, b"%d\n" % word)


def race(folder, name, rounds):
    """Win some rounds of one stream against everybody else; say which. Give up at the first that two have won."""
    store, make, say, version = open_here(folder), fresh(), Said(folder, name), 0
    while version < int(rounds):
        try:
            (won,) = store.log.append("kata/raced", version, [make.decided("kata/raced", name)])
        except WrongVersionError as error:
            version = max(version + 1, error.actual)
        else:
            version += 1
            assert won.version == version, f"{name} won round {version}, and so did another"
            say(version)
    store.close()


def decide(folder, name):
    """Append decisions for ever, each acknowledged once it is stored."""
    store, make, say, version = open_here(folder), fresh(), Said(folder, name), 0
    while True:
        store.log.append(f"kata/{name}", version, [make.decided(f"kata/{name}", str(version))])
        version += 1
        say(version)


def observe(folder, name):
    """Spool events for ever, each acknowledged once it is written; rotate now and then, and drain as well."""
    store, make, say, number = open_here(folder), fresh(), Said(folder, name), 0
    while True:
        store.spool.write(make.noted(f"session/{name}", str(number)))
        number += 1
        say(number)
        if number % 40 == 0:
            store.spool.rotate()
        if number % 25 == 0:
            store.drain(seconds=60)


def note(folder, name, count):
    """Spool so many events, each acknowledged, and drain now and then as far as others let one."""
    store, make, say = open_store(Path(folder), patience=Patience(seconds=0.2)), fresh(), Said(folder, name)
    for number in range(1, int(count) + 1):
        store.spool.write(make.noted(f"session/{name}", f"{number}:" + "x" * 6000))
        say(number)
        if number % 25 == 0:
            with suppress(StoreBusyError):
                store.drain(seconds=0.2)
    store.close()


def drain_on(folder, name):
    """Drain for ever."""
    store, say = open_here(folder), Said(folder, name)
    while True:
        say(store.drain(seconds=60).count)


WORK = {"race": race, "decide": decide, "observe": observe, "note": note, "drain_on": drain_on}


def work(kind, *words):
    """Do one kind of work in a child, and end without the parent's clean-up."""
    try:
        WORK[kind](*words)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)


def serve():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead are buried by the system
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            work(*line.split())
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
