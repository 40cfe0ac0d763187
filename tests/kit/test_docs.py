import re

import pytest

from kata import kit
from tests.kit.support import ROOT

PAGE = (ROOT / "docs" / "kit.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.usefixtures("no_hermes")
@pytest.mark.parametrize("source", BLOCKS)
def test_the_samples_of_the_page_run(source):
    exec(compile(source, "docs/kit.md", "exec"), {"__name__": "sample"})


def test_every_public_name_is_on_the_page():
    assert [name for name in kit.__all__ if name not in PAGE] == []


def test_every_row_is_told():
    assert [row for row in range(1, 19) if not re.search(rf"\bM{row}\b", PAGE)] == []
