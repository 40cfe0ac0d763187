"""A stand-in Hermes: real hooks, real order, real refusals, and no Hermes at all.

For the demo and for fast tests. It knows nothing of Kata's inside, so what runs on it is what a plugin sees.
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
