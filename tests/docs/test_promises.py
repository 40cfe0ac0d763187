"""Every test that the page of promises names exists."""

import ast
import re

import pytest

from tests.hermes.support.fixtures import REPOSITORY

PAGE = REPOSITORY / "docs" / "promises.md"
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE.read_text(encoding="utf-8"))))
ROWS = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]


def named_in(path):
    tree = ast.parse((REPOSITORY / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_promise_names_a_test_that_exists(path, name):
    assert name in named_in(path)


def test_every_promise_names_a_test():
    promises = [row for row in ROWS if not row.startswith("| promise")]
    assert len(promises) > 30
    assert [row for row in promises if "`tests/" not in row] == []
