"""``plan``, ``diff`` and ``why``: what a person reads before deciding."""

import json
from pathlib import Path
from typing import Any

import pytest

from kata.events import Surface
from kata.service.comparing import DiffView, input_changes, step_changes
from kata.service.given import typed
from kata.service.plan import effect_counts
from kata.spec import Const, Input, InputField, Loop, Record, Ref, Spec, Step
from kata.surfaces.exits import FAILED, NOT_FOUND, USAGE
from kata.surfaces.paint import Page
from kata.surfaces.show import diff
from tests.service.lab import SCHEMAS, order
from tests.surfaces.test_cli import shell
from tests.surfaces.test_slash import type_in

GOLDEN = Path(__file__).parent / "golden"


def step(tool: str, effect: str = "read", **args: Any) -> Step:
    return Step(tool=tool, args=Record(tuple((key, one) for key, one in args.items())), effect=effect)


def spec(*steps: Any, inputs: tuple[str, ...] = ()) -> Spec:
    return Spec(steps=steps, inputs=tuple(InputField(name=one, schema={"type": "string"}) for one in inputs))


FIND = step("search_files", pattern=Input("pattern"))
COUNT = step("terminal", command=Const("wc -l notes.txt"))
PUSH = step("terminal", "external", command=Const("git push origin main"))
FORCE = step("terminal", "external", command=Const("git push --force origin main"))
EACH = Loop(over=Ref(1, ("matches",)), limit=20, body=(COUNT,))
CASES = {
    "added": (spec(FIND), spec(FIND, PUSH)),
    "removed": (spec(FIND, COUNT, PUSH), spec(FIND, PUSH)),
    "argument": (spec(FIND, PUSH), spec(FIND, FORCE)),
    "effect": (spec(step("fetch", url=Const("u"))), spec(step("fetch", "network_read", url=Const("u")))),
    "inputs": (spec(FIND, inputs=("pattern", "path")), spec(FIND, inputs=("pattern", "branch"))),
    "loop": (spec(FIND, COUNT), spec(FIND, EACH)),
}


def compared(old: Spec, new: Spec) -> DiffView:
    return DiffView(
        profile="default",
        number=2,
        name="deploy_preview",
        before=1,
        after=2,
        digest_before="a" * 64,
        digest_after="b" * 64,
        steps=step_changes(old, new),
        inputs=input_changes(old, new),
        effects_before=effect_counts(old),
        effects_after=effect_counts(new),
        changes=(),
    )


@pytest.mark.parametrize("case", CASES)
def test_each_kind_of_change_is_shown_as_its_golden_file_says(case):
    view = compared(*CASES[case])
    shown = "\n".join((*diff.shell(view, Page()), "", "--- in a chat", *diff.chat(view))) + "\n"
    assert shown == (GOLDEN / f"diff-{case}.txt").read_text(encoding="utf-8")


def test_a_plan_shows_the_values_where_they_will_stand_and_runs_nothing(lab):
    number = lab.proposed(order)
    code, out, _ = shell(lab, "plan", str(number), "customer=bug 7")
    assert code == 0
    assert "Nothing is run" in out
    assert "customer  customer bug 7" in out
    assert not lab.service.runs()


def test_what_has_no_value_stays_open_and_is_named(lab):
    number = lab.proposed(order)
    out = shell(lab, "plan", str(number))[1]
    assert "{customer}" in out
    assert "Open      customer" in out


def test_a_value_for_no_input_is_a_usage_error_with_the_near_name(lab):
    number = lab.proposed(order)
    code, _, err = shell(lab, "plan", str(number), "custmer=x")
    assert (code, "customer" in err) == (USAGE, True)


def test_a_word_that_gives_no_value_is_a_usage_error(lab):
    number = lab.proposed(order)
    assert shell(lab, "plan", str(number), "customer")[0] == USAGE


def test_a_plan_in_json_has_the_rendered_pieces(lab):
    number = lab.proposed(order)
    data = json.loads(shell(lab, "plan", str(number), "customer=a", "--json")[1])["data"]
    assert data["steps"][0]["arguments"][0]["parts"] == [{"kind": "text", "text": "customer a"}]


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [("string", "7", "7"), ("integer", "7", 7), ("array", '["a"]', ["a"]), ("boolean", "maybe", "maybe")],
)
def test_words_become_values_of_the_type_that_is_asked_for(kind, text, value):
    assert typed({"x": text}, {"properties": {"x": {"type": kind}}}) == {"x": value}


def test_a_value_of_the_wrong_type_is_named_and_exits_with_1(lab):
    properties = {"customer": {"type": "string"}, "count": {"type": "integer"}}
    lab.describe(
        "find_order", {"type": "object", "properties": properties, "required": ["customer", "count"]}
    )

    def counted(n: int) -> Any:
        steps = order(n)
        return [("find_order", {**steps[0][1], "count": n}, steps[0][2]), steps[1]]

    number = lab.proposed(counted)
    code, out, _ = shell(lab, "plan", str(number), "count=many")
    assert (code, "! count" in out) == (FAILED, True)


def test_a_kata_with_one_version_has_nothing_to_compare(lab):
    number = lab.proposed()
    assert "only version" in shell(lab, "diff", str(number))[1]


def test_the_diff_of_a_kata_names_versions_with_or_without_a_letter(lab):
    number = lab.approved("settle_bug")
    schema = SCHEMAS["close_ticket"]
    properties = {**schema["properties"], "why": {"type": "string"}}
    lab.describe("close_ticket", {**schema, "properties": properties, "required": ["id", "why"]})
    lab.service.refresh()
    lab.service.upkeep(Surface.HOOK)
    assert shell(lab, "diff", str(number))[1] == shell(lab, "diff", "settle_bug", "v1", "2")[1]
    assert "+ {why}" in shell(lab, "diff", str(number))[1]
    assert shell(lab, "diff", str(number), "1", "9")[0] == NOT_FOUND
    assert shell(lab, "diff", str(number), "first")[0] == USAGE
    assert "What changed" in shell(lab, "review", str(number))[1]


def test_why_says_what_each_argument_became_and_lists_the_evidence(lab):
    number = lab.proposed()
    out = shell(lab, "why", str(number))[1]
    assert "constant: the same in all 3 conversations" in out
    assert out.count("session s") == 3


def test_why_in_a_chat_is_one_line_an_argument(lab):
    number = lab.proposed()
    lines = type_in(lab, f"why {number}").splitlines()
    assert any(line.startswith("2. id – reference") for line in lines)


@pytest.mark.parametrize("verb", ["plan", "why"])
def test_plain_output_is_one_line_an_item(lab, verb):
    number = lab.proposed()
    assert all("\t" in line for line in shell(lab, verb, str(number), "--plain")[1].splitlines())
