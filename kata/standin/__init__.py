"""A stand-in Hermes: real hooks, real order, real refusals, and no Hermes at all.

For the demo and for fast tests. It knows nothing of Kata's inside, so what runs on it is what a plugin sees.
``tests/hermes/test_differential.py`` holds the same conversations on it and on the real Hermes, and lists what differs.

Example:
    >>> import tempfile, pathlib
    >>> host = StandIn(pathlib.Path(tempfile.mkdtemp()))
    >>> _ = host.load(lambda ctx: ctx.register_hook("post_tool_call", lambda tool_name, **_: print(tool_name)), "mine")
    >>> turn = host.conversation().turn("say hi", [call("terminal", command="echo hi"), say("done")])
    terminal
    >>> turn.answer, len(turn.requests)
    ('done', 2)
"""

from .approvals import Asked, Question, Where
from .commands import Ran
from .context import Manifest, PluginContext
from .conversation import Conversation
from .errors import ScriptError, StandInError, ToolOverrideError
from .frame import TurnResult
from .gateway import Gateway, GatewayHooks, MessageEvent, Source
from .host import StandIn
from .ledger import Registration
from .model import ModelRequest, Reply, call, calls, fail, say, stop
from .names import VALID_HOOKS
from .registry import ToolEntry, ToolRegistry

__all__ = [
    "VALID_HOOKS",
    "Asked",
    "Conversation",
    "Gateway",
    "GatewayHooks",
    "Manifest",
    "MessageEvent",
    "ModelRequest",
    "PluginContext",
    "Question",
    "Ran",
    "Registration",
    "Reply",
    "ScriptError",
    "Source",
    "StandIn",
    "StandInError",
    "ToolEntry",
    "ToolOverrideError",
    "ToolRegistry",
    "TurnResult",
    "Where",
    "call",
    "calls",
    "fail",
    "say",
    "stop",
]
