"""Small histories, written as what was done in each conversation."""

from collections.abc import Callable, Sequence
from typing import Any

from kata.miner import Found, Mined, Settings, mine
from kata.miner.memory import MemoryHistory, Recorded

Step = tuple[str, dict[str, Any], Any]
"""A tool, its arguments and its answer."""


def history(conversations: Sequence[Sequence[Step]], **more: Any) -> MemoryHistory:
    """One turn a conversation, one model request a call."""
    return MemoryHistory(
        Recorded(conversation=f"c{number}", turn="t", tool=tool, args=args, result=result, **more)
        for number, steps in enumerate(conversations)
        for tool, args, result in steps
    )


def mined(conversations: Sequence[Sequence[Step]], **settings: Any) -> Mined:
    return mine(history(conversations), Settings(**settings))


def repeat(routine: Callable[[int], Sequence[Step]], count: int) -> list[list[Step]]:
    return [list(routine(number)) for number in range(count)]


def tools(found: Sequence[Found]) -> list[tuple[str, ...]]:
    return [one.tools for one in found]


def only(found: Sequence[Found]) -> Found:
    assert len(found) == 1, tools(found)
    return found[0]


def git(command: str) -> Step:
    return ("terminal", {"command": command}, {"output": "", "exit_code": 0})


def find_and_read(number: int) -> list[Step]:
    """A routine of two steps tied by data flow."""
    path = f"src/module_{number * 37}.py"
    return [
        ("search_files", {"pattern": f"word{number}"}, {"matches": [{"path": path}]}),
        ("read_file", {"path": path}, {"content": f"text {number}"}),
    ]


def noise(number: int) -> Step:
    return (f"noise_{number}", {"x": f"n-{number}"}, {})
