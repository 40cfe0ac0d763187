"""Which calls of one answer run together."""

from pathlib import Path

import pytest

from kata.standin.batches import segments

READ_A = ("read_file", {"path": "a"})
READ_B = ("read_file", {"path": "b"})
WRITE_A = ("write_file", {"path": "a", "content": ""})
WRITE_B = ("write_file", {"path": "b", "content": ""})
SEARCH = ("search_files", {"pattern": "x"})
SHELL = ("terminal", {"command": "true"})


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([READ_A], [(False, 1)]),
        ([READ_A, READ_A], [(True, 2)]),
        ([READ_A, WRITE_B], [(True, 2)]),
        ([READ_A, WRITE_A], [(False, 2)]),
        ([WRITE_A, WRITE_B, SEARCH], [(True, 2), (False, 1)]),
        ([SEARCH, WRITE_A], [(False, 2)]),
        ([READ_A, READ_B, SHELL, READ_A], [(True, 2), (False, 2)]),
        ([SHELL, SHELL], [(False, 2)]),
        ([("read_file", {})], [(False, 1)]),
        ([("read_file", None), READ_A], [(False, 2)]),
        ([("skill_view", {}), ("skill_view", {})], [(True, 2)]),
        ([], []),
    ],
)
def test_a_batch_is_split_in_order(calls, expected):
    runs = segments(calls, lambda call: call, Path("/work"))
    assert [(together, len(run)) for together, run in runs] == expected
    assert [call for _together, run in runs for call in run] == calls
