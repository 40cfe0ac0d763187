"""What the API shows: the service's view models in one envelope, strict JSON, honest statuses."""

import json

from kata.dashboard.answers import SCHEMA, answer
from kata.events import catalogue as told
from kata.service import assemble
from tests.service.lab import PERSON, order, ticket

PATHS = (
    "overview",
    "status",
    "katas",
    "runs",
    "audit",
    "events",
    "mine",
    "katas/1",
    "katas/1/diff",
    "katas/1/why",
)


def test_every_answer_names_its_schema_and_its_profile(api, lab):
    lab.approved()
    for path in PATHS:
        body = api.get(path).json()
        assert (body["schema"], body["ok"], body["profile"]) == (SCHEMA, True, "default"), path


def test_an_unknown_path_is_a_structured_404_for_every_method(api):
    for path in ("nowhere", "katas/1/nowhere", "a/b/c/d", ""):
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"):
            found = api.ask(method, path)
            assert found.status_code == 404, (method, path)
            assert method == "HEAD" or found.json()["error"]["code"] == "no_such_path"


def test_an_unknown_kata_offers_near_names(api, lab):
    lab.approved("settle_bug")
    found = api.get("katas/settle_bugs")
    assert found.status_code == 404
    assert found.json()["error"]["near"] == ["settle_bug"]


def test_an_unknown_version_says_which_there_are(api, lab):
    lab.proposed()
    found = api.get("katas/1", version=7)
    assert (found.status_code, found.json()["error"]["hint"]) == (404, "It has versions 1 to 1.")


def test_a_wrong_query_says_every_problem(api):
    found = api.get("audit", limit=0, since="yesterday")
    assert found.status_code == 422
    assert {one["where"] for one in found.json()["error"]["problems"]} == {"query.limit", "query.since"}


def test_what_needs_the_person_comes_first(api, lab):
    lab.proposed()
    [row] = api.data("overview")["needs_you"]
    assert (row["number"], row["state"]) == (1, "candidate")


def test_the_list_holds_what_was_only_seen_when_asked(api):
    assert [api.data("katas", all=asked)["all"] for asked in (False, True)] == [False, True]


def test_integers_beyond_two_to_the_53rd_are_marked_and_no_number_is_cut():
    assert json.loads(answer("p", {"n": 2**53 + 1}).body)["data"] == {"n": {"bigint": str(2**53 + 1)}}
    assert json.loads(answer("p", {"n": 2**53}).body)["data"] == {"n": 2**53}


def test_a_value_that_is_no_json_is_a_fault_and_not_a_nan(api, lab, monkeypatch):
    monkeypatch.setattr(lab.service, "status", lambda: {"n": float("nan")})
    found = api.get("status")
    assert found.status_code in (422, 500)
    assert "NaN" not in found.text


def test_a_fault_of_our_own_is_structured_and_tells_nothing_of_its_inside(api, lab, monkeypatch):
    def burst():
        raise RuntimeError("secret path")

    monkeypatch.setattr(lab.service, "status", burst)
    found = api.get("status")
    assert found.status_code == 500
    assert (found.json()["error"]["code"], "secret" in found.text) == ("error", False)


def test_a_locked_log_is_503(api, lab, monkeypatch):
    from kata.store import StoreBusyError

    def busy(*_):
        raise StoreBusyError("the log is locked")

    monkeypatch.setattr(lab.service, "overview", busy)
    assert api.get("overview").status_code == 503


def test_the_plan_renders_values_and_dispatches_nothing(api, lab):
    lab.proposed()
    before = lab.service.world.log.head().position
    [name] = api.data("katas/1")["inputs"]["properties"]
    plan = api.post("katas/1/plan", {"values": {name: "12"}}).json()["data"]
    assert plan["steps"][0]["arguments"][0]["parts"] == [{"kind": "text", "text": "bug 12"}]
    assert plan["steps"][1]["arguments"][0]["parts"][0]["kind"] == "reference"
    assert lab.service.world.log.head().position == before


def test_the_plan_reads_marked_integers(api, lab):
    lab.proposed()
    plan = api.post("katas/1/plan", {"values": {"title": {"bigint": "90071992547409931"}}}).json()["data"]
    assert plan["values"]["title"] == {"bigint": "90071992547409931"}


def test_news_are_what_came_after_a_position(api, lab):
    lab.proposed()
    end = api.data("events")["position"]
    assert api.data("events", after=end) == {"position": end, "rows": [], "more": False}
    lab.approve(1, "settle_bug")
    tail = api.data("events", after=end)
    assert [row["action"] for row in tail["rows"]] == ["kata.approved"]
    assert tail["position"] == end + 1


def test_what_a_page_announces_itself_is_no_news(api, lab):
    end = api.data("events")["position"]
    lab.proposed()
    api.data("overview")
    assert "notice.shown" in {row["action"] for row in api.data("audit")["rows"]}
    told = {row["action"] for row in api.data("events", after=end)["rows"]}
    assert "kata.proposed" in told
    assert "notice.shown" not in told


def test_the_trail_is_filtered_searched_and_counted(api, lab):
    lab.approved("settle_bug")
    lab.service.decisions.disable("1", PERSON, note="too slow for us")
    page = api.data("audit", actor="human", text="too slow")
    assert [row["action"] for row in page["rows"]] == ["kata.disabled"]
    assert dict(page["facets"])["channel"] == [{"value": "slash", "count": 1}]


def test_the_export_is_the_whole_filtered_trail_as_lines(api, lab):
    lab.approved()
    lab.approved("ship", order)
    found = api.get("audit/export", action="kata")
    lines = [json.loads(line) for line in found.text.splitlines()]
    assert found.headers["content-type"].startswith("application/x-ndjson")
    assert [line["action"] for line in lines] == ["kata.approved", "kata.proposed"] * 2
    assert len(lines) == api.data("audit", action="kata")["total"]


def test_the_export_goes_on_beyond_one_page(api, lab, monkeypatch):
    monkeypatch.setattr("kata.dashboard.looking.EXPORT_PAGE", 3)
    lab.approved()
    lines = api.get("audit/export").text.splitlines()
    positions = [json.loads(line)["position"] for line in lines]
    assert len(positions) == api.data("audit")["total"] > 3
    assert positions == sorted(set(positions), reverse=True)


def test_a_version_is_exported_as_a_file_that_comes_in_again_as_a_proposal_only(api, lab):
    number = lab.approved("settle_bug")
    found = api.get(f"katas/{number}/export", version=1)
    assert found.headers["content-disposition"] == 'attachment; filename="kata-settle_bug-v1.json"'
    assert found.json()["digest"] == api.data(f"katas/{number}")["digest"]
    assert api.get(f"katas/{number}/export", version=9).status_code == 404


def test_a_run_is_shown_step_by_step(api, lab):
    number = lab.approved()
    run_id = lab.ran(number, told.RunOutcome.FAILED)
    assert api.data("runs")[0]["run_id"] == run_id
    assert api.data(f"runs/{run_id}")["row"]["outcome"] == "failed"
    assert api.get("runs/none-such").status_code == 404


def test_what_undo_would_do_is_told_first(api, lab):
    lab.approved("settle_bug")
    assert api.data("katas/1/undo") == {"number": 1, "name": "settle_bug", "verb": "disable", "version": None}


def test_undo_without_a_decision_is_409(api, lab):
    lab.proposed(ticket)
    assert api.get("katas/1/undo").status_code == 409


def test_a_name_of_any_length_or_kind_is_never_a_fault(api):
    for name in ("9" * 5000, "²", "9" * 100, "%00", "a@b@c", "⁹", "-1", "0"):
        assert api.get(f"katas/{name}").status_code in (404, 422), name


def test_a_data_folder_that_cannot_be_used_is_503_with_a_hint(api, tmp_path):
    in_its_place = tmp_path / "in-its-place"
    in_its_place.write_text("not a folder", encoding="utf-8")
    api.rooms._open = lambda home: assemble(in_its_place)
    found = api.get("overview")
    assert (found.status_code, found.json()["error"]["code"]) == (503, "store_unavailable")
    assert str(in_its_place) in found.json()["error"]["hint"]
