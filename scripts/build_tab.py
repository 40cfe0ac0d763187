"""Build the dashboard's tab: the modules under ``kata/dashboard/src`` as one script, and the style sheet beside it.

The modules share one scope in the script, so no two may declare the same name, and imports name what they take as it is
called there. ``--check`` tells whether what ships is what the source builds::

    python scripts/build_tab.py [--check]
"""

import argparse
import re
import sys
from pathlib import Path

DASHBOARD = Path(__file__).resolve().parents[1] / "kata" / "dashboard"
ENTRY = "main.js"
IMPORT = re.compile(r'^import \{ ([\w$, ]+) \} from "([./\w]+)";\n', re.MULTILINE)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)
SEVERAL = re.compile(r"^(?:export )?(?:const|let) \{ ([\w, ]+) \}", re.MULTILINE)
EXPORT = re.compile(r"^export (?=async |function|class|const|let)", re.MULTILINE)
HEAD = "// Built by scripts/build_tab.py from kata/dashboard/src: change it there.\n"


class BuildError(Exception):
    """Say what in the source cannot be put together."""


def main(words: list[str]) -> int:
    """Build, or check; return the exit code."""
    parser = argparse.ArgumentParser(description="Build the dashboard's tab.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where what ships differs")
    options = parser.parse_args(words)
    try:
        made = build(DASHBOARD / "src")
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    target = DASHBOARD / "dist"
    if options.check:
        return check(target, made)
    target.mkdir(exist_ok=True)
    for name, text in made.items():
        (target / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


def check(target: Path, made: dict[str, str]) -> int:
    """Compare what ships with what the source builds."""
    differ = [name for name, text in made.items() if _text(target / name) != text]
    for name in differ:
        print(f"{target / name} is not what its source builds: python scripts/build_tab.py", file=sys.stderr)
    return 1 if differ else 0


def build(source: Path) -> dict[str, str]:
    """Return what ships, by file name.

    Raises:
        BuildError: a module is missing, two declare one name, or an import names what is not there.
    """
    modules: dict[str, str] = {}
    _collect(source, ENTRY, modules, ())
    _check_names(modules)
    body = "\n".join(f"// {name}\n{_stripped(text)}" for name, text in modules.items())
    script = f'{HEAD}(function () {{\n"use strict";\n\n{body}}})();\n'
    return {"index.js": script, "style.css": (source / "style.css").read_text(encoding="utf-8")}


def _collect(source: Path, name: str, modules: dict[str, str], above: tuple[str, ...]) -> None:
    """Put a module behind all that it imports."""
    if name in above:
        raise BuildError(f"modules import each other: {' → '.join((*above, name))}")
    if name in modules:
        return
    text = _text(source / name)
    if text is None:
        raise BuildError(f"{above[-1] if above else ENTRY} imports {name}, which is not there")
    for _, path in IMPORT.findall(text):
        _collect(source, (Path(name).parent / path).as_posix(), modules, (*above, name))
    modules[name] = text


def _check_names(modules: dict[str, str]) -> None:
    declared: dict[str, str] = {}
    for module, text in modules.items():
        for name in _declared(text):
            if name in declared:
                raise BuildError(f"{declared[name]} and {module} both declare {name}")
            declared[name] = module
    for module, text in modules.items():
        for names, path in IMPORT.findall(text):
            source = (Path(module).parent / path).as_posix()
            missing = [name for name in names.split(", ") if declared.get(name) != source]
            if missing:
                raise BuildError(f"{module} imports {', '.join(missing)}, which {source} does not declare")


def _declared(text: str) -> list[str]:
    return DECLARED.findall(text) + [name for names in SEVERAL.findall(text) for name in names.split(", ")]


def _stripped(text: str) -> str:
    return EXPORT.sub("", IMPORT.sub("", text)).lstrip("\n")


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
