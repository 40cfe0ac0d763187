#!/usr/bin/env bash
# Take the spaces off the ends of lines of every Python file that the agent writes.
path=$(python3 -c 'import json, sys; print(json.load(sys.stdin)["tool_input"].get("path", ""))')
case "$path" in
  *.py) sed -i 's/[[:space:]]*$//' "$path" ;;
esac
printf '{}\n'
