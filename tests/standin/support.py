"""What the tests of the stand-in share: a plugin that writes down everything it is told."""

import threading
from typing import Any

import attrs

from kata.standin import VALID_HOOKS


@attrs.frozen
class Fired:
    """One firing of a hook."""

    hook: str
    keywords: dict[str, Any]
    thread: str


class Recorder:
    """A plugin that subscribes to every hook and only listens."""

    def __init__(self, hooks: frozenset[str] = VALID_HOOKS) -> None:
        self.fired: list[Fired] = []
        self._hooks = hooks

    def register(self, ctx: Any) -> None:
        for hook in sorted(self._hooks):
            ctx.register_hook(hook, self._listener(hook))

    def _listener(self, hook: str) -> Any:
        def listen(**keywords: Any) -> None:
            self.fired.append(Fired(hook, keywords, threading.current_thread().name))

        return listen

    def names(self) -> list[str]:
        return [each.hook for each in self.fired]

    def of(self, hook: str) -> list[dict[str, Any]]:
        return [each.keywords for each in self.fired if each.hook == hook]

    def tool_order(self) -> list[str]:
        """Return the firings around tools as ``pre terminal``, ``post terminal``, …"""
        short = {"pre_tool_call": "pre", "post_tool_call": "post", "transform_tool_result": "transform"}
        return [
            f"{short[each.hook]} {each.keywords['tool_name']}" for each in self.fired if each.hook in short
        ]
