"""Everybody can use it: nothing serious by axe's rules, on every page, in every theme, at every width."""

import json
import urllib.request

import pytest

from tests.hermes.support.dashboard import TOKEN

THEMES = ("default", "default-large", "nous-blue", "midnight", "ember", "mono", "cyberpunk", "rose")
PLACES = {
    "overview": {},
    "plan": {"kata": 6},
    "stale": {"kata": 4, "tab": "versions"},
    "runs": {"kata": 1, "tab": "runs"},
    "evidence": {"kata": 6, "tab": "evidence"},
    "audit": {"view": "audit"},
    "seen": {"view": "seen"},
}


@pytest.fixture
def theme(site):
    def choose(name: str) -> None:
        asked = urllib.request.Request(
            f"{site.url}/api/dashboard/theme",
            json.dumps({"name": name}).encode(),
            {"X-Hermes-Session-Token": TOKEN, "Content-Type": "application/json"},
            method="PUT",
        )
        urllib.request.urlopen(asked, timeout=30).read()

    yield choose
    choose("default")


def serious(page) -> list[str]:
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, context=".kata").response["violations"]
    return [
        f"{one['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def settle(page) -> None:
    page.locator(".kata-header").wait_for()
    page.locator(".kata-loading").wait_for(state="detached")
    page.wait_for_timeout(400)


@pytest.mark.parametrize("name", PLACES)
def test_no_page_has_anything_serious(page, site, name):
    page.goto(site.at(**PLACES[name]))
    settle(page)
    assert serious(page) == []


@pytest.mark.parametrize("name", THEMES)
def test_every_theme_has_contrast(page, site, theme, name):
    theme(name)
    for place in ("overview", "plan", "stale", "audit"):
        page.goto(site.at(**PLACES[place]))
        settle(page)
        assert serious(page) == [], place


def test_no_dialog_has_anything_serious(page, site):
    page.goto(site.at(kata=6))
    for button in ("Approve…", "Reject or set aside…"):
        page.get_by_role("button", name=button).click()
        page.get_by_role("dialog").get_by_label("Note").first.wait_for()
        assert serious(page) == [], button
        page.keyboard.press("Escape")
    page.goto(site.at(kata=1, tab="runs"))
    page.locator(".kata-line a").first.click()
    page.get_by_text("It stopped at step 2").wait_for()
    assert serious(page) == []


@pytest.mark.parametrize("width", [320, 360, 768, 1400, 1600])
def test_nothing_is_wider_than_the_page(page, site, width):
    page.set_viewport_size({"width": width, "height": 800})
    for name, place in PLACES.items():
        page.goto(site.at(**place))
        settle(page)
        wider = page.evaluate(
            """() => { const main = document.querySelector("main");
                return [...document.querySelectorAll(".kata *")].filter((one) => {
                    const box = one.getBoundingClientRect();
                    return box.width && box.right > main.getBoundingClientRect().right + 1 && !one.closest(".kata-unseen, .kata-json, pre");
                }).map((one) => one.outerHTML.slice(0, 120)); }"""
        )
        assert wider == [], name


def test_targets_are_large_enough(page, site):
    for place in PLACES.values():
        page.goto(site.at(**place))
        settle(page)
        small = page.evaluate(
            """() => [...document.querySelectorAll(".kata button, .kata a, .kata summary, .kata input:not([type=checkbox]), .kata label.kata-choice")]
                .map((one) => [one.outerHTML.slice(0, 120), one.getBoundingClientRect()])
                .filter(([, box]) => box.width && box.height < 23.5).map(([html, box]) => html + " " + box.height)"""
        )
        assert small == [], place


def test_a_dialog_gives_the_focus_back(page, site):
    page.goto(site.at(kata=6))
    page.get_by_role("button", name="Reject or set aside…").click()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    assert page.evaluate("document.activeElement.textContent") == "Reject or set aside…"


def test_the_tabs_of_a_kata_go_by_the_arrow_keys(page, site):
    page.goto(site.at(kata=6))
    page.get_by_role("tab", name="Plan").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("tab", name="Versions & diff").and_(page.locator("[aria-selected='true']")).wait_for()
    page.wait_for_function("document.activeElement.getAttribute('aria-selected') === 'true'")
