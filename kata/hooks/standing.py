"""Whether to record, and how much: what the plugin knows from settings and log, left in a small file for the hooks outside."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

NAME = "hooks.json"


class Standing(NamedTuple):
    """What holds now.

    Attributes:
        recording: Observations are wanted.
        until: While they are not, the moment from which they are again (ISO, UTC); empty for none.
        texts: Message texts are kept, masked, and not only their length and fingerprint.
    """

    recording: bool = True
    until: str = ""
    texts: bool = False

    def records(self, now: datetime) -> bool:
        """Tell whether observations are wanted at a moment."""
        return self.recording or bool(self.until and now >= datetime.fromisoformat(self.until))


def read_standing(data: Path) -> Standing:
    """Read what the plugin left; the defaults where it left nothing.

    Raises:
        OSError, ValueError, TypeError: the file cannot be read; then nothing may be recorded.
    """
    try:
        text = (data / NAME).read_text(encoding="utf-8")
    except FileNotFoundError:
        return Standing()
    found = Standing(**json.loads(text))
    found.records(datetime.now(UTC))
    return found


def dump_standing(standing: Standing) -> bytes:
    """Write it for `read_standing`."""
    return json.dumps(standing._asdict()).encode("ascii")
