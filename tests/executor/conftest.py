import pytest

from tests.executor.fake_host import World


@pytest.fixture
def world():
    one = World()
    yield one
    one.end()
