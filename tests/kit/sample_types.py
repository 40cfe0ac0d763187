"""What a type checker must find of decorated functions; ``test_types.py`` runs one over this file."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, assert_type

from kata.kit import (
    CommandSpec,
    MiddlewareKind,
    RegistrationSummary,
    command,
    hook,
    load_plugin_config,
    middleware,
    register_plugin,
    tool,
)


@dataclass
class Settings:
    limit: int = 3


@tool(toolset="x")
def x_add(number: int, more: str = "") -> list[int]:
    return [number]


@tool(toolset="x")
async def x_wait(number: int) -> list[int]:
    return [number]


@hook("pre_llm_call")
def inject(session_id: str) -> dict[str, str] | None:
    return None


@hook("on_session_end")
async def ended(session_id: str) -> None:
    pass


@command("x", description="Do.")
def x(raw_args: str) -> str:
    return raw_args


@middleware(MiddlewareKind.TOOL_REQUEST)
def tidy(args: dict[str, Any]) -> dict[str, Any]:
    return args


def check(ctx: object) -> None:
    assert_type(x_add({"number": 1}), str)
    assert_type(x_add.call(1, more="a"), list[int])
    assert_type(inject.call(session_id="s"), dict[str, str] | None)
    assert_type(x.call("a"), str)
    assert_type(x.spec, CommandSpec)
    assert_type(tidy.call({}), dict[str, Any])
    assert_type(register_plugin(ctx, [x_add, x_wait, inject, ended, x, tidy]), RegistrationSummary)
    assert_type(load_plugin_config(ctx, "x"), dict[str, Any])
    assert_type(load_plugin_config(ctx, "x", into=Settings), Settings)


async def check_async() -> None:
    assert_type(await x_wait({"number": 1}), str)
    assert_type(x_wait.call(1), Awaitable[list[int]])
