"""The Hermes adapter: hooks in, tools out, and Kata's one worker thread (design 1 and 3)."""

from typing import Any


def register(ctx: Any) -> None:
    """Register everything that Kata has with a plugin context; without its dependencies only what says so.

    Never raises: a plugin must not take the agent down.
    """
    try:
        from .plugin import register_plugin
    except ImportError as missing:
        from .bare import register_bare

        register_bare(ctx, missing)
        return
    register_plugin(ctx)
