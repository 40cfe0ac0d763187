"""``hermes gateway run`` with its HTTP platform alone: long-lived, with approvals asked over HTTP."""

import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar

from .service import Service, free_port

if TYPE_CHECKING:
    from .home import HermesHome

KEY = "only-for-tests-on-loopback"
OVER = ("completed", "failed", "cancelled")


class Gateway(Service):
    """Answers one turn at a time, each in the session that it names."""

    ready_path = "/health"
    credential: ClassVar = {"Authorization": f"Bearer {KEY}"}

    def __init__(self, home: "HermesHome") -> None:
        self.port = free_port()
        env = {
            "API_SERVER_ENABLED": "true",
            "API_SERVER_KEY": KEY,
            "API_SERVER_HOST": "127.0.0.1",
            "API_SERVER_PORT": str(self.port),
        }
        super().__init__(home, [home.program, "gateway", "run"], env)

    def say(self, prompt: str, *, session: str = "") -> str:
        """Run one turn with nobody there to be asked; return the answer."""
        own = {"X-Hermes-Session-Id": session} if session else {}
        asked = {"model": "hermes-agent", "messages": [{"role": "user", "content": prompt}]}
        headers = {**self.credential, **own}
        status, reply = self.request("POST", "/v1/chat/completions", asked, headers=headers)
        assert status == HTTPStatus.OK, f"{status}: {reply}"
        return reply["choices"][0]["message"]["content"]

    def run(self, prompt: str, *choices: str, timeout: float = 120) -> dict[str, Any]:
        """Run one turn, answering its approvals in order (deny when out of choices); ``asked`` lists them."""
        run_id = self.request("POST", "/v1/runs", {"input": prompt})[1]["run_id"]
        left, asked = list(choices), []
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            run = self.get(f"/v1/runs/{run_id}")
            if run["status"] in OVER:
                return {**run, "asked": asked}
            if run["status"] == "waiting_for_approval":
                asked.append(run["approval"])
                choice = {"choice": left.pop(0) if left else "deny"}
                self.request("POST", f"/v1/runs/{run_id}/approval", choice)
            time.sleep(0.05)
        raise TimeoutError(f"{run_id} is not over: {run}")
