"""Old schemas become new ones by registered functions ``vN -> vN+1``, with no gap in the chain (design 2)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from .registry import CatalogueError, EventType

JsonDict: TypeAlias = dict[str, Any]
Upcast: TypeAlias = Callable[[JsonDict], JsonDict]


class Upcasters:
    """The functions that lift a decoded payload from one schema number to the next."""

    def __init__(self) -> None:
        self._steps: dict[tuple[str, int], Upcast] = {}

    def register(self, name: str, from_schema: int) -> Callable[[Upcast], Upcast]:
        """Enter the function that lifts ``name`` from ``from_schema`` to the next number.

        Raises:
            CatalogueError: that step is taken.
        """

        def enter(upcast: Upcast) -> Upcast:
            if (name, from_schema) in self._steps:
                raise CatalogueError(f"two upcasters lift {name} from schema {from_schema}")
            self._steps[name, from_schema] = upcast
            return upcast

        return enter

    def check(self, types: Iterable[EventType]) -> None:
        """See that every older schema leads to the newest one, step by step, and that no step leads nowhere.

        Raises:
            CatalogueError: a step is missing, or one belongs to no type or reaches beyond the newest schema.
        """
        needed = {(one.name, schema) for one in types for schema in range(1, one.schema)}
        for name, schema in sorted(needed - self._steps.keys()):
            raise CatalogueError(f"nothing lifts {name} from schema {schema} to {schema + 1}")
        for name, schema in sorted(self._steps.keys() - needed):
            raise CatalogueError(f"the upcaster of {name} from schema {schema} leads nowhere")

    def lift(self, name: str, value: Mapping[str, Any], from_schema: int, to_schema: int) -> JsonDict:
        """Lift a decoded payload through every schema in between."""
        lifted = dict(value)
        for schema in range(from_schema, to_schema):
            lifted = self._steps[name, schema](lifted)
        return lifted


UPCASTERS = Upcasters()
"""Every upcaster there is; the codec checks the chain when it is imported."""
