"""The API on an app of its own, over a service with a history that the tests write."""

import asyncio
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from kata.clock import CountingIds
from kata.dashboard.api import PREFIX, build
from kata.dashboard.fence import Peers
from kata.dashboard.jobs import Jobs
from kata.dashboard.rooms import Home, Rooms
from kata.service import Settings
from tests.service.lab import Lab

BASE = "http://127.0.0.1:9119"
PERSON = {"X-Hermes-Session-Token": "t", "Origin": BASE, "Content-Type": "application/json"}
"""What the tab's own requests carry."""


def finished(coroutine: Coroutine[Any, Any, httpx.Response]) -> httpx.Response:
    """Run a coroutine to its end on a thread of its own: a browser's test has a loop on this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


class Api:
    """A client of the API, with the headers that the tab sends."""

    def __init__(
        self,
        lab: Lab,
        jobs: Jobs,
        behind: Any = lambda client, server: None,
        stranger: Any = lambda client, server, record: None,
    ) -> None:
        self.lab = lab
        home = Home(folder=lab.folder, connect=None, profile="default", settings=lambda: (Settings(), ()))
        self.rooms = Rooms(lambda: home, lambda _: lab.service)
        app = FastAPI()
        app.include_router(build(self.rooms, jobs, Peers(behind, stranger)), prefix=PREFIX)
        self.app = app

    def ask(self, method: str, path: str, *, peer: str = "127.0.0.1", **more: Any) -> httpx.Response:
        """Send one request as it would come over the wire from a peer."""

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False, client=(peer, 50000))
            async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
                return await client.request(method, f"{PREFIX}/{path}", **more)

        return finished(send())

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.ask("GET", path, params=query)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.ask("POST", path, json={} if body is None else body, headers=PERSON)

    def data(self, path: str, **query: Any) -> Any:
        answer = self.get(path, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def posts(self) -> set[str]:
        """Return the paths that can be posted to, from the API's own document."""
        paths = self.data_raw("openapi.json")["paths"]
        return {path.removeprefix("/") for path, methods in paths.items() if "post" in methods}

    def data_raw(self, path: str) -> Any:
        return self.get(path).json()

    def digest(self, number: int) -> str:
        return str(self.data(f"katas/{number}")["digest"])

    def approve(self, number: int, name: str = "settle_bug", **more: Any) -> Any:
        return self.post(f"katas/{number}/approve", {"digest": self.digest(number), "name": name, **more})


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path / "kata")
    yield made
    made.close()


@pytest.fixture
def jobs(lab: Lab) -> Jobs:
    return Jobs(lab.clock, CountingIds(), command=(sys.executable, "-c", "input()"))


@pytest.fixture
def api(lab: Lab, jobs: Jobs) -> Api:
    return Api(lab, jobs)
