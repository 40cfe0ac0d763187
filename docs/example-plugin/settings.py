"""What the user can set for this plugin; ``plugin.yaml`` describes the same."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Settings:
    """Settings of the notes plugin."""

    limit: int = field(default=3, metadata={"description": "Notes that the agent is reminded of"})
