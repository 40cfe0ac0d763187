"""Who only starts Hermes does not load the miner."""

import subprocess
import sys

REGISTER = """
import sys
from pathlib import Path
from kata.standin import StandIn
from kata.standin.modules import installed

host = StandIn(Path(sys.argv[1]))
with installed(host):
    from kata import register

    host.load(register)
    print(*sorted(name for name in sys.modules if name.startswith("kata.")))
    host.unload()
"""

PASSES = {"mining", "standing", "counting", "judge", "coherence", "describe", "looped", "selection"}


def test_registering_loads_no_pass(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", REGISTER, tmp_path],
        env={"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    loaded = set(ran.stdout.split())
    assert {"kata.service.mine", "kata.projections.history", "kata.miner.types"} <= loaded
    assert loaded.isdisjoint({f"kata.miner.{name}" for name in PASSES})


def test_the_passes_are_there_when_asked_for():
    from kata import miner

    assert all(getattr(miner, name) is not None for name in miner.__all__)
