"""What a tool's changed schema means for the calls of a routine (design 4, cases B083, B084).

Every difference is one `Change` with its line. Most are a note for the audit trail; one *matters* when a call of the routine
no longer validates, a property that it uses is gone, or a new required one appeared that it does not give.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from ..json import JsonObject, JsonValue, Path, canonical, same, show_path
from .form import canonical_schema, parameters
from .validate import SchemaError, Violation, violations

NOTES = frozenset({"description", "default", "title", "examples", "$comment", "deprecated"})
"""Keywords that never decide whether a call is valid."""

_APPLY_BELOW = frozenset(
    {"$defs", "definitions", "$ref", "allOf", "if", "then", "else", "schema", "patternProperties"}
    | {"additionalProperties", "dependentSchemas", "prefixItems"}
)


@attrs.frozen(kw_only=True)
class Change:
    """One difference between two schemas of a tool.

    Attributes:
        kind: ``gone``, ``required``, ``optional`` (a new one), ``narrowed`` (what a keyword allows changed), ``note``, or
            ``unusable`` (the new schema cannot be read).
        path: The property's path in the arguments.
        keyword: The schema keyword that changed.
        line: The very difference in one line, e.g. ``timeout: type string -> integer``.
    """

    kind: str
    path: tuple[str, ...]
    keyword: str
    line: str


@attrs.frozen(kw_only=True)
class Call:
    """The arguments of one call; what stands at an ``unknown`` path is only known at run time."""

    args: JsonObject
    unknown: frozenset[Path] = frozenset()


def changes(old: JsonValue, new: JsonValue) -> tuple[Change, ...]:
    """List every difference between two schemas, in property order; none where only the order differs."""
    before, after = canonical_schema(parameters(old)), canonical_schema(parameters(new))
    return tuple(_differences(before, after, ())) if not same(before, after) else ()


def matters(old: JsonValue, new: JsonValue, calls: Sequence[Call]) -> tuple[Change, ...]:
    """List the differences that a routine making these calls cannot live with; none means that it is not stale."""
    found = changes(old, new)
    before, after = parameters(old), parameters(new)
    if not found:
        return ()
    try:
        broken = [fault for call in calls for fault in _new_faults(before, after, call)]
    except SchemaError as error:
        return (Change(kind="unusable", path=(), keyword="", line=f"the new schema cannot be used: {error}"),)
    gone = [one for one in found if _uses_gone(one, calls)]
    rest = [fault for fault in broken if not any(_is_about(fault, one) for one in gone)]
    listed = [one for one in found if one in gone or _breaks(one, rest)]
    return tuple(listed) + tuple(_unlisted(listed, broken))


def _new_faults(old: JsonValue, new: JsonValue, call: Call) -> Iterator[Violation]:
    """Yield what the new schema says against a call that the old one did not say."""
    try:
        known = {(one.path, one.keyword, one.missing) for one in violations(old, call.args)}
    except SchemaError:
        known = set()
    for one in violations(new, call.args):
        if (one.path, one.keyword, one.missing) not in known and not _is_unknown(one.path, call):
            yield one


def _is_unknown(path: Path, call: Call) -> bool:
    return any(path[: len(unknown)] == unknown for unknown in call.unknown)


def _uses_gone(change: Change, calls: Sequence[Call]) -> bool:
    return change.kind == "gone" and any(_has(call.args, change.path) for call in calls)


def _has(value: JsonValue, path: tuple[str, ...]) -> bool:
    if not path:
        return True
    if isinstance(value, list):
        return any(_has(item, path) for item in value)
    return isinstance(value, Mapping) and path[0] in value and _has(value[path[0]], path[1:])


def _breaks(change: Change, faults: Iterable[Violation]) -> bool:
    return change.kind in ("required", "narrowed") and any(_is_about(fault, change) for fault in faults)


def _is_about(fault: Violation, change: Change) -> bool:
    place = _place(fault)
    if change.kind == "required":
        return fault.keyword == "required" and (*place, fault.missing) == change.path
    if change.kind == "gone":
        return fault.keyword.endswith("Properties") and place == change.path[:-1]
    if change.keyword in _APPLY_BELOW:
        return place[: len(change.path)] == change.path
    return fault.keyword == change.keyword and place == change.path


def _place(fault: Violation) -> tuple[str, ...]:
    return tuple(part for part in fault.path if isinstance(part, str))


def _unlisted(listed: Sequence[Change], faults: Iterable[Violation]) -> Iterator[Change]:
    """Yield a line for each fault that no listed difference explains, so that nothing goes stale without one."""
    seen: set[str] = set()
    for fault in faults:
        if any(_is_about(fault, one) for one in listed):
            continue
        line = f"{show_path(fault.path) or 'arguments'}: {fault.message}"
        if line not in seen:
            seen.add(line)
            yield Change(kind="narrowed", path=_place(fault), keyword=fault.keyword, line=line)


def _differences(old: JsonValue, new: JsonValue, path: tuple[str, ...]) -> Iterator[Change]:
    if not isinstance(old, dict) or not isinstance(new, dict):
        if not same(old, new):
            yield _narrowed(path, "schema", old, new)
        return
    yield from _of_properties(old, new, path)
    for keyword in sorted((old.keys() | new.keys()) - {"properties", "required", "items"}):
        if not same(old.get(keyword), new.get(keyword)):
            yield _of_keyword(path, keyword, old.get(keyword), new.get(keyword))
    if "items" in old or "items" in new:
        yield from _differences(old.get("items", {}), new.get("items", {}), path)


def _of_properties(old: JsonObject, new: JsonObject, path: tuple[str, ...]) -> Iterator[Change]:
    before, after = _properties(old), _properties(new)
    needed = set(_required(new)) - set(_required(old))
    for name in sorted(before.keys() | after.keys() | needed | set(_required(old))):
        here = (*path, name)
        if name in before and name not in after:
            yield Change(
                kind="gone", path=here, keyword="properties", line=f"{_show(here)}: property is gone"
            )
        elif name not in before and name in after and name not in needed:
            yield Change(
                kind="optional", path=here, keyword="properties", line=f"{_show(here)}: new optional property"
            )
        elif name in before:
            yield from _differences(before[name], after[name], here)
        if name in needed:
            yield Change(
                kind="required", path=here, keyword="required", line=f"{_show(here)}: required is new"
            )
        elif name in after and name in _required(old) and name not in _required(new):
            yield Change(
                kind="note", path=here, keyword="required", line=f"{_show(here)}: no longer required"
            )


def _of_keyword(path: tuple[str, ...], keyword: str, old: JsonValue, new: JsonValue) -> Change:
    if keyword in NOTES:
        return Change(kind="note", path=path, keyword=keyword, line=f"{_show(path)}: {keyword} changed")
    if keyword == "enum" and isinstance(old, list) and isinstance(new, list):
        return _of_enum(path, old, new)
    return _narrowed(path, keyword, old, new)


def _of_enum(path: tuple[str, ...], old: list[Any], new: list[Any]) -> Change:
    gone = [one for one in old if not any(same(one, other) for other in new)]
    if not gone:
        return Change(kind="note", path=path, keyword="enum", line=f"{_show(path)}: enum allows more")
    values = ", ".join(canonical(one) for one in gone)
    return Change(
        kind="narrowed", path=path, keyword="enum", line=f"{_show(path)}: enum value {values} is gone"
    )


def _narrowed(path: tuple[str, ...], keyword: str, old: JsonValue, new: JsonValue) -> Change:
    line = f"{_show(path)}: {keyword} {_brief(old)} -> {_brief(new)}"
    return Change(kind="narrowed", path=path, keyword=keyword, line=line)


def _brief(value: JsonValue) -> str:
    if value is None:
        return "(none)"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "|".join(value)
    text = value if isinstance(value, str) else canonical(value)
    return text if len(text) <= 80 else text[:79] + "…"


def _show(path: tuple[str, ...]) -> str:
    return ".".join(path) or "arguments"


def _properties(schema: JsonObject) -> JsonObject:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _required(schema: JsonObject) -> list[str]:
    found = schema.get("required")
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
