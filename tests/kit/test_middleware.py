import functools
import logging
import re

import pytest

from kata.kit import MiddlewareKind, middleware, spec_of


@middleware(MiddlewareKind.TOOL_REQUEST)
def normalise(args, **payload):
    return {"args": {**args, "workspace": "/w"}, "source": "valdris"}


class DownstreamError(Exception):
    """Stand in for the host's mark around a failure below a middleware's frame."""

    def __init__(self, original):
        super().__init__(str(original))
        self.original = original


def test_the_kinds_are_the_four_of_hermes():
    assert [kind.value for kind in MiddlewareKind] == [
        "tool_request",
        "tool_execution",
        "llm_request",
        "llm_execution",
    ]


def test_a_kind_may_be_text_and_need_not_be_known():
    assert spec_of(middleware(" tool_request ")(lambda **_: None)).kind == "tool_request"
    assert spec_of(middleware("room_request")(lambda **_: None)).kind == "room_request"


@pytest.mark.parametrize("kind", ["", "  ", None, 3])
def test_a_kind_is_needed(kind):
    with pytest.raises(ValueError, match="middleware kind"):
        middleware(kind)


async def _later(**payload):
    return None


@pytest.mark.parametrize("function", [_later, functools.partial(_later)])
def test_async_middleware_is_refused(function):
    with pytest.raises(TypeError, match="must be synchronous"):
        middleware("tool_request")(function)


def test_the_payload_goes_through_and_the_value_comes_back_by_identity():
    answer = {"args": {}}
    declared = middleware("tool_request")(lambda **payload: answer)
    assert declared(args={"a": 1}) is answer


def test_a_narrow_callback_gets_what_it_names():
    declared = middleware("tool_request")(lambda args: args["a"])
    assert declared(args={"a": 1}, tool_name="x", session_id="s") == 1


def test_the_next_call_is_made_by_the_callback():
    @middleware(MiddlewareKind.TOOL_EXECUTION)
    def measured(args, next_call, **payload):
        return next_call(args)

    assert measured(args={"a": 1}, next_call=lambda args: args["a"] + 1) == 2


def test_a_call_is_logged_without_its_payload(caplog):
    caplog.set_level(logging.DEBUG)
    normalise(args={"secret": "payload"}, session_id="s")
    begun, ended = caplog.records
    assert begun.getMessage() == 'tool_request middleware: invoked; context={"session_id": "s"}'
    assert re.fullmatch(
        r'tool_request middleware: ok; elapsed_ms=\d+\.\d{2}; result=dict; context=\{"session_id": "s"\}',
        ended.getMessage(),
    )
    assert "payload" not in caplog.text


def test_an_exception_goes_on_as_the_same_object_and_its_cause_is_named(logged):
    error = DownstreamError(KeyError("private"))

    @middleware(MiddlewareKind.LLM_EXECUTION)
    def passing(request, next_call):
        return next_call(request)

    def fails(request):
        raise error

    with pytest.raises(DownstreamError) as caught:
        passing(request={}, next_call=fails)
    assert caught.value is error
    assert re.fullmatch(
        r"WARNING llm_execution middleware: callback raised; elapsed_ms=\d+\.\d{2}; error_type=KeyError; context=\{\}",
        logged()[-1],
    )


def test_an_execution_that_returns_none_is_told(logged):
    middleware(MiddlewareKind.TOOL_EXECUTION)(lambda args, next_call: None)(args={}, next_call=None)
    assert (
        logged()[-1]
        == "WARNING tool_execution middleware: returned None, which takes the place of the result"
    )


def test_a_request_may_return_none(logged):
    middleware(MiddlewareKind.TOOL_REQUEST)(lambda args: None)(args={})
    assert not any("WARNING" in line for line in logged())


def test_the_object_itself_is_registered_under_a_plain_text():
    call = normalise.host_call()
    assert (call.registrar, call.args) == ("register_middleware", ("tool_request", normalise))
    assert type(call.args[0]) is str
