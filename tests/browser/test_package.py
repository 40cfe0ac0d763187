"""Kata as pip installs it: its tab comes with one command, and is the package's own."""

from tests.hermes.support.fixtures import *  # noqa: F403

BLOCK = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name == "transitions":
            raise ImportError("No module named 'transitions'")

sys.meta_path.insert(0, Block())
"""
INSTALL = (
    "import sys, pathlib; from kata.service.tab import install; print(install(pathlib.Path(sys.argv[1])).how)"
)


def test_a_package_s_tab_is_installed_and_shown(hermes, pip_kata, pages, page):
    home = hermes(plugins=[], enabled=["kata"], overlay=pip_kata)
    done = home.run(str(home.python), "-c", INSTALL, str(home.home))
    assert done.answer == "linked", done.err
    with home.dashboard(pages=pages) as dashboard:
        [tab] = [one for one in dashboard.get("/api/dashboard/plugins") if one["name"] == "kata"]
        assert (tab["has_api"], tab["tab"]["path"]) == (True, "/kata")
        assert dashboard.get("/api/plugins/kata/overview")["profile"] == "default"
        page.goto(f"{dashboard.url}/kata")
        page.get_by_text("Kata is recording", exact=True).wait_for()


def test_without_its_dependencies_the_tab_says_what_to_install(hermes, pages, page, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(BLOCK, encoding="utf-8")
    home = hermes(env={"PYTHONPATH": str(hidden)})
    with home.dashboard(pages=pages) as dashboard:
        page.goto(f"{dashboard.url}/kata")
        page.get_by_text("Kata cannot start here").first.wait_for()
        assert page.get_by_text("it answers with the pip line").first.is_visible()
