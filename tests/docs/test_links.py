"""Links between the pages lead somewhere."""

import re
import shlex

import pytest
import yaml

from tests.docs.blocks import pages
from tests.hermes.support.fixtures import REPOSITORY

LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PAGES = [*pages(REPOSITORY), *REPOSITORY.glob("CHANGELOG.md"), *REPOSITORY.glob("tests/hermes/README.md")]


def _anchors(text: str) -> set[str]:
    """Name a page's headings as GitHub does."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_links_lead_somewhere(page):
    broken = []
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in _anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert not broken


def test_the_readme_installs_what_the_manifest_asks_for():
    manifest = yaml.safe_load((REPOSITORY / "kata" / "plugin.yaml").read_text(encoding="utf-8"))
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    [line] = re.findall(r"^\$ python -m pip install ('.*)$", readme, re.MULTILINE)
    assert shlex.split(line) == manifest["python_dependencies"]
