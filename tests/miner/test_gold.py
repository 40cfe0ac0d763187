"""What is there is found and nothing else: small recorded histories of a shop, an airline and a car, and a planted one."""

import attrs
import pytest

from benchmarks.planted import make_history
from kata.miner import Settings, mine
from kata.miner.memory import MemoryHistory
from kata.spec import Concat, Loop, Ref, flat_steps
from kata.templating.arguments import inputs_of, walk_expression

from .support import Step, mined, noise


def shop(number: int) -> list[Step]:
    """Find a customer, by mail or by name, look at the account and at each order, and do something of one's own."""
    user = f"ana_{number * 31}"
    orders = [f"#W{number}{order}07" for order in range(1 + number % 3)]
    find = (
        ("find_user_by_mail", {"mail": f"a{number}@shop.test"}, user)
        if number % 2
        else ("find_user_by_name", {"name": f"Ana {number}", "zip": f"{number * 97:05}"}, user)
    )
    return [
        find,
        ("get_user", {"user_id": user}, {"name": f"Ana {number}", "orders": orders}),
        *(("get_order", {"order_id": one}, {"status": "sent", "total": 9.5 + number}) for one in orders),
        noise(number),
    ]


def airline(number: int) -> list[Step]:
    """Change flights and then bags of one reservation; often two unrelated looks before it, with one default."""
    seat = f"R{number}QX7"
    looks = [
        ("get_reservation", {"id": f"Q{number * factor}Z", "full": True}, {"bags": number})
        for factor in (613, 1787)[: 1 + number % 2]
    ]
    return [
        *looks,
        noise(number),
        ("update_flights", {"reservation": seat, "cabin": f"c-{number % 3}"}, {"reservation": seat}),
        ("update_bags", {"reservation": seat, "bags": 3}, {"ok": True}),
    ]


def car(number: int) -> list[Step]:
    """Lock, brake, start: nothing flows, but the fixed arguments say something; elsewhere they are others."""
    start = [
        ("lock_doors", {"unlock": False, "door": ["driver", "rear"]}, {"locked": number}),
        ("press_brake", {"position": 1.5}, {"brake": 1000 + number}),
        ("start_engine", {"mode": "START"}, {"fuel": 10.5 + number}),
    ]
    other = [("press_brake", {"position": 0.25 * number}, {}), noise(number)]
    stop = [("start_engine", {"mode": f"STOP{number}"}, {}), noise(number + 50)]
    return [*start, noise(number + 20), *other, *stop]


EXPECTED = {
    shop: [
        ("find_user_by_mail", "get_user"),
        ("find_user_by_name", "get_user"),
        ("get_user", "get_order"),
    ],
    airline: [("update_flights", "update_bags")],
    car: [("lock_doors", "press_brake", "start_engine")],
}
TRAPS = {shop: [("get_order", "get_order")], airline: [("get_reservation", "get_reservation")], car: []}


@pytest.mark.parametrize("recorded", list(EXPECTED))
def test_every_expected_sequence_is_a_candidate_and_no_trap_is(recorded):
    found = [one.tools for one in mined([recorded(number) for number in range(1, 13)]).candidates]
    for wanted in EXPECTED[recorded]:
        assert any(_holds(tools, wanted) for tools in found), (wanted, found)
    assert not set(found) & set(TRAPS[recorded])


@pytest.mark.parametrize("seed", [1, 2])
def test_planted_routines_are_found_with_their_wiring_and_nothing_else(seed):
    recorded, planted = make_history(4_000, seed)
    found = mine(MemoryHistory(attrs.evolve(one, ok=True) for one in recorded), Settings()).candidates
    known = {one.tools for one in planted}
    wanted = {one.tools for one in planted if len(one.conversations) >= Settings().min_support}
    assert wanted <= {one.tools for one in found}
    assert sum(one.tools in known for one in found) >= 0.9 * len(found)
    for one in found:
        if one.tools in wanted:
            assert not any(isinstance(step, Loop) for step in one.spec.steps)
            _is_wired_as_planted(one.spec)


def _is_wired_as_planted(spec):
    """The first step takes an input; each further one a field of the answer before it, every second one inside a text."""
    for at, step in enumerate(flat_steps(spec)):
        query = dict(step.args.fields)["query"]
        references = [part for part in walk_expression(query) if isinstance(part, Ref)]
        if at == 0:
            assert list(inputs_of(query))
            continue
        path = ("items", 0, "id") if at % 2 == 0 else ("meta", "owner")
        assert [(one.step, one.path) for one in references] == [(at, path)]
        assert isinstance(query, Concat) == (at % 2 == 1)


def _holds(tools, wanted):
    return any(tools[at : at + len(wanted)] == wanted for at in range(len(tools) - len(wanted) + 1))
