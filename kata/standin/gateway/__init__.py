"""A stand-in messaging gateway: chats of several platforms, its own hooks, commands, and who may talk to it."""

from .events import MessageEvent, Source
from .gateway import Gateway
from .hooks import GatewayHooks

__all__ = ["Gateway", "GatewayHooks", "MessageEvent", "Source"]
