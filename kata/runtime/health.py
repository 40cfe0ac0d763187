"""What the doctor asks of the host: whether this Hermes is new enough, and whether ``/kata`` is ours."""

import importlib.metadata
import re
from collections.abc import Iterator
from typing import Any

from ..service.doctor import FAULT, OK, Finding
from .host import Host

OLDEST = (0, 22)
"""The Hermes that Kata needs, as ``plugin.yaml`` says."""

UPDATE = "Update Hermes: hermes update"


def host_findings(host: Host) -> tuple[Finding, ...]:
    """Return what is to be said of the host."""
    return (*_version(), *_command(host))


def _version() -> Iterator[Finding]:
    version = hermes_version()
    if not version:
        return
    new_enough = tuple(int(part) for part in re.findall(r"\d+", version)[:2]) >= OLDEST
    detail = f"Hermes {version}" if new_enough else f"Hermes {version}; Kata needs 0.22 or newer"
    yield Finding(
        name="hermes", status=OK if new_enough else FAULT, detail=detail, mend="" if new_enough else UPDATE
    )


def hermes_version() -> str:
    """Return the version of the Hermes that runs, as it was installed; empty where nothing tells."""
    names = importlib.metadata.packages_distributions().get("hermes_cli", ())
    return next((importlib.metadata.version(name) for name in names), "")


def _command(host: Host) -> Iterator[Finding]:
    from hermes_cli.plugins import get_plugin_commands

    entry: dict[str, Any] = host.scoped(get_plugin_commands).get("kata") or {}
    if entry.get("plugin") == "kata":
        yield Finding(name="/kata", status=OK, detail="is this plugin's")
    else:
        holder = f"belongs to the plugin {entry['plugin']}" if entry.get("plugin") else "is not registered"
        mend = (
            "hermes plugins list: enable kata, and turn off what takes its command; then start Hermes anew."
        )
        yield Finding(name="/kata", status=FAULT, detail=holder, mend=mend)
