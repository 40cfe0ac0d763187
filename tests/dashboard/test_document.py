"""The API's own document and the page about it say the same."""

import re

from scripts.build_tab import DASHBOARD

PAGE = DASHBOARD.parents[1] / "docs" / "dashboard.md"


def test_every_path_stands_on_the_page_and_every_one_there_exists(api):
    paths = api.get("openapi.json").json()["paths"]
    told = {
        f"{method.upper()} {path.removeprefix('/')}" for path, methods in paths.items() for method in methods
    }
    assert (
        set(re.findall(r"^\| `((?:GET|POST) [^`]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
        == told
    )


def test_every_operation_says_what_it_does_and_how_it_is_refused(api):
    document = api.get("openapi.json").json()
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    assert all(one["summary"] for one in operations)
    assert all({"403", "404", "409", "422", "500", "503"} <= one["responses"].keys() for one in operations)
    assert len({one["operationId"] for one in operations}) == len(operations)
