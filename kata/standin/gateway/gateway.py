"""The gateway: messages in, through plugins and access, to a conversation, and answers out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from ..conversation import Conversation
from ..model import Script
from .events import MessageEvent, Source
from .hooks import GatewayHooks

if TYPE_CHECKING:
    from ..host import StandIn

_SHOWN: Final = 500
"""How much of a message and an answer hooks get."""


class Adapter:
    """One platform: what was sent there, oldest first, as chat id and text."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str]] = []

    async def send(self, chat_id: str, text: str) -> None:
        """Send a text to a chat, as plugins do it from their side."""
        self.sent.append((chat_id, text))


class SessionStore:
    """The transcripts of chats that no agent answered."""

    def __init__(self) -> None:
        self.transcripts: dict[str, list[dict[str, Any]]] = {}

    def append_to_transcript(self, session_id: str, message: Mapping[str, Any]) -> None:
        """Take a message in, silently."""
        self.transcripts.setdefault(session_id, []).append(dict(message))


class Gateway:
    """One gateway process.

    Args:
        platforms: The platforms that are connected.
        allowed: User ids that may talk to the agent; ``None`` for everybody.
    """

    def __init__(
        self, host: "StandIn", platforms: Sequence[str] = ("telegram",), allowed: Iterable[str] | None = None
    ) -> None:
        self.host = host
        self.hooks = GatewayHooks(host.home / "hooks")
        self.adapters = {name: Adapter() for name in platforms}
        self.session_store = SessionStore()
        self._allowed = None if allowed is None else frozenset(allowed)
        self._chats: dict[str, Conversation] = {}

    def start(self) -> None:
        """Load the gateway hooks and tell them that the gateway is up."""
        self.hooks.discover_and_load()
        self.hooks.emit("gateway:startup", {"platforms": list(self.adapters)})

    def receive(self, event: MessageEvent, script: Script = ()) -> str | None:
        """Take a message in; return the answer that was sent, or ``None`` when there was none.

        Args:
            event: The message.
            script: What the model answers, where the message reaches it.
        """
        admitted = self._admitted(event)
        if admitted is None:
            return None
        if not event.internal and not self._authorized(admitted.source):
            return self._decline(admitted.source)
        handled, answer = self._commanded(admitted)
        if not handled:
            handled, answer = self._consumed(admitted)
        if not handled:
            answer = self._turn(admitted, script)
        return self._send(admitted.source, answer)

    def chat(self, source: Source) -> Conversation | None:
        """Return the conversation of a chat, if there is one."""
        return self._chats.get(source.session_key)

    def _admitted(self, event: MessageEvent) -> MessageEvent | None:
        if event.internal:
            return event
        answers = self.host.hooks.fire(
            "pre_gateway_dispatch", event=event, gateway=self, session_store=self.session_store
        )
        for answer in answers:
            action = answer.get("action") if isinstance(answer, dict) else None
            if action == "skip":
                return None
            if action == "rewrite":
                text = answer.get("text")
                return attrs.evolve(event, text=text) if isinstance(text, str) else event
            if action == "allow":
                return event
        return event

    def _authorized(self, source: Source) -> bool:
        return self._allowed is None or source.user_id in self._allowed

    def _decline(self, source: Source) -> str | None:
        if source.chat_type != "dm":
            return None
        return self._send(source, f"Pairing code: {self.host.token(4).upper()}. Ask the owner to approve it.")

    def _commanded(self, event: MessageEvent) -> tuple[bool, str | None]:
        if event.command is None:
            return False, None
        name, rest = event.command
        source = event.source
        canonical = "new" if name == "reset" else name
        self.host.hooks.fire(
            "pre_command",
            surface="gateway",
            command=canonical,
            alias_used=name,
            args_raw=rest,
            session_key=source.session_key,
            platform=source.platform,
        )
        told = {"raw_command": name, "args": rest, "raw_args": rest}
        context = {"platform": source.platform, "user_id": source.user_id, "command": canonical, **told}
        for answer in self.hooks.emit(f"command:{canonical}", context):
            decision = answer.get("decision") if isinstance(answer, dict) else None
            if decision in ("deny", "handled"):
                return True, answer.get("message")
            if decision == "rewrite" and answer.get("command_name"):
                name = str(answer["command_name"]).lstrip("/")
                return True, self._run_command(source, name, str(answer.get("raw_args", "")))
        return True, self._run_command(source, canonical, rest)

    def _run_command(self, source: Source, name: str, rest: str) -> str:
        if name == "new":
            return self._reset(source)
        return self.host.slash(f"/{name} {rest}".strip())

    def _reset(self, source: Source) -> str:
        chat = self._chats.pop(source.session_key, None)
        fresh = self._open(source)
        ids = {"old_session_id": chat.session_id if chat else None, "new_session_id": fresh.session_id}
        notices = chat.finalize("new_session", **ids) if chat else []
        payload = {"platform": source.platform, "user_id": source.user_id, "session_key": source.session_key}
        self.hooks.emit("session:end", dict(payload))
        self.hooks.emit("session:reset", dict(payload))
        self.host.hooks.fire(
            "on_session_reset",
            session_id=fresh.session_id,
            reason="new_session",
            platform=source.platform,
            **ids,
        )
        return "\n".join([*notices, "New session."])

    def _consumed(self, event: MessageEvent) -> tuple[bool, str | None]:
        answers = self.host.hooks.fire(
            "post_gateway_admission",
            session_key=event.source.session_key,
            platform=event.source.platform,
            source=event.source.to_dict(),
            message_id=event.message_id,
            text=event.text,
        )
        taken = [each for each in answers if isinstance(each, dict) and each.get("action") == "handled"]
        return bool(taken), taken[0].get("reply") if taken else None

    def _turn(self, event: MessageEvent, script: Script) -> str:
        source = event.source
        chat = self._chats.get(source.session_key) or self._open(source)
        common = {"platform": source.platform, "user_id": source.user_id, "session_id": chat.session_id}
        if not chat.session.messages:
            self.hooks.emit("session:start", {**common, "session_key": source.session_key})
        place = {"chat_id": source.chat_id, "thread_id": source.thread_id, "chat_type": source.chat_type}
        context = {**common, **place, "message": event.text[:_SHOWN]}
        self.hooks.emit("agent:start", context)
        chat.on_step = lambda step, tools: self._step(common, step, tools)
        answer = chat.turn(event.text, script).answer
        model = {"model": "scripted-1", "provider": "custom"}
        self.hooks.emit("agent:end", {**context, "response": answer[:_SHOWN], **model})
        return answer

    def _step(self, common: Mapping[str, Any], iteration: int, tools: list[dict[str, Any]]) -> None:
        names = [tool["name"] for tool in tools]
        self.hooks.emit("agent:step", {**common, "iteration": iteration, "tool_names": names, "tools": tools})

    def _open(self, source: Source) -> Conversation:
        chat = self.host.conversation(platform=source.platform, mode="gateway", sender_id=source.user_id)
        self._chats[source.session_key] = chat
        return chat

    def _send(self, source: Source, text: str | None) -> str | None:
        if text:
            self.adapters[source.platform].sent.append((source.chat_id, text))
        return text or None
