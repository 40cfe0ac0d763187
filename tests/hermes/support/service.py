"""A Hermes process that answers over HTTP on the loopback interface: started, waited for, ended."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from .home import HermesHome


class Service:
    """Base of the gateway's and the dashboard's drivers; a context manager.

    A driver names its ``credential`` header, and the path that answers once the process is ready.
    """

    ready_path: ClassVar[str]
    credential: ClassVar[Mapping[str, str]]
    port: int

    def __init__(self, home: "HermesHome", argv: Sequence[Any], env: Mapping[str, str]) -> None:
        self._output_path = home.root / f"{type(self).__name__.lower()}.txt"
        self._output = self._output_path.open("w", encoding="utf-8")
        self._process = subprocess.Popen(
            [str(word) for word in argv],
            cwd=home.workspace,
            env={**home.env, **env},
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.STDOUT,
        )
        try:
            self._wait_ready(90)
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        return self._output_path.read_text(encoding="utf-8")

    def request(
        self, method: str, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any]:
        """Ask and return the status with the parsed JSON (or the text); ``headers`` replace the credential."""
        sent = {"Content-Type": "application/json", **(self.credential if headers is None else headers)}
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.url + path, data, sent, method=method)
        try:
            with urllib.request.urlopen(asked, timeout=60) as response:
                return response.status, _parsed(response.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, _parsed(refusal.read())

    def get(self, path: str) -> Any:
        """Return the JSON of a path that must answer 200."""
        status, value = self.request("GET", path)
        assert status == HTTPStatus.OK, f"{path} answered {status}: {value}"
        return value

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        self._output.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _wait_ready(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                self.request("GET", self.ready_path)
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise RuntimeError(f"{type(self).__name__} did not start: {self.output[-4000:]}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data.decode(errors="replace")
