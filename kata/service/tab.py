"""Give a pip-installed Kata its tab: Hermes looks for tabs in its plugins' folders alone, never in packages."""

import os
import shutil
from pathlib import Path

import attrs

from ..errors import RefusedError

HERE = Path(__file__).resolve().parents[1] / "dashboard"
STUB = '''"""The door of Kata's tab: the installed package has all of it."""

from kata.dashboard.plugin_api import router

__all__ = ["router"]
'''


class FolderPluginError(RefusedError):
    """Say that Kata stands there as a folder plugin, which has its tab already."""

    code = "folder_plugin"
    hint = "Nothing to do: enable the plugin kata and restart `hermes dashboard`."

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} is Kata itself, with its tab")
        self.folder = str(folder)


@attrs.frozen(kw_only=True)
class Installed:
    """Where the tab lies now, and whether it follows the package by itself: ``linked``, or ``copied`` where it cannot."""

    folder: str
    how: str


def install(home: Path) -> Installed:
    """Put the tab into a Hermes home (``<home>/plugins/kata/dashboard``); a second time renews it.

    It is a link into the package, so an update of the package is an update of the tab. Where the system has no links, the
    page's files are copied beside two small files that point into the package, and an update needs another install.

    Raises:
        FolderPluginError: Kata is a folder plugin there.
    """
    plugin = home / "plugins" / "kata"
    if (plugin / "plugin.yaml").exists():
        raise FolderPluginError(plugin)
    plugin.mkdir(parents=True, exist_ok=True)
    target = plugin / "dashboard"
    _clear(target)
    try:
        target.symlink_to(HERE, target_is_directory=True)
    except OSError:
        _copy(target)
        return Installed(folder=str(target), how="copied")
    return Installed(folder=str(target), how="linked")


def remove(home: Path) -> bool:
    """Take the tab out of a Hermes home; tell whether there was one."""
    plugin = home / "plugins" / "kata"
    target = plugin / "dashboard"
    if (plugin / "plugin.yaml").exists() or not os.path.lexists(target):
        return False
    _clear(target)
    if not any(plugin.iterdir()):
        plugin.rmdir()
    return True


def _clear(target: Path) -> None:
    if target.is_symlink():
        target.unlink()
    elif target.exists():
        shutil.rmtree(target)


def _copy(target: Path) -> None:
    target.mkdir()
    shutil.copy(HERE / "manifest.json", target)
    shutil.copytree(HERE / "dist", target / "dist")
    (target / "plugin_api.py").write_text(STUB, encoding="utf-8")
