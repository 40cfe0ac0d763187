import pytest

from kata.validator import validator


@pytest.fixture(autouse=True)
def _forgetful(monkeypatch):
    """Run every check anew: reports are remembered."""
    monkeypatch.setattr(validator, "_known", {})
