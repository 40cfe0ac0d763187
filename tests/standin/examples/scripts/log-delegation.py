#!/usr/bin/env python3
"""Write a line for every sub-agent that ended."""

import json
import os
import sys
from pathlib import Path

told = json.load(sys.stdin)
with (Path(os.environ["HERMES_HOME"]) / "delegation.jsonl").open("a") as file:
    file.write(json.dumps({"parent": told["session_id"], **told["extra"]}) + "\n")
print("{}")
