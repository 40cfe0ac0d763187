import pytest

from tests.service.lab import Lab


@pytest.fixture
def lab(tmp_path):
    made = Lab(tmp_path / "plugin-data" / "kata")
    yield made
    made.close()
