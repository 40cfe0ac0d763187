"""Where a live view differs from what the log says, row by row (design 5)."""

from collections.abc import Iterator
from typing import Any

import attrs

from .projection import Projection, Table
from .store import ViewStore


@attrs.frozen
class Drift:
    """One row that is not as the log has it.

    ``kind`` is ``missing`` (not there), ``extra`` (should not be there), ``different``, or ``no_table``; ``key`` are the
    values of the table's key.
    """

    projection: str
    table: str
    key: tuple[Any, ...]
    kind: str

    def __str__(self) -> str:
        return f"{self.table}{list(self.key)}: {self.kind}"


def differences(live: ViewStore, rebuilt: ViewStore, projection: Projection) -> Iterator[Drift]:
    """Yield every row of a projection's live tables that is not as rebuilt."""
    for name, table in sorted(projection.tables.items()):
        yield from (
            Drift(projection.name, name, key, kind) for key, kind in _compare(live, rebuilt, name, table)
        )


def _compare(
    live: ViewStore, rebuilt: ViewStore, name: str, table: Table
) -> Iterator[tuple[tuple[Any, ...], str]]:
    expected = _by_key(rebuilt, name, table)
    for key, row in _by_key(live, name, table).items():
        wanted = expected.pop(key, None)
        if wanted is None:
            yield key, "extra"
        elif wanted != row:
            yield key, "different"
    for key in expected:
        yield key, "missing"


def _by_key(store: ViewStore, name: str, table: Table) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Map each row's key to its typed values: ``1``, ``1.0`` and ``"1"`` are three values."""
    width = len(table.key)
    rows = store.query(f"SELECT {', '.join(table.key)}, * FROM {name} ORDER BY {', '.join(table.key)}")
    return {row[:width]: tuple((type(value).__name__, value) for value in row[width:]) for row in rows}
