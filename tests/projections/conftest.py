"""Connections are closed when a test is over."""

import pytest

from .support import close_all


@pytest.fixture(autouse=True)
def _closed():
    yield
    close_all()
