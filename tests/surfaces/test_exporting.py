"""``export``, ``audit --ndjson`` and ``import-kata`` in a shell."""

import json
import stat

import pytest

from kata.surfaces.exits import HUMAN_NEEDED, NOT_FOUND, REFUSED, USAGE
from kata.surfaces.exporting import readable
from tests.service.lab import Lab, ticket
from tests.surfaces.test_cli import shell
from tests.surfaces.test_slash import type_in


def test_a_kata_is_written_so_that_people_can_read_it(lab):
    number = lab.proposed()
    code, out, _ = shell(lab, "export", str(number))
    assert (code, json.loads(out)["format"]) == (0, "kata.export/1")
    assert '  "plan": [\n    "1. ' in out


def test_a_file_is_new_and_its_owners_alone(lab, tmp_path):
    number, path = lab.proposed(), tmp_path / "kata.json"
    code, out, _ = shell(lab, "export", str(number), "-o", str(path))
    assert (code, str(path) in out, stat.S_IMODE(path.stat().st_mode)) == (0, True, 0o600)
    assert shell(lab, "export", str(number), "-o", str(path))[0] == USAGE


def test_history_is_one_object_a_line(lab):
    lab.proposed()
    lines = shell(lab, "export", "--history")[1].splitlines()
    assert [json.loads(one)["position"] for one in lines] == list(range(1, len(lines) + 1))


def test_one_kata_or_the_history(lab):
    assert shell(lab, "export")[0] == USAGE
    assert shell(lab, "export", "1", "--history")[0] == USAGE


def test_the_whole_audit_trail_is_streamed_without_pages(lab):
    lab.proposed()
    whole = shell(lab, "audit", "--ndjson", "action:kata.proposed")[1].splitlines()
    assert [json.loads(one)["action"] for one in whole] == ["kata.proposed"]
    assert len(shell(lab, "audit", "--ndjson", "--observations")[1].splitlines()) > 20


@pytest.fixture
def file(tmp_path):
    elsewhere = Lab(tmp_path / "elsewhere")
    shell(elsewhere, "export", str(elsewhere.proposed(ticket)), "-o", str(tmp_path / "kata.json"))
    elsewhere.close()
    return str(tmp_path / "kata.json")


def test_a_file_becomes_a_proposal_and_says_where_it_is_from(lab, file):
    code, out, _ = shell(lab, "import-kata", file, tty=True)
    assert (code, lab.state(1)) == (0, "candidate")
    assert "nothing is active by that" in out
    assert "Origin: imported from kata.json" in out
    assert out.splitlines()[-1] == "Look: hermes kata review 1"
    assert shell(lab, "import-kata", file, tty=True)[0] == REFUSED


def test_a_dry_run_checks_the_file_and_proposes_nothing(lab, file):
    code, out, _ = shell(lab, "import-kata", file, "--dry-run", tty=True)
    assert (code, "Nothing was done" in out, lab.service.listing().katas) == (0, True, ())


def test_nobody_but_a_person_brings_a_kata_in(lab, file):
    assert shell(lab, "import-kata", file)[0] == HUMAN_NEEDED
    assert shell(lab, "import-kata", file, tty=True, mark="AI_AGENT")[0] == HUMAN_NEEDED
    assert "shell command" in type_in(lab, f"import-kata {file}")


def test_a_file_that_is_not_there_or_no_text_says_so(lab, tmp_path):
    assert shell(lab, "import-kata", str(tmp_path / "none"), tty=True)[0] == NOT_FOUND
    (tmp_path / "raw").write_bytes(b"\xff\xfe\x00")
    assert shell(lab, "import-kata", str(tmp_path / "raw"), tty=True)[0] == USAGE


def test_text_that_utf8_cannot_hold_is_written_escaped():
    assert readable({"a": "wide 宽"}) == '{\n  "a": "wide 宽"\n}'
    assert "\\udcff" in readable({"a": "\udcff"})
