"""Write down every slash command, with who typed it."""

import json
from pathlib import Path

LOG = Path(__file__).with_name("commands.jsonl")


def handle(event_type, context):
    kept = {key: context.get(key) for key in ("command", "args", "platform", "user_id")}
    with LOG.open("a") as file:
        file.write(json.dumps(kept) + "\n")
