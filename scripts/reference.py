"""Write the reference pages from the code itself: commands, settings, events, the life of a kata.

``python scripts/reference.py`` writes them; with ``--check`` it exits with 1 when a page is not what the code says.
"""

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kata.events import known_types  # noqa: E402 - after the path
from kata.machines import LIFECYCLE, RUN, diagram, table  # noqa: E402
from kata.service.settings import RULES, Settings  # noqa: E402
from kata.surfaces import exits  # noqa: E402
from kata.surfaces.helping import Help  # noqa: E402 - after the path
from kata.surfaces.parser import VERBS, build  # noqa: E402
from kata.surfaces.schemas import documents  # noqa: E402
from kata.surfaces.text import say  # noqa: E402

DOCS = ROOT / "docs"
MADE = "<!-- made by scripts/reference.py: edit the code instead -->\n"
EXITS = (
    (exits.DONE, "done, or nothing to do"),
    (
        exits.FAILED,
        "it ran and found something wrong (`verify`, `replay --check`, `plan`, `blame`, `doctor`)",
    ),
    (exits.USAGE, "the words are wrong"),
    (exits.REFUSED, "refused by the state of things: nothing changed"),
    (exits.HUMAN_NEEDED, "a person is needed, at a terminal or in the chat"),
    (exits.NOT_FOUND, "there is no such kata, version, run or file"),
    (exits.STORE, "the log cannot be read or written"),
    (exits.WAITING, "only with `status --exit-code`: something waits for you"),
    (exits.INTERRUPTED, "interrupted"),
)


def commands() -> str:
    """Write the page of commands and exit codes."""
    lines = [
        "# Commands",
        "",
        MADE,
        "The same words work as `/kata …` in a chat and as `hermes kata …` in a shell.",
        "",
    ]
    lines += ["| command | what it does |", "|---|---|", f"| (none) | {say('need.overview')} |"]
    lines += [f"| `{name}` | {say(summary)} |" for name, (summary, _) in VERBS.items()]
    lines += ["", "## Exit codes", "", "| code | meaning |", "|---|---|"]
    lines += [f"| {code} | {meaning} |" for code, meaning in EXITS]
    lines += ["", "## JSON", "", JSON_NOTE, "", "## Every command", ""]
    for name, text in helps():
        lines += [f"### {name}", "", "```text", text.strip(), "```", ""]
    return "\n".join(lines)


JSON_NOTE = """Every command answers `--json` with one envelope: `{"schema": "kata.cli/1", "ok": true, "profile": …, "data": …,
"warnings": […], "next": […]}`, or `{"schema": …, "ok": false, "error": {"code": …, "message": …, "hint": …}}`. Fields may be
added; none changes its meaning. Integers beyond 2^53 come as `{"bigint": "…"}`. `list --json` has `data.katas`, each with
`number`, `name`, `state`, `blocked_by` and `steps`; `--all` adds what was only seen (`number: null`, `state: "seen"`).

The JSON Schema of each answer stands below `docs/schemas`: `review.json` for `review --json`, `overview.json` for no command,
`error.json` for every refusal. `watch --json`, `audit --ndjson` and `export --history` answer one JSON object a line
(`watch.json`, `audit-ndjson.json`, `export-history.json`)."""


def helps() -> Iterator[tuple[str, str]]:
    """Yield each command's own help."""
    parser = build("hermes kata")
    choices = next(action.choices for action in parser._actions if isinstance(action.choices, dict))  # noqa: SLF001
    for name in VERBS:
        verb = choices[name]
        verb.formatter_class = lambda prog: Help(prog, width=100)
        yield name, verb.format_help()


def settings() -> str:
    """Write the page of settings."""
    lines = ["# Settings", "", MADE]
    lines += [
        "They stand under `plugins.entries.kata.settings` in Hermes' `config.yaml` and in the Desktop form, and are read"
    ]
    lines += [
        "as they are when they are needed. One that is not usable falls back to a safe default, and the overview says so.",
        "",
    ]
    meanings = dict(_attributes(Settings))
    lines += ["| key | default | must be | effect |", "|---|---|---|---|"]
    for field in attrs.fields(Settings):
        default = field.default if not isinstance(field.default, tuple) else list(field.default)
        shown = str(default).lower() if isinstance(default, bool) else default
        lines.append(f"| `{field.name}` | `{shown}` | {RULES[field.name][1]} | {meanings[field.name]} |")
    return "\n".join([*lines, ""])


def _attributes(owner: type) -> Iterator[tuple[str, str]]:
    text = inspect.getdoc(owner) or ""
    for line in text.partition("Attributes:")[2].splitlines():
        name, colon, meaning = line.strip().partition(":")
        if colon:
            yield name, meaning.strip()


def events() -> str:
    """Write the page of events."""
    lines = [
        "# Events",
        "",
        MADE,
        "Everything that Kata shows is derived from these. Each is written once and never changed;",
        "",
    ]
    lines[-2] += " a payload"
    lines[-1] = "can be erased (retention, `forget`), and an event says so."
    lines += ["", "| type | schema | what it says | fields |", "|---|---|---|---|"]
    for name, entry in known_types().items():
        own = entry.payload.__doc__ or ""
        said = (
            ""
            if own.startswith("Method generated")
            else own.strip().split("\n\n")[0].replace("\n", " ").replace("|", "\\|")
        )
        fields = ", ".join(f"`{field.name}`" for field in attrs.fields(entry.payload))
        lines.append(f"| `{name}` | {entry.schema} | {' '.join(said.split())} | {fields} |")
    return "\n".join([*lines, ""])


def lifecycle() -> str:
    """Write the page of states and transitions, drawn from the machine."""
    lines = ["# The life of a kata", "", MADE]
    for title, machine in (("A kata", LIFECYCLE), ("A run", RUN)):
        lines += [
            f"## {title}",
            "",
            "```mermaid",
            diagram(machine).strip(),
            "```",
            "",
            table(machine).strip(),
            "",
        ]
    return "\n".join(lines)


def schemas() -> dict[str, str]:
    """Write the JSON Schemas of what the commands answer, each as a file below ``docs/schemas``."""
    made = documents().items()
    return {f"schemas/{name}.json": json.dumps(one, indent=2) + "\n" for name, one in made}


PAGES = {"commands.md": commands, "settings.md": settings, "events.md": events, "lifecycle.md": lifecycle}


def main() -> int:
    """Write the pages, or check them."""
    check = "--check" in sys.argv[1:]
    stale = []
    for name, text in {**{name: make() for name, make in PAGES.items()}, **schemas()}.items():
        path = DOCS / name
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            stale.append(name)
        elif not check:
            path.write_text(text, encoding="utf-8")
    if stale:
        print(f"not what the code says: {', '.join(stale)}; run python scripts/reference.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
