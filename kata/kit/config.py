"""Read a plugin's settings from where the host keeps them, and describe them from a class."""

import copy
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from . import host
from .arguments.annotations import Field, build, fields_of
from .arguments.check import coerced, problems_of
from .logs import KIT, log
from .summary import checked_plugin_name

T = TypeVar("T")

_SHOWN = ("type", "default", "description", "enum")


@overload
def load_plugin_config(
    ctx: Any, plugin_name: str, *, config_loader: Callable[[], Any] | None = ..., into: type[T]
) -> T: ...
@overload
def load_plugin_config(
    ctx: Any, plugin_name: str, *, config_loader: Callable[[], Any] | None = ..., into: None = ...
) -> dict[str, Any]: ...
def load_plugin_config(
    ctx: Any, plugin_name: str, *, config_loader: Callable[[], Any] | None = None, into: type[T] | None = None
) -> dict[str, Any] | T:
    """Return a plugin's settings as a dict of its own, or as an instance of an attrs or data class.

    A non-empty ``ctx.manifest.config`` (tests, older hosts) is taken as it is. Otherwise they are merged, the later
    winning: ``plugins.<name>``, then ``config`` and ``settings`` of ``plugins.entries.<id>`` (row M8). Settings that
    the class does not know are told in a warning.

    Args:
        ctx: The plugin context.
        plugin_name: The plugin's name, also its id where the context has none.
        config_loader: Reads the host's configuration, instead of Hermes' own reader.
        into: The class; absent settings take its defaults.

    Raises:
        ValueError: The name is blank, or a setting does not fit the class; all that do not are named.
    """
    name = checked_plugin_name(plugin_name)
    settings = _given(ctx) or _merged(ctx, name, config_loader or host.effective_config)
    return settings if into is None else _into(into, settings, name)


def config_schema(settings: type) -> dict[str, dict[str, Any]]:
    """Return the ``config_schema`` of ``plugin.yaml`` for an attrs or data class.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Settings:
    ...     limit: int = 5
    >>> config_schema(Settings)
    {'limit': {'type': 'integer', 'default': 5}}
    """
    return {item.name: _shown(item) for item in fields_of(settings)}


def _shown(item: Field) -> dict[str, Any]:
    shown = {key: value for key, value in item.spec.items() if key in _SHOWN}
    return {**shown, "required": True} if item.required else shown


def _given(ctx: Any) -> dict[str, Any]:
    given = getattr(getattr(ctx, "manifest", None), "config", None)
    return copy.deepcopy(given) if isinstance(given, dict) else {}


def _merged(ctx: Any, name: str, loader: Callable[[], Any]) -> dict[str, Any]:
    try:
        plugins = _dict(_dict(loader()).get("plugins"))
    except Exception as error:
        log.warning("%s: effective config read failed for %s: %s", KIT, name, type(error).__name__)
        return {}
    entries = _dict(plugins.get("entries"))
    entry = _dict(entries.get(getattr(ctx, "plugin_id", name), entries.get(name)))
    merged: dict[str, Any] = {}
    for layer in (plugins.get(name), entry.get("config"), entry.get("settings")):
        merged = _laid_over(merged, _dict(layer))
    return copy.deepcopy(merged)


def _laid_over(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(below)
    for key, value in above.items():
        known = out.get(key)
        out[key] = _laid_over(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return out


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _into(kind: type[T], settings: dict[str, Any], name: str) -> T:
    fields = {item.name: item for item in fields_of(kind)}
    for key in sorted(set(settings) - set(fields)):
        log.warning("%s: unknown setting; plugin=%s; name=%s", KIT, name, key)
    parameters = {
        "properties": {key: item.spec for key, item in fields.items()},
        "required": [key for key, item in fields.items() if item.required],
    }
    read = coerced(parameters, {key: value for key, value in settings.items() if key in fields})
    problems = problems_of(parameters, read)
    if problems:
        raise ValueError(f"settings of {name}: {'; '.join(problem.text for problem in problems)}")
    made: T = build(kind, read)
    return made
