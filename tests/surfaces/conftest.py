import pytest

from tests.service.lab import Lab


@pytest.fixture
def lab(tmp_path):
    made = Lab(tmp_path / "kata")
    yield made
    made.close()
