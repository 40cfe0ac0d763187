"""A real Chromium on the real Hermes' dashboard, each test in a profile of its own with a story to act on."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.support import NoPagesError, Site, chromium, fetch_pages, make_site, missing, write_stories
from tests.hermes.support import HermesHome, ScriptedModel
from tests.hermes.support.dashboard import Dashboard
from tests.hermes.support.fixtures import KATA

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    why = missing()
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)
            if why:
                item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(scope="session")
def pages(pytestconfig: pytest.Config) -> Path:
    """Return the dashboard's pages, fetched once and kept in the cache."""
    assert pytestconfig.cache is not None
    try:
        return fetch_pages(Path(pytestconfig.cache.mkdir("hermes-pages")))
    except NoPagesError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def stories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_stories(tmp_path_factory.mktemp("stories"))


@pytest.fixture(scope="session")
def server(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HermesHome, Dashboard]]:
    """Run the dashboard once for all."""
    with ScriptedModel() as model:
        home = HermesHome(tmp_path_factory.mktemp("hermes"), model, plugins=[KATA])
        with home.dashboard(pages=pages) as dashboard:
            yield home, dashboard


@pytest.fixture
def site_of(server: tuple[HermesHome, Dashboard], stories: dict[str, Path]) -> Callable[..., Site]:
    """Make profiles that are some way into a story, or fresh."""
    home, dashboard = server
    return lambda which="days": make_site(home, dashboard.url, f"p{time.monotonic_ns()}", stories.get(which))


@pytest.fixture
def site(site_of: Callable[..., Site]) -> Site:
    return site_of()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("chromium")) as started:
        yield started


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    made = browser.new_context(viewport={"width": 1400, "height": 1000}, locale="en-GB", timezone_id="UTC")
    made.set_default_timeout(30_000)
    yield made
    made.close()


@pytest.fixture
def page(context: Any) -> Iterator[Any]:
    """Open a page; whatever it logs as an error fails the test."""
    made = context.new_page()
    faults: list[str] = []
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("dialog", lambda dialog: (faults.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
    yield made
    assert not faults, faults
