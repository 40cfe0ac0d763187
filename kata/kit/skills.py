"""Declare a skill that the plugin owns."""

from dataclasses import dataclass
from pathlib import Path

from .declared import HostCall
from .names import check_skill_name


@dataclass(frozen=True)
class PluginSkill:
    """A skill of the plugin; Hermes serves it as ``<plugin>:<name>``.

    Attributes:
        path: Its ``SKILL.md``; need not exist before registration.
        optional: Whether registration goes on without the file.
    """

    name: str
    path: Path
    description: str
    optional: bool = False

    @property
    def where(self) -> str:
        """Name the file, for messages."""
        return str(self.path)

    def host_call(self) -> HostCall:
        """Return the ``register_skill`` call."""
        return HostCall(
            surface="skill",
            name=self.name,
            registrar="register_skill",
            kwargs={"name": self.name, "path": self.path, "description": self.description},
        )


def plugin_skill(name: str, path: str | Path, description: str, optional: bool = False) -> PluginSkill:
    """Declare a skill; its front matter is read by Hermes, not here.

    Raises:
        ValueError: The name, the file's name or the description may not be used.

    >>> plugin_skill("time-sense", "/plugins/clock/SKILL.md", "Tell the time.").name
    'time-sense'
    """
    check_skill_name(name)
    if Path(path).name != "SKILL.md":
        raise ValueError(f"skill path must point to SKILL.md, not {path}")
    if not isinstance(description, str) or not description.strip():
        raise ValueError(f"skill description is required for {name!r}")
    return PluginSkill(name, Path(path), description.strip(), bool(optional))
