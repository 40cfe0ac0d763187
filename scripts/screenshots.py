"""Take a picture of every state of the dashboard's tab, with demo data, in a dark and a light theme, wide and narrow.

Needs what ``tox -e browser`` has: the real Hermes, Playwright and Chromium. Run it with that Python::

    python scripts/screenshots.py [--to FOLDER] [--only NAME ...] [--themes NAME ...] [--widths PIXELS ...] [--readme]
"""

import argparse
import itertools
import json
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import attrs  # noqa: E402 – the repository is put on the path first

from tests.browser.support import SHELL, Site, chromium, fetch_pages, make_site, missing, write_stories  # noqa: E402
from tests.dashboard.story import strengthen  # noqa: E402
from tests.hermes.support import HermesHome, ScriptedModel  # noqa: E402
from tests.hermes.support.dashboard import TOKEN  # noqa: E402
from tests.hermes.support.fixtures import KATA  # noqa: E402

THEMES = {"dark": "default", "light": "nous-blue"}
WIDTHS = (1400, 360)
TALLEST = 2600
README = (
    ("overview", "dark"),
    ("plan", "dark"),
    ("approve", "dark"),
    ("audit", "dark"),
    ("diff", "light"),
    ("run", "light"),
)
API = "**/api/plugins/kata/**"

Act = Callable[[Any, Site], None]
Wanted = tuple[str, str, int]
"""A state, a theme, a width."""


@attrs.frozen(kw_only=True)
class State:
    """One picture: where it is taken, what is done there first, and in which profile (``days``, ``fresh``, ``hostile``)."""

    place: dict[str, Any] = attrs.field(factory=dict)
    act: Act = lambda page, site: None
    data: str = "days"
    before: Act = lambda page, site: None


def press(*names: str) -> Act:
    """Return an act that presses buttons."""

    def act(page: Any, site: Site) -> None:
        del site
        for name in names:
            page.get_by_role("button", name=name).first.click()

    return act


def answered(status: int, body: str, kind: str = "application/json") -> Act:
    """Return an act that lets the API answer so."""
    return lambda page, site: page.route(
        API, lambda route: route.fulfill(status=status, content_type=kind, body=body)
    )


def gone(page: Any, site: Site) -> None:
    del site
    page.route(API, lambda route: route.abort())


def first_run(page: Any, site: Site) -> None:
    del site
    page.locator(".kata-line a").first.click()
    page.locator(".kata-trace").wait_for()


def dangerous_value(page: Any, site: Site) -> None:
    del site
    page.locator("#kata-value-pattern").fill("--force")
    page.get_by_text("would stop at step").wait_for()


def pause(page: Any, site: Site) -> None:
    del page
    site.api("pause", {"minutes": 60}, Origin=site.url)


def mined(page: Any, site: Site) -> None:
    del site
    page.get_by_role("button", name="Mine now").click()
    page.get_by_text("Looked at").wait_for(timeout=60_000)


def changed_meanwhile(page: Any, site: Site) -> None:
    page.get_by_role("button", name="Approve…").click()
    page.get_by_role("dialog").get_by_role("checkbox").check()
    service = site.elsewhere()
    strengthen(service, 6)
    service.close()
    page.get_by_role("button", name="Approve", exact=True).click()
    page.get_by_text("Changed while you were reading").wait_for()


def news(page: Any, site: Site) -> None:
    page.locator(".kata-card").first.hover()
    page.wait_for_timeout(1500)
    service = site.elsewhere()
    service.decisions.reject("6", SHELL)
    service.close()
    page.get_by_role("button", name="new – show").wait_for()


def told(page: Any, site: Site) -> None:
    service = site.elsewhere()
    service.decisions.disable("1", SHELL, note="from a shell")
    service.close()
    page.reload()
    page.get_by_text("was disabled by").wait_for()


def waiting(site: Site) -> None:
    service = site.elsewhere()
    strengthen(service, 6)
    service.close()


def opened(page: Any, site: Site) -> None:
    del site
    page.evaluate("document.querySelectorAll('.kata details').forEach((one) => { one.open = true; })")


REFUSAL = {
    "ok": False,
    "error": {
        "code": "human_needed",
        "message": "the program that asks was started by an agent (HERMES_SESSION_ID)",
        "hint": "Open the Kata tab in your own browser, or run `hermes kata` in your own terminal.",
    },
}
FULL = {
    "ok": False,
    "error": {
        "code": "store_unavailable",
        "message": "the log cannot be written: the disk is full",
        "hint": "Make room; nothing was lost.",
    },
}

STATES: dict[str, State] = {
    "overview": State(),
    "first-day": State(data="fresh"),
    "news": State(act=news),
    "told": State(act=told),
    "paused": State(act=lambda page, site: page.reload(), before=pause),
    "mined": State(act=mined),
    "seen": State(place={"view": "seen"}),
    "plan": State(place={"kata": 6}),
    "plan-explained": State(place={"kata": 6}, act=opened),
    "plan-stops": State(place={"kata": 6}, act=dangerous_value),
    "approve": State(place={"kata": 6}, act=press("Approve…")),
    "changed": State(place={"kata": 6}, act=changed_meanwhile),
    "set-aside": State(place={"kata": 6}, act=press("Reject or set aside…")),
    "stale": State(place={"kata": 4}),
    "suspended": State(place={"kata": 3}),
    "diff": State(place={"kata": 6, "tab": "versions"}, before=lambda page, site: waiting(site)),
    "active": State(place={"kata": 1}),
    "runs": State(place={"kata": 1, "tab": "runs"}),
    "run": State(place={"kata": 1, "tab": "runs"}, act=first_run),
    "run-unknown": State(place={"kata": 2, "tab": "runs"}, act=first_run),
    "evidence": State(place={"kata": 6, "tab": "evidence"}),
    "audit": State(place={"view": "audit"}),
    "audit-people": State(place={"view": "audit", "actor": "human"}),
    "audit-empty": State(place={"view": "audit", "actor": "cron"}),
    "hostile": State(place={"kata": 1}, data="hostile"),
    "help": State(act=press("Help and keys")),
    "loading": State(before=lambda page, site: page.route(API, lambda route: None)),
    "session-ended": State(before=answered(401, '{"detail": "Unauthorized"}')),
    "not-mounted": State(before=answered(404, '{"detail": "Not Found"}')),
    "refused": State(place={"kata": 6}, before=answered(403, json.dumps(REFUSAL))),
    "log-unavailable": State(before=answered(503, json.dumps(FULL))),
    "strange": State(before=answered(200, "<html>sign in</html>", "text/html")),
    "offline": State(before=gone),
    "broken": State(before=answered(200, '{"ok": true, "profile": "demo", "data": {"needs_you": 5}}')),
}


def main(words: list[str]) -> int:
    """Take the pictures; return the exit code."""
    options = parse(words)
    why = missing()
    if why:
        print(why, file=sys.stderr)
        return 2
    target = ROOT / "docs" / "pictures" if options.readme else options.to
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="kata-pictures-") as scratch:
        for name in take(Path(scratch), target, wanted(options)):
            print(name, flush=True)
    return 0


def wanted(options: argparse.Namespace) -> tuple[Wanted, ...]:
    """Return which states to show, in which theme and how wide; theme by theme."""
    if options.readme:
        return tuple((name, theme, WIDTHS[0]) for name, theme in README)
    return tuple(itertools.product(options.only or STATES, options.themes, options.widths))


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Take a picture of every state of the tab.")
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "screenshots", help="where to write")
    parser.add_argument(
        "--only", nargs="+", choices=STATES, metavar="NAME", help=f"some of: {', '.join(STATES)}"
    )
    parser.add_argument(
        "--themes", nargs="+", choices=THEMES, default=tuple(THEMES), help="dark, light or both"
    )
    parser.add_argument("--widths", nargs="+", type=int, default=WIDTHS, help="of the window, in pixels")
    parser.add_argument(
        "--readme", action="store_true", help="the few that the README shows, into docs/pictures"
    )
    return parser.parse_args(words)


def take(scratch: Path, target: Path, pictures: Iterable[Wanted]) -> Iterator[str]:
    """Take pictures of states and yield their files' names."""
    stories = write_stories(scratch / "stories")
    pages = fetch_pages(ROOT / ".pytest_cache" / "d" / "hermes-pages")
    with ScriptedModel() as model:
        home = HermesHome(make(scratch / "hermes"), model, plugins=[KATA])
        with home.dashboard(pages=pages) as dashboard, chromium(make(scratch / "chromium")) as browser:
            for theme, group in itertools.groupby(
                sorted(pictures, key=lambda one: one[1]), key=lambda one: one[1]
            ):
                choose(dashboard.url, THEMES[theme])
                for name, _, width in group:
                    stem = f"{name}-{theme}-{width}"
                    site = make_site(home, dashboard.url, f"demo-{stem}", stories.get(STATES[name].data))
                    picture(browser, site, STATES[name], width, target / f"{stem}.png")
                    yield f"{stem}.png"


def make(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def choose(url: str, theme: str) -> None:
    """Set the dashboard's theme, which it keeps on its server."""
    body = json.dumps({"name": theme}).encode()
    headers = {"X-Hermes-Session-Token": TOKEN, "Content-Type": "application/json"}
    urllib.request.urlopen(
        urllib.request.Request(f"{url}/api/dashboard/theme", body, headers, method="PUT"), timeout=30
    ).read()


def picture(browser: Any, site: Site, state: State, width: int, file: Path) -> None:
    """Bring one state about and take its picture, as tall as the page is."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, locale="en-GB", timezone_id="UTC", reduced_motion="reduce"
    )
    try:
        page = context.new_page()
        state.before(page, site)
        page.goto(site.at(**state.place))
        page.locator(".kata").wait_for()
        page.wait_for_timeout(900)
        state.act(page, site)
        page.wait_for_timeout(600)
        height = page.evaluate("(document.querySelector('main') || document.body).scrollHeight") + 130
        if not page.locator("dialog[open]").count():
            page.set_viewport_size({"width": width, "height": max(700, min(TALLEST, height))})
            page.wait_for_timeout(200)
        page.screenshot(path=file)
    finally:
        context.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
