"""A killed import leaves whole turns and a sound log, wherever it was; the next one completes it."""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from kata.service import assemble
from tests.importer import hand
from tests.service.lab import ticket

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")

IMPORT = """
import os, signal, sys
from pathlib import Path
from kata.importer import intake
from kata.service import assemble
from kata.service.reads import Reads
from kata.store.sqlite import SqliteTransaction

folder, source, where, count = sys.argv[1:]
intake.AT_ONCE, intake.EVENTS = 1, 10
service = assemble(Path(folder))
left = [int(count)]

def killing(method):
    def killed(*given):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return method(*given)
    return killed

if where == "after rows":
    insert, kill = SqliteTransaction._insert, killing(lambda: None)
    SqliteTransaction._insert = lambda own, rows: (insert(own, rows), kill())
elif where == "before views":
    Reads.catch_up = killing(Reads.catch_up)
service.import_history(Path(source))
"""


def history(path):
    return hand.state_db(
        path, {f"h{number}": hand.rows(ticket(number), first=1 + 7 * (number - 1)) for number in range(1, 9)}
    )


def told(service):
    """Return what the log says, whatever its order; not that imports finished."""
    events = service.world.log.read()
    return {one.event_id: repr(one.payload) for one in events if one.type != "import.finished"}


@pytest.mark.parametrize("where", ["after rows", "before views"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_import_that_is_killed_is_completed_by_the_next(tmp_path, where, count):
    path = history(tmp_path / "state.db")
    killed = subprocess.run(
        [sys.executable, "-c", IMPORT, str(tmp_path / "kata"), str(path), where, str(count)],
        cwd=Path(__file__).resolve().parents[2],
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    service, whole = assemble(tmp_path / "kata"), assemble(tmp_path / "whole")
    turns = Counter(one.type for one in service.world.log.read())
    assert turns["turn.started"] == turns["turn.ended"] == turns["tool.returned"] / 3
    assert service.verify().ok
    service.import_history(path)
    whole.import_history(path)
    assert told(service) == told(whole)
    assert service.verify().ok
    assert service.replay(check=True).drift == ()
    service.close()
    whole.close()
