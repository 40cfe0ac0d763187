"""What is kept of a value: masked, then cut (design 7)."""

from ..json import JsonValue
from .marks import fingerprint, truncated_mark
from .masker import Masker
from .values import Kept

MAX_TEXT = 64 * 1024
LOOK_AHEAD = 16 * 1024


class Keeper:
    """Decides with one key what of a tool call goes into the log."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._masker = Masker(key)

    def keep(self, value: JsonValue) -> Kept:
        """Mask a value and cut what is too long."""
        masked = self._masker.mask(value)
        kept, truncated = self._cut(masked.value)
        return Kept(kept, masked.found, truncated)

    def fingerprint(self, text: str) -> str:
        """Return the keyed fingerprint of a text: ten hex digits, equal for equal texts."""
        return fingerprint(self._key, text)

    def _cut(self, value: JsonValue) -> tuple[JsonValue, bool]:
        if isinstance(value, str) and len(value) > MAX_TEXT:
            return value[:MAX_TEXT] + truncated_mark(len(value), fingerprint(self._key, value)), True
        if isinstance(value, dict):
            cut = {key: self._cut(item) for key, item in value.items()}
            return {key: item for key, (item, _) in cut.items()}, any(short for _, short in cut.values())
        if isinstance(value, list):
            items = [self._cut(item) for item in value]
            return [item for item, _ in items], any(short for _, short in items)
        return value, False
