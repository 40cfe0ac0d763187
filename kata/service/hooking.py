"""Hooks outside the plugin, put in place and taken away: the gateway's folder, the lines of shell hooks (design 2)."""

import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import attrs

from ..errors import RefusedError, UsageError
from ..hooks.standing import NAME, Standing, dump_standing
from ..store.files import replace_file
from . import hookjson, hooklines
from .hooklines import ByHandError, block, item

PLUGIN = Path(__file__).resolve().parents[1]
READY = ("HOOK.yaml", "handler.py")
SHELL_EVENTS = (
    "pre_tool_call",
    "post_llm_call",
    "pre_gateway_dispatch",
    "pre_approval_request",
    "post_approval_response",
    "transform_tool_result",
    "transform_terminal_output",
    "transform_llm_output",
)
"""The page's hooks without those that the plugin tells as events of their own: nothing is told twice."""


@attrs.frozen(kw_only=True)
class HooksView:
    """How the hooks of one system stand.

    Attributes:
        system: ``gateway`` or ``shell``.
        state: ``installed``, ``outdated`` (installed by another Kata, or for another place) or ``absent``.
        place: The folder or file.
        lines: What stands there, or would.
    """

    system: str
    state: str
    place: str
    lines: tuple[str, ...] = ()


class GatewayHook:
    """The gateway hook in ``<home>/hooks/kata``."""

    def __init__(self, home: Path, plugin: Path = PLUGIN) -> None:
        self._folder = home / "hooks" / "kata"
        ready = plugin / "hooks" / "gateway"
        where = json.dumps({"observe": str(plugin / "observe.py")})
        self._files: dict[str, Callable[[], bytes]] = {name: (ready / name).read_bytes for name in READY} | {
            "kata.json": f"{where}\n".encode
        }

    def status(self) -> HooksView:
        """Tell how it stands."""
        if not self._folder.is_dir():
            state = "absent"
        else:
            state = "installed" if all(map(self._is_current, self._files)) else "outdated"
        return HooksView(system="gateway", state=state, place=str(self._folder), lines=tuple(self._files))

    def install(self) -> HooksView:
        """Put it in place, or bring it up to date.

        Raises:
            RefusedError: a hook of that name is there that is not Kata's.
            OSError: it cannot be written.
        """
        if self._folder.exists() and not self._is_own():
            raise RefusedError(f"{self._folder} is there already and is not Kata's")
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, content in self._files.items():
            replace_file(self._folder / name, content())
        return self.status()

    def uninstall(self) -> HooksView:
        """Take it away; files that are not Kata's stay.

        Raises:
            RefusedError: the hook of that name is not Kata's.
            OSError: it cannot be removed.
        """
        if self._folder.exists() and not self._is_own():
            raise RefusedError(f"{self._folder} is not Kata's")
        for name in self._files:
            (self._folder / name).unlink(missing_ok=True)
        shutil.rmtree(self._folder / "__pycache__", ignore_errors=True)
        with suppress(OSError):
            self._folder.rmdir()
        return self.status()

    def _is_own(self) -> bool:
        return (self._folder / "kata.json").is_file() or not any(self._folder.iterdir())

    def _is_current(self, name: str) -> bool:
        try:
            return (self._folder / name).read_bytes() == self._files[name]()
        except OSError:
            return False


class ShellHooks:
    """Kata's lines in the section ``hooks`` of ``<home>/config.yaml``."""

    def __init__(self, home: Path, data: Path, plugin: Path = PLUGIN) -> None:
        self._config = home / "config.yaml"
        words = (sys.executable, str(plugin / "observe.py"), "--data", str(data))
        self.command = " ".join(map(shlex.quote, words))

    def status(self, events: Sequence[str] = SHELL_EVENTS) -> HooksView:
        """Tell how they stand; the lines are those for ``events`` where there are none yet."""
        text = self._read()
        found = _form(text).installed(text)
        if not found:
            return self._view("absent", block(self.command, events))
        return self._view("installed" if set(found) == {item(self.command)} else "outdated", found)

    def install(self, events: Sequence[str] = SHELL_EVENTS) -> HooksView:
        """Add one line an event; nothing else of the file changes.

        Raises:
            ByHandError: the file is not plain enough; the hint holds the lines.
            UsageError: one of the events is no name.
            OSError: the file cannot be read or written.
        """
        wrong = [event for event in events if not re.fullmatch(r"[a-z_]+", event)]
        if wrong:
            raise UsageError(f"{wrong[0]!r} is no hook")
        try:
            text = self._read()
            self._write(_form(text).added(text, self.command, events))
        except ByHandError as error:
            raise ByHandError(str(error), hint="\n".join(block(self.command, events))) from error
        return self.status()

    def uninstall(self) -> HooksView:
        """Take Kata's lines away; nothing else of the file changes.

        Raises:
            OSError: the file cannot be read or written.
        """
        text = self._read()
        if _form(text).installed(text):
            self._write(_form(text).removed(text))
        return self.status()

    def _view(self, state: str, lines: Sequence[str]) -> HooksView:
        return HooksView(system="shell", state=state, place=str(self._config), lines=tuple(lines))

    def _read(self) -> str:
        try:
            return self._config.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except UnicodeDecodeError:
            raise ByHandError(f"{self._config} is not UTF-8") from None

    def _write(self, text: str) -> None:
        path = self._config.resolve()
        mode = path.stat().st_mode & 0o777 if path.exists() else None
        replace_file(path, text.encode("utf-8"))
        if mode is not None:
            path.chmod(mode)


def _form(text: str) -> ModuleType:
    return hookjson if hookjson.is_json(text) else hooklines


class Hooking:
    """Everything about hooks outside the plugin, for one data folder (``<home>/plugin-data/kata``)."""

    def __init__(self, data: Path, standing: Callable[[], Standing]) -> None:
        home = data.parent.parent
        self.gateway, self.shell = GatewayHook(home), ShellHooks(home, data)
        self._path, self._standing = data / NAME, standing
        self._left: Standing | None = None

    def leave_standing(self) -> None:
        """Write down whether to record, and how much, where that has changed.

        Raises:
            OSError: it cannot be written.
        """
        standing = self._standing()
        if standing != self._left:
            replace_file(self._path, dump_standing(standing))
            self._left = standing
