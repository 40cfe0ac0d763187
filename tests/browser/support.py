"""A real Chromium on the real Hermes' dashboard: how each is found, started and ended, and profiles with a story."""

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
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from kata.events import Actor, ActorKind, Surface
from kata.service import Service, assemble
from tests.dashboard import story
from tests.hermes.support import HermesHome, find_hermes
from tests.hermes.support.dashboard import TOKEN

PAGES = "hermes-agent==0.19.0"
"""This Hermes' wheel has no pages of its own; those of an earlier one run on its server."""

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SHELL = Actor(kind=ActorKind.HUMAN, id="ana", surface=Surface.CLI)


class NoPagesError(Exception):
    """Say why the dashboard's pages could not be fetched."""


def missing() -> str:
    """Return why there can be no test in a browser here; empty where there can."""
    if CHROMIUM is None:
        return "no Chromium here: apt-get install chromium, or set CHROMIUM"
    if importlib.util.find_spec("playwright") is None:
        return "no playwright beside this Python: tox -e browser has it"
    return "" if find_hermes() else "no hermes program beside this Python; set HERMES_BIN"


def fetch_pages(folder: Path) -> Path:
    """Return the dashboard's pages, fetched into a folder if they are not there yet.

    Raises:
        NoPagesError: they cannot be fetched here.
    """
    if not (folder / "index.html").exists():
        fetched = folder / "wheel"
        words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(fetched), PAGES]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode:
            raise NoPagesError(f"the dashboard's pages could not be fetched: {done.stderr[-300:]}")
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


def write_stories(folder: Path) -> dict[str, Path]:
    """Write data folders to copy: some days of life, and arguments that would be script if anybody took them so."""
    story.tell(folder / "days", datetime.now(UTC))
    for name in ("hostile", "choice"):
        story.main([str(folder / name), name])
    return {name: folder / name for name in ("days", "hostile", "choice")}


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


def make_site(home: HermesHome, url: str, name: str, data: Path | None) -> Site:
    """Add a profile to a home, with a copy of a data folder or fresh."""
    folder = home.home / "profiles" / name
    target = folder / "plugin-data" / "kata"
    target.parent.mkdir(parents=True)
    shutil.copy(home.home / "config.yaml", folder)
    if data is not None:
        shutil.copytree(data, target)
    return Site(url, name, target)


@contextmanager
def chromium(folder: Path) -> Iterator[Any]:
    """Run Chromium as a person's desktop would: with no ancestor and no mark of whatever runs this."""
    from playwright.sync_api import sync_playwright

    start_chromium(folder)
    port_file = folder / "DevToolsActivePort"
    wait_until(lambda: port_file.exists() and "\n" in port_file.read_text(encoding="ascii"))
    port = port_file.read_text(encoding="ascii").splitlines()[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
        yield browser
        browser.new_browser_cdp_session().send("Browser.close")


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
