"""The reference pages are what the code says."""

import subprocess
import sys

from tests.hermes.support.fixtures import REPOSITORY


def test_the_reference_pages_are_what_the_code_says():
    script = REPOSITORY / "scripts" / "reference.py"
    done = subprocess.run(
        [sys.executable, str(script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
