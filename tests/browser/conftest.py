"""A real Chromium on the real Hermes' dashboard, each test in a profile of its own with a story to act on."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest

from kata.events import Actor, ActorKind, Surface
from kata.service import Service, assemble
from tests.dashboard import story
from tests.hermes.support import HermesHome, ScriptedModel, find_hermes
from tests.hermes.support.dashboard import TOKEN, Dashboard
from tests.hermes.support.fixtures import KATA

HERE = Path(__file__).parent
PAGES = "hermes-agent==0.19.0"
"""This Hermes' wheel has no pages of its own; those of an earlier one run on its server."""

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SHELL = Actor(kind=ActorKind.HUMAN, id="ana", surface=Surface.CLI)


def missing() -> str:
    """Return why there can be no test in a browser here; empty where there can."""
    if CHROMIUM is None:
        return "no Chromium here: apt-get install chromium, or set CHROMIUM"
    if importlib.util.find_spec("playwright") is None:
        return "no playwright beside this Python: tox -e browser has it"
    return "" if find_hermes() else "no hermes program beside this Python; set HERMES_BIN"


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
    folder = (
        Path(pytestconfig.cache.mkdir("hermes-pages")) if pytestconfig.cache else Path("/tmp/hermes-pages")
    )
    if not (folder / "index.html").exists():
        fetched = folder / "wheel"
        words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(fetched), PAGES]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            pytest.skip(f"the dashboard's pages could not be fetched: {done.stderr[-300:]}")
        [wheel] = fetched.glob("*.whl")
        unpack(wheel, folder)
    return folder


def unpack(wheel: Path, folder: Path) -> None:
    inside = "hermes_cli/web_dist/"
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.startswith(inside) and not name.endswith("/"):
                target = folder / name.removeprefix(inside)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))


@pytest.fixture(scope="session")
def stories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return data folders to copy: some days of life, and arguments that would be script if anybody took them so."""
    folder = tmp_path_factory.mktemp("stories")
    story.tell(folder / "days", datetime.now(UTC))
    story.main([str(folder / "hostile"), "hostile"])
    return {"days": folder / "days", "hostile": folder / "hostile"}


@pytest.fixture(scope="session")
def server(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[HermesHome, Dashboard]]:
    """Run the dashboard once for all."""
    with ScriptedModel() as model:
        home = HermesHome(tmp_path_factory.mktemp("hermes"), model, plugins=[KATA])
        with home.dashboard(pages=pages) as dashboard:
            yield home, dashboard


@attrs.frozen
class Site:
    """One profile of the dashboard: its address and its data."""

    url: str
    profile: str
    data: Path

    def at(self, **place: Any) -> str:
        """Return the address of a page of the tab."""
        words = "&".join(f"{key}={value}" for key, value in {"profile": self.profile, **place}.items())
        return f"{self.url}/kata?{words}"

    def api(self, path: str, body: Any = None, **headers: str) -> Any:
        """Ask the API as the tab does; return the data of its answer."""
        joined = "&" if "?" in path else "?"
        asked = urllib.request.Request(
            f"{self.url}/api/plugins/kata/{path}{joined}profile={self.profile}",
            None if body is None else json.dumps(body).encode(),
            {"X-Hermes-Session-Token": TOKEN, "Content-Type": "application/json", **headers},
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.loads(answer.read())["data"]

    def actions(self) -> list[str]:
        return [row["action"] for row in self.api("audit?limit=500")["rows"]]

    def elsewhere(self) -> Service:
        """Open the same log in this process, as a shell would."""
        return assemble(self.data, profile=self.profile)


@pytest.fixture
def site_of(server: tuple[HermesHome, Dashboard], stories: dict[str, Path]) -> Callable[..., Site]:
    """Make profiles that are some way into a story, or fresh."""
    home, dashboard = server

    def make(which: str = "days") -> Site:
        name = f"p{time.monotonic_ns()}"
        folder = home.home / "profiles" / name
        data = folder / "plugin-data" / "kata"
        data.parent.mkdir(parents=True)
        shutil.copy(home.home / "config.yaml", folder)
        if which in stories:
            shutil.copytree(stories[which], data)
        return Site(dashboard.url, name, data)

    return make


@pytest.fixture
def site(site_of: Callable[..., Site]) -> Site:
    return site_of()


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Run Chromium as a person's desktop would: with no ancestor and no mark of whatever runs these tests."""
    from playwright.sync_api import sync_playwright

    folder = tmp_path_factory.mktemp("chromium")
    start_chromium(folder)
    port_file = folder / "DevToolsActivePort"
    wait_until(lambda: port_file.exists() and port_file.read_text(encoding="ascii").count("\n") >= 1)
    port = port_file.read_text(encoding="ascii").splitlines()[0]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        yield chromium
        chromium.new_browser_cdp_session().send("Browser.close")


def start_chromium(folder: Path) -> None:
    assert CHROMIUM is not None
    switches = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--lang=en",
    ]
    subprocess.run(
        [
            "setsid",
            "-f",
            CHROMIUM,
            *switches,
            "--remote-debugging-port=0",
            f"--user-data-dir={folder}",
            "about:blank",
        ],
        env={name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def wait_until(holds: Callable[[], Any], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)


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
