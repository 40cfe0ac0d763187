"""Kata: routines that an agent repeats become tools that a person approves."""

from typing import Any

__all__ = ["__version__", "register"]
__version__ = "0.1.0"


def register(ctx: Any) -> None:
    """Register Kata with a Hermes plugin context; never raises (design 1)."""
    from .runtime import register as register_plugin

    register_plugin(ctx)
