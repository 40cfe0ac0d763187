"""Shell hooks on the hook bus: registered behind the plugins, where the user consented."""

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..hooks import Callback, HookBus
from ..settings import Settings
from .consent import Consent
from .run import ScriptRun, judge, run_script
from .spec import ShellHook, read_hooks
from .wire import payload

logger = logging.getLogger(__name__)

Ask = Callable[[str, str], bool]
"""Asks the person at the terminal about an event and a command."""


class ShellHooks:
    """The scripts of one configuration.

    Args:
        environ: What scripts get as their environment, and where ``HERMES_ACCEPT_HOOKS`` is looked for.
    """

    def __init__(
        self, home: Path, settings: Settings, hooks: HookBus, consent: Consent, environ: Mapping[str, str]
    ) -> None:
        self.consent = consent
        self._settings = settings
        self._hooks = hooks
        self._environ = {**environ, "HERMES_HOME": str(home)}
        self._registered: dict[ShellHook, Callable[[], None]] = {}

    def configured(self) -> list[ShellHook]:
        """Return what the configuration names, registered or not."""
        return read_hooks(self._settings.get("hooks"))

    def register(self, *, accept: bool = False, ask: Ask | None = None) -> list[ShellHook]:
        """Register all scripts that the user consents to; return the fresh ones.

        Args:
            accept: What ``--accept-hooks`` says.
            ask: Asks at a terminal; without one, what is not approved yet is skipped with a warning.
        """
        if self._environ.get("HERMES_SAFE_MODE") == "1":
            return []
        fresh = [hook for hook in dict.fromkeys(self.configured()) if hook not in self._registered]
        allowed = [hook for hook in fresh if self._consented(hook, accept or self._accepts_all(), ask)]
        for hook in allowed:
            self._registered[hook] = self._hooks.add(hook.event, self._callback(hook))
        return allowed

    def register_again(self) -> None:
        """Register anew, after a reload of all plugins; nobody is asked."""
        for remove in self._registered.values():
            remove()
        self._registered.clear()
        self.register()

    def run_once(
        self, hook: ShellHook, keywords: Mapping[str, Any]
    ) -> tuple[ScriptRun, dict[str, Any] | None]:
        """Run a script as a firing would; return the run and what it answers."""
        ran = run_script(hook, payload(hook.event, keywords, "default"), self._environ)
        return ran, judge(hook, ran)

    def _callback(self, hook: ShellHook) -> Callback:
        def run(**keywords: Any) -> dict[str, Any] | None:
            return self.run_once(hook, keywords)[1] if hook.wants(keywords.get("tool_name")) else None

        run.__name__ = f"shell_hook[{hook.event}:{hook.command}]"
        return run

    def _consented(self, hook: ShellHook, accept: bool, ask: Ask | None) -> bool:
        if self.consent.find(hook.event, hook.command):
            return True
        if accept or (ask is not None and ask(hook.event, hook.command)):
            self.consent.approve(hook.event, hook.command)
            return True
        logger.warning("shell hook for %s (%s) not allowlisted, skipped", hook.event, hook.command)
        return False

    def _accepts_all(self) -> bool:
        said = (self._environ.get("HERMES_ACCEPT_HOOKS", ""), self._settings.get("hooks_auto_accept", False))
        return any(str(each).strip().lower() in {"1", "true", "yes", "on"} for each in said)


def environment() -> dict[str, str]:
    """Return this process's environment, for scripts."""
    return dict(os.environ)
