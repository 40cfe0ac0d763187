"""Say what is to be delivered: a file, as what, and with which words."""

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

_VOICE_SUFFIXES = (".ogg", ".opus")
_SPOILER_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")
_DIRECTIVE = re.compile(r"(MEDIA)(:)|(\[)(\[(?:audio_as_voice|as_document)\]\])", re.IGNORECASE)
_WORD_JOINER = "\u2060"


class MediaType(StrEnum):
    """How Hermes is to send a file; ``AUTO`` goes by its suffix."""

    AUTO = "auto"
    VOICE = "voice"
    DOCUMENT = "document"


_DIRECTIVES = {MediaType.VOICE: "[[audio_as_voice]]", MediaType.DOCUMENT: "[[as_document]]"}


@dataclass(frozen=True)
class MediaPayload:
    r"""One file to deliver.

    Attributes:
        path: Absolute, ``~`` allowed; need not exist yet.
        media_type: Voice needs ``.ogg`` or ``.opus``.
        caption: Plain words; Hermes' own directives in it are shown, not followed.
        spoiler: Hide a JPG, PNG or WebP picture until it is tapped (Telegram only).

    Raises:
        ValueError: The path, the type or their combination may not be used.

    >>> MediaPayload("/tmp/memo.ogg", "voice", caption="Listen").to_message()
    'Listen\n[[audio_as_voice]]\nMEDIA:/tmp/memo.ogg'
    """

    path: Path | str
    media_type: MediaType | str = MediaType.AUTO
    caption: str = ""
    spoiler: bool = False

    def __post_init__(self) -> None:
        """Convert what was given, and check it."""
        path = Path(self.path).expanduser()
        if not path.is_absolute():
            raise ValueError(f"media path must be absolute: {path}")
        if str(path) != " ".join(str(path).splitlines()):
            raise ValueError("media path must be one line")
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "media_type", _media_type(self.media_type))
        object.__setattr__(self, "caption", str(self.caption or "").strip())
        self._check(path.suffix.lower())

    @property
    def kind(self) -> MediaType:
        """Return the media type as such."""
        return MediaType(self.media_type)

    @property
    def file(self) -> Path:
        """Return the path as such."""
        return Path(self.path)

    def to_message(self) -> str:
        """Write the message that Hermes reads: caption, directive and file."""
        lines = (_shown(self.caption), _DIRECTIVES.get(self.kind, ""), f"MEDIA:{self.path}")
        return "\n".join(line for line in lines if line)

    def _check(self, suffix: str) -> None:
        if self.media_type is MediaType.VOICE and suffix not in _VOICE_SUFFIXES:
            raise ValueError("voice media must be an ogg or opus file")
        if not isinstance(self.spoiler, bool):
            raise ValueError("spoiler must be a bool")
        if self.spoiler and (self.media_type is not MediaType.AUTO or suffix not in _SPOILER_SUFFIXES):
            raise ValueError("spoiler media must be an image (jpg, jpeg, png or webp) of the automatic type")


def _media_type(given: MediaType | str) -> MediaType:
    try:
        return MediaType(given)
    except ValueError:
        raise ValueError(f"media type must be auto, voice, or document, not {given!r}") from None


def _shown(caption: str) -> str:
    """Part what Hermes would read as a directive: a caption must not attach a second file."""
    return _DIRECTIVE.sub(
        lambda match: f"{match[1] or match[3]}{_WORD_JOINER}{match[2] or match[4]}", caption
    )
