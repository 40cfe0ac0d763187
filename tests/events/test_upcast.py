"""Old schemas lead to the newest one without a gap."""

import attrs
import pytest

from kata.events import Unreadable
from kata.events.codec import BadEventError, Codec
from kata.events.registry import CatalogueError, EventType
from kata.events.upcast import Upcasters


@attrs.frozen(kw_only=True)
class Opened:
    door: str
    wide: bool


THIRD = EventType("door.opened", 3, Opened)


def upcasters():
    steps = Upcasters()
    steps.register("door.opened", 1)(lambda value: {"door": value["name"]})
    steps.register("door.opened", 2)(lambda value: {**value, "wide": False})
    return steps


def test_every_step_up_to_the_newest_schema_is_taken():
    codec = Codec([THIRD], upcasters())
    assert codec.decode_payload("door.opened", 1, b'{"name":"front"}') == Opened(door="front", wide=False)
    assert codec.decode_payload("door.opened", 2, b'{"door":"back"}') == Opened(door="back", wide=False)
    assert codec.decode_payload("door.opened", 3, b'{"door":"side","wide":true}') == Opened(
        door="side", wide=True
    )
    assert isinstance(codec.decode_payload("door.opened", 4, b"{}"), Unreadable)


def test_a_gap_in_the_chain_is_found_when_the_codec_is_made():
    steps = Upcasters()
    steps.register("door.opened", 1)(dict)
    with pytest.raises(CatalogueError, match=r"nothing lifts .* from schema 2 to 3"):
        Codec([THIRD], steps)


@pytest.mark.parametrize(("name", "schema"), [("door.opened", 3), ("door.shut", 1), ("door.opened", 0)])
def test_a_step_that_leads_nowhere_is_found(name, schema):
    steps = upcasters()
    steps.register(name, schema)(dict)
    with pytest.raises(CatalogueError, match="leads nowhere"):
        Codec([THIRD], steps)


def test_two_functions_for_one_step_are_refused():
    steps = upcasters()
    with pytest.raises(CatalogueError, match="two upcasters"):
        steps.register("door.opened", 2)(dict)


def test_an_old_payload_that_cannot_be_lifted_is_a_bad_event():
    with pytest.raises(BadEventError, match="schema 1 cannot be lifted"):
        Codec([THIRD], upcasters()).decode_payload("door.opened", 1, b"{}")


def test_the_value_that_is_lifted_is_not_changed_in_place():
    steps = Upcasters()
    steps.register("door.opened", 1)(lambda value: value | {"door": value.pop("name")})
    steps.register("door.opened", 2)(lambda value: value | {"wide": True})
    value = {"name": "front"}
    steps.lift("door.opened", value, 1, 3)
    assert value == {"name": "front"}
