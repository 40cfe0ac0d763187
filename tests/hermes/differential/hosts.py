"""Running a scenario on either host."""

import json
import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from kata.standin import Conversation, Reply, StandIn
from tests.hermes.support import HermesHome, ScriptedModel, Turn

from .scenario import Finalize, Fired, New, Say, Scenario, Told

OBSERVER = Path(__file__).with_name("observer")


def on_stand_in(scenario: Scenario, folder: Path, config: dict[str, Any], *, single: bool = False) -> Told:
    """Run on a fresh stand-in host; ``single``: each turn is a process of its own, without a person."""
    out = folder / "fired.jsonl"
    host = StandIn(folder, config=config)
    host.settings.plugin_set("observer", "out", str(out))
    host.settings.plugin_set(
        "observer", "answers", {hook: list(given) for hook, given in scenario.answers.items()}
    )
    _write(host.workspace.root, scenario)
    host.load(OBSERVER, "observer")
    host.person.will_answer(*scenario.choices)
    options = {"mode": "single_query"} if single else {"task_ids": host.uuid}
    chat = host.conversation(
        **options, **({"max_iterations": scenario.max_turns} if scenario.max_turns else {})
    )
    answers: list[str] = []
    notices: list[str] = []
    for step in scenario.steps:
        match step:
            case Say():
                answers.append(chat.turn(step.message, _with_stop(step, chat), children=step.children).answer)
                notices.extend(chat.finalize() if single else ())
            case New():
                notices.extend(chat.new())
            case Finalize():
                notices.extend(chat.finalize())
    host.unload("observer")
    sent = tuple(_sent(request.messages, host.workspace.root) for request in host.requests)
    return Told(_read(out, host.workspace.root), tuple(answers), tuple(notices), sent)


def _with_stop(step: Say, chat: Conversation) -> list[Any]:
    if not step.stop:
        return list(step.script)

    def stopping(_request: Any) -> Reply:
        chat.stop()
        return step.script[-1]

    return [*step.script[:-1], stopping]


class Real:
    """One real Hermes process that runs scenario after scenario, each in a new session."""

    def __init__(self, model: ScriptedModel, folder: Path, config: dict[str, Any]) -> None:
        self._model = model
        self._out = folder / "fired.jsonl"
        self.home = HermesHome(folder, model, plugins=[OBSERVER], config=config)
        self._set(out=str(self._out))
        self._session = self.home.session()
        self._used = False

    def run(self, scenario: Scenario) -> Told:
        self._fresh(scenario)
        answers: list[str] = []
        notices: list[str] = []
        for step in scenario.steps:
            match step:
                case Say():
                    answers.append(self._say(step))
                case New():
                    notices.extend(self._session.new())
                case Finalize():
                    notices.extend(self._session.finalize())
        sent = tuple(_sent(request.messages, self.home.workspace) for request in self._model.main)
        return Told(_read(self._out, self.home.workspace), tuple(answers), tuple(notices), sent)

    def close(self) -> None:
        self._session.close()

    def _fresh(self, scenario: Scenario) -> None:
        self._set(answers={})
        if self._used:
            self._session.new()
        self._used = True
        self._out.unlink(missing_ok=True)
        self._model.forget()
        _write(self.home.workspace, scenario)
        self._set(answers={hook: list(given) for hook, given in scenario.answers.items()})
        if scenario.choices:
            self._session.answer(*scenario.choices)

    def _say(self, step: Say) -> str:
        turns = [_turn(reply) for reply in _flat(step)]
        if not step.stop:
            self._model.then(*turns)
            return self._session.say(step.message).answer or ""
        held = threading.Event()
        self._model.then(*turns[:-1], attrs.evolve(turns[-1], hold=held))
        self._session.begin(step.message)
        self._model.wait_asked(len(self._model.main) + len(turns))
        self._session.interrupt()
        answer = self._session.wait().answer or ""
        held.set()
        return answer

    def _set(self, **settings: Any) -> None:
        entries = self.home.config.setdefault("plugins", {}).setdefault("entries", {})
        current = entries.setdefault("observer", {}).setdefault("settings", {})
        current.update(settings)
        self.home.configure()


def on_real_single(scenario: Scenario, model: ScriptedModel, folder: Path, config: dict[str, Any]) -> Told:
    """Run each turn as ``hermes chat -q``, a process of its own that goes on with the session."""
    home = HermesHome(folder, model, plugins=[OBSERVER], config=config)
    out = folder / "fired.jsonl"
    answers = {hook: list(given) for hook, given in scenario.answers.items()}
    home.configure(plugins={"entries": {"observer": {"settings": {"out": str(out), "answers": answers}}}})
    _write(home.workspace, scenario)
    limit = ("--max-turns", str(scenario.max_turns)) if scenario.max_turns else ()
    told: list[str] = []
    session_id = ""
    for step in scenario.steps:
        assert isinstance(step, Say)
        model.then(*map(_turn, _flat(step)))
        ran = home.chat(step.message, *limit, resume=session_id)
        told.append(ran.answer)
        session_id = ran.session_id
    sent = tuple(_sent(request.messages, home.workspace) for request in model.main)
    return Told(_read(out, home.workspace), tuple(told), (), sent)


def _flat(step: Say) -> Iterator[Reply]:
    children = list(step.children)
    for reply in step.script:
        yield reply
        for name, _args in reply.wanted:
            if name == "delegate_task":
                for script in children:
                    yield from script
                children = []


def _turn(reply: Reply) -> Turn:
    return Turn(text=reply.text, calls=reply.wanted, status=reply.status or 200)


def _write(workspace: Path, scenario: Scenario) -> None:
    for name, content in scenario.files.items():
        (workspace / name).write_text(content, encoding="utf-8")


def _read(out: Path, workspace: Path) -> tuple[Fired, ...]:
    if not out.exists():
        return ()
    text = out.read_text(encoding="utf-8").replace(str(workspace), "WORKSPACE")
    return tuple(Fired(**json.loads(line)) for line in text.splitlines())


def _sent(messages: Sequence[dict[str, Any]], workspace: Path) -> tuple[Any, ...]:
    said = [message for message in messages if message["role"] != "system"]
    return tuple((each["role"], _text(each, workspace)) for each in said)


def _text(message: dict[str, Any], workspace: Path) -> str:
    content = message.get("content") or ""
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    return re.sub(re.escape(str(workspace)), "WORKSPACE", text)
