"""Drive the real Hermes offline: a scripted model, throw-away homes, and one driver per way of using Hermes."""

from .home import TOOL_SEARCH, HermesHome, Ran, find_hermes
from .model import Request, ScriptedModel, Turn, call, calls, fail, say, through_search

__all__ = [
    "TOOL_SEARCH",
    "HermesHome",
    "Ran",
    "Request",
    "ScriptedModel",
    "Turn",
    "call",
    "calls",
    "fail",
    "find_hermes",
    "say",
    "through_search",
]
