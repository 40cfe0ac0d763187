"""Consent to scripts: one file, keyed by event and exact command; edits of a script are trusted, but seen."""

import json
import os
import shlex
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from ...clock import Clock

FILENAME: Final = "shell-hooks-allowlist.json"
_SCRIPTS: Final = (".sh", ".bash", ".zsh", ".fish", ".py", ".rb", ".pl", ".lua", ".js", ".mjs", ".ts")


class Consent:
    """Who may run: ``<home>/shell-hooks-allowlist.json``."""

    def __init__(self, home: Path, clock: Clock) -> None:
        self.path = home / FILENAME
        self._clock = clock

    def find(self, event: str, command: str) -> dict[str, Any] | None:
        """Return the approval of this event and this very command line, if any."""
        found = (
            each for each in self._read() if each.get("event") == event and each.get("command") == command
        )
        return next(found, None)

    def approve(self, event: str, command: str) -> None:
        """Remember an approval, with the time that the script was last changed."""
        approval = {
            "event": event,
            "command": command,
            "approved_at": _iso(self._clock.now()),
            "script_mtime_at_approval": changed_at(command),
        }
        old = self.find(event, command)
        self._write([*(each for each in self._read() if each != old), approval])

    def revoke(self, command: str) -> int:
        """Forget every approval of a command; return how many there were."""
        before = self._read()
        kept = [each for each in before if each.get("command") != command]
        self._write(kept)
        return len(before) - len(kept)

    def drifted(self, event: str, command: str) -> bool:
        """Tell whether the script was changed since it was approved."""
        approval = self.find(event, command) or {}
        then, now = approval.get("script_mtime_at_approval"), changed_at(command)
        return bool(then and now and now > then)

    def _read(self) -> list[dict[str, Any]]:
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        approvals = content.get("approvals") if isinstance(content, dict) else None
        return [each for each in approvals if isinstance(each, dict)] if isinstance(approvals, list) else []

    def _write(self, approvals: list[dict[str, Any]]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps({"approvals": approvals}, indent=2, sort_keys=True), encoding="utf-8")
        fresh.chmod(0o600)
        fresh.replace(self.path)


def script_of(command: str) -> Path:
    """Find the script in a command line: what ends like one, else what looks like a path, else the first word."""
    try:
        words = shlex.split(command) or [command]
    except ValueError:
        words = [command]
    named = next((word for word in words if word.lower().endswith(_SCRIPTS)), None)
    path = next((word for word in words if "/" in word or word.startswith("~")), words[0])
    return Path(named or path).expanduser()


def changed_at(command: str) -> str | None:
    """Return when the script was last changed (UTC, ISO 8601), or ``None`` when it is not there."""
    try:
        return _iso(datetime.fromtimestamp(script_of(command).stat().st_mtime, tz=UTC))
    except OSError:
        return None


def can_run(command: str) -> bool:
    """Tell whether the script is there and may be run as the command line does it."""
    script = script_of(command)
    first = Path(command.split(" ", maxsplit=1)[0]).expanduser()
    return script.is_file() and os.access(script, os.X_OK if script == first else os.R_OK)


def _iso(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
