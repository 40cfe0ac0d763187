import asyncio
import dataclasses
import json
from collections.abc import Sequence
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import attrs
import cattrs
import pytest

from kata.kit import ToolError, int_arg, spec_of, str_arg, tool
from kata.kit.arguments.annotations import described


class Order(Enum):
    NEW = "newest"
    OLD = "oldest"


@attrs.frozen
class Author:
    name: str
    age: int | None = None


@attrs.frozen(kw_only=True)
class ReadThread:
    thread: Annotated[str, str_arg("Thread link", example="123")]
    limit: Annotated[int, "Messages to return"] = attrs.field(
        default=50, validator=[attrs.validators.ge(1), attrs.validators.le(100)]
    )
    order: Order = Order.NEW
    authors: tuple[Author, ...] = ()
    since: date | None = None


@tool(toolset="messaging")
def discord_read(request: ReadThread, *, session_id: str = "") -> dict[str, Any]:
    """Read a thread."""
    return {"request": request, "session": session_id}


def parameters(declared):
    return spec_of(declared).schema["parameters"]


def answers(declared, args=None, **context):
    return json.loads(declared(args, **context))


def test_a_class_is_the_one_source_of_the_schema():
    assert parameters(discord_read) == {
        "type": "object",
        "properties": {
            "thread": {"type": "string", "description": "Thread link"},
            "limit": {
                "type": "integer",
                "description": "Messages to return",
                "minimum": 1,
                "maximum": 100,
                "default": 50,
            },
            "order": {"type": "string", "enum": ["newest", "oldest"], "default": "newest"},
            "authors": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                    "additionalProperties": False,
                    "required": ["name"],
                },
            },
            "since": {"type": "string", "format": "date"},
        },
        "additionalProperties": False,
        "required": ["thread"],
    }


def test_a_class_tells_its_examples_in_the_description():
    assert spec_of(discord_read).schema["description"] == "Read a thread. Required: `thread` (e.g. '123')."


def test_the_handler_gets_an_instance():
    seen = []

    @tool(toolset="x")
    def x_read(request: ReadThread, **context):
        """Read."""
        seen.append((request, context))

    x_read({"thread": "1", "order": "oldest", "authors": [{"name": "A"}], "since": "2026-01-02"}, task_id="t")
    request = ReadThread(thread="1", order=Order.OLD, authors=(Author("A"),), since=date(2026, 1, 2))
    assert seen == [(request, {"task_id": "t"})]


def test_every_problem_of_a_call_is_told_at_once():
    answer = answers(discord_read, {"limit": 0, "order": "random", "authors": [{"nam": 1}], "treads": 1})
    assert answer["success"] is False
    assert answer["problems"] == [
        "thread is required (e.g. '123')",
        "limit must be at least 1, not 0",
        "order must be one of 'newest', 'oldest', not 'random'",
        "authors[0].name is required",
        "authors[0].nam is unknown; did you mean 'name'?",
        "treads is unknown; did you mean 'thread'?",
    ]
    assert answer["error"] == "; ".join(answer["problems"])


def test_problems_are_logged_without_values(logged):
    discord_read({"limit": "secret"})
    assert "rejected call, missing thread, invalid limit;" in logged()[-1].split("args=")[0]
    assert "secret" not in logged()[-1].split("args=")[0]


def test_texts_are_read_as_hermes_reads_them_for_the_model():
    assert (
        answers(discord_read, {"thread": "1", "limit": "7", "authors": '[{"name": "A"}]'})["data"]["request"][
            "limit"
        ]
        == 7
    )
    assert answers(discord_read, {"thread": "1", "authors": {"name": "A"}})["data"]["request"]["authors"] == [
        {"name": "A", "age": None}
    ]


def test_a_null_for_an_optional_argument_counts_as_absent():
    assert answers(discord_read, {"thread": "1", "limit": None})["data"]["request"]["limit"] == 50


def test_only_the_context_that_the_handler_takes_is_passed():
    assert answers(discord_read, {"thread": "1"}, session_id="s", task_id="t")["data"]["session"] == "s"


def test_a_data_class_will_do():
    @dataclasses.dataclass
    class Search:
        query: str
        words: list[str] = dataclasses.field(default_factory=list, metadata={"description": "Words"})

    @tool(toolset="x", args=Search)
    def x_search(request, **context):
        """Search."""
        return request

    assert parameters(x_search)["properties"]["words"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": "Words",
    }
    assert answers(x_search, {"query": "q"})["data"] == {"query": "q", "words": []}


def test_what_a_class_itself_refuses_is_a_failure():
    @attrs.frozen
    class Even:
        number: int = attrs.field()

        @number.validator
        def _even(self, attribute, value):
            if value % 2:
                raise ToolError("number must be even")

    declared = tool(toolset="x", name="x_even", description="Do.", args=Even)(lambda request: request)
    assert answers(declared, {"number": 3}) == {"success": False, "error": "number must be even"}


def test_a_converter_of_the_authors_structures_instead():
    converter = cattrs.Converter(forbid_extra_keys=True)
    converter.register_structure_hook(Author, lambda value, _: Author(value["name"].upper()))

    @tool(toolset="x", args=Author, converter=converter)
    def x_author(author, **context):
        """Do."""
        return author.name

    @tool(toolset="x", converter=converter)
    def x_authors(first: Author, second: Author, *, task_id: str = ""):
        """Do."""
        return first.name + second.name

    assert x_author({"name": "ada"}) == "ADA"
    assert x_authors({"first": {"name": "ada"}, "second": {"name": "bo"}}) == "ADABO"


def test_annotated_parameters_are_the_one_source_as_well():
    @tool(toolset="notes")
    def notes_find(
        words: list[str],
        limit: Annotated[int, int_arg("How many", minimum=1)] = 5,
        deep: bool = False,
        *,
        session_id: str = "",
        kind: Literal["note", "task"] | None = None,
    ):
        """Find notes."""
        return [words, limit, deep, session_id, kind]

    assert parameters(notes_find) == {
        "type": "object",
        "properties": {
            "words": {"type": "array", "items": {"type": "string"}},
            "limit": {"type": "integer", "description": "How many", "minimum": 1, "default": 5},
            "deep": {"type": "boolean", "default": False},
            "kind": {"type": "string", "enum": ["note", "task"]},
        },
        "additionalProperties": False,
        "required": ["words"],
    }
    assert answers(notes_find, {"words": "one", "deep": "true"}, session_id="s", task_id="t")["data"] == [
        ["one"], 5, True, "s", None,
    ]  # fmt: skip
    assert notes_find.call(["a"], limit=2) == [["a"], 2, False, "", None]


def test_keyword_only_parameters_are_arguments_and_a_bare_context_is_none():
    @tool(toolset="x")
    def x_words(*, words: str, task_id: str = ""):
        """Do."""
        return f"{words} {task_id}"

    @tool(toolset="x")
    def x_context(**context):
        """Do."""
        return sorted(context)

    assert x_words({"words": "a"}, task_id="t") == "a t"
    assert parameters(x_context)["properties"] == {}
    assert answers(x_context, {}, task_id="t")["data"] == ["task_id"]


def test_an_optional_parameter_without_a_default_is_none_when_absent():
    @tool(toolset="x")
    def x_maybe(word: str | None, number: int | None = 3):
        """Do."""
        return [word, number]

    assert "required" not in parameters(x_maybe)
    assert answers(x_maybe, {})["data"] == [None, 3]


def test_a_value_of_any_type_is_handed_over():
    @tool(toolset="x")
    def x_any(value: Any, values: list[int | None]):
        """Do."""
        return [value, values]

    assert answers(x_any, {"value": {"a": [1]}, "values": [1, None]})["data"] == [{"a": [1]}, [1, None]]
    assert parameters(x_any)["properties"]["values"] == {
        "type": "array",
        "items": {"type": "integer", "nullable": True},
    }


def test_a_function_without_parameters_is_a_tool_without_arguments():
    @tool(toolset="x")
    def x_now():
        """Tell the time."""
        return "noon"

    assert parameters(x_now)["properties"] == {}
    assert x_now({}, task_id="t") == "noon"
    assert answers(x_now, {"zone": "utc"})["problems"] == ["zone is unknown"]


def test_a_typed_async_tool_is_awaited():
    @tool(toolset="x")
    async def x_wait(seconds: float):
        """Wait."""
        return seconds

    assert json.loads(asyncio.run(x_wait({"seconds": 2})))["data"] == 2.0


def test_a_typed_method_is_bound_to_its_object():
    class Notes:
        @tool(toolset="notes")
        def notes_get(self, number: int):
            """Get."""
            return [type(self).__name__, number]

    assert answers(Notes().notes_get, {"number": 2})["data"] == ["Notes", 2]


@pytest.mark.parametrize(
    "handler",
    [
        lambda args, **kwargs: "plain",
        lambda args: "plain",
        lambda payload, **kwargs: "plain",
        lambda *args, **kwargs: "plain",
    ],
)
def test_a_handler_without_types_takes_all_arguments_as_one_dict(handler):
    declared = tool(toolset="x", name="x_any", description="Do.")(handler)
    assert declared({"whatever": 1}) == "plain"


def test_a_handler_of_a_dict_takes_all_arguments_as_one_dict():
    def x_dict(arguments: dict[str, Any], **context: Any) -> str:
        """Do."""
        return json.dumps(arguments)

    assert tool(toolset="x")(x_dict)({"a": 1}) == '{"a": 1}'


def test_an_annotation_that_cannot_be_read_does_not_matter_for_args():
    def x_args(args: "Unknown", **kwargs):  # noqa: F821
        """Do."""
        return "plain"

    assert tool(toolset="x")(x_args)({}) == "plain"


def test_an_annotation_that_cannot_be_read_is_told():
    def x_other(request: "Unknown"):  # noqa: F821
        """Do."""

    with pytest.raises(TypeError, match="cannot be read: name 'Unknown'"):
        tool(toolset="x")(x_other)


def test_parameters_that_the_model_cannot_name_are_refused():
    def x_rest(first: int, *rest: int):
        """Do."""

    with pytest.raises(TypeError, match="cannot name rest"):
        tool(toolset="x")(x_rest)


def test_args_is_a_class():
    with pytest.raises(TypeError, match="neither an attrs class nor a data class"):
        tool(toolset="x", name="x_y", description="Do.", args=str)(lambda args: None)


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (Path, {"type": "string"}),
        (datetime, {"type": "string", "format": "date-time"}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (list, {"type": "array", "items": {}}),
        (Sequence[int], {"type": "array", "items": {"type": "integer"}}),
        (set[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (Order, {"type": "string", "enum": ["newest", "oldest"]}),
        (Annotated[str, "A name"] | None, {"type": "string", "description": "A name"}),
    ],
)
def test_types_have_a_json_schema(annotation, schema):
    assert described(annotation) == schema


@pytest.mark.parametrize("annotation", [bytes, tuple[int, str], dict[int, str], object, Literal[b"x"]])
def test_a_type_without_a_json_schema_is_told(annotation):
    with pytest.raises(TypeError, match="JSON Schema"):
        described(annotation)


def test_an_object_with_documentation_describes_too():
    class Doc:
        documentation = "A name"

    assert described(Annotated[str, Doc(), object()]) == {"type": "string", "description": "A name"}


@pytest.mark.parametrize(
    ("validator", "kind", "limits"),
    [
        (attrs.validators.gt(0), int, {"exclusiveMinimum": 0}),
        (attrs.validators.lt(9), int, {"exclusiveMaximum": 9}),
        (attrs.validators.min_len(2), str, {"minLength": 2}),
        (attrs.validators.max_len(3), list[str], {"maxItems": 3}),
        (attrs.validators.matches_re("a+"), str, {"pattern": "^(?:a+)$"}),
        (attrs.validators.in_({"b", "a"}), str, {"enum": ["a", "b"]}),
        (attrs.validators.in_(["b", "a"]), str, {"enum": ["b", "a"]}),
        (attrs.validators.optional(attrs.validators.ge(1)), int | None, {"minimum": 1}),
        (attrs.validators.instance_of(int), int, {}),
        (None, int, {}),
    ],
)
def test_attrs_validators_become_limits(validator, kind, limits):
    made = attrs.make_class("Made", {"value": attrs.field(type=kind, validator=validator)})
    declared = tool(toolset="x", name="x_v", description="Do.", args=made)(lambda request: None)
    schema = parameters(declared)["properties"]["value"]
    assert {key: schema.get(key) for key in limits} == limits


def test_unions_sets_and_mappings_are_structured():
    seen = []

    @tool(toolset="x")
    def x_all(one: int | Author, some: frozenset[str], table: dict[str, Author], where: Path, when: datetime):
        """Do."""
        seen.append((one, some, table, where, when))

    args = {
        "one": {"name": "A"},
        "some": ["a"],
        "table": {"x": {"name": "B"}},
        "where": "/a",
        "when": "2026-01-02T03:04:05",
    }
    x_all(args)
    assert seen == [
        (Author("A"), frozenset({"a"}), {"x": Author("B")}, Path("/a"), datetime.fromisoformat(args["when"])),
    ]


def test_a_text_that_is_no_date_is_a_failure():
    @tool(toolset="x")
    def x_day(day: date):
        """Do."""

    assert answers(x_day, {"day": "tomorrow"})["error"].startswith("x_day failed: ")
