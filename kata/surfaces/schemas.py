"""What each command answers to ``--json``, as JSON Schemas made from the view models themselves (ux 12)."""

import types
import typing
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Union

import attrs

from ..service.adopting import Adopted
from ..service.comparing import DiffView, WhyView
from ..service.doctor import Finding
from ..service.forgetview import ForgetView, Forgotten
from ..service.hooking import HooksView
from ..service.importing import Imported
from ..service.planning import PlanView
from ..service.saved import BlameView, StatsView
from ..service.tab import Installed
from ..service.views import (
    AuditPage,
    AuditRow,
    Decided,
    KataRow,
    MiningSummary,
    Overview,
    ReplayReport,
    Review,
    RunRow,
    RunTrace,
    Status,
    VerifyReport,
)
from .envelope import SCHEMA

DRAFT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]

DRY = {"dry_run": str}
CONFIRM = {"confirm": str}
ADDRESS = {"url": str}
DECISION = (Decided, DRY, CONFIRM)
FAILED = {"code": str, "message": str}
IMPORTED = {
    "sources": tuple[Imported, ...],
    "failed": [FAILED],
    "mined": MiningSummary | None,
    "nearest": tuple[KataRow, ...],
}
EXPORTED = {
    "format": str,
    "about": str,
    "exported_at": datetime,
    "kata_version": str,
    "origin": {"profile": str, "number": int, "state": str},
    "name": str,
    "version": int,
    "digest": str,
    "plan": tuple[str, ...],
    "signatures": tuple[str, ...],
    "spec": dict[str, Any],
    "renamed": tuple[tuple[str, str], ...],
    "scores": dict[str, Any],
    "baseline": dict[str, Any],
    "notes": dict[str, Any],
    "evidence": tuple[dict[str, Any], ...],
}
EVENT = {
    "position": int,
    "stream": str,
    "version": int,
    "event_id": str,
    "type": str,
    "schema": int,
    "occurred_at": datetime,
    "recorded_at": datetime,
    "actor": {"kind": str, "id": str, "surface": str},
    "correlation_id": str,
    "causation_id": str | None,
    "payload": Any,
}

DATA: Mapping[str, Any] = {
    "overview": Overview,
    "list": {"katas": tuple[KataRow, ...]},
    "review": ({"kata": Review}, ADDRESS),
    "plan": PlanView,
    "diff": DiffView,
    "why": WhyView,
    "approve": DECISION,
    "reject": DECISION,
    "reconsider": DECISION,
    "defer": DECISION,
    "undo": DECISION,
    "disable": DECISION,
    "enable": DECISION,
    "rollback": DECISION,
    "runs": ({"runs": tuple[RunRow, ...]}, ADDRESS),
    "run": ({"run": RunTrace}, {"run": str, "acknowledged": bool}, DRY, ADDRESS),
    "audit": (AuditPage, ADDRESS),
    "blame": BlameView,
    "stats": StatsView,
    "status": Status,
    "doctor": {"sound": bool, "findings": tuple[Finding, ...]},
    "open": ADDRESS,
    "mine": MiningSummary,
    "import": IMPORTED,
    "export": (EXPORTED, {"path": str, "bytes": int}),
    "import-kata": Adopted,
    "pause": ({"recording": bool, "until": datetime | None}, DRY),
    "resume": ({"recording": bool}, DRY),
    "forget": (ForgetView, Forgotten),
    "replay": ReplayReport,
    "verify": VerifyReport,
    "hooks": {"hooks": HooksView},
    "dashboard": ({"tab": Installed}, {"removed": bool}),
    "completion": {"shell": str, "script": str},
    "help": ({"help": str}, {"verbs": tuple[str, ...]}),
}
"""What ``data`` is for each command; several where it depends on what was asked."""

STREAMS: Mapping[str, Any] = {"watch": AuditRow, "audit-ndjson": AuditRow, "export-history": EVENT}
"""What each line is of the commands that answer with JSON lines."""

PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
    int: {
        "anyOf": [
            {"type": "integer"},
            {"type": "object", "properties": {"bigint": {"type": "string"}}, "required": ["bigint"]},
        ]
    },
}


def documents() -> dict[str, Schema]:
    """Return every schema by its file's name without the ending."""
    found = {name: answer_schema(name, shape) for name, shape in DATA.items()}
    found |= {name: line_schema(name, shape) for name, shape in STREAMS.items()}
    return {**found, "error": error_schema()}


def answer_schema(name: str, shape: Any) -> Schema:
    """Return the schema of the envelope around a command's answer."""
    made = _Maker()
    texts = {"type": "array", "items": {"type": "string"}}
    properties: dict[str, Schema] = {
        "schema": {"const": SCHEMA},
        "ok": {"const": True},
        "profile": {"type": "string"},
        "data": made.of(shape),
        "warnings": texts,
        "next": texts,
    }
    title = f"hermes kata {name} --json" if name != "overview" else "hermes kata --json"
    return _document(title, _object(properties), made)


def line_schema(name: str, shape: Any) -> Schema:
    """Return the schema of one line of a stream."""
    made = _Maker()
    return _document(f"one line of hermes kata {name.replace('-', ' --')}", made.of(shape), made)


def error_schema() -> Schema:
    """Return the schema of every refusal."""
    text = {"type": "string"}
    error = _object({"code": text, "message": text, "hint": text})
    return _document(
        "any refused command with --json",
        _object({"schema": {"const": SCHEMA}, "ok": {"const": False}, "error": error}),
        _Maker(),
    )


def _document(title: str, body: Schema, made: "_Maker") -> Schema:
    defs = {"$defs": dict(sorted(made.defs.items()))} if made.defs else {}
    return {"$schema": DRAFT, "title": title, **body, **defs}


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


class _Maker:
    """Makes schemas; each view model is defined once in a document."""

    def __init__(self) -> None:
        self.defs: dict[str, Schema] = {}

    def of(self, shape: Any) -> Schema:
        if isinstance(shape, dict):
            return _object({key: self.of(one) for key, one in shape.items()})
        if isinstance(shape, list):
            return {"type": "array", "items": self.of(shape[0])}
        if isinstance(shape, tuple):
            return {"anyOf": [self.of(one) for one in shape]}
        if isinstance(shape, type) and attrs.has(shape):
            return self._model(shape)
        if isinstance(shape, type) and issubclass(shape, Enum):
            return {"enum": [one.value for one in shape]}
        return PLAIN[shape] if shape in PLAIN else self._generic(shape)

    def _generic(self, shape: Any) -> Schema:
        origin, inner = typing.get_origin(shape), typing.get_args(shape)
        if origin in (Union, types.UnionType):
            return {"anyOf": [self.of(one) for one in inner]}
        if origin in (tuple, list) and (origin is list or inner[-1] is Ellipsis):
            return {"type": "array", "items": self.of(inner[0])}
        if origin is tuple:
            return {"type": "array", "prefixItems": [self.of(one) for one in inner]}
        if shape is dict or (origin is not None and issubclass(origin, Mapping)):
            return {"type": "object"}
        return {}

    def _model(self, shape: type) -> Schema:
        name = shape.__name__
        if name not in self.defs:
            self.defs[name] = {}
            hints = typing.get_type_hints(shape)
            properties = {field.name: self.of(hints[field.name]) for field in attrs.fields(shape)}
            named = {"tool_name": PLAIN[str]} if shape is KataRow else {}
            self.defs[name] = _object({**named, **properties})
        return {"$ref": f"#/$defs/{name}"}
