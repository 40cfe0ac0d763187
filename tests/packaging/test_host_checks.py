"""What Hermes itself says of the package: validate, doctor, the catalog, and both ways to install."""

import json
import re
import sys
from pathlib import Path

import pytest
import yaml

from tests.hermes.support.fixtures import KATA, REPOSITORY

pytestmark = pytest.mark.hermes

EXPLAINED = REPOSITORY / "docs" / "packaging.md"
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|$", re.MULTILINE)
FINDINGS = """
import json, sys
from pathlib import Path
from hermes_cli.plugin_validate_private_imports import private_import_findings
print(json.dumps(private_import_findings(Path(sys.argv[1]))))
"""


@pytest.fixture
def home(hermes):
    return hermes()


@pytest.fixture
def manifest():
    return yaml.safe_load((KATA / "plugin.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def explained() -> dict[str, str]:
    """Read the table that says why Kata imports what Hermes warns of."""
    return dict(ROW.findall(EXPLAINED.read_text(encoding="utf-8")))


def test_validate_passes_with_one_known_warning(home):
    ran = home.cli("plugins", "validate", str(home.home / "plugins" / "kata"), "--json")
    assert ran.json["ok"], [check for check in ran.json["checks"] if not check["ok"]]
    assert [warning.partition(":")[0] for warning in ran.json["warnings"]] == [
        "private core imports (catalog rule 9"
    ]


def test_every_import_that_hermes_warns_of_is_explained(home, explained):
    found = json.loads(home.run(str(home.python), "-c", FINDINGS, str(home.home / "plugins" / "kata")).out)
    modules = {finding.split()[-1] for finding in found}
    assert not {name for name in modules if not any(_covers(row, name) for row in explained)}
    assert not {row for row in explained if not any(_covers(row, name) for name in modules)}


def _covers(row: str, name: str) -> bool:
    return name == row or name.startswith(f"{row}.")


def test_doctor_finds_no_fault(home):
    ran = home.cli("plugins", "doctor", str(home.home / "plugins" / "kata"), "--ci")
    assert ran.code == 0, ran.out + ran.err


def test_a_folder_registers_what_the_manifest_says(home, manifest):
    with home.session() as session:
        kata = session.plugins["kata"]
    assert kata["error"] is None
    assert kata["source"] == "user"
    assert kata["tools"] == sorted(manifest["provides_tools"])
    assert sorted(set(kata["hooks"])) == sorted(manifest["provides_hooks"])


def test_a_pip_install_registers_the_same(hermes, pip_kata, manifest):
    home = hermes(plugins=[], enabled=["kata"], overlay=pip_kata)
    with home.session() as session:
        kata = session.plugins["kata"]
    assert kata["error"] is None
    assert kata["source"] == "entrypoint"
    assert kata["tools"] == sorted(manifest["provides_tools"])
    assert sorted(set(kata["hooks"])) == sorted(manifest["provides_hooks"])


def test_a_catalog_entry_is_made_and_accepted(home, manifest, tmp_path):
    sha = "0123456789abcdef0123456789abcdef01234567"
    entry = tmp_path / "kata.yaml"
    made = home.run(
        *_script(), "--repo", "https://example.org/kata.git", "--sha", sha, "--output", str(entry)
    )
    assert made.code == 0, made.err
    written = yaml.safe_load(entry.read_text(encoding="utf-8"))
    assert (written["sha"], written["subdir"]) == (sha, "kata")
    assert written["capabilities"]["provides_tools"] == manifest["provides_tools"]
    checked = home.run(*_script(), "--check", str(entry))
    assert checked.code == 0, checked.err


def test_a_catalog_entry_that_says_something_else_is_refused(home, tmp_path):
    entry = tmp_path / "kata.yaml"
    home.run(*_script(), "--repo", "https://example.org/kata.git", "--sha", "0" * 40, "--output", str(entry))
    entry.write_text(entry.read_text(encoding="utf-8").replace("kata_list", "kata_other"), encoding="utf-8")
    checked = home.run(*_script(), "--check", str(entry))
    assert (checked.code, "provides_tools" in checked.err) == (1, True)


def _script() -> tuple[str, str]:
    return sys.executable, str(Path(REPOSITORY) / "scripts" / "catalog_entry.py")
