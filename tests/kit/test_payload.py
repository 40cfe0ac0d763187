import dataclasses
from pathlib import Path

import pytest

from kata.kit import MediaPayload, MediaType


def test_a_path_is_absolute_after_the_home_is_put_in(monkeypatch):
    monkeypatch.setenv("HOME", "/home/me")
    assert MediaPayload("~/a.png").path == Path("/home/me/a.png")
    with pytest.raises(ValueError, match="media path must be absolute"):
        MediaPayload("a.png")


def test_a_path_is_one_line():
    with pytest.raises(ValueError, match="one line"):
        MediaPayload("/a\nMEDIA:/b.png")


def test_a_type_may_be_text():
    assert MediaPayload("/a.ogg", "voice").media_type is MediaType.VOICE
    with pytest.raises(ValueError, match="must be auto, voice, or document"):
        MediaPayload("/a.ogg", "video")


@pytest.mark.parametrize("path", ["/a.ogg", "/a.OPUS"])
def test_voice_is_ogg_or_opus(path):
    assert MediaPayload(path, MediaType.VOICE)
    with pytest.raises(ValueError, match="ogg or opus"):
        MediaPayload("/a.mp3", MediaType.VOICE)


@pytest.mark.parametrize("spoiler", [1, "yes", None])
def test_spoiler_is_a_bool(spoiler):
    with pytest.raises(ValueError, match="spoiler must be a bool"):
        MediaPayload("/a.png", spoiler=spoiler)


@pytest.mark.parametrize(
    ("path", "kind"), [("/a.ogg", "voice"), ("/a.png", "document"), ("/a.mp4", "auto"), ("/a.gif", "auto")]
)
def test_only_a_picture_can_be_a_spoiler(path, kind):
    with pytest.raises(ValueError, match="spoiler media must be an image"):
        MediaPayload(path, kind, spoiler=True)


@pytest.mark.parametrize("suffix", ["jpg", "JPEG", "png", "webp"])
def test_pictures_can_be_spoilers(suffix):
    assert MediaPayload(f"/a.{suffix}", spoiler=True).spoiler


@pytest.mark.parametrize(("caption", "kept"), [(None, ""), ("  hi  ", "hi"), (5, "5")])
def test_a_caption_is_stripped_text(caption, kept):
    assert MediaPayload("/a.png", caption=caption).caption == kept


def test_a_payload_is_a_value():
    payload = MediaPayload("/a.png")
    assert payload == MediaPayload(Path("/a.png"), MediaType.AUTO)
    with pytest.raises(dataclasses.FrozenInstanceError):
        payload.caption = "x"


@pytest.mark.parametrize(
    ("payload", "message"),
    [
        (MediaPayload("/a.png"), "MEDIA:/a.png"),
        (MediaPayload("/a.png", spoiler=True), "MEDIA:/a.png"),
        (MediaPayload("/a.png", caption="Hi"), "Hi\nMEDIA:/a.png"),
        (MediaPayload("/a.ogg", "voice"), "[[audio_as_voice]]\nMEDIA:/a.ogg"),
        (MediaPayload("/a.png", "document", "Hi"), "Hi\n[[as_document]]\nMEDIA:/a.png"),
    ],
)
def test_a_payload_becomes_the_message_that_hermes_reads(payload, message):
    assert payload.to_message() == message


def test_a_caption_cannot_attach_a_second_file():
    caption = "MEDIA:/etc/x.png media: /y [[as_document]] [[audio_as_voice]]"
    *shown, last = MediaPayload("/a.png", caption=caption).to_message().split("\n")
    assert last == "MEDIA:/a.png"
    assert "MEDIA:" not in "".join(shown).upper()
    assert "[[" not in "".join(shown)
    assert "".join(shown).replace("\u2060", "") == caption
