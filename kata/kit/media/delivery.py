"""Deliver a file through Hermes' own sender, behind its guards, and tell what came of it without telling who got it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..hostcall import decoded, failure_in, guarded
from ..logs import log
from ..redact import redact_text
from .payload import MediaPayload, MediaType
from .silence import marks
from .spoiler import send_spoiler_photo
from .targets import ResolvedDeliveryTarget, chat_of, displayed, platform_of, resolve_delivery_target

_SEND = "send_message"


@dataclass(frozen=True)
class MediaDeliveryResult:
    """What came of a delivery. Holds no route, only what may be shown of it.

    Attributes:
        success: Whether the file was delivered; not when Hermes skipped it (row M2).
        requested_target: ``origin``, or the target as it may be shown.
        display_target: The route that was taken, as it may be shown.
        host_result: Hermes' answer, with routes and secrets hidden.
    """

    success: bool
    requested_target: str
    display_target: str
    media_type: MediaType
    path: Path
    host_result: dict[str, Any]
    spoiler: bool = False

    @property
    def state(self) -> Literal["sent", "skipped", "failed"]:
        """Tell a delivery that Hermes skipped as a duplicate from one that failed."""
        if self.success:
            return "sent"
        return "skipped" if self.host_result.get("skipped") is True else "failed"

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "success": self.success,
            "requested_target": self.requested_target,
            "display_target": self.display_target,
            "media_type": self.media_type.value,
            "path": str(self.path),
            "host_result": self.host_result,
            "spoiler": self.spoiler,
        }


def deliver_media(
    media: MediaPayload, *, target: str | ResolvedDeliveryTarget = "origin", **context: Any
) -> MediaDeliveryResult:
    """Deliver a file now, without waiting for the turn's final text.

    After a success the final text of the turn is replaced, if the plugin registers ``media_hooks()``.

    Args:
        media: What to deliver.
        target: ``origin`` for the conversation at hand, or a route as Hermes writes it.
        context: The keywords that a tool's handler got (``session_id`` and so on).

    Raises:
        TypeError: ``media`` is no MediaPayload.
        ValueError: The file is missing or empty, or a spoiler is to go elsewhere than to Telegram.
        RuntimeError: There is no conversation to answer in, or no guard to ask.
    """
    if not isinstance(media, MediaPayload):
        raise TypeError("media must be a MediaPayload")
    if not media.file.is_file() or media.file.stat().st_size == 0:
        raise ValueError(f"media file is missing or empty: {media.path}")
    route = target if isinstance(target, ResolvedDeliveryTarget) else resolve_delivery_target(target)
    if media.spoiler and platform_of(route.host_target) != "telegram":
        raise ValueError("spoiler media delivery requires a Telegram target")
    log.info(
        "event=media_delivery_started target=%s media_type=%s path=%s",
        route.display,
        media.kind.value,
        media.path,
    )
    args = {"action": "send", "target": route.host_target, "message": media.to_message()}
    answer = (_send_spoiler if media.spoiler else _send)(media, args, context)
    result = _result(media, route, str(args.get("target", "")), answer)
    _note(result, context)
    return result


def _send(_: MediaPayload, args: dict[str, Any], context: dict[str, Any]) -> str:
    # The package's own name, so that a plugin's test may put another function in its place.
    from .. import invoke_host_tool

    return invoke_host_tool(_SEND, args, **context)


def _send_spoiler(media: MediaPayload, args: dict[str, Any], context: dict[str, Any]) -> str:
    args["media_options"] = {"spoiler": True}
    asked = {**args, "target": ""}

    def operation() -> dict[str, Any]:
        if {**args, "target": ""} != asked or platform_of(str(args["target"])) != "telegram":
            raise PermissionError("a guard changed more of a spoiler than its Telegram target")
        return send_spoiler_photo(media.file, media.caption, str(args["target"]))

    return guarded(_SEND, args, context, operation, failure="Telegram spoiler delivery failed")


def _result(
    media: MediaPayload, route: ResolvedDeliveryTarget, used: str, answer: str
) -> MediaDeliveryResult:
    raw = decoded(answer)
    if raw is None:
        raw = {"error": "send_message returned invalid JSON"}
    private = {text: shown for target in (route.host_target, used) for text, shown in _private(target)}
    cleaned = _cleaned(raw, private)
    host_result = cleaned if isinstance(cleaned, dict) else {"result": cleaned}
    return MediaDeliveryResult(
        success=failure_in(raw) is None and host_result.get("skipped") is not True,
        requested_target="origin" if route.requested == "origin" else route.display,
        display_target=route.display if used == route.host_target else displayed(used),
        media_type=media.kind,
        path=media.file,
        host_result=host_result,
        spoiler=media.spoiler,
    )


def _private(target: str) -> list[tuple[str, str]]:
    """Pair what must not be told of a route with what may be shown, the longer first."""
    chat = chat_of(target)
    pairs = [(target, displayed(target)), (chat, chat_of(displayed(target)))]
    return [(text, shown) for text, shown in pairs if text and text != shown]


def _cleaned(value: Any, private: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _cleaned(item, private) for key, item in value.items()}
    if isinstance(value, list):
        return [_cleaned(item, private) for item in value]
    if isinstance(value, int) and str(value) in private:
        return private[str(value)]
    if not isinstance(value, str):
        return value
    for text, shown in private.items():
        value = value.replace(text, shown)
    return redact_text(value)


def _note(result: MediaDeliveryResult, context: Mapping[str, Any]) -> None:
    log.log(
        logging.INFO if result.success else logging.WARNING,
        "event=media_delivery_completed target=%s media_type=%s success=%s",
        result.display_target,
        result.media_type.value,
        result.success,
    )
    ids = [str(context.get(key) or "") for key in ("session_id", "task_id")]
    if result.success and marks.arm(*ids):
        log.info("event=media_final_response_suppression_armed")
