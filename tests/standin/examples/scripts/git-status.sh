#!/usr/bin/env bash
# Tell the model what is not committed yet, at the start of each turn.
cat >/dev/null
cd "${WATCHED:-.}" || exit 0
status=$(git status --porcelain 2>/dev/null)
if [ -n "$status" ]; then
  STATUS="$status" python3 -c 'import json, os; print(json.dumps({"context": "Not committed:\n" + os.environ["STATUS"]}))'
else
  printf '{}\n'
fi
