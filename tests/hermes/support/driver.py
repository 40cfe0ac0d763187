"""Run inside Hermes' own interpreter: serve one agent to a test, a JSON line in, a JSON line out.

Whatever Hermes prints goes to the error stream, so that the answers stand alone on standard output. An interrupt is
obeyed at once, by the thread that reads; everything else waits its turn on the main thread.
"""

import importlib
import importlib.util
import json
import os
import queue
import sys
import threading
import traceback


class Person:
    """Sit at the terminal: answer each approval prompt with the next choice, deny when out of choices."""

    def __init__(self):
        self.choices = []
        self.asked = []

    def decide(self, command, description, **options):
        choice = self.choices.pop(0) if self.choices else "deny"
        self.asked.append(
            {"command": command, "description": description, "choice": choice, "options": options}
        )
        return choice

    def sit_down(self):
        from tools.terminal_tool import set_approval_callback

        os.environ["HERMES_INTERACTIVE"] = "1"
        set_approval_callback(self.decide)


class Driver:
    """Answer the verbs of ``session.Session``; each method is one verb."""

    def __init__(self, toolsets, resume, person):
        self._toolsets = toolsets
        self._person = Person()
        if person:
            self._person.sit_down()
        self.agent = self._build(resume or None)
        self._history = self._past(resume) if resume else []

    def say(self, prompt):
        result = self.agent.run_conversation(prompt, conversation_history=self._history)
        self._history = result.get("messages") or self._history
        return {
            "answer": result.get("final_response"),
            "completed": bool(result.get("completed")),
            "interrupted": bool(result.get("interrupted")),
            "api_calls": result.get("api_calls") or 0,
            "session_id": self.agent.session_id,
            "tools": sorted(self.agent.valid_tool_names),
        }

    def slash(self, line):
        from hermes_cli.plugins import get_plugin_command_handler, resolve_plugin_command_result

        name, _, rest = line.removeprefix("/").partition(" ")
        handler = get_plugin_command_handler(name)
        if handler is None:
            raise LookupError(f"no plugin has a command /{name}")
        return resolve_plugin_command_result(handler(rest.strip()))

    def answer(self, choices):
        self._person.choices.extend(choices)

    def asked(self):
        return self._person.asked

    def session_id(self):
        return self.agent.session_id

    def finalize(self, reason):
        from hermes_cli.lifecycle import finalize_session, session_end_messages

        fired = finalize_session(session_id=self.agent.session_id, platform="cli", reason=reason)
        return session_end_messages(fired)

    def new(self):
        from hermes_cli.lifecycle import invoke_hook

        told = self.finalize("session_boundary")
        self.agent = self._build(None)
        self._history = []
        invoke_hook(
            "on_session_reset", session_id=self.agent.session_id, platform="cli", reason="new_session"
        )
        return told

    def call(self, function, arguments):
        place, _, name = function.rpartition(":")
        return getattr(_module(place), name)(**arguments)

    def tool(self, name, arguments):
        from tools.registry import registry

        return registry.dispatch(name, arguments)

    def registered(self):
        from tools.registry import registry

        return sorted(registry.get_all_tool_names())

    def plugins(self):
        from hermes_cli.plugins import get_plugin_manager

        loaded = get_plugin_manager()._plugins
        return {
            name: {
                "enabled": plugin.enabled,
                "error": plugin.error,
                "source": plugin.manifest.source,
                "tools": sorted(plugin.tools_registered),
                "hooks": sorted(plugin.hooks_registered),
            }
            for name, plugin in loaded.items()
            if plugin.manifest.source != "bundled"
        }

    def _build(self, session_id):
        from hermes_cli.config import load_config
        from hermes_cli.runtime_provider import resolve_runtime_with_fallback
        from hermes_cli.tools_config import _get_platform_tools
        from hermes_state_registry import acquire
        from run_agent import AIAgent

        config = load_config()
        model = config["model"]["default"]
        endpoint, _ = resolve_runtime_with_fallback(config, requested="custom", target_model=model)
        wanted = ("api_key", "base_url", "provider", "requested_provider", "api_mode")
        return AIAgent(
            **{key: endpoint.get(key) for key in wanted},
            model=model,
            enabled_toolsets=self._toolsets or sorted(_get_platform_tools(config, "cli")),
            quiet_mode=True,
            platform="cli",
            session_db=acquire(),
            session_id=session_id,
        )

    @staticmethod
    def _past(session_id):
        from hermes_state_registry import acquire

        restored, _ = acquire().get_resume_conversations(session_id)
        return [message for message in restored if message.get("role") != "session_meta"]


def _module(place):
    if not place.endswith(".py"):
        return importlib.import_module(place)
    spec = importlib.util.spec_from_file_location("driven_by_a_test", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _read(commands, driver):
    for line in sys.stdin:
        command = json.loads(line)
        if command["verb"] == "interrupt":
            driver.agent.interrupt()
        else:
            commands.put(command)
    commands.put(None)


def _serve(driver, command):
    try:
        return {"value": getattr(driver, command.pop("verb"))(**command)}
    except Exception:
        return {"error": traceback.format_exc()}


def main():
    replies = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    from hermes_cli.main import _advertise_agent_env

    _advertise_agent_env()
    driver = Driver(**json.loads(sys.argv[1]))
    replies.write(json.dumps({"value": "ready"}) + "\n")
    commands = queue.SimpleQueue()
    threading.Thread(target=_read, args=(commands, driver), daemon=True).start()
    while command := commands.get():
        replies.write(json.dumps(_serve(driver, command), default=str) + "\n")


if __name__ == "__main__":
    main()
