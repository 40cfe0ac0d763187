"""Shell hooks: scripts named in the configuration that are run when a hook fires (facts 12.2)."""

from .consent import Consent
from .hooks import ShellHooks
from .spec import ShellHook, read_hooks

__all__ = ["Consent", "ShellHook", "ShellHooks", "read_hooks"]
