from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.lab import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path / "plugin-data" / "kata")
    yield made
    made.close()
