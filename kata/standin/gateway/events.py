"""Messages as they come in, and where they come from."""

from typing import Any

import attrs


@attrs.frozen
class Source:
    """Where a message comes from. ``chat_type``: ``dm``, ``group``, ``channel`` or ``thread``."""

    platform: str
    chat_id: str
    user_id: str = ""
    user_name: str = ""
    chat_type: str = "dm"
    thread_id: str = ""

    @property
    def session_key(self) -> str:
        """Return the key of the chat's session: one for each chat, and thread in it."""
        parts = ("agent:main", self.platform, self.chat_type, self.chat_id, self.thread_id)
        return ":".join(filter(None, parts))

    def to_dict(self) -> dict[str, Any]:
        return attrs.asdict(self)


@attrs.frozen
class MessageEvent:
    """One message. ``internal``: the host made it itself (a background process that ended); no plugin filters it."""

    text: str
    source: Source
    message_id: str = ""
    internal: bool = False

    @property
    def command(self) -> tuple[str, str] | None:
        """Return a slash command's name and the rest, or ``None``."""
        if not self.text.startswith("/"):
            return None
        name, _, rest = self.text[1:].partition(" ")
        return name.replace("_", "-").lower(), rest.strip()
