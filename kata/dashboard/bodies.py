"""What the API takes: the JSON bodies of changes, checked strictly."""

from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, JsonValue

from ..errors import UsageError
from ..events.catalogue import Until

LONGEST_NOTE = 2000


class Body(BaseModel):
    """A body with nothing in it that is not known."""

    model_config = ConfigDict(extra="forbid")


class Note(Body):
    """A decision with a reason for the audit trail."""

    note: str = Field("", max_length=LONGEST_NOTE)


class Approval(Note):
    """Approve one very version, named by the digest that was read."""

    digest: str = Field(pattern="^[0-9a-f]{6,64}$")
    name: str = Field("", max_length=200)
    renames: dict[str, str] = Field(default_factory=dict, max_length=100)
    using: dict[str, str] = Field(default_factory=dict, max_length=100)


class Rollback(Note):
    """Go back to an earlier approved version."""

    version: int = Field(ge=1, le=1_000_000)


class Condition(Body):
    """When something set aside shows again."""

    kind: Literal["changed", "seen", "date", "asked"]
    seen: int | None = Field(None, ge=1, le=1_000_000)
    date: AwareDatetime | None = None

    def until(self) -> Until:
        """Return it as the catalogue has it.

        Raises:
            UsageError: the number or the date that goes with its kind is missing.
        """
        if self.kind in ("seen", "date") and getattr(self, self.kind) is None:
            raise UsageError(f"until {self.kind} needs {self.kind}")
        return Until(
            kind=self.kind,
            seen=self.seen if self.kind == "seen" else None,
            date=self.date if self.kind == "date" else None,
        )


class Deferral(Note):
    """Set a proposal aside until something happens."""

    until: Condition


class Values(Body):
    """Values to see a plan with; an integer beyond 2^53 as ``{"bigint": "…"}``."""

    values: dict[str, JsonValue] = Field(default_factory=dict, max_length=200)
    version: int | None = Field(None, ge=1, le=1_000_000)

    def unmarked(self) -> dict[str, Any]:
        """Return the values with marked integers as integers."""
        return {key: _unmark(value) for key, value in self.values.items()}


class Wish(Note):
    """What to forget; with the token of a preview it is done, without one it is only shown."""

    session: str = Field("", max_length=200)
    text: str = Field("", max_length=LONGEST_NOTE)
    token: str = Field("", max_length=80)


class Pause(Note):
    """Stop recording, for some minutes or until it is resumed."""

    minutes: int | None = Field(None, ge=1, le=60 * 24 * 366)

    def until(self, now: datetime) -> datetime | None:
        """Return when recording goes on; None for not by itself."""
        return None if self.minutes is None else now + timedelta(minutes=self.minutes)


def _unmark(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"bigint"} and str(value["bigint"]).lstrip("-").isdigit():
            return int(value["bigint"])
        return {key: _unmark(one) for key, one in value.items()}
    return [_unmark(one) for one in value] if isinstance(value, list) else value
