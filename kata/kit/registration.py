"""Register with Hermes what a plugin declares: check all of it first, then all of it or nothing."""

import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

from . import host
from .arguments.specs import rewritten
from .declared import Declared, HostCall
from .logs import KIT, log, logger_of
from .skills import PluginSkill
from .summary import RegistrationSummary, checked_plugin_name, dispose_all, log_registration_summary, named
from .tools import ToolBase

Declarations = ModuleType | str | Iterable[Declared[..., Any]]

_LABELS = {
    "command": "command",
    "cli_command": "CLI command",
    "tool": "tool",
    "middleware": "middleware",
    "hook": "hook",
    "skill": "skill",
}
"""Surfaces in the order of their registration, with their names in messages."""

_FIELDS = {
    "command": "commands",
    "cli_command": "cli_commands",
    "tool": "tools",
    "middleware": "middlewares",
    "hook": "hooks",
    "skill": "skills",
}


def register_plugin(
    ctx: Any,
    declarations: Declarations,
    skills: Iterable[PluginSkill] = (),
    *,
    plugin_name: str | None = None,
    logger: logging.Logger | None = None,
    dry_run: bool = False,
) -> RegistrationSummary:
    """Register commands, tools, middleware, hooks and skills, and write one receipt.

    Everything is checked before Hermes is asked for anything. What Hermes refuses is left out, told in a warning and
    listed as refused; when it raises, all that was registered is taken back, last first, and the error goes on.

    Args:
        ctx: The plugin context.
        declarations: A module, the name of a loaded one, or the decorated functions themselves.
        skills: ``plugin_skill`` declarations.
        plugin_name: For the receipt; else the manifest's name, else the module's.
        logger: For the receipt; else the module's.
        dry_run: Check and plan only: the summary says what would be registered, and nothing is logged.

    Raises:
        KeyError: No module of that name is loaded.
        TypeError: A declaration or a skill is something else.
        ValueError: Two declarations share a name, or ``plugin_name`` is blank.
        FileNotFoundError: A required skill's file is missing.
        RuntimeError: The context lacks a registrar that is needed.
    """
    found = _declared(declarations)
    label = _plugin_name(ctx, declarations, found, plugin_name)
    receipt = _receipt_logger(logger, declarations, found)
    present, skipped = _present(skills)
    plan = _planned(ctx, [*found, *present])
    if dry_run:
        return _summary(plan, skipped=skipped)
    for skill in skipped:
        log.warning("%s: optional skill missing; name=%s; path=%s", KIT, skill.name, skill.path)
    summary = _carried_out(ctx, plan, _releases(found), skipped)
    _tell(receipt, label, summary)
    return summary


def register_all(ctx: Any, module: ModuleType | str) -> int:
    """Register a module's tools alone, and return how many; kept for plugins that have nothing else.

    Of two tools with one name the first counts.
    """
    loaded = _module(module)
    tools: dict[str, ToolBase[..., Any]] = {}
    for _, declared in sorted(vars(loaded).items()):
        if isinstance(declared, ToolBase):
            tools.setdefault(declared.spec.name, declared)
    for declared in tools.values():
        _ask(ctx, declared.host_call())
    logging.getLogger(loaded.__name__).info(
        "%s: registered %d tool(s); names=%s", KIT, len(tools), named(sorted(tools))
    )
    return len(tools)


def _declared(declarations: Declarations) -> list[Declared[..., Any]]:
    """List the decorated functions, each once, in the order of their definition."""
    if isinstance(declarations, str | ModuleType):
        members = vars(_module(declarations)).values()
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


def _module(module: ModuleType | str) -> ModuleType:
    return sys.modules[module] if isinstance(module, str) else module


def _plugin_name(
    ctx: Any, declarations: Declarations, found: list[Declared[..., Any]], given: str | None
) -> str:
    if given is not None:
        return checked_plugin_name(given)
    manifest = getattr(getattr(ctx, "manifest", None), "name", None)
    return manifest if isinstance(manifest, str) and manifest else _home(declarations, found)


def _home(declarations: Declarations, found: list[Declared[..., Any]]) -> str:
    """Name the module that the declarations come from."""
    if isinstance(declarations, str | ModuleType):
        return _module(declarations).__name__
    return (found[0].__module__ if found else None) or KIT


def _receipt_logger(
    given: logging.Logger | None,
    declarations: Declarations,
    found: list[Declared[..., Any]],
) -> logging.Logger:
    if given is None:
        return logger_of(_home(declarations, found))
    if not isinstance(given, logging.Logger):
        raise TypeError("logger must be a logging.Logger")
    return given


def _present(skills: Iterable[PluginSkill]) -> tuple[list[PluginSkill], list[PluginSkill]]:
    """Part the skills whose file is there from the optional ones without."""
    given = list(skills)
    if not all(isinstance(skill, PluginSkill) for skill in given):
        raise TypeError("skills must contain plugin_skill() declarations")
    missing = [skill for skill in given if not skill.path.is_file()]
    needed = next((skill for skill in missing if not skill.optional), None)
    if needed is not None:
        raise FileNotFoundError(f"skill {needed.name!r}: no file at {needed.path}")
    return [skill for skill in given if skill not in missing], missing


def _planned(ctx: Any, declared: list[Any]) -> list[HostCall]:
    """Order the host calls by surface and name, once no two declarations claim one name."""
    calls = [(item.host_call(), item) for item in declared]
    _check_duplicates(calls)
    surfaces = list(_LABELS)
    plan = sorted((call for call, _ in calls), key=lambda call: (surfaces.index(call.surface), call.name))
    for call in plan:
        if not callable(getattr(ctx, call.registrar, None)):
            raise RuntimeError(
                f"this plugin context has no {call.registrar}, which {call.surface} {call.name!r} needs"
            )
    return plan


def _check_duplicates(calls: list[tuple[HostCall, Any]]) -> None:
    first: dict[tuple[str, str], Any] = {}
    for call, item in calls:
        other = first.setdefault((call.surface, call.name), item)
        if other is not item and not (_may_repeat(other) and _may_repeat(item)):
            raise ValueError(
                f"duplicate {_LABELS[call.surface]} {call.name!r}: {other.where} and {item.where}"
            )


def _may_repeat(item: Any) -> bool:
    return getattr(getattr(item, "spec", None), "allow_multiple", False)


def _releases(found: list[Declared[..., Any]]) -> list[Callable[[], None]]:
    """Collect what the declarations want called at unload."""
    wanted = (getattr(item.spec, "on_unload", None) for item in found)
    return [release for release in wanted if release is not None]


def _carried_out(
    ctx: Any,
    plan: list[HostCall],
    releases: list[Callable[[], None]],
    skipped: list[PluginSkill],
) -> RegistrationSummary:
    handles: list[Any] = []
    made: list[HostCall] = []
    refused: list[HostCall] = []
    try:
        for call in plan:
            taken, handle = _ask(ctx, call)
            handles.append(handle)
            (made if taken else refused).append(call)
        on_unload = getattr(ctx, "on_unload", None)
        handles.extend(on_unload(release) for release in releases if callable(on_unload))
    except BaseException:
        dispose_all(handles)
        raise
    kept = tuple(handle for handle in handles if handle is not None)
    return replace(_summary(made, refused=refused, skipped=skipped), handles=kept)


def _ask(ctx: Any, call: HostCall) -> tuple[bool, Any]:
    """Make one host call; return whether Hermes took it, and its handle."""
    if _is_claimed(call):
        return False, None
    signature = host.registrar_signature(ctx, call.registrar)
    extras = {key: value for key, value in call.extras.items() if host.accepts(signature, key)}
    handle = getattr(ctx, call.registrar)(*call.args, **call.kwargs, **extras)
    return handle is not None or not host.returns_handle(signature), handle


def _is_claimed(call: HostCall) -> bool:
    """Tell whether Hermes uses the name itself, so that asking for it would do harm (rows M4, M10)."""
    if call.surface == "cli_command":
        return call.name in host.builtin_subcommands()
    return call.surface == "tool" and call.name in host.intercepted_tools()


def _summary(
    made: list[HostCall],
    *,
    refused: Iterable[HostCall] = (),
    skipped: Iterable[PluginSkill] = (),
) -> RegistrationSummary:
    names = {field: tuple(_names(made, surface)) for surface, field in _FIELDS.items()}
    return RegistrationSummary(
        **names,
        skipped_optional_skills=tuple(sorted(skill.name for skill in skipped)),
        refused=tuple(f"{call.surface}:{call.name}" for call in refused),
        unknown=tuple(f"{call.surface}:{call.name}" for call in made if _is_unknown(call)),
        calls=tuple(made),
    )


def _names(calls: list[HostCall], surface: str) -> Iterator[str]:
    return (call.name for call in calls if call.surface == surface)


def _is_unknown(call: HostCall) -> bool:
    known = {"hook": host.known_hooks, "middleware": host.known_middleware}.get(call.surface)
    return known is not None and bool(known()) and call.name not in known()


def _tell(receipt: logging.Logger, plugin_name: str, summary: RegistrationSummary) -> None:
    for name in summary.refused:
        receipt.warning("%s: Hermes refused a registration; plugin=%s; name=%s", KIT, plugin_name, name)
    for call in summary.calls:
        for place in rewritten(call.kwargs.get("schema", {})):
            receipt.warning("%s: Hermes rewrites the schema of %s; %s", KIT, call.name, place)
    for name in summary.unknown:
        receipt.warning("%s: this Hermes never fires it; plugin=%s; name=%s", KIT, plugin_name, name)
    log_registration_summary(receipt, plugin_name, summary)
