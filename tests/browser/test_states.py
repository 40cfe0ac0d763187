"""What the tab shows when something is wrong, missing or hostile; it never takes the dashboard down with it."""

import json

import pytest

HOST_NAV = "nav a[href='/sessions']"
API = "**/api/plugins/kata/**"
FAILURES = {
    "a session that ended": (
        401,
        "application/json",
        '{"detail": "Unauthorized"}',
        "Your dashboard session ended",
        "Reload",
    ),
    "routes that are not mounted": (
        404,
        "application/json",
        '{"detail": "Not Found"}',
        "Kata's API is not mounted",
        "Copy “hermes dashboard”",
    ),
    "a fault inside": (
        500,
        "text/plain",
        "Internal Server Error",
        "The server answered with something else than data",
        "Try again",
    ),
    "a fault that is told": (
        500,
        "application/json",
        '{"ok": false, "error": {"code": "error", "message": "x", "hint": "y"}}',
        "Something went wrong inside Kata",
        "Try again",
    ),
    "a login page": (
        200,
        "text/html",
        "<html>sign in</html>",
        "The server answered with something else than data",
        "Try again",
    ),
    "a log that cannot be read": (
        503,
        "application/json",
        '{"ok": false, "error": {"code": "store_unavailable", "message": "the disk is full", "hint": "Make room."}}',
        "Kata's log cannot be read or written now",
        "Try again",
    ),
    "success that is none": (
        200,
        "application/json",
        '{"ok": false}',
        "Something went wrong inside Kata",
        "Try again",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_each_failure_says_what_it_is_and_what_to_do(page, site, failure):
    status, kind, body, title, action = FAILURES[failure]
    page.route(API, lambda route: route.fulfill(status=status, content_type=kind, body=body))
    page.goto(site.at())
    page.get_by_text(title).first.wait_for()
    assert page.get_by_role("button", name=action).first.is_visible()
    assert page.locator(HOST_NAV).first.is_visible()


def test_a_server_that_is_gone_is_told_and_trying_again_helps(page, site):
    page.route(API, lambda route: route.abort())
    page.goto(site.at())
    page.get_by_text("The dashboard's server cannot be reached").wait_for()
    page.unroute(API)
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="Needs you (3)").wait_for()


def test_a_session_that_ended_while_deciding_decides_nothing_and_says_so(page, site):
    page.goto(site.at(kata=6))
    page.get_by_role("button", name="Approve…").click()
    page.get_by_role("dialog").get_by_role("checkbox").check()
    page.route(
        "**/approve?*",
        lambda route: route.fulfill(
            status=401, content_type="application/json", body='{"detail": "Unauthorized"}'
        ),
    )
    page.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_role("dialog").get_by_text("Your dashboard session ended").wait_for()
    assert page.get_by_role("dialog").get_by_role("button", name="Reload").is_visible()
    assert site.api("katas/6")["row"]["state"] == "candidate"


def test_an_answer_of_another_shape_stays_inside_the_tab(page, site):
    body = json.dumps({"schema": "kata.api/1", "ok": True, "profile": "x", "data": {"needs_you": 5}})
    page.route(
        "**/kata/overview?*",
        lambda route: route.fulfill(status=200, content_type="application/json", body=body),
    )
    page.goto(site.at())
    page.get_by_text("This page of Kata could not be shown").wait_for()
    assert page.locator(HOST_NAV).first.is_visible()


def test_a_kata_that_is_not_there_is_told_with_near_names(page, site):
    page.goto(site.at(kata="weekly_reports"))
    page.get_by_text("There is no such thing").wait_for()
    assert page.get_by_text("Did you mean weekly_report?").is_visible()


CHANGED_HOSTS = {
    "no components": "sdk.components = {};",
    "no tabs": "delete sdk.components.Tabs;",
    "no language": "delete sdk.useI18n;",
    "no hooks beside React": "delete sdk.hooks;",
    "fetchJSON alone": "delete sdk.authedFetch;",
    "no fetch of its own": "delete sdk.authedFetch; delete sdk.fetchJSON;",
    "no tools": "delete sdk.utils; delete sdk.api;",
}


@pytest.mark.parametrize("host", CHANGED_HOSTS)
def test_a_host_that_lacks_something_still_has_its_tab(page, site, host):
    page.add_init_script(
        f"""let kept; Object.defineProperty(window, "__HERMES_PLUGIN_SDK__", {{
            get: () => kept, set: (sdk) => {{ {CHANGED_HOSTS[host]} kept = sdk; }} }});"""
    )
    page.goto(site.at())
    page.get_by_role("heading", name="Needs you (3)").wait_for()


def test_without_react_the_dashboard_stays_whole(page, site):
    page.add_init_script(
        """let kept; Object.defineProperty(window, "__HERMES_PLUGIN_SDK__", {
            get: () => kept, set: (sdk) => { delete sdk.React; delete sdk.hooks; kept = sdk; } });"""
    )
    page.goto(site.at())
    page.locator(HOST_NAV).first.wait_for()
    assert page.locator(".kata").count() == 0


def test_the_script_loaded_twice_is_one_tab(page, site):
    page.goto(site.at())
    page.get_by_role("heading", name="Needs you (3)").wait_for()
    page.add_script_tag(url=f"{site.url}/dashboard-plugins/kata/dist/index.js")
    page.get_by_role("heading", name="Needs you (3)").wait_for()
    assert page.locator(".kata").count() == 1


def test_script_in_every_field_is_text_and_tricks_are_marked(page, site_of):
    site = site_of("hostile")
    site.api("pause", {"minutes": 1, "note": '<script>window.ran = "note"</script>'}, Origin=site.url)
    for place in (
        {},
        {"kata": 1},
        {"kata": 1, "tab": "evidence"},
        {"kata": 1, "tab": "versions"},
        {"view": "audit"},
        {"view": "seen"},
    ):
        page.goto(site.at(**place))
        page.locator(".kata-header").wait_for()
        page.wait_for_timeout(500)
        page.evaluate("document.querySelectorAll('.kata details').forEach((one) => { one.open = true; })")
        page.wait_for_timeout(200)
        assert page.locator(".kata img, .kata svg, .kata script, .kata iframe").count() == 0, place
        assert page.locator(".kata a[href^='javascript']").count() == 0, place
    assert page.evaluate("window.ran") is None
    page.goto(site.at(kata=1, tab="evidence"))
    page.locator(".kata-example summary").first.click()
    shown = page.locator(".kata-example").first.inner_text()
    assert "⟦U+202E⟧" in shown
    assert "<img src=x onerror=alert(1)>" in shown
    assert "\u202e" not in page.locator(".kata").inner_text()


def test_what_one_types_is_text_too(page, site):
    page.goto(site.at(view="audit", q="%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"))
    page.get_by_text("No events for “<img src=x onerror=alert(1)>”.").wait_for()
    page.goto(site.at(kata="%3Csvg%20onload%3Dalert(1)%3E"))
    page.get_by_text("names no kata").wait_for()
    assert page.locator(".kata img, .kata svg").count() == 0


def test_two_profiles_are_two_logs(page, site_of):
    one, other = site_of(), site_of()
    page.goto(one.at(kata=1))
    page.get_by_role("button", name="Disable").click()
    page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    page.get_by_text("Disabled weekly_report.").wait_for()
    assert one.api("katas/1")["row"]["state"] == "disabled"
    assert other.api("katas/1")["row"]["state"] == "active"
    assert other.api("overview")["profile"] == other.profile
