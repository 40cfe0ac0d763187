"""Write each event of the agent on a line of a file beside this one."""

import json
from datetime import UTC, datetime
from pathlib import Path

LOG = Path(__file__).with_name("activity.jsonl")


async def handle(event_type, context):
    line = {"at": datetime.now(UTC).isoformat(), "event": event_type, **context}
    with LOG.open("a") as file:
        file.write(json.dumps(line, default=str) + "\n")
