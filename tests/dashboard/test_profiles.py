"""One dashboard, many profiles: what a person changes in one leaves every byte of the others (case B028)."""

import asyncio
import contextvars
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from kata.clock import SystemIds
from kata.dashboard.api import PREFIX, build
from kata.dashboard.fence import Peers
from kata.dashboard.rooms import MOST, Home, Rooms
from kata.service import Settings, assemble
from tests.dashboard.conftest import BASE, PERSON
from tests.service.lab import PERSON as PERSON_BY_CHAT
from tests.service.lab import Lab

PROFILE = contextvars.ContextVar("profile", default="default")
"""As the host knows for which profile a request is: only within that request."""


class Site:
    """A dashboard that was launched for the default profile and shows others."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.rooms = Rooms(self.home)
        app = FastAPI()
        app.include_router(build(self.rooms, peers=Peers(lambda *_: None, lambda *_: None)), prefix=PREFIX)
        self.transport = httpx.ASGITransport(app, raise_app_exceptions=False)

    def folder(self, profile: str) -> Path:
        home = self.root if profile == "default" else self.root / "profiles" / profile
        return home / "plugin-data" / "kata"

    def home(self) -> Home:
        name = PROFILE.get()
        return Home(folder=self.folder(name), connect=None, profile=name, settings=lambda: (Settings(), ()))

    def settle(self, profile: str) -> None:
        """Let a profile have a routine proposed."""
        lab = Lab(self.folder(profile), ids=SystemIds())
        lab.proposed()
        lab.close()

    async def ask(self, profile: str, method: str, path: str, **more: object) -> httpx.Response:
        PROFILE.set(profile)
        async with httpx.AsyncClient(transport=self.transport, base_url=BASE) as client:
            return await client.request(method, f"{PREFIX}/{path}", **more)

    def get(self, profile: str, path: str) -> dict:
        return contextvars.Context().run(asyncio.run, self.ask(profile, "GET", path)).json()

    def post(self, profile: str, path: str, body: dict) -> dict:
        asked = self.ask(profile, "POST", path, json=body, headers=PERSON)
        return contextvars.Context().run(asyncio.run, asked).json()

    def approve(self, profile: str, name: str) -> dict:
        digest = self.get(profile, "katas/1")["data"]["digest"]
        return self.post(profile, "katas/1/approve", {"digest": digest, "name": name})


@pytest.fixture
def site(tmp_path):
    made = Site(tmp_path / "home")
    for profile in ("default", "b"):
        made.settle(profile)
    yield made
    made.rooms.close()


def log_of(folder: Path) -> list[tuple[str, str]]:
    service = assemble(folder)
    told = [(event.stream, event.type) for event in service.world.log.read()]
    service.close()
    return told


def states(folder: Path) -> list[str]:
    service = assemble(folder)
    found = [row.state for row in service.listing().katas]
    service.close()
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_an_approval_in_a_profile_changes_that_one_and_no_byte_of_the_launch_profile(site):
    site.get("default", "overview")
    log, before = log_of(site.folder("default")), contents(site.folder("default"))
    answer = site.approve("b", "settle_bug")
    assert (answer["ok"], answer["profile"]) == (True, "b")
    assert contents(site.folder("default")) == before
    assert states(site.folder("b")) == ["active"]
    assert (states(site.folder("default")), log_of(site.folder("default"))) == (["candidate"], log)


def test_the_launch_profile_s_own_change_stays_there_too(site):
    site.get("b", "overview")
    assert site.approve("default", "settle_bug")["profile"] == "default"
    assert (states(site.folder("default")), states(site.folder("b"))) == (["active"], ["candidate"])


@pytest.mark.parametrize("path", ["overview", "katas", "katas/1", "audit", "katas/99", "nowhere"])
def test_answers_and_refusals_name_the_profile_that_was_asked(site, path):
    assert [site.get(profile, path).get("profile") for profile in ("b", "default", "b")] in (
        ["b", "default", "b"],
        [None, None, None],  # a path that is none belongs to no profile
    )


def test_a_digest_that_was_reviewed_in_one_profile_approves_nothing_in_another(site):
    digest = site.get("b", "katas/1")["data"]["digest"]
    lab = Lab(site.folder("default"), ids=SystemIds())
    lab.service.decisions.reject("1", PERSON_BY_CHAT, note="no")
    lab.close()
    refused = site.post("default", "katas/1/approve", {"digest": digest, "name": "settle_bug"})
    assert refused["ok"] is False
    assert (states(site.folder("b")), states(site.folder("default"))) == (["candidate"], ["rejected"])


def test_requests_for_many_profiles_at_once_do_not_meet(site):
    names = [f"p{number}" for number in range(MOST + 2)]
    for name in names:
        site.settle(name)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda name: site.approve(name, f"settle_{name}"), names))
    assert [answer["profile"] for answer in answers] == names
    for name in names:
        service = assemble(site.folder(name))
        assert [(row.name, row.state) for row in service.listing().katas] == [(f"settle_{name}", "active")]
        service.close()
    assert states(site.folder("default")) == ["candidate"]
