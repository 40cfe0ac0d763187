"""What the processes of race and crash tests do; run as ``python -m tests.store.workers NAME FOLDER ...``."""

import sys
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


def say(word):
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def race(folder, name, rounds):
    """Win some rounds of one stream against everybody else; say which."""
    store, make, version = open_here(folder), fresh(), 0
    while version < int(rounds):
        try:
            store.log.append("kata/raced", version, [make.decided("kata/raced", name)])
        except WrongVersionError as error:
            version = max(version + 1, error.actual)
        else:
            version += 1
            say(version)
    store.close()


def decide(folder, name):
    """Append decisions for ever, each acknowledged on standard output once it is stored."""
    store, make, version = open_here(folder), fresh(), 0
    while True:
        store.log.append(f"kata/{name}", version, [make.decided(f"kata/{name}", str(version))])
        version += 1
        say(version)


def observe(folder, name):
    """Spool events for ever, each acknowledged once it is written; rotate now and then, and drain as well."""
    store, make, number = open_here(folder), fresh(), 0
    while True:
        store.spool.write(make.noted(f"session/{name}", str(number)))
        number += 1
        say(number)
        if number % 40 == 0:
            store.spool.rotate()
        if number % 25 == 0:
            store.drain(seconds=60)


def drain_on(folder):
    """Drain for ever."""
    store = open_here(folder)
    while True:
        try:
            say(store.drain(seconds=60).count)
        except StoreBusyError:
            say("busy")


if __name__ == "__main__":
    {"race": race, "decide": decide, "observe": observe, "drain_on": drain_on}[sys.argv[1]](*sys.argv[2:])
