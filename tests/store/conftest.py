import pytest

from kata.store import MemoryLog, SqliteLog, connect, open_store
from tests.store.support import Maker, connect_wal


@pytest.fixture
def make():
    return Maker()


@pytest.fixture(params=["memory", "delete", "wal"])
def log(request, tmp_path, make):
    """Every store there is; the contract holds for each."""
    if request.param == "memory":
        log = MemoryLog(make.clock)
    else:
        opened = connect if request.param == "delete" else connect_wal
        log = SqliteLog(lambda: opened(tmp_path / "data.db"), make.clock)
    yield log
    log.close()


@pytest.fixture
def store(tmp_path, make):
    store = open_store(tmp_path / "kata", clock=make.clock, ids=make.ids)
    yield store
    store.close()
