"""Whatever the API is sent, it answers with what its own document says, and never with a fault."""

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from tests.dashboard.conftest import PERSON

pytestmark = pytest.mark.browser
schemathesis = pytest.importorskip("schemathesis", reason="tox -e browser has schemathesis")

OPERATIONS = 25
EXAMPLES = 40


@pytest.fixture
def operations(api: Any, lab: Any) -> list[Any]:
    lab.approved("settle_bug")
    schema = schemathesis.openapi.from_dict(api.get("openapi.json").json())
    return [found.ok() for found in schema.get_all_operations()]


def sent(api: Any, case: Any) -> Any:
    """Send a generated case as the tab would."""
    raw = isinstance(case.body, bytes)
    body = {} if case.body is schemathesis.core.NOT_SET else {"content" if raw else "json": case.body}
    path = case.formatted_path.removeprefix("/api/plugins/kata").lstrip("/")
    return api.ask(case.method, path, params=dict(case.query or {}), headers=PERSON, **body)


@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_request_is_answered_with_a_fault(api, operations, mode):
    assert len(operations) >= OPERATIONS
    wanted = schemathesis.GenerationMode(mode)
    for operation in operations:
        try_out(api, operation, wanted)


def try_out(api: Any, operation: Any, mode: Any) -> None:
    cases = operation.as_strategy(generation_mode=mode)
    known = {int(status) for status in operation.definition.raw["responses"]}

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def tried(data: st.DataObject) -> None:
        case = data.draw(cases)
        found = sent(api, case)
        assert found.status_code < 500, (case.method, case.formatted_path, case.query, case.body, found.text)
        assert found.status_code in known

    with contextlib.suppress(Unsatisfiable):  # an operation that takes nothing can be asked nothing wrong
        tried()
