"""What can go wrong between the log and its views."""

from ..errors import StoreError


class ProjectionError(StoreError):
    """Say that an event could not be applied: a mistake in a projection; its view stays where it was.

    Attributes:
        projection: Its name.
        position: The event's position.
        type: The event's type.
    """

    code = "projection"
    hint = "Run `hermes kata verify`; if the log is whole, report this."

    def __init__(self, projection: str, position: int, event_type: str, why: str) -> None:
        super().__init__(f"{projection} cannot apply {event_type} at position {position}: {why}")
        self.projection, self.position, self.type = projection, position, event_type
