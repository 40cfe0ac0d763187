"""The house holds: imports look down, Hermes stays behind its doors, and modules stay small (design 1)."""

import ast
import functools
import statistics
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

ROOT = Path(__file__).resolve().parents[1] / "kata"

FLOORS = {
    "errors": 1,
    "json": 1,
    "clock": 1,
    "process": 1,
    "spec": 2,
    "schemas": 2,
    "origin": 2,
    "events": 2,
    "store": 2,
    "machines": 3,
    "projections": 4,
    "miner": 4,
    "templating": 4,
    "effects": 4,
    "redact": 4,
    "hooks": 5,
    "observe": 5,
    "validator": 5,
    "executor": 5,
    "importer": 5,
    "service": 6,
    "runtime": 7,
    "surfaces": 7,
    "dashboard": 7,
    "__init__": 8,
}
STAND_ALONE = {"kit": set(), "standin": {"errors", "json", "clock"}}
"""Rooms outside the floors, with all of the house that they may know."""

STRANGERS = {
    "machines": {"store"},
    "miner": {"store"},
    "templating": {"store"},
    "effects": {"store"},
    "redact": {"store"},
    "projections": {"runtime", "surfaces"},
    "surfaces": {"store", "runtime", "projections", "machines"},
    "dashboard": {"store", "runtime", "projections", "machines"},
}
"""What the table says that a room knows nothing of, beyond what the floors forbid."""

LOADED_BY_PATH = {"dashboard/plugin_api.py", "observe.py"}
HERMES = {
    "agent",
    "cli",
    "gateway",
    "model_tools",
    "plugins",
    "run_agent",
    "tools",
    "toolsets",
    "utils",
}
HERMES_DOORS = ("runtime/", "kit/host.py", "dashboard/plugin_api.py")
BARE = ("__init__.py", "hooks/", "kit/", "observe.py")
"""What must import on a Python that has none of Kata's dependencies."""

DEPENDENCIES = {"attr", "attrs", "cattrs", "jsonschema_rs", "transitions", "tree_sitter", "tree_sitter_bash"}
LONGEST = 400


@attrs.frozen
class Import:
    """One import statement: who, from where (dots and all), and whether it waits inside a function."""

    module: str
    line: int
    target: tuple[str, ...]
    relative: bool
    lazy: bool

    @property
    def place(self) -> str:
        return f"{self.module}:{self.line} imports {'.'.join(self.target)}"

    @property
    def room(self) -> str:
        return _room(self.module)


def _room(module: str) -> str:
    return module.split("/", maxsplit=1)[0].removesuffix(".py")


@functools.cache
def _modules() -> tuple[tuple[str, ast.Module], ...]:
    paths = sorted(ROOT.rglob("*.py"))
    return tuple((path.relative_to(ROOT).as_posix(), ast.parse(path.read_bytes())) for path in paths)


@functools.cache
def _imports() -> tuple[Import, ...]:
    return tuple(each for module, tree in _modules() for each in _walk(module, tree, lazy=False))


def _walk(module: str, node: ast.AST, *, lazy: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if _only_for_types(child):
            continue
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(module, child.lineno, tuple(alias.name.split(".")), relative=False, lazy=lazy)
        elif isinstance(child, ast.ImportFrom):
            yield from _from(module, child, lazy=lazy)
        inside = lazy or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _walk(module, child, lazy=inside)


def _only_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _from(module: str, node: ast.ImportFrom, *, lazy: bool) -> Iterator[Import]:
    named = tuple(node.module.split(".")) if node.module else ()
    if not node.level:
        yield Import(module, node.lineno, named, relative=False, lazy=lazy)
        return
    package = Path(module).parts[:-1]
    base = package[: len(package) - node.level + 1]
    for target in [named] if named else [(alias.name,) for alias in node.names]:
        yield Import(module, node.lineno, (*base, *target), relative=True, lazy=lazy)


def _inside() -> list[tuple[Import, str]]:
    """List the imports of one room by another, with the other's name."""
    relative = [(each, each.target[0]) for each in _imports() if each.relative]
    known = FLOORS.keys() | STAND_ALONE.keys()
    # ``from . import __version__`` in a top module names no room.
    return [(each, room) for each, room in relative if room != each.room and room in known]


def test_every_room_has_a_floor():
    rooms = {_room(module) for module, _ in _modules()}
    assert rooms <= FLOORS.keys() | STAND_ALONE.keys()


def test_imports_look_down():
    assert not [
        each.place
        for each, room in _inside()
        if each.room in FLOORS and FLOORS.get(room, 0) > FLOORS[each.room]
    ]


def test_no_floor_leans_on_the_stand_in():
    assert not [each.place for each, room in _inside() if room == "standin"]


@pytest.mark.parametrize("room", STAND_ALONE)
def test_what_stands_alone_knows_nothing_of_the_house(room):
    assert {other for each, other in _inside() if each.room == room} <= STAND_ALONE[room]


@pytest.mark.parametrize("room", STRANGERS)
def test_a_room_does_not_know_its_strangers(room):
    assert not [each.place for each, other in _inside() if each.room == room and other in STRANGERS[room]]


def test_rooms_of_one_floor_form_no_circle():
    edges: dict[str, set[str]] = {}
    for each, room in _inside():
        edges.setdefault(each.room, set()).add(room)
    while leaves := [room for room, below in edges.items() if not below & edges.keys()]:
        for room in leaves:
            del edges[room]
    assert not edges


def test_every_import_inside_kata_is_relative():
    assert not [
        each.place
        for each in _imports()
        if not each.relative
        and each.target[0] in {"kata", "hermes_plugins"}
        and each.module not in LOADED_BY_PATH
    ]


def test_only_the_doors_import_hermes_and_only_when_used():
    hermes = [each for each in _imports() if not each.relative and _is_hermes(each.target[0])]
    assert not [each.place for each in hermes if not each.module.startswith(HERMES_DOORS)]
    assert not [each.place for each in hermes if not each.lazy]


def _is_hermes(package: str) -> bool:
    return package in HERMES or (package.startswith("hermes_") and package != "hermes_plugins")


def test_what_must_stand_bare_imports_no_dependency():
    assert not [
        each.place
        for each in _imports()
        if each.module.startswith(BARE) and not each.lazy and each.target[0] in DEPENDENCIES
    ]


def test_nothing_opens_the_database_file_beside_its_connection():
    opened = []
    for module, tree in _modules():
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        if any(ast.unparse(call.func) in {"sqlite3.connect", "plugin_db"} for call in calls):
            opened += [f"{module}:{call.lineno}" for call in calls if _opens_a_file(call)]
    assert not opened


def _opens_a_file(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    return name in {"open", "io.open", "os.open"} or name.endswith((".open", ".read_bytes", ".write_bytes"))


def test_modules_stay_small():
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in ROOT.rglob("*.py")
    }
    assert statistics.median(lengths.values()) < 150
    long = sorted(module for module, lines in lengths.items() if lines > LONGEST)
    assert len(long) <= len(lengths) // 30, long
