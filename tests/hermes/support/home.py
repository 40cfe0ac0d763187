"""A throw-away Hermes home with a quiet configuration, and the ways to run Hermes in it."""

import copy
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from .model import ScriptedModel

if TYPE_CHECKING:
    from .dashboard import Dashboard
    from .gateway import Gateway
    from .session import Session
    from .terminal import Terminal

QUIET = {
    # Nothing that asks the model behind the test's back, looks at the network or slows the start.
    "auxiliary": {"title_generation": {"enabled": False}, "background_review": {"enabled": False}},
    "model_catalog": {"enabled": False},
    "updates": {"check": False},
    "curator": {"enabled": False},
    "lsp": {"enabled": False},
    "checkpoints": {"auto_prune": False},
    "sessions": {"auto_prune": False},
    "agent": {
        "api_max_retries": 1,
        "auto_recovery_cycles": 0,
        "coding_context": "off",
        "environment_probe": False,
    },
    "tools": {"tool_search": {"enabled": "off"}, "connectors": {"enabled": False}},
    "terminal": {"timeout": 60, "oneshot_completion_wait_seconds": 2, "auto_source_bashrc": False},
    # A terminal must show the prompt at once: no first-start question, no "are you sure".
    "telemetry": {"shared_metrics": {"enabled": False, "send": False, "offer_version": 2}},
    "display": {"compact": True},
    "approvals": {"mode": "manual", "destructive_slash_confirm": False, "mcp_reload_confirm": False},
}
TOOL_SEARCH = {"tools": {"tool_search": {"enabled": "auto"}}}
"""What a user has by default: every plugin's tool stands behind ``tool_search``."""

KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SSL_CERT_FILE")


def find_hermes() -> Path | None:
    """Find the ``hermes`` program: ``HERMES_BIN``, or beside this Python."""
    chosen = os.environ.get("HERMES_BIN")
    program = Path(chosen) if chosen else Path(sys.executable).with_name("hermes")
    return program if os.access(program, os.X_OK) else None


@attrs.frozen
class Ran:
    """A finished ``hermes`` process."""

    code: int
    out: str
    err: str

    @property
    def answer(self) -> str:
        return self.out.strip()

    @property
    def session_id(self) -> str:
        return re.findall(r"session_id:\s*(\S+)", self.err + self.out)[-1]

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class HermesHome:
    """One profile of Hermes: configuration, plugins, state, and a workspace to run in.

    Args:
        root: A folder for this test alone; it is ``HOME``, and holds the workspace.
        plugins: Plugin folders to copy in and enable.
        enabled: Further plugin names to enable (those that pip installed).
        overlay: A folder with pip-installed packages that this Hermes sees as its own.
        config: Settings laid over ``QUIET`` (deep).
        env: Environment variables added to the clean ones.
        profile: The name of a second profile beside the default one.
    """

    def __init__(
        self,
        root: Path,
        model: ScriptedModel,
        *,
        plugins: Iterable[Path] = (),
        enabled: Iterable[str] = (),
        overlay: Path | None = None,
        config: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        profile: str = "",
    ) -> None:
        program = find_hermes()
        assert program is not None, "no hermes program here: set HERMES_BIN"
        self.program = program
        self.python = program.with_name("python")
        self.root = root
        self.workspace = root / "workspace"
        home = root / "hermes-home"  # not ~/.hermes: under pytest Hermes refuses to open the state there
        self.home = home / "profiles" / profile if profile else home
        self.home.mkdir(parents=True, exist_ok=True)
        self.workspace.mkdir(exist_ok=True)
        self._added = {**({"PYTHONPATH": str(overlay)} if overlay else {}), **(env or {})}
        names = [*enabled, *(self.install(folder) for folder in plugins)]
        self.config = _over(
            QUIET, {"model": _endpoint(model), "plugins": {"enabled": names, "load_timeout_seconds": 60}}
        )
        self.configure(**(config or {}))

    def install(self, folder: Path) -> str:
        """Copy a plugin folder into this home; enabling it is the configuration's business."""
        skip = shutil.ignore_patterns(
            ".mypy_cache", ".ruff_cache"
        )  # compiled code comes along: it saves seconds
        shutil.copytree(folder, self.home / "plugins" / folder.name, ignore=skip, dirs_exist_ok=True)
        return folder.name

    def configure(self, **settings: Any) -> None:
        """Lay settings over those in force and write ``config.yaml`` (JSON is YAML)."""
        self.config = _over(self.config, settings)
        (self.home / "config.yaml").write_text(json.dumps(self.config, indent=1), encoding="utf-8")

    def set_kata(self, **settings: Any) -> None:
        """Change Kata's own settings."""
        self.configure(plugins={"entries": {"kata": {"settings": settings}}})

    @property
    def env(self) -> dict[str, str]:
        """Return a whole environment of its own: nothing of the caller's Hermes, keys or agents leaks in."""
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        own = {"HOME": str(self.root), "HERMES_HOME": str(self.home), "NO_COLOR": "1"}
        return {**kept, **own, **self._added}

    def with_env(self, **variables: str) -> "HermesHome":
        """Return the same home, whose processes start with more environment variables."""
        other = copy.copy(self)
        other._added = {**self._added, **variables}
        return other

    def cli(self, *words: str, stdin: str = "", timeout: float = 300) -> Ran:
        """Run ``hermes WORDS`` with no terminal."""
        return self.run(str(self.program), *words, stdin=stdin, timeout=timeout)

    def run(self, *argv: str, stdin: str = "", timeout: float = 300) -> Ran:
        """Run any program as this home's user, in the workspace."""
        done = subprocess.run(
            argv,
            cwd=self.workspace,
            env=self.env,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def chat(self, prompt: str, *options: str, resume: str = "", timeout: float = 300) -> Ran:
        """Run one turn in a process of its own; nobody is there to answer a question."""
        again = ("--resume", resume) if resume else ()
        return self.cli("chat", "-Q", "-q", prompt, *again, *options, timeout=timeout)

    def session(self, **options: Any) -> "Session":
        """Run many turns in one process (see ``session.Session``)."""
        from .session import Session

        return Session(self, **options)

    def interactive(self, *words: str, **options: Any) -> "Terminal":
        """Open the interactive chat in a terminal, ready to be typed into."""
        from .terminal import Terminal

        terminal = Terminal((str(self.program), *(words or ("chat",))), self.workspace, self.env, **options)
        return terminal.ready()

    def shell(self, *words: str, **options: Any) -> "Terminal":
        """Run ``hermes WORDS`` in a terminal, as a person does."""
        return self.terminal(str(self.program), *words, **options)

    def terminal(self, *argv: str, **options: Any) -> "Terminal":
        """Run any program in a terminal, as a person does."""
        from .terminal import Terminal

        return Terminal(argv, self.workspace, self.env, **options)

    def gateway(self) -> "Gateway":
        from .gateway import Gateway

        return Gateway(self)

    def dashboard(self, **options: Any) -> "Dashboard":
        from .dashboard import Dashboard

        return Dashboard(self, **options)

    @property
    def data(self) -> Path:
        """Return the folder where Kata keeps its log in this home."""
        return self.home / "plugin-data" / "kata"

    def log(self, name: str = "agent.log") -> str:
        path = self.home / "logs" / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        """Query Hermes' own history (``state.db``), read-only."""
        connection = sqlite3.connect(f"file:{self.home / 'state.db'}?mode=ro", uri=True)
        try:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql, values)]
        finally:
            connection.close()


def _endpoint(model: ScriptedModel) -> dict[str, Any]:
    return {
        "provider": "custom",
        "default": model.name,
        "base_url": model.url,
        "api_key": "not-a-key",
        "context_length": 200_000,
    }


def _over(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two nested mappings; where both have a value that is no mapping, ``top`` wins."""
    merged = {**base, **top}
    both = [key for key in top if isinstance(base.get(key), Mapping) and isinstance(top[key], Mapping)]
    return merged | {key: _over(base[key], top[key]) for key in both}
