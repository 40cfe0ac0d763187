"""Make or check Kata's entry for the plugin catalog of Hermes.

An entry pins one commit and says what the plugin registers, as ``hermes plugins validate`` observes it. Run it with the
Python beside Hermes::

    python scripts/catalog_entry.py --repo https://… [--sha SHA] [--output kata.yaml]
    python scripts/catalog_entry.py --check kata.yaml
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[1]
SUBDIR = "kata"
FROM_MANIFEST = ("name", "description", "version", "requires_hermes")
CAPABILITIES = ("provides_tools", "provides_hooks", "provides_middleware", "requires_env")


class RefusedEntryError(Exception):
    """Say why there is no entry to be made, or why one is wrong."""


def main(words: list[str]) -> int:
    """Run one of the two forms; return the exit code."""
    options = parse(words)
    try:
        if options.check:
            check(yaml.safe_load(options.check.read_text(encoding="utf-8")))
        else:
            write(make(options.repo, options.sha or head()), options.output)
    except RefusedEntryError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    return 0


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Make or check Kata's entry for the plugin catalog.")
    form = parser.add_mutually_exclusive_group(required=True)
    form.add_argument("--repo", help="the public https address of the repository")
    form.add_argument("--check", type=Path, metavar="ENTRY", help="an entry to check against this checkout")
    parser.add_argument("--sha", help="the commit to pin (the one checked out)")
    parser.add_argument("--output", type=Path, help="where to write (standard output)")
    return parser.parse_args(words)


def make(repo: str, sha: str) -> dict[str, Any]:
    """Build the entry of this checkout at one commit.

    Raises:
        RefusedEntryError: Hermes would not take the plugin or the entry.
    """
    manifest = read_manifest()
    entry = {
        **{key: manifest[key] for key in FROM_MANIFEST},
        "title": manifest["label"],
        "repo": repo,
        "sha": sha,
        "subdir": SUBDIR,
        "maintainer": manifest["author"],
        "tier": "community",
        "category": "automation",
        "readme": True,
        "capabilities": observed(manifest),
    }
    accept(entry)
    return entry


def check(entry: dict[str, Any]) -> None:
    """Compare an entry with what this checkout would give.

    Raises:
        RefusedEntryError: they differ; the message names each field.
    """
    right = make(entry["repo"], entry["sha"])
    flat, flat_right = _flat(entry), _flat(right)
    wrong = sorted(key for key in flat.keys() | flat_right.keys() if flat.get(key) != flat_right.get(key))
    if wrong:
        raise RefusedEntryError(
            "\n".join(f"{key}: {flat.get(key)!r}, not {flat_right.get(key)!r}" for key in wrong)
        )


def observed(manifest: dict[str, Any]) -> dict[str, list[str]]:
    """Return the capabilities: what the manifest declares, once Hermes has seen just that registered."""
    program = Path(sys.executable).with_name("hermes")
    argv = [str(program), "plugins", "validate", str(REPOSITORY / SUBDIR), "--json"]
    report = json.loads(subprocess.run(argv, capture_output=True, text=True, check=False).stdout)
    faults = [check["detail"] for check in report["checks"] if not check["ok"]]
    faults += [warning for warning in report["warnings"] if "did not register" in warning]
    if faults:
        raise RefusedEntryError("\n".join(faults))
    return {key: list(manifest.get(key, ())) for key in CAPABILITIES}


def accept(entry: dict[str, Any]) -> None:
    """Have Hermes' own catalog parse the entry."""
    from hermes_cli.plugin_catalog import entry_from_mapping

    if entry_from_mapping(entry, SUBDIR) is None:
        raise RefusedEntryError("the catalog of Hermes does not take this entry")


def read_manifest() -> dict[str, Any]:
    manifest: dict[str, Any] = yaml.safe_load(
        (REPOSITORY / SUBDIR / "plugin.yaml").read_text(encoding="utf-8")
    )
    return manifest


def head() -> str:
    argv = ["git", "-C", str(REPOSITORY), "rev-parse", "HEAD"]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


def write(entry: dict[str, Any], output: Path | None) -> None:
    text = yaml.safe_dump(entry, sort_keys=False, allow_unicode=True, width=120)
    if output:
        output.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


def _flat(entry: dict[str, Any]) -> dict[str, Any]:
    return {**entry, **entry.get("capabilities", {}), "capabilities": None}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
