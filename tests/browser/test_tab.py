"""The tab as a person uses it."""

import re
import time

import pytest

from tests.browser.support import SHELL
from tests.dashboard.story import strengthen


def open_kata(page, site, number, **place):
    page.goto(site.at(kata=number, **place))
    page.locator(".kata-head h2").wait_for()


def test_the_first_view_says_what_waits_and_what_is_well(page, site):
    page.goto(site.at())
    page.get_by_role("heading", name="Needs you (3)").wait_for()
    names = page.locator(".kata-cards .kata-name").all_inner_texts()
    assert [name.split()[1] for name in names] == ["clean_cache", "collect_notes", "git_push_origin"]
    assert page.get_by_role("heading", name="Active (2)").is_visible()
    assert page.get_by_text("Set aside (1)").is_visible()
    assert f"profile {site.profile}" in page.locator(".kata-health").inner_text()


def test_a_fresh_profile_says_what_will_happen(page, site_of):
    page.goto(site_of("fresh").at())
    page.get_by_text("Kata is recording", exact=True).wait_for()
    assert page.get_by_text("in 3 separate conversations").is_visible()


def test_approving_shows_the_effects_wants_a_tick_and_keeps_the_note(page, site):
    open_kata(page, site, 6)
    page.get_by_role("button", name="Approve…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("2 read, 1 external").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Cancel"
    approve = dialog.get_by_role("button", name="Approve", exact=True)
    assert approve.is_disabled()
    dialog.get_by_role("checkbox").check()
    dialog.get_by_label("Name").fill("deploy_preview")
    dialog.get_by_label("Note: why is this all right?").fill("I push these every day")
    dialog.get_by_label("Name").press("Enter")
    assert site.api("katas/6")["row"]["state"] == "candidate"
    approve.click()
    page.get_by_text("Approved deploy_preview.").wait_for()
    assert page.get_by_text("The agent sees it from the next session.").is_visible()
    assert site.api("katas/6")["row"]["state"] == "active"
    row = site.api("audit?action=kata.approved&channel=dashboard")["rows"][0]
    assert row["fields"]["note"] == "I push these every day"
    page.locator(".kata-toast").get_by_role("button", name="Undo").click()
    page.get_by_text("Disabled deploy_preview.").wait_for()
    assert site.api("katas/6")["row"]["state"] == "disabled"


@pytest.mark.parametrize(("typed", "offer"), [("9lives", "run_9lives"), ("déploy prévisu", "deploy_previsu")])
def test_a_name_is_checked_as_one_types_and_another_is_offered(page, site, typed, offer):
    open_kata(page, site, 6)
    page.get_by_role("button", name="Approve…").click()
    page.get_by_label("Name").fill(typed)
    assert page.get_by_role("button", name="Approve", exact=True).is_disabled()
    page.get_by_role("button", name=f"Use {offer}").click()
    assert page.get_by_label("Name").input_value() == offer


def test_a_version_that_changed_while_one_read_is_refused_with_the_change(page, site):
    open_kata(page, site, 6)
    page.get_by_role("button", name="Approve…").click()
    page.get_by_role("dialog").get_by_role("checkbox").check()
    service = site.elsewhere()
    strengthen(service, 6)
    service.close()
    page.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_text("Changed while you were reading").wait_for()
    assert "git push → git push --force" in page.locator(".kata-dialog .kata-changes").inner_text()
    assert site.api("katas/6")["row"]["state"] == "candidate"
    page.get_by_role("button", name="Review git_push_origin again").click()
    page.locator(".kata-dialog").wait_for(state="detached")
    page.get_by_text("git push --force origin").first.wait_for()


def test_an_effect_with_two_possible_sources_is_approved_once_one_is_chosen(page, site_of):
    site = site_of("choice")
    open_kata(page, site, 1)
    page.get_by_role("button", name="Approve…").click()
    dialog = page.get_by_role("dialog")
    approve = dialog.get_by_role("button", name="Approve", exact=True)
    source = dialog.get_by_role("combobox")
    source.wait_for()
    assert source.locator("option").all_inner_texts()[1:] == ["as the plan shows", "step1.main"]
    assert approve.is_disabled()
    source.select_option("step1.main")
    approve.click()
    page.get_by_text("Approved ").first.wait_for()
    found = site.api("katas/1")
    assert (found["row"]["state"], found["version"], found["choices"]) == ("active", 2, [])
    assert found["steps"][1]["arguments"][0]["text"] == "«step 1 · main»"


def test_my_values_make_the_calls_anew_and_nothing_is_run(page, site):
    open_kata(page, site, 6)
    page.locator(".kata-part-input").first.wait_for()
    before = site.api("events")["position"]
    page.get_by_role("textbox", name="pattern").fill("it's; rm x")
    page.get_by_text("""git push origin 'it'"'"'s; rm x'""").wait_for()
    page.get_by_role("textbox", name="pattern").fill("--force")
    page.get_by_text("With these values a run would stop at step 3").wait_for()
    assert "kata" not in [
        action.split(".")[0] for action in site.actions()[: site.api("events")["position"] - before]
    ]


def test_going_back_shows_what_changes_and_whether_it_passes_first(page, site):
    approve_second(site)
    open_kata(page, site, 4, tab="versions")
    page.get_by_role("button", name="Preview rollback").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Step 2 changed").wait_for()
    assert dialog.get_by_text("tools_available").is_visible()
    assert dialog.get_by_role("button", name="Restore v1").is_disabled()
    dialog.get_by_role("button", name="Cancel").click()
    calm(site)
    page.reload()
    page.get_by_role("button", name="Preview rollback").click()
    dialog.get_by_label("Note (optional)").fill("the old way")
    dialog.get_by_role("button", name="Restore v1").click()
    page.get_by_text("collect_notes is back at version 1.").wait_for()
    row = site.api("katas/4")["row"]
    assert (row["state"], row["version"]) == ("active", 1)


def approve_second(site):
    service = site.elsewhere()
    digest = service.review("4").digest
    service.decisions.approve("4", SHELL, name="collect_notes", reviewed=digest)
    service.close()


def calm(site):
    """Let the tool have its first schema again, so that version 1 passes its checks."""
    from datetime import UTC, datetime

    from tests.dashboard.story import SCHEMAS, Story

    again = Story(site.data, datetime.now(UTC))
    again.describe("write_file", SCHEMAS["write_file"])
    again.service.refresh()
    again.close()


def test_the_trail_is_filtered_shared_and_the_same_after_a_reload(page, site):
    page.goto(site.at(view="audit"))
    page.locator(".kata-event").first.wait_for()
    page.get_by_role("link", name="What people decided").click()
    page.get_by_label("Search the audit trail").fill("action:rejected myself")
    page.get_by_label("Search the audit trail").press("Enter")
    page.get_by_text("1 event, all time").wait_for()
    assert page.get_by_text("I read these files myself", exact=True).is_visible()
    shared = page.url
    assert "q=myself" in shared
    assert f"profile={site.profile}" in shared
    page.reload()
    page.get_by_text("1 event, all time").wait_for()
    assert page.locator(".kata-event").count() == 1
    page.get_by_role("link", name="Clear filter").click()
    page.get_by_role("link", name="Everything").wait_for()
    page.go_back()
    page.get_by_text("1 event, all time").wait_for()


def test_a_filter_that_finds_nothing_says_so_and_can_be_cleared(page, site):
    page.goto(site.at(view="audit", actor="cron"))
    page.get_by_text("No events for actor:cron.").wait_for()
    page.get_by_role("link", name="Clear filter").last.click()
    page.locator(".kata-event").first.wait_for()


def test_a_row_has_an_address_of_its_own(page, site):
    [row] = site.api("audit?action=kata.rejected")["rows"]
    page.goto(site.at(view="audit", event=row["position"]))
    page.locator(".kata-event.kata-shown").wait_for()
    assert "rejected" in page.locator(".kata-event.kata-shown").inner_text()


def test_the_trail_goes_on_to_the_first_event_ever(page, site):
    page.goto(site.at(view="audit"))
    page.locator(".kata-event").first.wait_for()
    total = site.api("audit")["total"]
    for _ in range(20):
        older = page.get_by_role("button", name="Older")
        if not older.count():
            break
        older.scroll_into_view_if_needed()
        page.wait_for_timeout(300)
    shown = page.locator(".kata-event").count()
    assert shown == total


def test_the_trail_is_exported(page, site):
    page.goto(site.at(view="audit"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) == site.api("audit")["total"]


def test_a_failed_run_opens_at_its_failed_step(page, site):
    page.goto(site.at(kata=1, tab="runs"))
    page.locator(".kata-line a").first.click()
    page.get_by_text("It stopped at step 2").wait_for()
    assert page.get_by_text("Exit code 2").is_visible()
    assert "terminal" in page.evaluate("document.activeElement.textContent")
    page.get_by_role("button", name="JSON").click()
    assert '"outcome": "failed"' in page.locator(".kata-json").inner_text()
    page.get_by_role("button", name="Compact").click()
    assert page.locator(".kata-compact li").count() == 2
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="6 runs").wait_for()


def test_a_decision_made_in_a_shell_arrives_within_two_seconds(page, site):
    page.goto(site.at())
    page.get_by_role("heading", name="Active (2)").wait_for()
    page.mouse.move(5, 5)
    page.wait_for_timeout(1500)
    service = site.elsewhere()
    service.decisions.disable("1", SHELL, note="from a shell")
    began = time.monotonic()
    page.get_by_role("heading", name="Active (1)").wait_for(timeout=10_000)
    took = time.monotonic() - began
    service.close()
    assert page.get_by_text("weekly_report was disabled by ana in a shell.").is_visible()
    assert took < 2, took


def test_nothing_moves_under_the_pointer_and_news_wait_to_be_shown(page, site):
    page.goto(site.at())
    page.locator(".kata-cards .kata-card").first.hover()
    page.wait_for_timeout(2000)
    before = page.locator(".kata-cards").bounding_box()
    service = site.elsewhere()
    service.decisions.reject("6", SHELL)
    service.close()
    page.get_by_role("button", name="1 event new – show").wait_for(timeout=10_000)
    assert page.locator(".kata-cards").bounding_box() == before
    assert page.locator(".kata-card").count() == 3
    page.get_by_role("button", name="1 event new – show").click()
    page.get_by_role("heading", name="Needs you (2)").wait_for()


def test_the_keyboard_alone_approves(page, site):
    page.goto(site.at())
    page.locator(".kata-card").first.wait_for()
    page.locator("body").press("j")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=re.compile("git_push_origin")).wait_for()
    page.keyboard.press("a")
    page.get_by_role("dialog").get_by_role("checkbox").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Cancel"
    focus_by_tab(page, "document.activeElement.type === 'checkbox'")
    page.keyboard.press("Space")
    focus_by_tab(page, "document.activeElement.id === 'kata-name'")
    page.keyboard.press("Control+A")
    page.keyboard.type("deploy_preview")
    focus_by_tab(page, "document.activeElement.textContent === 'Approve' && !document.activeElement.disabled")
    page.keyboard.press("Enter")
    page.get_by_text("Approved deploy_preview.").wait_for()
    assert site.api("katas/6")["row"]["state"] == "active"


def focus_by_tab(page, there):
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate(there):
            return
    raise AssertionError(f"Tab never came to {there}")


def test_single_keys_can_be_turned_off(page, site):
    page.goto(site.at(kata=6))
    page.get_by_role("button", name="Approve…").wait_for()
    page.locator("body").press("?")
    page.get_by_label("Single keys are on").uncheck()
    page.keyboard.press("Escape")
    page.locator("body").press("a")
    page.wait_for_timeout(300)
    assert page.get_by_role("dialog").count() == 0


def test_a_proposal_is_set_aside_until_it_changes(page, site):
    open_kata(page, site, 6)
    page.get_by_role("button", name="Reject or set aside…").click()
    page.get_by_role("radio", name="Until it changes").check()
    page.get_by_role("button", name="Set aside", exact=True).click()
    page.get_by_text("Set git_push_origin aside.").wait_for()
    assert site.api("overview")["set_aside"][-1]["deferred"] is True


def test_recording_is_paused_and_resumed(page, site):
    page.goto(site.at())
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("dialog").get_by_role("button", name="Pause").click()
    page.get_by_text(re.compile("Recording is paused until")).wait_for()
    page.get_by_role("button", name="Resume").click()
    page.get_by_text(re.compile("recording on")).wait_for()


def test_looking_for_routines_tells_its_progress_and_its_end(page, site):
    page.goto(site.at())
    page.get_by_role("button", name="Mine now").click()
    page.get_by_text(re.compile("Looking for routines|Looked at")).first.wait_for()
    page.get_by_text(re.compile("Looked at .* calls")).wait_for(timeout=60_000)


def test_of_two_tabs_one_decides_and_the_other_is_told(context, page, site):
    other = context.new_page()
    for one in (page, other):
        open_kata(one, site, 6)
        one.get_by_role("button", name="Approve…").click()
        one.get_by_role("dialog").get_by_role("checkbox").check()
    for one in (page, other):
        one.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_text("Approved git_push_origin.").wait_for()
    other.locator(".kata-dialog .kata-note-bad").wait_for()
    assert site.actions().count("kata.approved") == 5


def test_chinese_is_complete_on_every_page(page, site):
    page.add_init_script("localStorage.setItem('hermes-locale', 'zh')")
    english = re.compile(r"\b(Approve|Review|Needs|Overview|Copy|Runs|Versions|Evidence|why|details)\b")
    for place in (
        {},
        {"kata": 6},
        {"kata": 4, "tab": "versions"},
        {"kata": 1, "tab": "runs"},
        {"kata": 6, "tab": "evidence"},
        {"view": "audit"},
        {"view": "seen"},
    ):
        page.goto(site.at(**place))
        page.locator(".kata-header").wait_for()
        page.wait_for_timeout(700)
        assert not english.search(page.locator(".kata").inner_text()), place
    page.goto(site.at())
    page.get_by_role("heading", name="等待您处理（3）").wait_for()


def test_the_evidence_opens_its_conversation(page, site):
    page.goto(site.at(kata=6, tab="evidence"))
    page.locator(".kata-example summary").first.click()
    assert (
        page.get_by_role("link", name="Open this conversation in the chat")
        .first.get_attribute("href")
        .startswith("/chat?resume=2026")
    )
    assert page.locator(".kata-call").first.inner_text().count("search_files") == 1
