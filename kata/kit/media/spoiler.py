"""Send one photo to Telegram hidden until it is tapped, which Hermes' own sender cannot ask for."""

from pathlib import Path
from typing import Any

from .. import host

_CAPTION_UNITS = 1024


def send_spoiler_photo(path: Path, caption: str, route: str) -> dict[str, Any]:
    """Send the photo through a bot made for this one call.

    Args:
        path: The photo.
        caption: At most 1024 UTF-16 units.
        route: ``telegram[:chat[:thread]]``; without a chat, the home channel.

    Raises:
        ValueError: The caption is too long.
        RuntimeError: Telegram is not set up, or Hermes does not allow the file or the destination.
    """
    if len(caption.encode("utf-16-le")) > 2 * _CAPTION_UNITS:
        raise ValueError(f"a Telegram caption has at most {_CAPTION_UNITS} characters")
    allowed = host.deliverable_path(str(path))
    if allowed is None:
        raise RuntimeError("Hermes does not allow delivering this file")
    settings = host.telegram_settings()
    _, _, place = route.partition(":")
    chat, _, thread = place.partition(":")
    chat = chat or host.telegram_home_chat()
    refusal = host.relay_refusal("telegram", chat, thread or None, settings.token)
    if refusal:
        raise RuntimeError(refusal)
    message = host.run_async(_send(settings, Path(allowed), caption, chat, thread))
    return {"success": True, "platform": "telegram", "chat_id": chat, "message_id": message, "spoiler": True}


async def _send(settings: Any, path: Path, caption: str, chat: str, thread: str) -> str:
    topic = host.telegram_thread_id(thread) if thread else None
    where = {} if topic is None else {"message_thread_id": topic}
    bot = _bot(settings)
    await bot.initialize()
    try:
        with path.open("rb") as photo:
            sent = await bot.send_photo(
                chat_id=host.telegram_chat_id(chat),
                photo=photo,
                caption=caption or None,
                has_spoiler=True,
                **where,
            )
        return str(sent.message_id)
    finally:
        await bot.shutdown()


def _bot(settings: Any) -> Any:
    from telegram import Bot

    extra = settings.extra or {}
    options: dict[str, Any] = {}
    if extra.get("base_url"):
        options = {
            "base_url": extra["base_url"],
            "base_file_url": extra.get("base_file_url", extra["base_url"]),
        }
    if extra.get("local_mode"):
        options["local_mode"] = True
    proxy = host.telegram_proxy()
    if proxy:
        from telegram.request import HTTPXRequest

        options["request"] = HTTPXRequest(proxy=proxy)
    return Bot(token=settings.token, **options)
