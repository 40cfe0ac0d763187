import os
import shutil
import subprocess
import sys

import pytest

from tests.kit.support import KIT, ROOT

CONFIG = """
[mypy]
strict = True
[mypy-hermes_cli.*,gateway.*,telegram.*]
follow_imports = skip
ignore_missing_imports = True
"""


@pytest.mark.types
def test_a_type_checker_sees_the_authors_types_in_a_copy_too(tmp_path):
    shutil.copytree(KIT, tmp_path / "their_kit", ignore=shutil.ignore_patterns("__pycache__"))
    sample = (ROOT / "tests" / "kit" / "sample_types.py").read_text().replace("kata.kit", "their_kit")
    (tmp_path / "sample.py").write_text(sample)
    (tmp_path / "mypy.ini").write_text(CONFIG)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(ROOT / ".mypy_cache" / "kit"), "sample.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
