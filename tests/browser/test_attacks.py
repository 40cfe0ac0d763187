"""Attacks on the human gate, made for real: an agent with the page's token, another page, another process (case B021)."""

import json
import re

import pytest

from tests.hermes.support import call, say
from tests.hermes.support.dashboard import TOKEN
from tests.hermes.support.fixtures import *  # noqa: F403


def curl(site, number=6, before="curl") -> str:
    """Write the command that approves, with everything that the tab itself would send."""
    digest = site.api(f"katas/{number}")["digest"]
    body = json.dumps({"digest": digest, "name": "mine_now"})
    headers = (
        f"X-Hermes-Session-Token: {TOKEN}",
        "Content-Type: application/json",
        f"Origin: {site.url}",
        "Sec-Fetch-Site: same-origin",
    )
    words = " ".join(f"-H '{one}'" for one in headers)
    address = f"{site.url}/api/plugins/kata/katas/{number}/approve?profile={site.profile}"
    return f"{before} -s -m 20 -w '%{{http_code}}' {words} -d '{body}' '{address}'"


@pytest.mark.parametrize(
    "before", ["curl", "exec env -i curl", "(setsid curl", "env -u HERMES_SESSION_ID curl"]
)
def test_an_agent_with_the_page_s_token_and_headers_is_refused(site, hermes, model, before):
    command = curl(site, before=before) + (")" if before.startswith("(") else "")
    agent = hermes(plugins=[])
    model.then(call("terminal", {"command": command}), say("done"))
    agent.chat("please")
    answered = "".join(model.main[-1].results)
    assert "403" in answered, answered
    assert "started by an agent" in answered
    assert site.api("katas/6")["row"]["state"] == "candidate"
    [row] = site.api("audit?action=decision.refused")["rows"]
    assert (row["actor"]["kind"], row["fields"]["code"]) == ("agent", "human_needed")


LEAVES = """
import os, socket
connection = socket.create_connection(("127.0.0.1", {port}))
connection.sendall({request!r})
os._exit(0)
"""


def test_an_agent_that_does_not_wait_for_its_answer_is_refused(site, hermes, model):
    port, body = int(site.url.rpartition(":")[2]), b'{"note": ""}'
    head = (
        f"POST /api/plugins/kata/katas/6/reject?profile={site.profile} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: {site.url}",
        f"X-Hermes-Session-Token: {TOKEN}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    request = "\r\n".join((*head, "", "")).encode() + body
    agent = hermes(plugins=[])
    (agent.workspace / "leaves.py").write_text(LEAVES.format(port=port, request=request), encoding="utf-8")
    command = "for i in 1 2 3 4 5 6 7 8; do python3 leaves.py; done; sleep 3"
    model.then(call("terminal", {"command": command}), say("done"))
    agent.chat("please")
    assert site.api("katas/6")["row"]["state"] == "candidate"
    rows = site.api("audit?action=decision.refused")["rows"]
    assert {row["fields"]["code"] for row in rows} <= {
        "human_needed"
    }  # a server may drop one that has gone unheard


def test_the_page_s_token_is_where_an_agent_finds_it(site):
    """Say why the token alone must not be enough: the loopback page shows it to whoever asks."""
    import urllib.request

    page = urllib.request.urlopen(f"{site.url}/", timeout=30).read().decode()
    assert re.search(rf'__HERMES_SESSION_TOKEN__\s*=\s*"{TOKEN}"', page)


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
@pytest.mark.parametrize("mode", ["cors", "no-cors"])
def test_a_page_from_elsewhere_decides_nothing(page, site, kind, mode):
    port = site.url.rpartition(":")[2]
    page.goto(f"http://localhost:{port}/sessions")
    before = site.api("events")["position"]
    page.evaluate(
        """async ([url, token, kind, mode]) => {
            const headers = { "Content-Type": kind };
            if (mode === "cors") headers["X-Hermes-Session-Token"] = token;
            try { await fetch(url, { method: "POST", mode, headers, credentials: "include", body: '{"note": ""}' }); } catch { /* the browser's own fence */ }
        }""",
        [f"{site.url}/api/plugins/kata/katas/1/disable?profile={site.profile}", TOKEN, kind, mode],
    )
    assert site.api("katas/1")["row"]["state"] == "active"
    assert site.actions()[: site.api("events")["position"] - before].count("kata.disabled") == 0


def test_a_person_s_own_browser_is_let_in(page, site):
    page.goto(site.at(kata=1))
    page.get_by_role("button", name="Disable").click()
    page.get_by_role("dialog").get_by_role("button", name="Disable").click()
    page.get_by_text("Disabled weekly_report.").wait_for()
    assert site.actions().count("decision.refused") == 0


def test_another_host_name_does_not_reach_the_api(site):
    import urllib.error
    import urllib.request

    asked = urllib.request.Request(
        f"{site.url}/api/plugins/kata/overview",
        headers={"Host": "evil.test", "X-Hermes-Session-Token": TOKEN},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked, timeout=30)
    with refused.value as answer:
        assert answer.code == 400
