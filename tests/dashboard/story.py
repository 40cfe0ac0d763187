"""A profile some days into its life, written into a data folder: what the pictures show and the browser's tests act on.

Run as a program it fills the folder that it is given, with the clock's present as the story's end.
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from kata.clock import ManualClock, SystemIds
from kata.effects import classify
from kata.events import Actor, ActorKind, Surface
from kata.events import catalogue as told
from kata.executor import fingerprint_of
from kata.json import canonical, loads
from kata.service import Service
from kata.spec import digest_of, dump_spec, load_spec
from tests.service.lab import PERSON, SYSTEM, Lab, Steps

SHELL = Actor(kind=ActorKind.HUMAN, id="ana", surface=Surface.CLI)
DASHBOARD = Actor(kind=ActorKind.HUMAN, id="ana@example.test", surface=Surface.DASHBOARD)
MESSENGER = Actor(kind=ActorKind.HUMAN, id="telegram:4711", surface=Surface.SLASH)
TOOL = Actor(kind=ActorKind.AGENT, id="hermes", surface=Surface.TOOL)

TEXT = {"type": "string"}
TERMINAL = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "description": "The command to run"},
        "timeout": {"type": "integer"},
    },
    "required": ["command"],
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "terminal": TERMINAL,
    "search_files": {
        "type": "object",
        "properties": {"pattern": TEXT, "path": TEXT},
        "required": ["pattern"],
    },
    "read_file": {"type": "object", "properties": {"path": TEXT}, "required": ["path"]},
    "write_file": {
        "type": "object",
        "properties": {"path": TEXT, "content": TEXT},
        "required": ["path", "content"],
    },
    "web_extract": {"type": "object", "properties": {"url": TEXT}, "required": ["url"]},
}
BRANCHES = ("feature/login", "feature/search", "fix/billing", "feature/invoices", "fix/export")
HOSTILE = "<img src=x onerror=alert(1)>"


def output(text: str, code: int = 0) -> dict[str, Any]:
    return {"output": text, "exit_code": code, "error": None}


def preview(number: int) -> Steps:
    """Find where a branch is mentioned, measure that file, push the branch."""
    branch = BRANCHES[number % len(BRANCHES)]
    path = f"src/{branch.split('/')[1]}_view.py"
    return [
        (
            "search_files",
            {"pattern": f"TODO({branch})", "path": "src"},
            {"matches": [{"path": path, "line": 3 + number}]},
        ),
        ("terminal", {"command": f"wc -l {path}"}, output(f"{118 + number} {path}")),
        ("terminal", {"command": f"git push origin {branch}"}, output(f"* {branch} -> {branch}")),
    ]


def notes(number: int) -> Steps:
    """Read a day's notes and put them into the collection."""
    text = f"what day {number} was like, at length and in words of its own"
    return [
        ("read_file", {"path": f"notes/2026-{number:02d}.md"}, {"content": text}),
        ("write_file", {"path": "notes/all.md", "content": text}, {"bytes_written": len(text)}),
    ]


def clean(number: int) -> Steps:
    """Find the biggest cache folder and remove it."""
    folder = f"build/cache-{number:04d}"
    return [
        (
            "search_files",
            {"pattern": f"stamp-{number:04d}", "path": "build"},
            {"matches": [{"path": folder, "line": 1}]},
        ),
        ("terminal", {"command": f"rm -r {folder}"}, output("")),
    ]


def report(number: int) -> Steps:
    """Look a page up and count its words."""
    path = f"reports/week-{number:02d}.txt"
    return [
        (
            "web_extract",
            {"url": f"https://example.test/week/{number}"},
            {"title": f"Week {number}", "file": path},
        ),
        ("terminal", {"command": f"wc -w {path}"}, output(f"{900 + number} {path}")),
    ]


def release(number: int) -> Steps:
    """Tag a release and write it down."""
    return [
        ("terminal", {"command": f"git tag v1.{number}.0"}, output("")),
        ("terminal", {"command": f"gh release create v1.{number}.0 --generate-notes"}, output("created")),
    ]


def lint(number: int) -> Steps:
    """Search for a word and look at the file."""
    path = f"lib/module_{number:03d}.py"
    return [
        (
            "search_files",
            {"pattern": f"deprecated_{number:03d}", "path": "lib"},
            {"matches": [{"path": path, "line": 9}]},
        ),
        ("read_file", {"path": path}, {"content": f"module {number}"}),
    ]


def finish(number: int) -> Steps:
    """Finish a note whose path two fields of the answer hold."""
    path = f"notes/note-{number}aaa.md"
    found = {"first": path, "main": path, "other": "none"}
    return [
        ("search_files", {"pattern": f"todo {number}"}, found),
        ("write_file", {"path": path, "content": "done"}, {"ok": True}),
    ]


def hostile(number: int) -> Steps:
    """Arguments that would be script, markup or trickery if anybody took them for more than text."""
    trick = f'{HOSTILE} "><svg onload=alert(1)> [go](javascript:alert(1)) \u202egnp.exe\u0008 {number}'
    return [
        ("read_file", {"path": f"{trick}.md"}, {"content": f"{trick}: {HOSTILE}"}),
        ("write_file", {"path": HOSTILE, "content": f"{trick}: {HOSTILE}"}, {"bytes_written": number}),
    ]


class Story(Lab):
    """A lab whose clock begins some days ago, with the tools that people have."""

    def __init__(self, folder: Path, begin: datetime) -> None:
        super().__init__(folder, clock=ManualClock(begin), ids=SystemIds(), tools=SCHEMAS)

    def learn(
        self,
        routine: Any,
        times: int = 3,
        *,
        name: str = "",
        by: Actor = PERSON,
        every: timedelta = timedelta(hours=5),
    ) -> int:
        """Have a routine done by hand and proposed; with a name approved as well. Return its number."""
        for number in range(1, times + 1):
            self.by_hand(routine(number), f"2026{self._turns:04d}_{routine.__name__}")
            self.clock.advance(seconds=every.total_seconds())
        [row] = self.service.mine().proposed
        assert row.number is not None
        if name:
            self.decide("approve", row.number, by, name=name, note="I do this every week")
        return row.number

    def decide(self, verb: str, number: int, actor: Actor = PERSON, **more: Any) -> None:
        """Make a decision as a person."""
        if verb == "approve":
            more["reviewed"] = self.service.review(str(number)).digest
        getattr(self.service.decisions, verb)(str(number), actor=actor, **more)
        self.clock.advance(minutes=7)

    def run(
        self, number: int, steps: Steps, inputs: dict[str, Any], *, fails: str = "", code: str = "step_failed"
    ) -> None:
        """Write a run of an active kata, step by step; ``fails`` is why its last step did not end well."""
        one = next(found for found in self.service.registered() if found.number == number)
        run_id = self.ids.new()
        end = "unknown" if fails and code == "timeout" else "failed" if fails else "succeeded"
        began = told.RunStarted(
            run_id=run_id,
            kata=one.stream,
            number=one.number,
            name=one.name,
            version=one.version,
            digest=one.digest,
            inputs=inputs,
            inputs_fingerprint=fingerprint_of(self.service.world.keeper, inputs),
            session_id="20260101_talk",
            task_id="t",
            steps=len(steps),
        )
        self.add(f"run/{run_id}", began, TOOL)
        took = 0
        for index, step in enumerate(steps, 1):
            took += self._step(
                run_id, index, step, *((end, fails) if index == len(steps) else ("succeeded", ""))
            )
        ended = told.RunFinished(
            run_id=run_id,
            kata=one.stream,
            version=one.version,
            outcome=told.RunOutcome(end),
            code=code if fails else "",
            reason=fails,
            failed_step=len(steps) if fails else None,
            duration_ms=took,
        )
        self.add(f"run/{run_id}", ended, TOOL)
        self.service.settle_run(one.stream)
        self.clock.advance(minutes=23)

    def _step(self, run_id: str, index: int, step: tuple[str, Any, Any], end: str, reason: str) -> int:
        tool, args, result = step
        took = 60_000 if end == "unknown" else 180 * index * index + 240
        started = told.StepStarted(
            run_id=run_id, index=index, step=index, tool=tool, effect=classify(tool, args).effect, args=args
        )
        self.add(f"run/{run_id}", started, TOOL)
        self.clock.advance(seconds=took / 1000)
        answers = {"unknown": None, "failed": output(reason, 2), "succeeded": result}
        codes = {"unknown": None, "failed": 2, "succeeded": 0}
        finished = told.StepFinished(
            run_id=run_id,
            index=index,
            step=index,
            outcome=told.StepOutcome(end),
            reason=reason,
            exit_code=codes[end] if tool == "terminal" else None,
            duration_ms=took,
            result=answers[end],
        )
        self.add(f"run/{run_id}", finished, TOOL)
        return took


def strengthen(service: Service, number: int) -> None:
    """Let a version wait that pushes with force, as new evidence would; what changes is said in a line."""
    kata, _ = service.decisions._current(str(number))
    before = kata.latest
    text = canonical(before.spec).replace("git push origin", "git push --force origin")
    spec = load_spec(loads(text))
    payload = told.KataRevised(
        version=before.version + 1,
        cause="evidence",
        changes=("step 3: git push → git push --force",),
        spec=dump_spec(spec),
        digest=digest_of(spec),
        scores=before.scores,
        baseline=before.baseline,
        evidence=before.evidence,
        notes=before.notes,
    )
    service.world.log.append(
        kata.stream, kata.stream_version, [service.world.event(kata.stream, payload, SYSTEM)]
    )
    service.refresh()


def tell(folder: Path, end: datetime) -> None:
    """Write the whole story so that it ends a moment before ``end``."""
    story = Story(folder, end - timedelta(days=6, hours=3))
    weekly = story.learn(report, name="weekly_report")
    release_it = story.learn(release, name="tag_release", by=DASHBOARD)
    cleaning = story.learn(clean, name="clean_cache", by=MESSENGER)
    story.learn(notes, name="collect_notes")
    for number in range(4, 9):
        story.run(weekly, report(number), {"url": f"https://example.test/week/{number}"})
    story.run(
        weekly,
        report(9)[:2],
        {"url": "https://example.test/week/9"},
        fails="wc: reports/week-09.txt: No such file or directory",
    )
    story.run(release_it, release(7), {"command": "v1.7.0"})
    story.run(
        release_it, release(8), {"command": "v1.8.0"}, fails="the step took longer than 60 s", code="timeout"
    )
    for number in range(3):
        story.run(
            cleaning,
            clean(40 + number),
            {"pattern": f"stamp-{40 + number}"},
            fails="rm: cannot remove: Permission denied",
        )
    story.describe(
        "write_file",
        {
            **SCHEMAS["write_file"],
            "properties": {**SCHEMAS["write_file"]["properties"], "mode": TEXT},
            "required": ["path", "content", "mode"],
        },
    )
    story.service.refresh()
    story.service.upkeep(Surface.HOOK)
    off = story.learn(lint)
    story.decide("reject", off, SHELL, note="I read these files myself")
    story.learn(preview, 4, every=timedelta(hours=9))
    story.by_hand(report(30)[:1])
    story.clock.advance(minutes=5)
    story.close()


def main(words: list[str]) -> int:
    """Fill a folder with the story, or with the hostile one, or one in which the person has to choose."""
    folder = Path(words[0])
    others = {"hostile": hostile, "choice": finish}
    told_of = next((others[word] for word in words[1:]), None)
    if told_of is not None:
        story = Story(folder, datetime.now(UTC) - timedelta(days=2))
        story.learn(told_of)
        story.close()
    else:
        tell(folder, datetime.now(UTC))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
