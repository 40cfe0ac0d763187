"""Tell what a plugin registered: one receipt for the log, and the handles to take it back."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .declared import HostCall
from .logs import KIT, log


@dataclass(frozen=True)
class RegistrationSummary:
    """What ``register_plugin`` did, by name and in order.

    Attributes:
        refused: What Hermes did not take, as ``tool:read_file``.
        unknown: Hooks and middleware kinds that this Hermes takes and never asks, as ``hook:on_moon``.
        calls: The calls to the plugin context, made or (in a dry run) planned.
        handles: What Hermes returned to dispose of each registration; without those that returned nothing.
    """

    tools: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    skipped_optional_skills: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    middlewares: tuple[str, ...] = ()
    cli_commands: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    calls: tuple[HostCall, ...] = field(default=(), compare=False, repr=False)
    handles: tuple[Any, ...] = field(default=(), compare=False, repr=False)

    def dispose(self) -> None:
        """Take back what was registered, last first; a handle that fails does not keep the others."""
        dispose_all(self.handles)


def dispose_all(handles: Iterable[Any]) -> None:
    """Dispose of handles in reverse; ``None`` and what has no ``dispose`` is passed over."""
    for handle in reversed(tuple(handles)):
        dispose = getattr(handle, "dispose", None)
        if not callable(dispose):
            continue
        try:
            dispose()
        except Exception as error:
            log.warning(
                "%s: a registration could not be disposed of; error_type=%s", KIT, type(error).__name__
            )


def log_registration_summary(logger: logging.Logger, plugin_name: str, summary: RegistrationSummary) -> None:
    """Write the one receipt of a registration, at INFO.

    Raises:
        TypeError: ``summary`` is no RegistrationSummary.
        ValueError: The plugin's name is blank.
    """
    if not isinstance(summary, RegistrationSummary):
        raise TypeError("summary must be a RegistrationSummary")
    logger.info(
        "%s: registered plugin lifecycle; plugin=%s; commands=%s; cli_commands=%s; tools=%s; middlewares=%s; hooks=%s; "
        "skills=%s; skipped_optional_skills=%s%s",
        KIT,
        checked_plugin_name(plugin_name),
        *map(
            named,
            (
                summary.commands,
                summary.cli_commands,
                summary.tools,
                summary.middlewares,
                summary.hooks,
                summary.skills,
                summary.skipped_optional_skills,
            ),
        ),
        f"; refused={named(summary.refused)}" if summary.refused else "",
    )


def checked_plugin_name(name: object) -> str:
    """Return a plugin's name, which must not be blank."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError("plugin_name must be a non-empty string")
    return name.strip()


def named(names: Iterable[str]) -> str:
    """Join names for a receipt.

    >>> named(("a", "b")), named(())
    ('a,b', '<none>')
    """
    return ",".join(names) or "<none>"
