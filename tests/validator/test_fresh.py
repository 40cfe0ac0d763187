"""Fresh values keep the shape of recorded ones (cases B034, B035)."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from kata.json import same
from kata.spec import OneOf, Ref
from kata.validator.fresh import Fresh, keep_states, unmasked
from tests.validator.build import spec_of, step

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)


def shape(value):
    if isinstance(value, dict):
        return {key: shape(one) for key, one in value.items()}
    return [shape(one) for one in value] if isinstance(value, list) else type(value).__name__


@given(JSON)
def test_types_keys_and_lengths_stay(value):
    assert shape(Fresh("s").value(value)) == shape(value)


@given(JSON)
def test_the_same_seed_gives_the_same_values(value):
    assert same(Fresh("s").value(value), Fresh("s").value(value))


def test_equal_values_stay_equal_and_others_differ():
    new = Fresh("s").value(["abc", "abc", "abd", 5, 5])
    assert new[0] == new[1] != "abc"
    assert new[3] == new[4] != 5


def test_a_path_stays_a_path():
    assert re.fullmatch(r"[a-z]{3}/[A-Z][a-z]\d\.[a-z]{2}", Fresh("s").value("src/Ab1.py"))


def test_what_a_result_is_judged_by_stays():
    old = {"exit_code": 0, "error": None, "status": "done", "output": "abc", "inner": {"status": "open"}}
    new = Fresh("s").result(old)
    assert (new["exit_code"], new["error"], new["status"]) == (0, None, "done")
    assert new["output"] != "abc"
    assert new["inner"]["status"] != "open"


def test_json_inside_a_text_stays_json():
    new = Fresh("s").result({"result": json.dumps({"id": "abc", "ok": True})})
    inner = json.loads(new["result"])
    assert inner["ok"] is True
    assert inner["id"] != "abc"


def test_an_input_keeps_to_its_schema():
    fresh = Fresh("s")
    assert fresh.input({"type": "string", "enum": ["fast", "slow"]}, "fast") == "fast"
    assert fresh.input({"type": "string", "pattern": "^([^-]|$)"}, "-abc") == "-abc"
    assert fresh.input({"type": "string"}, "abc") != "abc"
    assert fresh.input({"type": 5}, "abc") == "abc"


def test_a_state_that_a_later_step_insists_on_is_put_back():
    spec = spec_of(
        step("read_file", path="x"),
        step("read_file", path=Ref(1, ("id",)), requires=(OneOf(1, ("jobs", 0, "state"), ("done",)),)),
    )
    old = {"jobs": [{"state": "done", "n": 1}], "id": "abc"}
    new = keep_states(spec, 1, old, Fresh("s").value(old))
    assert new["jobs"][0]["state"] == "done"
    assert new["id"] != "abc"
    wrapped = {"result": json.dumps(old)}
    inside = spec_of(
        step("read_file", path="x"),
        step("read_file", path="y", requires=(OneOf(1, ("result", "jobs", 0, "state"), ("done",)),)),
    )
    back = keep_states(inside, 1, wrapped, Fresh("s").result(wrapped))
    assert json.loads(back["result"])["jobs"][0]["state"] == "done"


def test_a_mark_becomes_an_invented_secret_and_equal_marks_equal_ones():
    mark, other = "⟦secret:token:0123456789⟧", "⟦secret:token:9876543210⟧"
    new = unmasked({"a": f"Bearer {mark}", "b": [mark, other], mark: 1})
    assert "⟦" not in str(new)
    assert new["a"] == f"Bearer {new['b'][0]}"
    assert new["b"][0] != new["b"][1]
    assert unmasked({"plain": [1, "x"]}) == {"plain": [1, "x"]}
