"""Register with Hermes what a plugin declares: check all of it first, then all of it or nothing."""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

from . import host
from .arguments.specs import rewritten
from .declared import Declared, HostCall
from .discovery import (
    SURFACES,
    Declarations,
    check_duplicates,
    checked_skills,
    find_declared,
    home_of_all,
    module_of,
    part_present,
)
from .logs import KIT, log, logger_of
from .skills import PluginSkill
from .summary import RegistrationSummary, checked_plugin_name, dispose_all, log_registration_summary, named
from .tools import ToolBase

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
    found = find_declared(declarations)
    label = _plugin_name(ctx, declarations, found, plugin_name)
    receipt = _receipt_logger(logger, declarations, found)
    wanted = checked_skills(skills)
    check_duplicates([*found, *wanted])
    present, skipped = part_present(wanted)
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
    loaded = module_of(module)
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


def _plugin_name(
    ctx: Any, declarations: Declarations, found: list[Declared[..., Any]], given: str | None
) -> str:
    if given is not None:
        return checked_plugin_name(given)
    manifest = getattr(getattr(ctx, "manifest", None), "name", None)
    return manifest if isinstance(manifest, str) and manifest else home_of_all(declarations, found)


def _receipt_logger(
    given: logging.Logger | None,
    declarations: Declarations,
    found: list[Declared[..., Any]],
) -> logging.Logger:
    if given is None:
        return logger_of(home_of_all(declarations, found))
    if not isinstance(given, logging.Logger):
        raise TypeError("logger must be a logging.Logger")
    return given


def _planned(ctx: Any, declared: Iterable[Declared[..., Any] | PluginSkill]) -> list[HostCall]:
    """Order the host calls by surface and name, once the context has every registrar that they need."""
    surfaces = list(SURFACES)
    plan = sorted(
        (item.host_call() for item in declared), key=lambda call: (surfaces.index(call.surface), call.name)
    )
    for call in plan:
        if not callable(getattr(ctx, call.registrar, None)):
            raise RuntimeError(
                f"this plugin context has no {call.registrar}, which {call.surface} {call.name!r} needs"
            )
    return plan


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
