"""One service for each profile that a request asks about; opened when it is first needed, within that request (case B028)."""

import threading
from collections.abc import Callable
from pathlib import Path

import attrs

from ..service import Service, assemble
from ..service.assemble import ReadSettings
from ..service.ports import Tools

MOST = 8
"""So many profiles stay open; the one that waited longest is closed for another."""


@attrs.frozen(kw_only=True)
class Home:
    """What the host says of the profile that this request is for.

    Attributes:
        folder: Kata's data folder there.
        connect: Opens Kata's database there, on any thread.
        profile: The profile's name.
        settings: Reads the settings there, with warnings.
        tools: The tools of this process.
        search: Tells whether new tools are visible at once.
    """

    folder: Path
    connect: Callable[[], object]
    profile: str
    settings: ReadSettings
    tools: Tools | None = None
    search: Callable[[], bool] = lambda: False


def open_service(home: Home) -> Service:
    """Open the service of a profile."""
    return assemble(
        home.folder,
        connect=home.connect,  # type: ignore[arg-type]
        profile=home.profile,
        settings=home.settings,
        tools=home.tools,
        search=home.search,
    )


class Rooms:
    """Hands out the service of the profile that the present request is for."""

    def __init__(self, home: Callable[[], Home], open_one: Callable[[Home], Service] = open_service) -> None:
        self._home, self._open = home, open_one
        self._services: dict[Path, Service] = {}
        self._lock = threading.Lock()

    def home(self) -> Home:
        """Return what the host says of this request's profile."""
        return self._home()

    def service(self) -> Service:
        """Return this request's service.

        Raises:
            StoreError: its log cannot be opened.
        """
        home = self._home()
        with self._lock:
            service = self._services.pop(home.folder, None) or self._open(home)
            self._services[home.folder] = service
            while len(self._services) > MOST:
                self._services.pop(next(iter(self._services))).close()
        return service

    def close(self) -> None:
        """Close every service."""
        with self._lock:
            while self._services:
                self._services.popitem()[1].close()
