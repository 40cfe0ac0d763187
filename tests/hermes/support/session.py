"""Many turns, commands and hooks in one real Hermes process."""

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from .home import HermesHome

DRIVER = Path(__file__).with_name("driver.py")


class DriverError(Exception):
    """Say what went wrong inside Hermes, or that its process ended."""


@attrs.frozen
class Reply:
    """What came of one turn."""

    answer: str | None
    completed: bool
    interrupted: bool
    api_calls: int
    session_id: str
    tools: list[str]


class Session:
    """One agent in a child process, with a person at hand to answer approvals; a context manager.

    Args:
        toolsets: Toolsets by name, instead of all that the configuration gives.
        resume: The id of a session to go on with.
        person: Whether somebody is there to be asked; without, every approval is refused.
    """

    def __init__(
        self, home: "HermesHome", *, toolsets: list[str] | None = None, resume: str = "", person: bool = True
    ) -> None:
        self._errors_path = home.root / "session-errors.txt"
        self._errors = self._errors_path.open("a", encoding="utf-8")
        options = json.dumps({"toolsets": toolsets, "resume": resume, "person": person})
        self._process = subprocess.Popen(
            [home.python, DRIVER, options],
            cwd=home.workspace,
            env=home.env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        try:
            self._receive()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def session_id(self) -> str:
        return self._ask("session_id")

    def say(self, prompt: str) -> Reply:
        """Run one turn to its end."""
        self.begin(prompt)
        return self.wait()

    def begin(self, prompt: str) -> None:
        """Start a turn; ``wait`` for it, or ``interrupt`` it first."""
        self._send("say", prompt=prompt)

    def wait(self) -> Reply:
        return Reply(**self._receive())

    def interrupt(self) -> None:
        """Press stop while a turn runs."""
        self._send("interrupt")

    def slash(self, line: str) -> str | None:
        """Type a plugin's slash command; what the plugin answers is what the person sees."""
        return self._ask("slash", line=line)

    def answer(self, *choices: str) -> None:
        """Queue answers to approval prompts: once, session, always or deny (deny when none is left)."""
        self._ask("answer", choices=choices)

    @property
    def asked(self) -> list[dict[str, Any]]:
        """Return the approval prompts shown so far: ``command``, ``description``, ``choice``, ``options``."""
        return self._ask("asked")

    def finalize(self, reason: str = "shutdown") -> list[str]:
        """End the session as the chat does at exit; return what plugins tell the person."""
        return self._ask("finalize", reason=reason)

    def new(self) -> list[str]:
        """Begin a fresh conversation as ``/new`` does; return what plugins told about the old one."""
        return self._ask("new")

    def call(self, function: str, /, **arguments: Any) -> Any:
        """Call ``module:function`` (or ``/path/to/file.py:function``) inside the process; its value as JSON."""
        return self._ask("call", function=function, arguments=arguments)

    def tool(self, name: str, **arguments: Any) -> str:
        """Dispatch a tool past the agent loop, as a plugin would: no hook fires."""
        return self._ask("tool", name=name, arguments=arguments)

    @property
    def registered(self) -> list[str]:
        """Return the names of all tools in this process' registry."""
        return self._ask("registered")

    @property
    def plugins(self) -> dict[str, dict[str, Any]]:
        """Return what was loaded besides the bundled plugins: ``enabled``, ``error``, ``tools``, ``hooks``."""
        return self._ask("plugins")

    def kill(self) -> None:
        """End the process as a crash does: no hook, no flush."""
        self._process.kill()
        self._process.wait(10)

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process.stdout.close()
        self._errors.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, verb: str, **fields: Any) -> Any:
        self._send(verb, **fields)
        return self._receive()

    def _send(self, verb: str, **fields: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"verb": verb, **fields}) + "\n")
        self._process.stdin.flush()

    def _receive(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise DriverError(f"Hermes ended: {self._errors_path.read_text(encoding='utf-8')[-4000:]}")
        reply = json.loads(line)
        if "error" in reply:
            raise DriverError(reply["error"])
        return reply["value"]
