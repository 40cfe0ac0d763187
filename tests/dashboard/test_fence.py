"""Who may change something through the API, and that each of the known attacks fails (case B021)."""

import sys
from types import SimpleNamespace

import pytest

from kata.dashboard.fence import ANYBODY
from kata.dashboard.peers import GONE
from tests.dashboard.conftest import PERSON, Api

CHANGES = (
    "katas/1/approve",
    "katas/1/reject",
    "katas/1/reconsider",
    "katas/1/disable",
    "katas/1/enable",
    "katas/1/rollback",
    "katas/1/defer",
    "katas/1/undo",
    "pause",
    "resume",
    "mine",
    "mine/x/cancel",
    "runs/x/acknowledge",
    "forget",
)


def without(*names: str) -> dict[str, str]:
    return {name: value for name, value in PERSON.items() if name not in names}


ATTACKS = {
    "a page elsewhere, through a cookie": ({**PERSON, "Origin": "https://evil.test"}, 403),
    "the same, and the browser says so": ({**PERSON, "Sec-Fetch-Site": "cross-site"}, 403),
    "a page on another port of this machine": ({**PERSON, "Origin": "http://127.0.0.1:8000"}, 403),
    "a sub-domain": ({**PERSON, "Sec-Fetch-Site": "same-site"}, 403),
    "a form, which cannot send JSON": ({**PERSON, "Content-Type": "text/plain"}, 422),
    "a form with another type": ({**PERSON, "Content-Type": "application/x-www-form-urlencoded"}, 422),
    "no type at all": (without("Content-Type"), 422),
    "a program without an origin": (without("Origin"), 403),
    "nobody signed in": (without("X-Hermes-Session-Token"), 403),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_changes_nothing_and_is_written_down(api, lab, attack):
    headers, status = ATTACKS[attack]
    number = lab.proposed()
    digest = api.digest(number)
    found = api.ask("POST", f"katas/{number}/approve", content=f'{{"digest": "{digest}"}}', headers=headers)
    assert (found.status_code, lab.state(number)) == (status, "candidate")
    [row] = api.data("audit", action="decision.refused")["rows"]
    assert (row["actor"]["kind"], row["fields"]["verb"]) == ("agent", "approve")


def test_every_change_stands_behind_the_fence(api):
    for path in CHANGES:
        found = api.ask("POST", path, json={}, headers=without("Origin"))
        assert (found.status_code, found.json()["error"]["code"]) == (403, "human_needed"), path


def test_every_post_but_the_plan_is_among_them(api):
    assert {path for path in api.posts() if not path.endswith("/plan")} == {
        path.replace("/1/", "/{named}/").replace("mine/x", "mine/{job}").replace("runs/x", "runs/{run}")
        for path in CHANGES
    }


def test_the_refusal_says_where_a_person_can_decide(api, lab):
    lab.proposed()
    error = api.ask("POST", "katas/1/reject", json={}, headers=without("Origin")).json()["error"]
    assert "in your own browser" in error["hint"]


def test_what_an_agent_started_is_refused_even_with_the_page_s_own_headers(lab, jobs):
    api = Api(lab, jobs, behind=lambda client, server: "HERMES_SESSION_ID")
    lab.proposed()
    found = api.post("katas/1/reject")
    assert (found.status_code, lab.state(1)) == (403, "candidate")
    assert "HERMES_SESSION_ID" in found.json()["error"]["message"]


def test_the_connection_s_ends_are_what_is_looked_at(lab, jobs):
    asked = []
    api = Api(lab, jobs, behind=lambda client, server: asked.append((client, server)))
    lab.proposed()
    assert api.post("katas/1/reject").status_code == 200
    assert asked == [(50000, 9119)]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.0.0.5", "::1", "::ffff:127.0.0.9", "127.255.255.254"])
def test_whatever_address_of_this_machine_a_program_takes_it_is_looked_at(lab, jobs, peer):
    api = Api(lab, jobs, behind=lambda client, server: "a running Hermes")
    lab.proposed()
    found = api.ask("POST", "katas/1/reject", peer=peer, json={}, headers=PERSON)
    assert (found.status_code, lab.state(1)) == (403, "candidate")


def test_a_sender_that_did_not_wait_for_its_answer_decides_nothing(lab, jobs):
    api = Api(lab, jobs, behind=lambda client, server: GONE)
    lab.proposed()
    found = api.post("katas/1/reject")
    assert (found.status_code, lab.state(1)) == (403, "candidate")
    assert "did not wait for its answer" in found.json()["error"]["message"]
    [row] = api.data("audit", action="decision.refused")["rows"]
    assert row["actor"]["kind"] == "agent"


def test_a_program_of_which_nobody_can_say_that_a_person_started_it_decides_nothing(lab, jobs):
    looked = []
    api = Api(
        lab,
        jobs,
        stranger=lambda client, server, record: looked.append((client, server, record)) or "python3",
    )
    lab.proposed()
    found = api.post("katas/1/reject")
    assert (found.status_code, lab.state(1)) == (403, "candidate")
    assert "(python3) hangs from nothing" in found.json()["error"]["message"]
    assert "that you opened yourself" in found.json()["error"]["hint"]
    [row] = api.data("audit", action="decision.refused")["rows"]
    assert (row["actor"]["kind"], row["fields"]["code"]) == ("agent", "human_needed")
    assert [(client, server, record.data) for client, server, record in looked] == [(50000, 9119, lab.folder)]


def test_such_a_program_uses_no_announcement_up(lab, jobs):
    stranger, person = Api(lab, jobs, stranger=lambda *_: "python3"), Api(lab, jobs)
    lab.approved("settle_bug")
    assert stranger.data("overview")["announcements"] == []
    assert len(person.data("overview")["announcements"]) == 1


def test_an_agent_that_reads_the_overview_uses_no_announcement_up(lab, jobs):
    agent, person = Api(lab, jobs, behind=lambda client, server: "a running Hermes"), Api(lab, jobs)
    lab.approved("settle_bug")
    assert agent.data("overview")["announcements"] == []
    assert [one["verb"] for one in person.data("overview")["announcements"]] == ["approve"]
    assert person.data("overview")["announcements"] == []


def test_a_service_s_key_reads_an_announcement_and_leaves_it_for_the_person(api, lab, signed_in):
    lab.approved("settle_bug")
    signed_in(token_authenticated=True)
    assert [len(api.data("overview")["announcements"]) for _ in range(2)] == [1, 1]


def test_a_peer_from_elsewhere_is_not_looked_for_on_this_machine(lab, jobs):
    api = Api(lab, jobs, behind=lambda client, server: "never asked")
    lab.proposed()
    assert api.ask("POST", "katas/1/reject", peer="192.0.2.7", json={}, headers=PERSON).status_code == 200


def test_a_browser_that_says_same_origin_needs_no_other_proof(api, lab):
    lab.proposed()
    headers = {**without("Origin"), "Sec-Fetch-Site": "same-origin"}
    assert api.ask("POST", "katas/1/reject", json={}, headers=headers).status_code == 200


@pytest.fixture
def signed_in(api):
    """Let the host's gate have let somebody in, as its middleware tells."""

    def let_in(**state):
        async def gate(scope, receive, send):
            scope.setdefault("state", {}).update(state)
            await plain(scope, receive, send)

        plain, api.app = api.app, gate

    return let_in


def test_the_login_s_person_is_the_actor(api, lab, signed_in):
    lab.proposed()
    signed_in(session=SimpleNamespace(email="ana@example.test", display_name="Ana", user_id="1"))
    assert api.post("katas/1/reject").status_code == 200
    assert api.data("audit", action="kata.rejected")["rows"][0]["actor"]["id"] == "ana@example.test"


def test_a_service_s_key_is_no_person(api, lab, signed_in):
    lab.proposed()
    signed_in(token_authenticated=True)
    assert (api.post("katas/1/reject").status_code, lab.state(1)) == (403, "candidate")


def test_the_host_is_asked_about_the_token_where_it_can_be(api, lab, monkeypatch):
    lab.proposed()
    host = SimpleNamespace(
        _has_valid_session_token=lambda request: request.headers["x-hermes-session-token"] == "right"
    )
    monkeypatch.setitem(sys.modules, "hermes_cli.web_server", host)
    assert api.post("katas/1/reject").status_code == 403
    right = {**PERSON, "X-Hermes-Session-Token": "right"}
    assert api.ask("POST", "katas/1/reject", json={}, headers=right).status_code == 200


def test_without_a_login_the_actor_is_the_machine_s_own_user(api, lab):
    lab.proposed()
    api.post("katas/1/reject")
    assert api.data("audit", action="kata.rejected")["rows"][0]["actor"]["id"] == ANYBODY


def test_looking_needs_no_more_than_the_host_s_gate(api, lab):
    lab.proposed()
    for path in ("overview", "katas/1", "audit"):
        assert api.ask("GET", path, headers={"Origin": "https://elsewhere.test"}).status_code == 200


def test_no_answer_lets_another_origin_read(api):
    found = api.ask("GET", "overview", headers={"Origin": "https://elsewhere.test"})
    assert "access-control-allow-origin" not in found.headers
    assert found.headers["x-content-type-options"] == "nosniff"
