"""Hand every event of the gateway to Kata, whose folder ``kata.json`` beside this file names."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[1] / "plugin-data" / "kata"


def handle(event_type: str, context: dict[str, Any]) -> None:
    """Note one event; nothing where Kata is no longer installed."""
    path = Path(json.loads((HERE / "kata.json").read_text(encoding="utf-8"))["observe"])
    if path.is_file():
        _load(path).taking().take_gateway(DATA, event_type, context)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("_kata_observe", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
