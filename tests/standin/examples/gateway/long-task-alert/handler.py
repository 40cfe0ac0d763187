"""Alert once when a turn reaches its limit of steps."""

import json
import os
import urllib.request

LIMIT = 3


def handle(event_type, context):
    place = os.environ.get("ALERT_URL")
    if context.get("iteration") != LIMIT or not place:
        return
    tools = ", ".join(context.get("tool_names", ())) or "none"
    text = f"{LIMIT} steps and still at it; tools last used: {tools}"
    urllib.request.urlopen(place, json.dumps({"text": text}).encode()).close()
