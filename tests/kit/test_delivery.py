import json
import sys
import types

import pytest

from kata import kit
from kata.kit import (
    MediaDeliveryResult,
    MediaPayload,
    MediaType,
    ResolvedDeliveryTarget,
    clear_media_delivery_state,
    deliver_media,
    media_hooks,
    transform_media_delivery_output,
)
from kata.kit.media.silence import DeliveryMarks, marks

CHAT = "-5372910000"
ROUTE = f"telegram:{CHAT}:42"


@pytest.fixture(autouse=True)
def _fresh(no_hermes):
    marks.clear_profile()


@pytest.fixture
def sender(fake_module):
    """Stand in for Hermes' sender; ``answer`` is what it says, ``block`` what a guard says."""
    state = types.SimpleNamespace(answer={"success": True}, sent=[], block=None, change=None, guarded=[])

    def send(args, **context):
        state.sent.append(args)
        return state.answer if isinstance(state.answer, str) else json.dumps(state.answer)

    def guard(name, args, **ids):
        state.guarded.append((name, args))
        return state.block, state.change and {**args, **state.change}

    fake_module("tools.send_message_tool", send_message_tool=send)
    fake_module("hermes_cli.plugins", _dispatch_pre_tool_call_hooks=guard)
    return state


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "reveal.png"
    path.write_bytes(b"\x89PNG")
    return path


class FakeBot:
    """Stand in for the Bot API client."""

    made = ()

    def __init__(self, **options):
        self.options, self.steps = options, []
        FakeBot.made = (*FakeBot.made, self)

    async def initialize(self):
        self.steps.append("initialize")

    async def shutdown(self):
        self.steps.append("shutdown")

    async def send_photo(self, **message):
        self.steps.append("send_photo")
        self.message = message
        if message["caption"] == "break":
            raise OSError("network")
        return types.SimpleNamespace(message_id=7)


@pytest.fixture
def telegram(fake_module, sender):
    """Stand in for Telegram: settings of the gateway, and the Bot API client."""
    settings = types.SimpleNamespace(enabled=True, token="t", extra={})
    config = types.SimpleNamespace(
        platforms={"telegram": settings},
        get_home_channel=lambda platform: types.SimpleNamespace(chat_id="99"),
    )
    fake_module(
        "gateway.config",
        Platform=types.SimpleNamespace(TELEGRAM="telegram"),
        load_gateway_config=lambda: config,
    )
    fake_module("telegram", Bot=FakeBot)
    FakeBot.made = ()
    return settings


# Plain delivery.


def test_only_a_payload_is_delivered():
    with pytest.raises(TypeError, match="MediaPayload"):
        deliver_media("/a.png", target=ROUTE)


def test_a_missing_or_empty_file_is_told_before_anything_is_asked(tmp_path, sender):
    for path in (tmp_path / "none.png", tmp_path):
        with pytest.raises(ValueError, match=str(path)):
            deliver_media(MediaPayload(path), target=ROUTE)
    (tmp_path / "empty.png").touch()
    with pytest.raises(ValueError, match="missing or empty"):
        deliver_media(MediaPayload(tmp_path / "empty.png"), target=ROUTE)
    assert sender.guarded == []


def test_the_host_is_asked_to_send_the_message(picture, sender):
    deliver_media(MediaPayload(picture, caption="Hi"), target=ROUTE)
    assert sender.sent == [{"action": "send", "target": ROUTE, "message": f"Hi\nMEDIA:{picture}"}]


def test_a_plugins_test_may_put_its_own_function_in_the_hosts_place(picture, monkeypatch):
    asked = []
    monkeypatch.setattr(
        kit, "invoke_host_tool", lambda *args, **context: asked.append((args, context)) or '{"ok": true}'
    )
    assert deliver_media(MediaPayload(picture), target=ROUTE, session_id="s").success
    message = {"action": "send", "target": ROUTE, "message": f"MEDIA:{picture}"}
    assert asked == [(("send_message", message), {"session_id": "s"})]


def test_origin_is_the_default(picture, sender, fake_module):
    values = {"HERMES_SESSION_PLATFORM": "telegram", "HERMES_SESSION_CHAT_ID": CHAT}
    fake_module("gateway.session_context", get_session_env=lambda name, default="": values.get(name, ""))
    result = deliver_media(MediaPayload(picture))
    assert sender.sent[0]["target"] == f"telegram:{CHAT}"
    assert (result.requested_target, result.display_target) == ("origin", "telegram:-…0000")


def test_a_resolved_target_is_taken_as_it_is(picture, sender):
    result = deliver_media(MediaPayload(picture), target=ResolvedDeliveryTarget("origin", ROUTE, "there"))
    assert sender.sent[0]["target"] == ROUTE
    assert (result.requested_target, result.display_target) == ("origin", "there")


def test_the_result_tells_no_route(picture, sender):
    sender.answer = {
        "success": True,
        "chat_id": CHAT,
        "note": f"sent to {ROUTE}",
        "deep": [{"number": int(CHAT), "by": "Bearer abcdef123456"}],
    }
    result = deliver_media(MediaPayload(picture), target=ROUTE)
    assert result == MediaDeliveryResult(
        success=True,
        requested_target="telegram:-…0000:42",
        display_target="telegram:-…0000:42",
        media_type=MediaType.AUTO,
        path=picture,
        host_result={
            "success": True,
            "chat_id": "-…0000",
            "note": "sent to telegram:-…0000:42",
            "deep": [{"number": "-…0000", "by": "Bearer ***"}],
        },
    )
    assert CHAT not in json.dumps(result.as_dict())
    assert result.as_dict()["path"] == str(picture)
    assert result.as_dict()["media_type"] == "auto"


@pytest.mark.parametrize(
    ("answer", "host_result"),
    [
        ({"error": "no route"}, {"error": "no route"}),
        ({"success": False}, {"success": False}),
        ("not json", {"error": "send_message returned invalid JSON"}),
        (
            {"error": "Refusing to send to relay target 'x'"},
            {"error": "Refusing to send to relay target 'x'"},
        ),
    ],
)
def test_a_failure_is_a_failure(picture, sender, answer, host_result):
    sender.answer = answer
    result = deliver_media(MediaPayload(picture), target=ROUTE, session_id="s")
    assert (result.success, result.state, result.host_result) == (False, "failed", host_result)
    assert transform_media_delivery_output("text", session_id="s") is None


def test_a_result_that_is_no_object_is_kept_apart(picture, sender):
    sender.answer = "[1]"
    assert deliver_media(MediaPayload(picture), target=ROUTE).host_result == {"result": [1]}


def test_a_delivery_that_hermes_skips_is_not_a_success(picture, sender):
    sender.answer = {"success": True, "skipped": True, "reason": "cron_auto_delivery_duplicate_target"}
    result = deliver_media(MediaPayload(picture), target=ROUTE, session_id="s")
    assert (result.success, result.state) == (False, "skipped")
    assert transform_media_delivery_output("text", session_id="s") is None


def test_a_blocked_delivery_says_so_and_silences_nothing(picture, sender):
    sender.block = "not to strangers"
    result = deliver_media(MediaPayload(picture), target=ROUTE, session_id="s")
    assert (result.success, result.host_result) == (False, {"error": "not to strangers"})
    assert transform_media_delivery_output("text", session_id="s") is None


def test_a_target_that_a_guard_changed_is_told_and_hidden_too(picture, sender):
    sender.change = {"target": "telegram:8670382527"}
    sender.answer = {"success": True, "chat_id": "8670382527"}
    result = deliver_media(MediaPayload(picture), target=ROUTE)
    assert sender.sent[0]["target"] == "telegram:8670382527"
    assert result.display_target == "telegram:…2527"
    assert result.host_result["chat_id"] == "…2527"


def test_a_delivery_is_logged_without_its_route(picture, sender, logged):
    deliver_media(MediaPayload(picture), target=ROUTE, session_id="s")
    sender.answer = {"error": "no"}
    deliver_media(MediaPayload(picture), target=ROUTE)
    assert logged() == [
        f"INFO event=media_delivery_started target=telegram:-…0000:42 media_type=auto path={picture}",
        "INFO event=media_delivery_completed target=telegram:-…0000:42 media_type=auto success=True",
        "INFO event=media_final_response_suppression_armed",
        f"INFO event=media_delivery_started target=telegram:-…0000:42 media_type=auto path={picture}",
        "WARNING event=media_delivery_completed target=telegram:-…0000:42 media_type=auto success=False",
    ]


# Spoilers.


def test_a_spoiler_goes_to_telegram_alone(picture, sender):
    with pytest.raises(ValueError, match="requires a Telegram target"):
        deliver_media(MediaPayload(picture, spoiler=True), target="discord:1")


def test_a_spoiler_is_sent_by_a_bot_of_its_own_behind_the_same_guard(picture, sender, telegram):
    result = deliver_media(MediaPayload(picture, spoiler=True, caption="Guess"), target=ROUTE)
    (bot,) = FakeBot.made
    assert bot.options == {"token": "t"}
    assert bot.steps == ["initialize", "send_photo", "shutdown"]
    assert {key: bot.message[key] for key in ("chat_id", "caption", "has_spoiler", "message_thread_id")} == {
        "chat_id": int(CHAT),
        "caption": "Guess",
        "has_spoiler": True,
        "message_thread_id": 42,
    }
    assert bot.message["photo"].name == str(picture)
    assert sender.sent == []
    assert sender.guarded == [
        (
            "send_message",
            {
                "action": "send",
                "target": ROUTE,
                "message": f"Guess\nMEDIA:{picture}",
                "media_options": {"spoiler": True},
            },
        )
    ]
    assert result.success
    assert result.spoiler
    assert result.host_result == {
        "success": True,
        "platform": "telegram",
        "chat_id": "-…0000",
        "message_id": "7",
        "spoiler": True,
    }


def test_a_spoiler_without_a_chat_goes_home_and_to_no_topic(picture, telegram):
    deliver_media(MediaPayload(picture, spoiler=True), target="telegram")
    (bot,) = FakeBot.made
    assert bot.message["chat_id"] == 99
    assert "message_thread_id" not in bot.message


def test_the_general_topic_is_no_topic(picture, telegram):
    deliver_media(MediaPayload(picture, spoiler=True), target=f"telegram:{CHAT}:1")
    assert "message_thread_id" not in FakeBot.made[0].message


def test_a_server_of_ones_own_is_used(picture, telegram):
    telegram.extra = {"base_url": "http://bots/", "local_mode": True}
    deliver_media(MediaPayload(picture, spoiler=True), target=ROUTE)
    assert FakeBot.made[0].options == {
        "token": "t",
        "base_url": "http://bots/",
        "base_file_url": "http://bots/",
        "local_mode": True,
    }


def test_a_proxy_of_hermes_is_used(picture, telegram, fake_module):
    fake_module(
        "gateway.platforms.base",
        resolve_proxy_url=lambda name, target_hosts: f"http://{name}:{target_hosts[0]}",
    )
    fake_module("telegram.request", HTTPXRequest=lambda proxy: ("through", proxy))
    fake_module("telegram", Bot=FakeBot)
    deliver_media(MediaPayload(picture, spoiler=True), target=ROUTE)
    assert FakeBot.made[0].options["request"] == ("through", "http://TELEGRAM_PROXY:api.telegram.org")


def test_a_spoiler_without_a_chat_needs_a_home(picture, telegram, fake_module):
    sys.modules["gateway.config"].load_gateway_config().get_home_channel = lambda platform: None
    result = deliver_media(MediaPayload(picture, spoiler=True), target="telegram")
    assert result.host_result == {"error": "Telegram spoiler delivery failed: RuntimeError"}


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        ({"caption": "break"}, "OSError"),
        ({"caption": "x" * 1025}, "ValueError"),
        ({"caption": "😀" * 513}, "ValueError"),
    ],
)
def test_a_spoiler_that_fails_tells_the_kind_alone_and_closes_its_bot(picture, telegram, payload, error):
    result = deliver_media(MediaPayload(picture, spoiler=True, **payload), target=ROUTE)
    assert result.host_result == {"error": f"Telegram spoiler delivery failed: {error}"}
    assert all(bot.steps[-1] == "shutdown" for bot in FakeBot.made)


def test_telegram_must_be_set_up(picture, telegram):
    telegram.enabled = False
    result = deliver_media(MediaPayload(picture, spoiler=True), target=ROUTE)
    assert result.host_result == {"error": "Telegram spoiler delivery failed: RuntimeError"}


def test_a_file_that_hermes_would_not_send_is_not_sent(picture, telegram, fake_module):
    base = types.SimpleNamespace(validate_media_delivery_path=lambda path: None)
    fake_module("gateway.platforms.base", BasePlatformAdapter=base)
    assert not deliver_media(MediaPayload(picture, spoiler=True), target=ROUTE).success
    assert FakeBot.made == ()


def test_a_destination_that_the_relay_refuses_is_not_reached(picture, telegram, fake_module):
    fake_module("gateway.relay.egress", authorize_relay_target=lambda *args, **kwargs: "Refusing")
    assert not deliver_media(MediaPayload(picture, spoiler=True), target=ROUTE).success
    assert FakeBot.made == ()


def test_a_guard_may_turn_a_spoiler_to_another_chat_but_not_change_it(picture, telegram, sender):
    sender.change = {"target": "telegram:8670382527"}
    assert deliver_media(MediaPayload(picture, spoiler=True), target=ROUTE).success
    assert FakeBot.made[-1].message["chat_id"] == 8670382527
    sender.change = {"message": "MEDIA:/other.png"}
    result = deliver_media(MediaPayload(picture, spoiler=True), target=ROUTE)
    assert result.host_result == {"error": "Telegram spoiler delivery failed: PermissionError"}


# The final text of the turn.


def test_a_delivery_silences_the_final_text_once(picture, sender, logged):
    deliver_media(MediaPayload(picture), target=ROUTE, session_id="s", task_id="t")
    assert transform_media_delivery_output("all done", session_id="other") is None
    assert transform_media_delivery_output("all done", session_id="s", model="m") == "NO_REPLY"
    assert logged()[-1] == "INFO event=media_final_response_suppressed original_chars=8"
    assert transform_media_delivery_output("all done", session_id="s") is None


def test_without_an_id_nothing_is_silenced(picture, sender):
    deliver_media(MediaPayload(picture), target=ROUTE)
    assert transform_media_delivery_output("x") is None
    assert transform_media_delivery_output("x", session_id="") is None


def test_the_replacement_may_be_a_sentence(picture, sender):
    deliver_media(MediaPayload(picture), target=ROUTE, session_id="s")
    assert transform_media_delivery_output("x", session_id="s", replacement="Sent.") == "Sent."


def test_the_end_of_the_turn_forgets(picture, sender):
    deliver_media(MediaPayload(picture), target=ROUTE, session_id="s", task_id="t")
    assert clear_media_delivery_state(task_id="t", completed=True) is None
    assert transform_media_delivery_output("x", session_id="s") is None
    clear_media_delivery_state(session_id="never", task_id="never")


def test_both_hooks_come_ready_to_register(picture, sender):
    transform, clear = media_hooks("Sent.")
    deliver_media(MediaPayload(picture), target=ROUTE, session_id="s")
    assert transform(response_text="x", session_id="s", turn_id="1") == "Sent."
    deliver_media(MediaPayload(picture), target=ROUTE, session_id="s")
    clear(session_id="s", task_id="", completed=True)
    assert transform(response_text="x", session_id="s") is None


def test_an_unload_forgets():
    marks.arm("s")
    transform, _ = media_hooks()
    transform.spec.on_unload()
    assert not marks.take("s")


def test_a_mark_lasts_five_minutes():
    now = [0.0]
    held = DeliveryMarks(clock=lambda: now[0])
    held.arm("a")
    held.arm("b")
    now[0] = 299.9
    assert held.take("a")
    now[0] = 300.0
    assert not held.take("b")


def test_the_ids_of_one_delivery_go_together():
    held = DeliveryMarks()
    assert held.arm("session", "task")
    assert held.take("task")
    assert not held.take("session")
    assert not held.arm("", "")


def test_profiles_do_not_silence_each_other(monkeypatch):
    held = DeliveryMarks()
    monkeypatch.setenv("HERMES_HOME", "/one")
    held.arm("s")
    monkeypatch.setenv("HERMES_HOME", "/two")
    assert not held.take("s")
    held.clear_profile()
    monkeypatch.setenv("HERMES_HOME", "/one")
    assert held.take("s")
