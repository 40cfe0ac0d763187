import pytest

from kata.kit import ResolvedDeliveryTarget, resolve_delivery_target
from kata.kit.media.targets import displayed


@pytest.fixture
def origin(fake_module):
    values = {}
    fake_module("gateway.session_context", get_session_env=lambda name, default="": values.get(name, default))
    return values


@pytest.mark.parametrize("target", ["", "  ", None])
def test_a_target_is_required(target):
    with pytest.raises(ValueError, match="delivery target is required"):
        resolve_delivery_target(target)


def test_any_other_target_goes_through():
    assert resolve_delivery_target(" telegram:-1001234567890:42 ") == ResolvedDeliveryTarget(
        "telegram:-1001234567890:42", "telegram:-1001234567890:42", "telegram:-…7890:42"
    )


@pytest.mark.parametrize(
    ("thread", "route"), [("", "telegram:-5372910000"), ("42", "telegram:-5372910000:42")]
)
def test_origin_is_the_conversation_at_hand(origin, thread, route):
    origin.update(
        HERMES_SESSION_PLATFORM="Telegram",
        HERMES_SESSION_CHAT_ID="-5372910000",
        HERMES_SESSION_THREAD_ID=thread,
    )
    resolved = resolve_delivery_target("origin")
    assert (resolved.requested, resolved.host_target) == ("origin", route)
    assert resolved.display == displayed(route)


def test_origin_needs_a_platform_and_a_chat(origin):
    origin.update(HERMES_SESSION_PLATFORM="telegram")
    with pytest.raises(RuntimeError, match="has no platform/chat route"):
        resolve_delivery_target("origin")


def test_origin_needs_a_gateway(no_hermes):
    with pytest.raises(RuntimeError, match="origin delivery context is unavailable: ModuleNotFoundError"):
        resolve_delivery_target("origin")


@pytest.mark.parametrize(
    ("route", "shown"),
    [
        ("telegram:8670382527", "telegram:…2527"),
        ("telegram:-5372910000:42", "telegram:-…0000:42"),
        ("telegram:1234", "telegram:1234"),
        ("signal:+15551234567", "signal:+…4567"),
        ("telegram:@some_name", "telegram:@…name"),
        ("slack:U0123ABCDEF", "slack:…CDEF"),
        ("discord:#general", "discord:#general"),
        ("telegram", "telegram"),
    ],
)
def test_who_is_there_is_not_shown(route, shown):
    assert displayed(route) == shown
