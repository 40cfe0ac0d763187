"""Every answer to ``--json`` is what its published schema says, and names nothing that the schema does not know."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from kata.events import catalogue as told
from kata.surfaces.parser import VERBS
from kata.surfaces.schemas import DATA, STREAMS, documents
from tests.importer import hand
from tests.service.lab import PERSON, Lab, lock, order, ticket
from tests.surfaces.test_cli import shell

FOLDER = Path(__file__).parents[2] / "docs" / "schemas"
GOOD, BAD = told.RunOutcome.SUCCEEDED, told.RunOutcome.FAILED


def closed(schema: Any) -> Any:
    """Return a schema that allows no other keys where it names some."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(one) for key, one in schema.items()}
    names = made.get("type") == "object" and isinstance(made.get("properties"), dict)
    return {**made, "additionalProperties": False} if names else made


VALIDATORS = {name: jsonschema_rs.validator_for(closed(schema)) for name, schema in documents().items()}


@pytest.fixture
def full(lab, tmp_path, monkeypatch):
    """A kata that is active and ran, one that waits, one that was rejected, and what was only seen."""
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "home"))
    number = lab.approved("settle_bug")
    lab.ran(number, GOOD)
    lab.run_id = lab.ran(number, BAD)
    lab.proposed(order)
    lab.service.decisions.reject(str(lab.proposed(lock)), PERSON)
    shell(lab, "export", "2", "-o", str(tmp_path / "kata.json"))
    lab.paths = {"file": str(tmp_path / "kata.json"), "new": str(tmp_path / "new.json")}
    lab.practise(
        lambda n: [("find_user", {"mail": f"a{n}"}, {"x": n}), ("find_order", {"customer": f"b{n}"}, {})]
    )
    lab.service.mine()
    return lab


COMMANDS = [
    ("overview",),
    ("list",),
    ("list", "--all"),
    ("review", "1"),
    ("review", "2", "--url"),
    ("plan", "2", "customer=a"),
    ("diff", "1"),
    ("why", "2"),
    ("reject", "2", "--dry-run"),
    ("approve", "2", "as", "send_parcel", "--dry-run"),
    ("defer", "2", "until", "seen:3"),
    ("reject", "2", "--until", "changed"),
    ("reject", "2"),
    ("reconsider", "3"),
    ("disable", "1"),
    ("undo", "--dry-run"),
    ("rollback", "1", "1", "--dry-run"),
    ("runs",),
    ("runs", "1", "--url"),
    ("run", "show", "RUN"),
    ("audit",),
    ("audit", "actor:human", "--limit", "2"),
    ("audit", "--url"),
    ("blame", "1"),
    ("blame", "2"),
    ("stats",),
    ("status",),
    ("doctor",),
    ("open", "1", "--url"),
    ("mine",),
    ("export", "1"),
    ("export", "1", "-o", "NEW"),
    ("pause", "1h"),
    ("pause",),
    ("resume",),
    ("forget", "--session", "s1", "--dry-run"),
    ("replay",),
    ("replay", "--check"),
    ("replay", "--until", "5"),
    ("verify",),
    ("hooks", "status", "gateway"),
    ("hooks", "status", "shell"),
    ("dashboard", "uninstall"),
    ("completion", "zsh"),
    ("help",),
    ("help", "plan"),
]


def verdict(name: str, text: str) -> list[str]:
    return [
        f"{error.instance_path}: {error.message}"[:300]
        for error in VALIDATORS[name].iter_errors(json.loads(text))
    ]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_an_answer_is_what_its_schema_says(full, words):
    name, words = words[0], tuple(word for word in words if word != "overview")
    places = {"RUN": full.run_id, "NEW": full.paths["new"]}
    code, out, err = shell(full, *(places.get(word, word) for word in words), "--json", tty=True)
    assert code in (0, 1), err
    assert verdict(name, out) == []


def test_decisions_that_ask_answer_with_what_was_decided(full):
    typed = {"approve": "send_parcel\n", "enable": "", "rollback": "yes\n", "undo": "yes\n", "disable": ""}
    said = [
        ("approve", "2", "as", "send_parcel"),
        ("disable", "2"),
        ("enable", "2"),
        ("undo",),
        ("rollback", "1", "1"),
    ]
    for words in said:
        code, out, err = shell(full, *words, "--json", typed=typed[words[0]], tty=True)
        assert (code, verdict(words[0], out)) == (0, []), err


def test_the_tab_answers_as_its_schema_says(full):
    code, out, _ = shell(full, "dashboard", "install", "--json")
    assert (code, verdict("dashboard", out)) == (0, [])


def test_imports_and_forgetting_answer_as_their_schemas_say(full, tmp_path):
    other = Lab(tmp_path / "other")
    assert (
        verdict("import-kata", shell(other, "import-kata", full.paths["file"], "--json", tty=True)[1]) == []
    )
    other.close()
    history = hand.state_db(tmp_path / "state.db", {f"h{n}": hand.rows(ticket(n)) for n in range(1, 4)})
    code, out, _ = shell(full, "import", str(history), "--json")
    assert (code, verdict("import", out)) == (0, [])
    code, out, _ = shell(full, "forget", "--session", "s1", "--yes", "--json", tty=True)
    assert (code, verdict("forget", out)) == (0, [])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("audit-ndjson", ("audit", "--ndjson", "--observations")),
        ("export-history", ("export", "--history")),
    ],
)
def test_each_line_of_a_stream_is_what_its_schema_says(full, name, words):
    lines = shell(full, *words)[1].splitlines()
    assert lines
    assert [problem for line in lines for problem in verdict(name, line)] == []


@pytest.mark.parametrize(
    "words", [("review", "99"), ("aprove",), ("approve", "2"), ("approve", "3@abcd"), ("plan", "2", "x=1")]
)
def test_a_refusal_is_what_its_schema_says(full, words):
    code, out, _ = shell(full, *words, "--json")
    assert code > 1
    assert jsonschema_rs.validator_for(documents()["error"]).is_valid(json.loads(out))


def test_every_command_has_a_schema_and_every_schema_a_command():
    assert {*DATA, *STREAMS} - {"overview", "audit-ndjson", "export-history"} == set(VERBS)


def test_every_command_that_answers_is_tried_here():
    tried = {words[0] for words in COMMANDS} | {"enable", "rollback", "import", "import-kata"}
    assert tried == set(DATA)


def test_what_is_published_is_what_the_code_says():
    published = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")}
    assert published == documents()
