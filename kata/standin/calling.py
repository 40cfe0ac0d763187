"""From a model's answer to tool calls that run: names mended, the bridge unwrapped, results told."""

from collections.abc import Callable, Sequence
from typing import Any

from .approvals import Where
from .bridge import Bridge, Wanted
from .frame import Frame
from .model import Reply, Script, ToolCall
from .names import BRIDGE_TOOLS
from .offer import deferred_names, repaired
from .strikes import parsed, unknown_tool
from .toolrun import CallIds, Running, Turnstile

OwnTool = Callable[[dict[str, Any]], str]


class Caller:
    """Carry out the tool calls of one turn.

    Attributes:
        ran: Every call so far.
    """

    def __init__(self, frame: Frame, children: list[Script]) -> None:
        self._frame = frame
        self._chat = frame.chat
        self._registry = frame.chat.host.registry
        self._children = children
        self.ran: list[Running] = []

    def mended(self, call: ToolCall) -> str:
        """Return the tool's real name where it is nearly right."""
        return repaired(call.name, self._chat.offer.direct) or call.name

    def known(self, call: ToolCall) -> bool:
        return call.name in self._chat.offer.direct

    def refuse_unknown(self, calls: Sequence[ToolCall]) -> None:
        """Tell the model of each call to a tool that does not exist; no plugin hears of it."""
        for each in calls:
            if not self.known(each):
                self._frame.say_result(each.id, each.name, unknown_tool(each.name, self._chat.offer.direct))

    def run(self, calls: Sequence[ToolCall], api_request_id: str, reply: Reply) -> list[Running]:
        """Run the calls, tell the model their results, and return them."""
        bridge = Bridge(self._registry, self._deferred())
        wanted = [each for call in calls for each in _unwrapped(call, bridge)]
        running = [self._prepared(each, api_request_id, bridge) for each in wanted]
        self._chat.host.runner.batch(running, reply.finish, self._turnstile())
        self.ran.extend(running)
        for each in running:
            self._frame.say_result(each.ids.tool_call_id, each.name, each.result)
        return running

    def _prepared(self, wanted: Wanted, api_request_id: str, bridge: Bridge) -> Running:
        frame = self._frame
        return Running(
            name=wanted.name,
            args=wanted.args,
            ids=CallIds(frame.task_id, frame.session_id, wanted.call_id, frame.turn_id, api_request_id),
            bridge=wanted.name in BRIDGE_TOOLS,
            loop=self._own(wanted, bridge),
            scope_block=wanted.scope_block,
        )

    def _own(self, wanted: Wanted, bridge: Bridge) -> OwnTool | None:
        if wanted.answer:
            return lambda _args: wanted.answer
        own: dict[str, OwnTool] = {
            "tool_search": bridge.search,
            "tool_describe": bridge.describe,
            "delegate_task": lambda args: self._chat.delegate(args, self._children, self._frame.turn_id),
        }
        return own.get(wanted.name) or self._chat.agent_tools.find(wanted.name)

    def _deferred(self) -> tuple[str, ...]:
        return deferred_names(
            self._registry, filter(self._chat.in_scope, self._registry.get_all_tool_names())
        )

    def _turnstile(self) -> Turnstile:
        frame = self._frame
        where = Where(frame.session_id, frame.turn_id, "", frame.platform, self._chat.mode)
        here = self._chat.mode in ("interactive", "gateway")
        return Turnstile(self._chat.stopped, where, here, frame.message)


def _unwrapped(call: ToolCall, bridge: Bridge) -> list[Wanted]:
    args = parsed(call) or {}
    return bridge.unwrap(call, args) if call.name == "tool_call" else [Wanted(call.id, call.name, args)]
