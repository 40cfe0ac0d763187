"""Run one ``hermes kata`` command over a data folder, without Hermes: ``python scripts/look.py FOLDER list --json``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from kata.service import assemble
from kata.surfaces.cli import run_cli

if __name__ == "__main__":
    sys.exit(run_cli(sys.argv[2:], lambda: assemble(Path(sys.argv[1]))))
