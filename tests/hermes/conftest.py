"""Fixtures for tests on the real Hermes; see ``README.md`` beside this file."""

from pathlib import Path

import pytest

from tests.hermes.story import Seasons
from tests.hermes.support import find_hermes
from tests.hermes.support.fixtures import *  # noqa: F403

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def seasons(tmp_path_factory):
    """Kata's data folder at points of the story, made once a run."""
    return Seasons(tmp_path_factory.mktemp("seasons"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    mine = [item for item in items if item.path.is_relative_to(HERE)]
    for item in mine:
        item.add_marker(pytest.mark.hermes)
        if find_hermes() is None:
            item.add_marker(pytest.mark.skip(reason="no hermes program beside this Python; set HERMES_BIN"))
