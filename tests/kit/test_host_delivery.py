"""Deliveries through the real Hermes, down to the Bot API's HTTP client, which alone is replaced (rows M1, M2, M5, M6, M17)."""

import asyncio
import json
import os
import types
from importlib.util import find_spec
from pathlib import Path

import pytest

from kata.kit import (
    MediaPayload,
    MediaType,
    deliver_media,
    hook,
    invoke_host_tool,
    media_hooks,
    register_plugin,
)
from tests.kit.listings import load
from tests.kit.support import plugin_of

pytestmark = [
    pytest.mark.hermes,
    pytest.mark.skipif(
        find_spec("telegram") is None, reason="python-telegram-bot comes with the hermes group"
    ),
]

PEER, GROUP = "8670382527", "-5372910000"
MESSAGE = {"message_id": 7, "date": 0, "chat": {"id": 1, "type": "private"}}
ME = {"id": 123, "is_bot": True, "first_name": "Probe", "username": "probe_bot"}


def wire():
    """Replace the HTTP client of the Bot API; return the list of requests: method, fields, and files by name."""
    from telegram.request import HTTPXRequest

    requests = []

    async def do_request(self, url, method, request_data=None, **timeouts):
        name = url.rsplit("/", 1)[-1]
        fields = dict(request_data.json_parameters) if request_data else {}
        files = dict(request_data.multipart_data or {}) if request_data else {}
        requests.append([name, fields, {key: value[0] for key, value in files.items()}])
        return 200, json.dumps({"ok": True, "result": ME if name == "getMe" else MESSAGE}).encode()

    HTTPXRequest.do_request = do_request
    os.environ["TELEGRAM_BOT_TOKEN"] = "123:" + "A" * 35
    return requests


def made(name, head):
    path = Path(name).resolve()
    path.write_bytes(head + b"\x00" * 64)
    return path


def sends(requests):
    """Leave out what only opens a bot."""
    return [
        [
            name,
            {
                key: fields.get(key)
                for key in ("chat_id", "message_thread_id", "caption", "has_spoiler")
                if key in fields
            },
            sorted(files),
        ]
        for name, fields, files in requests
        if name != "getMe"
    ]


def everything():
    plugin_of("probe")
    requests = wire()
    picture, memo = made("a.png", b"\x89PNG\r\n\x1a\n"), made("a.ogg", b"OggS")
    results = [
        deliver_media(MediaPayload(picture, caption="Look"), target=f"telegram:{PEER}"),
        deliver_media(MediaPayload(memo, MediaType.VOICE), target=f"telegram:{PEER}"),
        deliver_media(MediaPayload(picture, MediaType.DOCUMENT), target=f"telegram:{PEER}"),
        deliver_media(MediaPayload(picture, spoiler=True, caption="Guess"), target=f"telegram:{GROUP}:42"),
    ]
    return [sends(requests), [result.as_dict() for result in results]]


def test_pictures_voice_documents_and_spoilers_arrive_as_such(on_host):
    requests, results = on_host(everything)
    assert requests == [
        ["sendPhoto", {"chat_id": PEER, "caption": "Look"}, ["photo"]],
        ["sendVoice", {"chat_id": PEER}, ["voice"]],
        ["sendDocument", {"chat_id": PEER}, ["document"]],
        [
            "sendPhoto",
            {"chat_id": GROUP, "message_thread_id": "42", "caption": "Guess", "has_spoiler": "true"},
            ["photo"],
        ],
    ]
    assert [result["success"] for result in results] == [True] * 4
    assert [result["host_result"]["message_id"] for result in results] == ["7"] * 4
    assert not any(route in json.dumps(results) for route in (PEER, GROUP))


def captioned():
    plugin_of("probe")
    requests = wire()
    picture, other = made("a.png", b"\x89PNG"), made("private.png", b"\x89PNG")
    caption = f"MEDIA:{other} [[as_document]]"
    deliver_media(MediaPayload(picture, caption=caption), target=f"telegram:{PEER}")
    return [[name, sorted(files.values())] for name, _, files in requests if name != "getMe"]


def test_a_caption_attaches_nothing(on_host):
    ((name, files),) = on_host(captioned)
    assert (name, files) == ("sendPhoto", ["a.png"])


def at_origin():
    from gateway.session_context import set_session_vars

    _, ctx = plugin_of("voice")
    requests = wire()
    memo = made("memo.ogg", b"OggS")
    set_session_vars(platform="telegram", chat_id=GROUP, thread_id="42", session_id="s")
    listing = load("voice_memo", memo.parent)
    listing.register(ctx)
    result = listing.deliver_voice_memo(str(memo), session_id="s", task_id="t")
    shown = ctx._manager.invoke_hook("transform_llm_output", response_text="Done.", session_id="s", model="m")
    return [sends(requests), result.requested_target, result.display_target, shown]


def test_the_voice_memo_reaches_the_conversation_at_hand(on_host):
    requests, requested, displayed, shown = on_host(at_origin)
    assert requests == [["sendVoice", {"chat_id": GROUP, "message_thread_id": "42"}, ["voice"]]]
    assert (requested, displayed, shown) == ("origin", "telegram:-…0000:42", ["NO_REPLY"])


def skipped():
    from gateway.session_context import _VAR_MAP

    plugin_of("probe")
    requests = wire()
    for name, value in {"PLATFORM": "telegram", "CHAT_ID": PEER}.items():
        _VAR_MAP[f"HERMES_CRON_AUTO_DELIVER_{name}"].set(value)
    result = deliver_media(MediaPayload(made("a.png", b"\x89PNG")), target=f"telegram:{PEER}", session_id="s")
    transform, _ = media_hooks()
    return [
        result.state,
        result.success,
        transform(session_id="s"),
        sends(requests),
        PEER in json.dumps(result.as_dict()),
    ]


def test_what_a_cron_job_delivers_anyway_is_skipped_and_silences_nothing(on_host):
    assert on_host(skipped) == ["skipped", False, None, [], False]


def guarded():
    _, ctx = plugin_of("guard")
    requests = wire()
    picture = MediaPayload(made("a.png", b"\x89PNG"))
    hooks = [
        hook("pre_tool_call")(
            lambda args, **payload: {"action": "modify", "args": {"target": f"telegram:{GROUP}"}}
        )
    ]
    turned = register_plugin(ctx, hooks)
    first = deliver_media(picture, target=f"telegram:{PEER}")
    turned.dispose()
    register_plugin(
        ctx, [hook("pre_tool_call")(lambda **payload: {"action": "block", "message": "not to strangers"})]
    )
    second = deliver_media(picture, target=f"telegram:{PEER}", session_id="s")
    return [sends(requests), first.display_target, second.as_dict()["host_result"]]


def test_another_plugins_guard_may_turn_or_block_a_delivery(on_host):
    assert on_host(guarded) == [
        [["sendPhoto", {"chat_id": GROUP}, ["photo"]]],
        "telegram:-…0000",
        {"error": "not to strangers"},
    ]


def observed():
    from hermes_cli import observability

    _, ctx = plugin_of("probe")
    wire()
    seen, first_party = [], []
    observability.handles_hook = lambda name: True
    observability.observe_lifecycle = lambda name, **outcome: first_party.append(name)
    register_plugin(ctx, [hook("post_tool_call")(lambda **outcome: seen.append(outcome))])
    picture = made("a.png", b"\x89PNG")
    args = {"action": "send", "target": f"telegram:{PEER}", "message": f"MEDIA:{picture}"}
    invoke_host_tool("send_message", args, session_id="s")
    invoke_host_tool("send_message", {**args, "target": "nowhere:1"})
    keys = ("tool_name", "status", "error_type", "session_id", "middleware_trace")
    return [[{key: outcome[key] for key in keys} for outcome in seen], first_party]


def test_observers_are_told_as_hermes_tells_them(on_host):
    (good, bad), first_party = on_host(observed)
    assert good == {
        "tool_name": "send_message",
        "status": "ok",
        "error_type": None,
        "session_id": "s",
        "middleware_trace": [],
    }
    assert (bad["status"], bad["error_type"]) == ("error", "host_tool_error")
    assert first_party == ["pre_tool_call", "post_tool_call"] * 2


def relayed():
    from gateway.relay import egress

    plugin_of("probe")
    requests = wire()
    egress.authorize_relay_target = lambda *args, **kwargs: "Refusing to send to relay target 'telegram'"
    picture = made("a.png", b"\x89PNG")
    results = [
        deliver_media(MediaPayload(picture, spoiler=spoiler), target=f"telegram:{PEER}", session_id="s")
        for spoiler in (False, True)
    ]
    transform, _ = media_hooks()
    return [
        [result.state for result in results],
        transform(session_id="s"),
        sends(requests),
        results[0].host_result,
    ]


def test_a_relay_that_refuses_is_an_ordinary_failure(on_host):
    states, shown, requests, host_result = on_host(relayed)
    assert (states, shown, requests) == (["failed", "failed"], None, [])
    assert host_result["error"].startswith("Refusing to send")


def shaped():
    from gateway import run

    runner = run.GatewayRunner.__new__(run.GatewayRunner)
    source = types.SimpleNamespace(platform=None, chat_id="1")
    entry = types.SimpleNamespace(session_id="s")

    async def shape(text, **expected):
        response, silent, _ = await runner._hmwa_shape_agent_response(
            {"final_response": text, "messages": [], "api_calls": 1},
            source,
            [],
            entry,
            "",
            "",
            0,
            "s",
            "telegram",
            0.0,
            **expected,
        )
        return [response, silent]

    return [
        asyncio.run(shape("NO_REPLY")),
        asyncio.run(shape("NO_REPLY", reply_expected=False)),
        asyncio.run(shape("Sent.")),
    ]


def test_a_person_reads_a_sentence_and_not_a_notice_about_silence(on_host):
    marker_to_a_person, marker_to_nobody, sentence = on_host(shaped)
    assert marker_to_a_person[0] != "NO_REPLY"
    assert not marker_to_a_person[1]
    assert marker_to_nobody == ["NO_REPLY", True]
    assert sentence == ["Sent.", False]
