"""Histories with known routines, made for measuring: the same for the same arguments.

Tools come with a Zipf frequency and some habit; some calls fail; routines of 3 to 6 steps are planted, tied by data flow.
"""

import bisect
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import attrs

from kata.miner.memory import Recorded
from kata.miner.segments import Run

TOOLS = 200
WORDS = (
    "north",
    "south",
    "river",
    "stone",
    "amber",
    "cedar",
    "delta",
    "ember",
    "frost",
    "grain",
    "harbor",
    "island",
)


@attrs.frozen
class Planted:
    """A routine that was planted: its tools, and in how many conversations it was done."""

    tools: tuple[str, ...]
    conversations: set[int] = attrs.field(factory=set)


def cumulative_zipf(count: int) -> list[float]:
    return list(itertools.accumulate(1 / (rank + 1) ** 1.1 for rank in range(count)))


def make_runs(calls: int, seed: int = 1) -> list[Run]:
    """Runs of signature numbers alone, for counting: about 8 calls a run, six runs a conversation."""
    chance, edges = random.Random(seed), cumulative_zipf(TOOLS)
    habit = [chance.randrange(TOOLS) for _ in range(TOOLS)]
    routines = [tuple(chance.randrange(TOOLS) for _ in range(chance.randint(3, 8))) for _ in range(30)]
    runs: list[Run] = []
    made = 0
    while made < calls:
        names = _names(chance, edges, habit)
        if chance.random() < 0.15:
            at = chance.randrange(len(names) + 1)
            names[at:at] = chance.choice(routines)
        turn = len(runs)
        refs = tuple(range(made, made + len(names)))
        runs.append(Run(f"c{turn // 6}", f"t{turn}", tuple(names), refs, ("",) * len(names)))
        made += len(names)
    return runs


def _names(chance: random.Random, edges: list[float], habit: list[int]) -> list[int]:
    names: list[int] = []
    for _ in range(1 + min(40, int(chance.expovariate(1 / 7)))):
        if names and chance.random() < 0.25:
            names.append(habit[names[-1]])
        else:
            names.append(bisect.bisect(edges, chance.random() * edges[-1]))
    return names


def make_history(calls: int, seed: int = 1) -> tuple[list[Recorded], list[Planted]]:
    """Recorded calls with values, and the routines planted among them."""
    chance = random.Random(seed)
    planted = [_routine(chance) for _ in range(25)]
    return list(itertools.islice(_calls(chance, planted), calls)), planted


def _routine(chance: random.Random) -> Planted:
    return Planted(tuple(f"tool_{chance.randrange(TOOLS)}" for _ in range(chance.randint(3, 6))))


def _calls(chance: random.Random, planted: list[Planted]) -> Iterator[Recorded]:
    edges = cumulative_zipf(TOOLS)
    for conversation in itertools.count():
        for turn in range(1 + min(12, int(chance.expovariate(1 / 4)))):
            for tool, args, result in _turn(chance, edges, planted, conversation):
                yield Recorded(
                    conversation=f"c{conversation}",
                    turn=str(turn),
                    tool=tool,
                    args=args,
                    result=json.dumps(result),
                    ok=chance.random() > 0.01,
                )


def _turn(
    chance: random.Random, edges: list[float], planted: list[Planted], conversation: int
) -> Iterator[tuple[str, Any, Any]]:
    length = 1 + min(30, int(chance.expovariate(1 / 6)))
    at = chance.randrange(length) if chance.random() < 0.12 else -1
    for place in range(length):
        if place == at:
            one = chance.choice(planted)
            one.conversations.add(conversation)
            yield from _done(chance, one)
        tool = bisect.bisect(edges, chance.random() * edges[-1])
        yield f"tool_{tool}", {"query": _text(chance), "limit": 20}, _result(chance)


def _done(chance: random.Random, one: Planted) -> Iterator[tuple[str, Any, Any]]:
    """Do a routine: each step is given a field of the answer before it, and the first an input."""
    value: str = _text(chance)
    for number, tool in enumerate(one.tools):
        result = _result(chance)
        yield tool, {"query": value if number % 2 == 0 else f"see {value} again", "limit": 20}, result
        value = result["items"][0]["id"] if number % 2 else result["meta"]["owner"]


def _result(chance: random.Random) -> dict[str, Any]:
    items = [
        {"id": _name(chance), "path": f"src/{_name(chance)}.py", "note": _text(chance)}
        for _ in range(chance.randint(1, 4))
    ]
    return {"count": len(items), "items": items, "meta": {"owner": _name(chance), "status": "ok"}}


def _name(chance: random.Random) -> str:
    return f"{chance.choice(WORDS)}-{chance.getrandbits(28):07x}"


def _text(chance: random.Random) -> str:
    return (
        " ".join(chance.choice(WORDS) for _ in range(chance.randint(3, 9))) + f" {chance.getrandbits(24):x}"
    )
