"""What one profile's plugin is made of; everything that touches a file is made when it is first needed."""

import contextlib
import logging
from typing import Any

from ..clock import SystemClock, SystemIds
from ..redact import Keeper
from ..service import Service, assemble
from ..service.settings import Settings, read_settings
from ..store import Store, StoreDamagedError, open_store, start_anew
from ..store.store import DATABASE_NAME
from ..surfaces.text import CATALOGUES
from .health import host_findings
from .host import Host, HostTools
from .lookups import Lookups
from .mining import MiningChild
from .notices import Notices
from .observer import SYSTEM, Observer
from .once import once
from .schedule import Schedule
from .waits import Waits
from .worker import Worker

log = logging.getLogger(__name__)


class Parts:
    """The parts, and what hooks may know without looking: the settings, whether to record, and the language."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.host = Host(ctx)
        self.clock, self.ids = SystemClock(), SystemIds()
        self.waits = Waits()
        self.notices = Notices()
        self.schedule = Schedule(self.clock)
        self.worker = Worker(lambda: None)
        self.settings = Settings()
        self.recording = True
        self.language = ""
        self._file: tuple[int, int] | None = None

    @once
    def store(self) -> Store:
        """The store of the profile."""
        return open_store(self.host.data_dir(), self.host.connect, self.clock, self.ids)

    @once
    def keeper(self) -> Keeper:
        """What masks values, with the profile's key."""
        return Keeper(self.store.key.secret)

    @once
    def observer(self) -> Observer:
        """The hook thread's way into the spool."""
        return Observer(
            self.store.spool,
            self.keeper,
            self.clock,
            self.ids,
            recording=lambda: self.recording,
            wake=self.worker.wake,
        )

    @once
    def lookups(self) -> Lookups:
        """What the worker looks up in the host."""
        return Lookups(self.host, self.observer)

    @once
    def child(self) -> MiningChild:
        """The mining process."""
        return MiningChild(self.host.data_dir())

    @once
    def service(self) -> Service:
        """The use cases; a log that cannot be read is moved aside first (case B047)."""
        try:
            return self._assembled()
        except StoreDamagedError as error:
            self._start_anew(error)
            return self._assembled()

    def leave_damaged(self, error: StoreDamagedError) -> None:
        """Give up a log that turned out damaged: the next use of the service begins with a new one."""
        self._leave_service()
        self._start_anew(error)

    def leave_replaced(self) -> None:
        """Give up a log that another process moved aside: its views would stay as they were for ever."""
        found = self._log_file()
        if self._file and found != self._file:
            self._leave_service()
        self._file = found

    def _leave_service(self) -> None:
        service = self.__dict__.pop("service", None)
        if service is not None:
            service.close()

    def _log_file(self) -> tuple[int, int] | None:
        """Return which file the log is (a stat, never an open: case B046)."""
        try:
            found = (self.host.data_dir() / DATABASE_NAME).stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _start_anew(self, error: StoreDamagedError) -> None:
        aside = start_anew(self.store, SYSTEM, str(error))
        if aside is not None:
            log.warning(
                "kata: the log was damaged (%s); it is kept in %s, and a new one was begun", error, aside
            )

    def _assembled(self) -> Service:
        return assemble(
            self.host.data_dir(),
            store=self.store,
            profile=self.host.profile,
            settings=lambda: read_settings(self.host.config),
            tools=HostTools(self.host),
            search=self.host.has_tool_search,
            host=lambda: host_findings(self.host),
        )

    def service_with_tools(self) -> Service:
        """Return the service of a shell command: its process has no tools of the host registered yet."""
        with contextlib.suppress(Exception):
            self.host.load_builtin_tools()
        return self.service

    def read_settings(self) -> None:
        """Read the settings as the host has them; what cannot be read stays as it was."""
        with contextlib.suppress(Exception):
            self.settings, _ = read_settings(self.host.config)
            self.recording = self.settings.record
        self.look_at_language()

    def look_at_settings(self) -> None:
        """Read the settings and pauses as they are now, for hooks that may not look themselves."""
        self.settings = self.service.settings
        self.recording = self.service.recording()
        self.look_at_language()

    def look_at_language(self) -> str:
        """Return the language of chat and shell as it is set now."""
        with contextlib.suppress(Exception):
            wanted = self.host.config("language", "auto")
            self.language = wanted if wanted in CATALOGUES else self.host.language()
        return self.language

    def close(self) -> None:
        """Close what was opened; what is left to do is for the next process."""
        for part in ("child", "service", "store"):
            if part in self.__dict__:
                with contextlib.suppress(Exception):
                    self.__dict__[part].close()
