"""Run every benchmark, print one table, and write ``results.json`` beside it.

``python benchmarks/run.py [--smoke] [--only NAME …]``: a smoke run is small, measures Kata alone and writes nothing; it only
shows that the benchmarks run. Each row names its reference and version; ratios and medians come from one run.
"""

import argparse
import importlib.util
import json
import platform
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
NOT_BENCHMARKS = {"run", "planted"}


def modules(only: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield every benchmark module by name."""
    for path in sorted(HERE.glob("*.py")):
        if path.stem in NOT_BENCHMARKS or (only and path.stem not in only):
            continue
        spec = importlib.util.spec_from_file_location(f"kata_bench_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        if hasattr(module, "rows"):
            yield path.stem, module


def show(row: dict[str, Any]) -> str:
    """Write one row of the table."""
    ratio = "not measured" if row.get("ratio") is None else f"{row['ratio']:.3g}"
    bar = "–" if row.get("bar") is None else f"{row['bar']:.3g}"
    mark = {True: "ok", False: "MISSED", None: ""}[row.get("ok")]
    return f"{row['name'][:58]:<58}  {row['reference'][:44]:<44}  {ratio:>12}  {bar:>6}  {mark}"


def main() -> int:
    """Measure; exit with 1 when a benchmark breaks, never because of a figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    asked = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name, module in modules(asked.only):
        began = time.monotonic()
        found = module.rows(smoke=asked.smoke)
        rows += [{"benchmark": name, **row} for row in found]
        print(f"\n{name} ({time.monotonic() - began:.0f} s)")
        print("\n".join(map(show, found)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"\n{len(rows)} rows, peak memory {peak} MB, Python {platform.python_version()}, {platform.machine()}"
    )
    if not asked.smoke and not asked.only:
        text = json.dumps({"python": platform.python_version(), "peak_mb": peak, "rows": rows}, indent=1)
        (HERE / "results.json").write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
