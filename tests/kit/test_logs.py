import logging
import sys

import pytest

from kata.kit import configure_stderr_logging
from kata.kit.logs import safe_traceback


@pytest.fixture
def logger():
    made = logging.Logger("x-plugin")  # noqa: LOG001 - outside the tree, so that no other test sees it
    yield made
    made.handlers.clear()


@pytest.mark.parametrize("flag", ["1", "true", " YES ", "On"])
def test_one_handler_is_added_when_the_flag_is_on(logger, monkeypatch, flag):
    monkeypatch.setenv("X_LOG", flag)
    handler = configure_stderr_logging(logger, env_var="X_LOG")
    assert configure_stderr_logging(logger, env_var="X_LOG") is handler
    assert logger.handlers == [handler]
    assert handler.level == logging.INFO
    assert handler.stream is sys.stderr
    assert handler.formatter._fmt == "%(asctime)s %(levelname)s %(name)s %(message)s"


@pytest.mark.parametrize("flag", ["0", "no", "", "maybe"])
def test_nothing_changes_when_the_flag_is_off(logger, monkeypatch, flag):
    monkeypatch.setenv("X_LOG", flag)
    assert configure_stderr_logging(logger, env_var="X_LOG", default=True) is None
    assert logger.handlers == []
    assert logger.level == logging.NOTSET


def test_an_unset_flag_is_the_default(logger, monkeypatch):
    monkeypatch.delenv("X_LOG", raising=False)
    assert configure_stderr_logging(logger, env_var="X_LOG") is None
    assert configure_stderr_logging(logger, env_var="X_LOG", default=True) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (logging.NOTSET, logging.INFO),
        (logging.ERROR, logging.INFO),
        (logging.DEBUG, logging.DEBUG),
        (logging.INFO, logging.INFO),
    ],
)
def test_the_logger_lets_info_through(logger, monkeypatch, before, after):
    monkeypatch.setenv("X_LOG", "1")
    logger.setLevel(before)
    configure_stderr_logging(logger, env_var="X_LOG")
    assert logger.level == after


def test_what_is_no_logger_or_no_variable_is_refused(logger):
    with pytest.raises(TypeError, match="logger"):
        configure_stderr_logging("x", env_var="X_LOG")
    for blank in ("", "  ", None):
        with pytest.raises(ValueError, match="env_var"):
            configure_stderr_logging(logger, env_var=blank)


def _fail():
    try:
        {}["swordfish"]
    except KeyError as inner:
        raise ValueError("Bearer abcdef123456") from inner


def test_a_traceback_loses_its_secrets_with_its_causes():
    with pytest.raises(ValueError, match="Bearer") as caught:
        _fail()
    text = safe_traceback(caught.value, ("swordfish",))
    assert "KeyError: '***'" in text
    assert "ValueError: Bearer ***" in text
    assert "swordfish" not in text
