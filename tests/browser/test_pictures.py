"""Every state of the tab can be brought about and has its picture."""

import subprocess
import sys

from scripts.screenshots import ROOT, STATES


def test_every_state_has_its_picture(tmp_path, pages):
    del pages  # fetched by now, for the script as well
    words = ["scripts/screenshots.py", "--to", str(tmp_path), "--themes", "dark", "--widths", "1400"]
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}-dark-1400.png" for name in STATES}
    assert all(path.stat().st_size > 10_000 for path in tmp_path.iterdir())
