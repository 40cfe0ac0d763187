#!/usr/bin/env bash
# Refuse to delete from the root down.
command=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["tool_input"].get("command", ""))')
if printf '%s' "$command" | grep -qE 'rm[[:space:]]+-[a-z]*r[a-z]*[[:space:]]+/'; then
  printf '{"decision": "block", "reason": "deleting from the root down is not allowed"}\n'
else
  printf '{}\n'
fi
