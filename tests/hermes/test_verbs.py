"""The commands that look, on the real Hermes: as a person's shell runs them."""

import json

import pytest


@pytest.fixture
def home(model, hermes, seasons):
    made = hermes()
    seasons.candidate(model, made)
    return made


def test_a_proposal_is_looked_at_from_all_sides_before_anybody_decides(home):
    plan = home.cli("kata", "plan", "1", "pattern=invoices", "--json").json["data"]
    assert [step["effect"] for step in plan["steps"]] == ["read", "read", "external"]
    assert "git push origin invoices" in home.cli("kata", "plan", "1", "pattern=invoices").out
    assert "Evidence" in home.cli("kata", "why", "1").out
    assert "only version" in home.cli("kata", "diff", "1").out
    assert home.cli("kata", "runs", "--json").json["data"]["runs"] == []
    assert home.cli("kata", "open", "1", "--url").out.strip().endswith("/kata?kata=1")


def test_the_doctor_finds_a_sound_installation_on_hermes(home):
    ran = home.cli("kata", "doctor", "--json")
    findings = {one["name"]: one for one in ran.json["data"]["findings"]}
    assert (ran.code, ran.json["data"]["sound"]) == (0, True), findings
    assert findings["hermes"]["detail"].startswith("Hermes 0.22")
    assert findings["/kata"]["status"] == "ok"


def test_a_kata_goes_out_as_a_file_and_comes_in_elsewhere_as_a_proposal(model, hermes, home):
    file = home.workspace.parent / "push.json"
    assert home.cli("kata", "export", "1", "-o", str(file)).code == 0
    assert json.loads(file.read_text())["format"] == "kata.export/1"
    other = hermes(profile="work")
    with other.shell("kata", "import-kata", str(file)) as terminal:
        assert terminal.wait_end() == 0, terminal.text
        assert "nothing is active by that" in terminal.text
    [kata] = other.cli("kata", "list", "--json").json["data"]["katas"]
    assert kata["state"] == "candidate"


def test_bash_completes_live_ids_and_a_closed_pipe_is_no_error(home):
    script = 'eval "$(hermes kata completion bash)"; COMP_WORDS=(hermes kata review ""); COMP_CWORD=3; '
    ran = home.run("bash", "-c", script + '_hermes_kata; printf "%s\\n" "${COMPREPLY[@]}"')
    assert ran.out.splitlines()[0] == "1", ran.err
    piped = home.run("bash", "-c", "hermes kata audit --observations | head -1; echo ${PIPESTATUS[0]}")
    assert (piped.out.splitlines()[-1], "Traceback" in piped.err) == ("0", False)
