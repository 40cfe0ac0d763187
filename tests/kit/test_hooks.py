import asyncio
import inspect
import logging
import re

import pytest

from kata.kit import hook, spec_of


@hook("pre_llm_call")
def inject(session_id, **payload):
    """Inject a context."""
    return {"context": session_id, **payload}


@pytest.mark.parametrize("name", ["", "  ", None, 3])
def test_a_hook_needs_a_name(name):
    with pytest.raises(ValueError, match="hook name"):
        hook(name)


def test_a_name_is_stripped_and_need_not_be_known():
    assert spec_of(hook(" on_moon ")(lambda: None)).name == "on_moon"


def test_a_hook_takes_keywords_only():
    with pytest.raises(TypeError):
        inject("s")


def test_the_payload_goes_through_unchanged_and_the_value_comes_back_by_identity():
    answer = {"context": "x"}
    seen = []

    @hook("pre_llm_call")
    def callback(**payload):
        seen.append(payload)
        return answer

    messages = [1]
    assert callback(session_id="s", messages=messages) is answer
    assert seen == [{"session_id": "s", "messages": [1]}]
    assert seen[0]["messages"] is messages


def test_a_narrow_callback_gets_what_it_names_and_the_log_still_knows_the_ids(logged):
    @hook("post_tool_call")
    def narrow(tool_name):
        return tool_name

    assert narrow(tool_name="terminal", session_id="s", task_id="t") == "terminal"
    assert 'context={"session_id": "s", "task_id": "t"}' in logged()[-1]


def test_the_signature_shows_the_authors_names_and_takes_anything():
    assert str(inspect.signature(inject)) == "(*, session_id, **payload)"
    parameters = inspect.signature(inject).parameters.values()
    assert any(item.kind is item.VAR_KEYWORD for item in parameters)


def test_a_hook_can_be_tested_as_a_plain_function():
    assert inject.call("s", more=1) == {"context": "s", "more": 1}
    assert inject.__doc__ == "Inject a context."


def test_a_call_is_logged_without_its_payload(caplog):
    caplog.set_level(logging.DEBUG)
    inject(session_id="s", secret_plan="payload")
    begun, ended = caplog.records
    assert begun.name == __name__
    assert (begun.levelname, begun.getMessage()) == (
        "DEBUG",
        'pre_llm_call: invoked; context={"session_id": "s"}',
    )
    assert ended.levelname == "INFO"
    assert re.fullmatch(
        r'pre_llm_call: ok; elapsed_ms=\d+\.\d{2}; result=dict; context=\{"session_id": "s"\}',
        ended.getMessage(),
    )
    assert ended.kit["name"] == "pre_llm_call"


def test_an_exception_goes_on_as_the_same_object_and_only_its_type_is_logged(logged):
    error = ValueError("a private message")

    @hook("post_tool_call")
    def broken(**payload):
        raise error

    with pytest.raises(ValueError, match="private") as caught:
        broken(task_id="t")
    assert caught.value is error
    line = logged()[-1]
    assert re.fullmatch(
        r'WARNING post_tool_call: callback raised; elapsed_ms=\d+\.\d{2}; error_type=ValueError; context=\{"task_id": "t"\}',
        line,
    )
    assert "private" not in "".join(logged())
    assert "Traceback" not in line


def test_an_observer_may_ignore_its_errors(logged):
    @hook("pre_tool_call", on_error="ignore")
    def broken(**payload):
        raise ValueError("no")

    assert broken() is None
    assert logged()[-1].startswith("WARNING pre_tool_call: callback raised")


def test_an_exit_is_never_swallowed():
    @hook("pre_tool_call", on_error="ignore")
    def leaving(**payload):
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        leaving()


def test_an_async_hook_is_logged_when_it_has_run(logged):
    @hook("on_session_end")
    async def later(**payload):
        await asyncio.sleep(0)
        return payload["session_id"]

    assert inspect.iscoroutinefunction(later)
    running = later(session_id="s")
    assert logged() == []
    assert asyncio.run(running) == "s"
    assert "result=str" in logged()[-1]


def test_a_failing_async_hook_is_seen(logged):
    @hook("on_session_end")
    async def broken(**payload):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        asyncio.run(broken())
    assert "error_type=ValueError" in logged()[-1]


def test_an_async_observer_may_ignore_its_errors():
    @hook("on_session_end", on_error="ignore")
    async def broken(**payload):
        raise ValueError("no")

    assert asyncio.run(broken()) is None


@pytest.mark.parametrize(
    ("name", "level", "expected"),
    [
        ("on_stream_delta", None, "DEBUG"),
        ("pre_llm_call", None, "INFO"),
        ("pre_llm_call", logging.DEBUG, "DEBUG"),
    ],
)
def test_hooks_of_a_running_stream_are_quiet(name, level, expected, logged):
    hook(name, log_level=level)(lambda **payload: None)()
    assert logged()[-1].startswith(f"{expected} {name}: ok")


def test_nothing_is_formatted_for_a_log_that_nobody_reads(caplog):
    caplog.set_level(logging.ERROR)

    class Loud:
        def __str__(self):
            raise AssertionError("formatted")

    assert inject(session_id=Loud())["context"]


def test_the_object_itself_is_registered():
    call = inject.host_call()
    assert (call.registrar, call.args, call.kwargs) == ("register_hook", ("pre_llm_call", inject), {})


def test_a_decorated_method_is_bound_to_its_object():
    class Watch:
        @hook("pre_llm_call")
        def inject(self, session_id):
            return [type(self).__name__, session_id]

    bound = Watch().inject
    assert bound(session_id="s", model="m") == ["Watch", "s"]
    assert str(inspect.signature(bound)) == "(*, session_id, **payload)"
