"""Events that were ever released can be read for ever."""

import hashlib
import json
from pathlib import Path

import pytest

from kata.events import Unreadable, known_types
from kata.events.codec import decode_payload, encode_payload
from tests.events.samples import sample

FOLDER = Path(__file__).parents[1] / "golden"
DIGESTS = json.loads((FOLDER / "digests.json").read_text())
FILES = sorted(path.name for path in FOLDER.glob("*.v*.json"))


def parts(name):
    kind, schema = name.removesuffix(".json").rsplit(".v", 1)
    return kind, int(schema)


def test_no_golden_file_disappeared_or_appeared_unnoted():
    assert sorted(DIGESTS) == FILES


@pytest.mark.parametrize("name", FILES)
def test_a_golden_file_never_changes(name):
    assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == DIGESTS[name]


@pytest.mark.parametrize("name", FILES)
def test_every_released_event_can_be_read(name):
    raw = (FOLDER / name).read_bytes().rstrip(b"\n")
    payload = decode_payload(*parts(name), raw)
    assert not isinstance(payload, Unreadable)


@pytest.mark.parametrize("entry", known_types().values(), ids=lambda entry: entry.name)
def test_the_newest_schema_of_every_type_is_written_as_its_golden_file_says(entry):
    raw = (FOLDER / f"{entry.name}.v{entry.schema}.json").read_bytes().rstrip(b"\n")
    assert encode_payload(decode_payload(entry.name, entry.schema, raw)) == raw
    assert decode_payload(entry.name, entry.schema, raw) == sample(entry.payload)
