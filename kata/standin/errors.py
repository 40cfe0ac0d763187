"""What the stand-in host refuses."""

from ..errors import KataError


class StandInError(KataError):
    """Stand above every error of the stand-in host."""

    code = "standin"


class ScriptError(StandInError):
    """Say that a conversation's script has too few or too many replies."""

    code = "standin_script"
    hint = "Give one reply for each model request, the last one a say()."


class ToolOverrideError(StandInError, PermissionError):
    """Say that a plugin may not replace a built-in tool without its user's leave."""

    code = "standin_override"
    hint = "Set plugins.entries.<plugin>.allow_tool_override to true."
