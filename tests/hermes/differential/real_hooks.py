"""Run inside Hermes' own interpreter: what its shell hooks and gateway hooks make of the given cases, as JSON."""

import asyncio
import json
import sys


def shell(cases):
    from agent import shell_hooks

    def spec(raw):
        return shell_hooks.ShellHookSpec(**raw)

    def entry(each):
        return {
            "event": each.event,
            "command": each.command,
            "matcher": each.matcher or "",
            "timeout": each.timeout,
            "fail_closed": each.fail_closed,
        }

    return {
        "read": [[entry(each) for each in shell_hooks._parse_hooks_block(block)] for block in cases["read"]],
        "wants": [spec(hook).matches_tool(tool) for hook, tool in cases["wants"]],
        "judge": [shell_hooks._evaluate_result(spec(hook), ran) for hook, ran in cases["judge"]],
        "payload": [
            json.loads(shell_hooks._serialize_payload(event, told)) for event, told in cases["payload"]
        ],
        "script": [shell_hooks._command_script_path(command) for command in cases["script"]],
    }


def gateway(emits):
    from gateway.hooks import HookRegistry

    registry = HookRegistry()
    registry.discover_and_load()
    return {
        "loaded": [
            [hook["name"], hook["description"], list(hook["events"])] for hook in registry.loaded_hooks
        ],
        "answers": [asyncio.run(registry.emit_collect(event, context)) for event, context in emits],
    }


def main():
    cases = json.load(sys.stdin)
    replies, sys.stdout = sys.stdout, sys.stderr
    replies.write(json.dumps({"shell": shell(cases["shell"]), "gateway": gateway(cases["gateway"])}))


if __name__ == "__main__":
    main()
