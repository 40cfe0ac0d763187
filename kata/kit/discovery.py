"""Find what a plugin declares, and refuse what cannot be registered, before Hermes is asked for anything."""

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from .declared import Declared
from .logs import KIT
from .skills import PluginSkill

Declarations = ModuleType | str | Iterable[Declared[..., Any]]

SURFACES = {
    "command": "command",
    "cli_command": "CLI command",
    "tool": "tool",
    "middleware": "middleware",
    "hook": "hook",
    "skill": "skill",
}
"""Surfaces in the order of their registration, with their names in messages."""


def find_declared(declarations: Declarations) -> list[Declared[..., Any]]:
    """List the decorated functions, each once, in the order of their definition."""
    if isinstance(declarations, str | ModuleType):
        members = vars(module_of(declarations)).values()
        return _once(member for member in members if isinstance(member, Declared))
    try:
        given = list(declarations)
    except TypeError:
        raise TypeError(
            "declarations must be a module, the name of a loaded one, or decorated callables"
        ) from None
    if not all(isinstance(item, Declared) for item in given):
        raise TypeError("declaration iterables must contain only decorated callables")
    return _once(given)


def _once(found: Iterable[Declared[..., Any]]) -> list[Declared[..., Any]]:
    return list({id(item): item for item in found}.values())


def module_of(module: ModuleType | str) -> ModuleType:
    """Return a module, also by the name of a loaded one."""
    return sys.modules[module] if isinstance(module, str) else module


def home_of_all(declarations: Declarations, found: list[Declared[..., Any]]) -> str:
    """Name the module that the declarations come from."""
    if isinstance(declarations, str | ModuleType):
        return module_of(declarations).__name__
    return (found[0].__module__ if found else None) or KIT


def checked_skills(skills: Iterable[PluginSkill]) -> list[PluginSkill]:
    """List the skills, each of which must be a declaration."""
    given = list(skills)
    if not all(isinstance(skill, PluginSkill) for skill in given):
        raise TypeError("skills must contain plugin_skill() declarations")
    return given


def check_duplicates(declared: Iterable[Declared[..., Any] | PluginSkill]) -> None:
    """Refuse two declarations that claim one name, whatever their order."""
    first: dict[tuple[str, str], Any] = {}
    for item in declared:
        call = item.host_call()
        other = first.setdefault((call.surface, call.name), item)
        if other is not item and not (_may_repeat(other) and _may_repeat(item)):
            raise ValueError(
                f"duplicate {SURFACES[call.surface]} {call.name!r}: {other.where} and {item.where}"
            )


def part_present(skills: list[PluginSkill]) -> tuple[list[PluginSkill], list[PluginSkill]]:
    """Part the skills whose file is there from the optional ones without."""
    missing = [skill for skill in skills if not skill.path.is_file()]
    needed = next((skill for skill in missing if not skill.optional), None)
    if needed is not None:
        raise FileNotFoundError(f"skill {needed.name!r}: no file at {needed.path}")
    return [skill for skill in skills if skill not in missing], missing


def _may_repeat(item: Any) -> bool:
    return getattr(getattr(item, "spec", None), "allow_multiple", False)
