"""Keep the model's last words of a turn back after something was delivered directly.

A delivery marks its session for one turn. The ``transform_llm_output`` hook takes the mark and replaces the text;
``on_session_end`` (which Hermes fires at the end of every turn) takes what is left.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from .. import host
from ..hooks import Hook, hook
from ..logs import log

NO_REPLY = "NO_REPLY"
_LASTS = 300.0

Key = tuple[str, str]


class DeliveryMarks:
    """The conversations in which something was just delivered, by profile and id; safe between threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._until: dict[Key, float] = {}
        self._together: dict[Key, frozenset[Key]] = {}

    def arm(self, *ids: str) -> bool:
        """Mark the ids of one delivery together; nothing happens without any."""
        keys = _keys(ids)
        with self._lock:
            for key in keys:
                self._until[key], self._together[key] = self._clock() + _LASTS, keys
        return bool(keys)

    def take(self, id_: str) -> bool:
        """Remove the mark of an id, with those of the same delivery; tell whether it was there and still fresh."""
        with self._lock:
            return any(self._drop(key) for key in _keys((id_,)))

    def clear(self, *ids: str) -> None:
        """Remove the marks of these ids."""
        for id_ in ids:
            self.take(id_)

    def clear_profile(self) -> None:
        """Remove every mark of the profile in use."""
        here = host.profile()
        with self._lock:
            for key in [key for key in self._until if key[0] == here]:
                self._drop(key)

    def _drop(self, key: Key) -> bool:
        until = self._until.get(key, 0.0)
        for other in self._together.get(key, frozenset()):
            self._until.pop(other, None)
            self._together.pop(other, None)
        return until > self._clock()


marks = DeliveryMarks()


def transform_media_delivery_output(
    response_text: str = "", session_id: str = "", *, replacement: str = NO_REPLY, **_: Any
) -> str | None:
    """Replace the final text of a turn in which something was delivered; otherwise leave it (``None``).

    Hermes 0.22.2 keeps ``NO_REPLY`` back only on turns that no person waits for; on a person's turn it shows a notice
    instead, so that a short sentence such as ``"Sent."`` is the better replacement there (row M1).
    """
    if not marks.take(session_id):
        return None
    log.info("event=media_final_response_suppressed original_chars=%d", len(response_text or ""))
    return replacement


def clear_media_delivery_state(session_id: str = "", task_id: str = "", **_: Any) -> None:
    """Forget a delivery that no final text followed."""
    marks.clear(session_id, task_id)


def media_hooks(replacement: str = NO_REPLY) -> tuple[Hook[..., str | None], Hook[..., None]]:
    """Return both hooks, ready for ``register_plugin``; what they remember goes when the plugin is unloaded.

    >>> [item.spec.name for item in media_hooks("Sent.")]
    ['transform_llm_output', 'on_session_end']
    """

    @hook("transform_llm_output", allow_multiple=True, on_unload=marks.clear_profile)
    def transform(response_text: str = "", session_id: str = "", **_: Any) -> str | None:
        return transform_media_delivery_output(response_text, session_id, replacement=replacement)

    @hook("on_session_end", allow_multiple=True)
    def clear(session_id: str = "", task_id: str = "", **_: Any) -> None:
        clear_media_delivery_state(session_id, task_id)

    return transform, clear


def _keys(ids: tuple[str, ...]) -> frozenset[Key]:
    here = host.profile()
    return frozenset((here, str(id_)) for id_ in ids if id_)
